#!/usr/bin/env bash
# What the parts of a container cost: members outside of any, behind a bridge, in control groups and with a CPU limit,
# interleaved, judged alike.
#
#   scripts/container-cost.sh --starts 5 --rates 1000,10000 --output results/container-cost
#
# outside   as bin/cluster-node start runs them. Namespaces of processes and mounts are on no message's way; the filter of
#           system calls that engines add is not measured
# bridge    each member, and the client, in a network namespace of its own, joined by veth pairs and a bridge
# group     outside, each member in a control group of its own, without a quota, as in a container with the host's network;
#           the client is in none
# limit     the same, with a quota of CPUS processors (default: 1) in periods of 100 ms
# cpuset    outside, each member on the processors of CPUSET alone (default: all), without a quota
#
# Options are those of scripts/side-by-side.sh. SIDES selects (default: outside,bridge,group,limit). Needs root and iproute2.
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == --help || "${1:-}" == -h ]]
then
    print_help "${BASH_SOURCE[0]}"
    exit 0
fi
[[ "$(id -u)" == 0 ]] || { echo "container-cost.sh: needs root, because it makes namespaces and control groups" >&2; exit 3; }
build_if_needed load-client.jar

sides="${SIDES:-outside,bridge,group,limit}"
work="$(mktemp -d /tmp/container-cost.XXXXXX)"
export NETNS_PREFIX=cost
lab="$root/scripts/netns-lab.sh"
# Of version 1 or 2.
group="/sys/fs/cgroup/$([[ -d /sys/fs/cgroup/cpu ]] && echo cpu/)cluster-echo-cost"

clean()
{
    [[ "$sides" != *bridge* ]] || "$lab" down || true
    [[ ! -d "$group" ]] || find "$group" -depth -type d -exec rmdir {} \; || true
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM

# place NAME START-OPTIONS CLIENT-PREFIX: a folder whose commands add options to start, and words before the client.
place()
{
    local folder="$work/$1"
    mkdir -p "$folder/bin"
    ln -s "$root/cluster-node.jar" "$root/load-client.jar" "$folder"
    # shellcheck disable=SC2016
    printf '#!/usr/bin/env bash\nset -euo pipefail\n[[ "$1" == start ]] || exec "%s/bin/cluster-node" "$@"\nexec "%s/bin/cluster-node" "$@" %s\n' \
        "$root" "$root" "$2" > "$folder/bin/cluster-node"
    printf '#!/usr/bin/env bash\nexec %s "%s/bin/load-client" "$@"\n' "$3" "$root" > "$folder/bin/load-client"
    chmod +x "$folder"/bin/*
}

if [[ "$sides" == *bridge* ]]
then
    "$lab" up 3 > /dev/null
    place bridge "--set echo.insecure=true --set echo.hosts=10.231.17.1,10.231.17.2,10.231.17.3 \
        --set 'echo.launch.prefix=nsenter --net=/run/netns/cost-{id}'" "$lab exec"
    # The members are probed by start itself, so it is in the client's namespace too.
    sed -i "s|^exec \"|exec $lab exec \"|" "$work/bridge/bin/cluster-node"
fi
for side in group limit
do
    [[ "$sides" == *"$side"* ]] || continue
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho $$ > "%s/%s/$1/cgroup.procs"\nshift\nexec "$@"\n' "$group" "$side" > "$work/join-$side"
    chmod +x "$work/join-$side"
    mkdir -p "$group/$side"
    if [[ "$group" != */cpu/* ]]
    then
        echo +cpu > "$group/cgroup.subtree_control"
        echo +cpu > "$group/$side/cgroup.subtree_control"
    fi
    quota="$(awk -v cpus="${CPUS:-1}" 'BEGIN { printf "%d", cpus * 100000 }')"
    for id in 0 1 2
    do
        mkdir -p "$group/$side/$id"
        [[ "$side" == limit ]] || continue
        if [[ "$group" != */cpu/* ]]
        then
            echo "$quota 100000" > "$group/$side/$id/cpu.max"
        else
            echo 100000 > "$group/$side/$id/cpu.cfs_period_us"
            echo "$quota" > "$group/$side/$id/cpu.cfs_quota_us"
        fi
    done
    place "$side" "--set 'echo.launch.prefix=$work/join-$side {id}'" ""
done
[[ "$sides" != *cpuset* ]] || place cpuset "--set 'echo.launch.prefix=taskset -c ${CPUSET:-0-$(($(nproc) - 1))}'" ""
chosen=()
for side in ${sides//,/ }
do
    [[ "$side" == outside ]] && chosen+=("outside=ours:$root") || chosen+=("$side=ours:$work/$side")
done
"$root/scripts/side-by-side.sh" "$@" "${chosen[@]}"
