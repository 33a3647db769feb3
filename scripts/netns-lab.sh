#!/usr/bin/env bash
# Network namespaces for members and client on this machine, joined by a bridge that is in a namespace of its own: members
# with addresses of their own, and a way to cut one off that no code of ours takes part in. Needs root and iproute2.
#
#   scripts/netns-lab.sh up 3          make namespaces for three members (10.231.17.1 to .3) and a client (10.231.17.100)
#   scripts/netns-lab.sh exec CMD...   run a command in the client's namespace
#   scripts/netns-lab.sh inject ID     cut member ID off: its cable is pulled out of the bridge
#   scripts/netns-lab.sh undo ID       plug it in again
#   scripts/netns-lab.sh down          remove the namespaces; stop what runs in them before
#
# A failover test that cuts the leader off that way, and audits the logs after:
#
#   scripts/netns-lab.sh exec java -jar load-client.jar failover --fault script --fault-script scripts/netns-lab.sh \
#       --rate 1k --delivery exactly-once --timeouts fast --return-after 6s --set echo.insecure=true \
#       --set echo.hosts=10.231.17.1,10.231.17.2,10.231.17.3 --set 'echo.launch.prefix=nsenter --net=/run/netns/echo-{id}'
#
# NETNS_PREFIX: what the names of the namespaces begin with (default: echo).
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

prefix="${NETNS_PREFIX:-echo}"
network=10.231.17
client="$prefix-client"
hub="$prefix-hub"

fail()
{
    echo "netns-lab.sh: $1" >&2
    exit "${2:-2}"
}

namespaces()
{
    ip netns list | awk '{ print $1 }' | grep -E "^$prefix-(hub|client|[0-9]+)\$" || true
}

# join NAMESPACE PORT HOST: a namespace with one cable to the bridge.
join()
{
    ip netns add "$1"
    ip -n "$1" link set lo up
    ip -n "$hub" link add "$2" type veth peer name eth0 netns "$1"
    ip -n "$hub" link set "$2" master bridge0 up
    ip -n "$1" address add "$network.$3/24" dev eth0
    ip -n "$1" link set eth0 up
}

up()
{
    [[ "${1:-3}" =~ ^[1-9]$ ]] || fail "members: ${1:-3} given, 1 to 9 allowed"
    [[ -z "$(namespaces)" ]] || fail "there are namespaces $prefix-* already: 'down' removes them, NETNS_PREFIX chooses other names"
    ip netns add "$hub"
    ip -n "$hub" link set lo up
    ip -n "$hub" link add bridge0 type bridge
    ip -n "$hub" link set bridge0 up
    for ((id = 0; id < ${1:-3}; id++))
    do
        join "$prefix-$id" "member$id" "$((id + 1))"
    done
    join "$client" client 100
    namespaces
}

down()
{
    local name pids left=0
    for name in $(namespaces)
    do
        pids="$(ip netns pids "$name" | tr '\n' ' ')"
        if [[ -n "$pids" ]]
        then
            echo "netns-lab.sh: $name has processes and is left: $pids" >&2
            left=1
        else
            ip netns delete "$name"
        fi
    done
    return "$left"
}

member()
{
    [[ "${1:-}" =~ ^[0-9]$ && -e "/run/netns/$prefix-$1" ]] || fail "member: '${1:-}' given, allowed is the id of one that has a namespace"
}

action="${1:-}"
shift || true
if [[ "$action" =~ ^(up|down|exec|inject|undo)$ ]]
then
    [[ "$(id -u)" == 0 ]] || fail "needs root: it works with network namespaces" 3
    command -v ip >/dev/null || fail "ip (iproute2) is not installed" 3
fi
case "$action" in
    up)
        up "$@"
        ;;
    down)
        down
        ;;
    exec)
        [[ -e "/run/netns/$client" ]] || fail "there is no namespace $client: 'up' makes it"
        exec nsenter --net="/run/netns/$client" "$@"
        ;;
    inject)
        member "${1:-}"
        ip -n "$hub" link set "member$1" nomaster
        ;;
    undo)
        member "${1:-}"
        ip -n "$hub" link set "member$1" master bridge0
        ;;
    *)
        print_help "${BASH_SOURCE[0]}"
        [[ "$action" == --help || "$action" == -h ]] || exit 2
        ;;
esac
