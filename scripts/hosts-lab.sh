#!/usr/bin/env bash
# Emulate five hosts on this machine, three for members and two for clients: network namespaces with an sshd each.
#
#   scripts/hosts-lab.sh up DIR
#
# up DIR        create the hosts in a new folder DIR, with their inventory in DIR/inventory.properties
# exec CMD...   run a command on the first client's host
# inject ID     disconnect the host of member ID, including its ssh
# undo ID       reconnect it
# down DIR      remove the hosts, or what is left of them, and DIR; stop the cluster first
#
# Needs root, iproute2 and OpenSSH's sshd. Uses neither the machine's sshd nor any user's ~/.ssh.
# NETNS_PREFIX: prefix of the namespaces' names (default: echo).
# Exit status: 0 done, 2 invalid usage, 3 root, iproute2 or sshd is missing.
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

prefix="${NETNS_PREFIX:-echo}"
export NETNS_PREFIX="$prefix"
network=10.231.17
port=2222
names=(alpha beta gamma delta epsilon)
roles=("member 0" "member 1" "member 2" "client 0" "client 1,backup,peer")
first_client=3
# A file in DIR by which 'down' knows it.
marker=hosts-lab

fail()
{
    echo "hosts-lab.sh: $1" >&2
    exit "${2:-2}"
}

lab()
{
    "$root/scripts/netns-lab.sh" "$@"
}

# sshd needs its full path, because it starts itself again for each connection.
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
    echo "# Emulated hosts on one machine, created by hosts-lab.sh."
    (IFS=,; echo "hosts=${names[*]}")
    cat << COMMON
ssh.user=root
ssh.port=$port
ssh.key=user_key
ssh.options=-F /dev/null -o UserKnownHostsFile=$1/known_hosts -o StrictHostKeyChecking=yes
java=$java
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
    # The folder is not local, because the trap needs it after this function.
    local sshd host key
    [[ -n "${1:-}" && ! -e "$1" ]] || fail "up DIR=${1:-} is not allowed: a folder that does not exist yet"
    sshd="$(sshd_path)"
    lab up "${#names[@]}" > /dev/null
    dir="$1"
    trap 'echo "hosts-lab.sh: up failed; what it created is removed" >&2; remove "$dir"' EXIT
    (umask 077 && mkdir -p "$1")
    dir="$(cd "$1" && pwd)"
    touch "$dir/$marker"
    # sshd's folder for privilege separation; some systems create it only when the service starts.
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
    trap - EXIT
    echo "$dir/inventory.properties"
}

down()
{
    [[ -n "${1:-}" && -f "$1/$marker" || ! -e "${1:-/}" ]] || fail "down DIR=${1:-} is not allowed: a folder created by 'up'"
    remove "$1"
}

# remove DIR: also after an 'up' that failed, when some of this does not exist.
remove()
{
    local pid_file pid name
    for pid_file in "$1"/*/sshd.pid
    do
        [[ -f "$pid_file" ]] || continue
        pid="$(cat "$pid_file")"
        # A pid may have been reused; the command line of our sshd contains its configuration file.
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
    # Processes of connections that have just ended may take a moment to exit.
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
    [[ "$(id -u)" == 0 ]] || fail "needs root, because it uses network namespaces" 3
    command -v ip > /dev/null || fail "ip (iproute2) is not installed" 3
fi
case "$action" in
    up)
        up "$@"
        ;;
    exec)
        [[ -e "/run/netns/$prefix-$first_client" ]] || fail "the client's host does not exist: create it with 'up'"
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
