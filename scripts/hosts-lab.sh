#!/usr/bin/env bash
# Five hosts on this machine, as network namespaces with an sshd each: three for members, two for clients, with keys, addresses
# and folders of their own, and an inventory of them. For trying what works on several hosts, without several. Needs root,
# iproute2 and OpenSSH's sshd. Nothing of it uses the machine's own sshd, or anybody's ~/.ssh.
#
#   scripts/hosts-lab.sh up DIR        make them in a new folder DIR; DIR/inventory.properties names them
#   scripts/hosts-lab.sh exec CMD...   run a command on the first client's host
#   scripts/hosts-lab.sh inject ID     cut the host of member ID off: its only cable is pulled, that of ssh too
#   scripts/hosts-lab.sh undo ID       plug it in again
#   scripts/hosts-lab.sh down DIR      remove them and DIR; stop the cluster before
#
# NETNS_PREFIX: what the names of the namespaces begin with (default: echo).
# Exit status: 0 done, 2 told something that cannot be used, 3 root, iproute2 or sshd is missing.
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

prefix="${NETNS_PREFIX:-echo}"
export NETNS_PREFIX="$prefix"
network=10.231.17
port=2222
names=(alpha beta gamma delta epsilon)
roles=("member 0" "member 1" "member 2" "client 0" "client 1")
first_client=3

fail()
{
    echo "hosts-lab.sh: $1" >&2
    exit "${2:-2}"
}

lab()
{
    "$root/scripts/netns-lab.sh" "$@"
}

# Its path in full, as it starts itself again for each connection.
sshd_path()
{
    PATH="$PATH:/usr/sbin:/sbin" command -v sshd || fail "sshd (OpenSSH's server) is not installed" 3
}

start_sshd()
{
    local host="$1" dir="$2/${names[$1]}" sshd="$3"
    mkdir -p "$dir"
    cat > "$dir/sshd_config" << CONFIG
ListenAddress $network.$((host + 1))
Port $port
HostKey $2/host_key
AuthorizedKeysFile $2/user_key.pub
PidFile $dir/sshd.pid
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
MaxStartups 100
Subsystem sftp internal-sftp
CONFIG
    nsenter --net="/run/netns/$prefix-$host" "$sshd" -f "$dir/sshd_config" -E "$dir/sshd.log"
}

inventory()
{
    local host java
    java="$(readlink -f "$(command -v java)")"
    echo "# Hosts of one machine, made by hosts-lab.sh."
    (IFS=,; echo "hosts=${names[*]}")
    cat << COMMON
ssh.user=root
ssh.port=$port
ssh.key=user_key
ssh.options=-F /dev/null -o UserKnownHostsFile=$1/known_hosts -o StrictHostKeyChecking=yes
java=$java
interface=eth0
mtu=1500
COMMON
    for host in "${!names[@]}"
    do
        cat << HOST
host.${names[$host]}.roles=${roles[$host]}
host.${names[$host]}.ssh=$network.$((host + 1))
host.${names[$host]}.folder=$1/${names[$host]}/cluster-echo
host.${names[$host]}.data=$1/${names[$host]}/data
HOST
    done
}

up()
{
    local dir sshd host key
    [[ -n "${1:-}" && ! -e "$1" ]] || fail "up: '${1:-}' given, allowed is a folder that is not there yet"
    sshd="$(sshd_path)"
    lab up "${#names[@]}" > /dev/null
    (umask 077 && mkdir -p "$1")
    dir="$(cd "$1" && pwd)"
    # Where sshd parts with its privileges; some systems make it only when a service starts.
    if [[ ! -d /run/sshd ]]
    then
        mkdir -m 755 /run/sshd
        touch "$dir/made_run_sshd"
    fi
    ssh-keygen -q -t ed25519 -N '' -C hosts-lab -f "$dir/host_key"
    ssh-keygen -q -t ed25519 -N '' -C hosts-lab -f "$dir/user_key"
    key="$(cut -d ' ' -f 1,2 "$dir/host_key.pub")"
    for host in "${!names[@]}"
    do
        start_sshd "$host" "$dir" "$sshd"
        echo "[$network.$((host + 1))]:$port $key" >> "$dir/known_hosts"
    done
    inventory "$dir" > "$dir/inventory.properties"
    echo "$dir/inventory.properties"
}

down()
{
    local pid_file pid name
    [[ -n "${1:-}" && -f "$1/inventory.properties" || ! -e "${1:-/}" ]] || fail "down: '${1:-}' given, allowed is a folder that 'up' made"
    for pid_file in "$1"/*/sshd.pid
    do
        [[ -f "$pid_file" ]] || continue
        pid="$(cat "$pid_file")"
        # A pid may belong to another process by now; ours was told where its pid goes.
        if grep -qz "$(dirname "$pid_file")/sshd_config" "/proc/$pid/cmdline" 2> /dev/null
        then
            kill "$pid"
            for _ in {1..50}
            do
                [[ -d "/proc/$pid" ]] || break
                sleep 0.1
            done
        fi
    done
    # Connections that have just ended take a moment.
    for name in "${!names[@]}"
    do
        for _ in {1..50}
        do
            [[ -n "$(ip netns pids "$prefix-$name" 2> /dev/null || true)" ]] || break
            sleep 0.1
        done
    done
    lab down
    if [[ -f "$1/made_run_sshd" ]]
    then
        rmdir /run/sshd
    fi
    rm -rf "$1"
}

action="${1:-}"
shift || true
if [[ "$action" =~ ^(up|exec|inject|undo|down)$ ]]
then
    [[ "$(id -u)" == 0 ]] || fail "needs root: it works with network namespaces" 3
    command -v ip > /dev/null || fail "ip (iproute2) is not installed" 3
fi
case "$action" in
    up)
        up "$@"
        ;;
    exec)
        [[ -e "/run/netns/$prefix-$first_client" ]] || fail "there is no host of a client: 'up' makes it"
        exec nsenter --net="/run/netns/$prefix-$first_client" "$@"
        ;;
    inject | undo)
        lab "$action" "$@"
        ;;
    down)
        down "$@"
        ;;
    *)
        print_help "${BASH_SOURCE[0]}"
        [[ "$action" == --help || "$action" == -h ]] || exit 2
        ;;
esac
