#!/usr/bin/env bash
# Create network namespaces for members and a client on this machine, to partition members by the kernel instead of the driver.
#
#   scripts/netns-lab.sh up 3
#
# up N          create namespaces for N members (10.231.17.1 and up) and a client (10.231.17.100), connected by a bridge
# exec CMD...   run a command in the client's namespace
# inject ID     disconnect member ID from the bridge
# undo ID       reconnect it
# down          remove the namespaces; stop the processes in them first
#
# A failover test that disconnects the leader this way:
#
#   scripts/netns-lab.sh exec bin/load-client failover --fault script --fault-script scripts/netns-lab.sh \
#       --rate 1k --delivery exactly-once --timeouts fast --return-after 6s --set echo.insecure=true \
#       --set echo.hosts=10.231.17.1,10.231.17.2,10.231.17.3 --set 'echo.launch.prefix=nsenter --net=/run/netns/echo-{id}'
#
# Needs root and iproute2.
# NETNS_PREFIX: prefix of the namespaces' names (default: echo).
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

# join NAMESPACE PORT HOST: create a namespace with one link to the bridge.
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
    [[ "${1:-3}" =~ ^[1-9]$ ]] || fail "up N=${1:-3} is not allowed: 1 to 9"
    [[ -z "$(namespaces)" ]] || fail "namespaces $prefix-* already exist: remove them with 'down', or set NETNS_PREFIX to another prefix"
    trap 'echo "netns-lab.sh: up failed; what it created is removed" >&2; down' EXIT
    ip netns add "$hub"
    ip -n "$hub" link set lo up
    ip -n "$hub" link add bridge0 type bridge
    ip -n "$hub" link set bridge0 up
    for ((id = 0; id < ${1:-3}; id++))
    do
        join "$prefix-$id" "member$id" "$((id + 1))"
    done
    join "$client" client 100
    trap - EXIT
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
            echo "netns-lab.sh: $name is not removed because processes run in it: $pids" >&2
            left=1
        else
            ip netns delete "$name"
        fi
    done
    return "$left"
}

member()
{
    [[ "${1:-}" =~ ^[0-9]$ && -e "/run/netns/$prefix-$1" ]] || fail "member ID=${1:-} is not allowed: the id of a member that has a namespace"
}

action="${1:-}"
shift || true
if [[ "$action" =~ ^(up|down|exec|inject|undo)$ ]]
then
    [[ "$(id -u)" == 0 ]] || fail "needs root, because it uses network namespaces" 3
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
        [[ -e "/run/netns/$client" ]] || fail "namespace $client does not exist: create it with 'up'"
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
