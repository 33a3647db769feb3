#!/usr/bin/env bash
# Measure all that the published guide to benchmarking Aeron on AWS measured: echoes through Aeron alone and through a cluster, by
# length, placement and media driver, at 100,000/s, and the highest rates.
#
#   scripts/aws-guide.sh --scale 0.05 --repeats 1
#   scripts/aws-guide.sh --inventory hosts.properties --placement cluster --drivers java,c
#
# --inventory FILE     hosts of the members (docs/MANY-HOSTS.md); without it all runs on this machine, and placements are emulated
# --placement NAME     where the hosts of the inventory are: cluster or partition, as aws-up.sh placed them
# --drivers LIST       java, c or java,c (default: java); the C driver needs scripts/build-c-driver.sh on each host
# --plan               print the commands of the sweeps and run none
#
# Runs the sweeps config/matrix/aws-guide*, one after the other, each with its own folder in results/. All other options are those
# of "bin/peers matrix", for all of them, and --set echo.* and aeron.* for those of a cluster; --scale has no effect where the
# highest rate is searched. With an inventory the servers of echoes through Aeron alone run on its host with the role peer, if it has
# one, and only with --placement cluster, as in the guide. Without one, a cluster over the C driver has no placement, because only the Java driver
# emulates distances.
# Takes hours: a search for the highest rate makes 12 to 60 runs, and there are 12 searches a driver, each repeated five times.
# Exit status: 0 all cells of all sweeps are GOOD, 2 invalid usage, 4 some are not, 130 interrupted; an interrupted sweep resumes
# with "bin/peers matrix FOLDER".
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

fail()
{
    echo "aws-guide.sh: $1" >&2
    exit 2
}

inventory=
placement=
drivers=java
is_plan=false
others=()
of_members=()
while [[ $# -gt 0 ]]
do
    case "$1" in
        --help | -h) print_help "${BASH_SOURCE[0]}"; exit 0 ;;
        --plan) is_plan=true; shift; continue ;;
        --inventory | --placement | --drivers) [[ $# -ge 2 ]] || fail "$1 needs a value, see --help" ;;
        --set=echo.base.port=*) others+=("$1"); shift; continue ;;
        --set=echo.* | --set=aeron.*) of_members+=("$1"); shift; continue ;;
        --set)
            if [[ "${2:-}" =~ ^(echo|aeron)\. && "${2:-}" != echo.base.port=* ]]
            then
                of_members+=(--set "$2")
                shift 2
                continue
            fi
            others+=("$1"); shift; continue ;;
        *) others+=("$1"); shift; continue ;;
    esac
    case "$1" in
        --inventory) inventory="$(realpath -- "$2")" ;;
        --placement) placement="$2" ;;
        --drivers) drivers="$2" ;;
    esac
    shift 2
done
[[ "$drivers" =~ ^(java|c|java,c)$ ]] || fail "--drivers=$drivers is not allowed: java, c or java,c"
[[ -z "$inventory" || -r "$inventory" ]] || fail "--inventory=$inventory is not allowed: a readable file"
if [[ -n "$inventory" ]]
then
    [[ "$placement" =~ ^(cluster|partition)$ ]] ||
        fail "--placement=$placement is not allowed: cluster or partition with --inventory, where its hosts are"
elif [[ -n "$placement" ]]
then
    fail "--placement=$placement is not allowed: only given with --inventory; without one both are emulated"
fi

worst=0

# sweep NAME OPTION...: run a sweep of config/matrix, or print its command.
sweep()
{
    local status=0 arguments=("config/matrix/$1" "${@:2}")
    [[ "$1" == aws-guide-transport* ]] || arguments+=(${of_members[@]+"${of_members[@]}"})
    arguments+=(${others[@]+"${others[@]}"})
    if [[ "$is_plan" == true ]]
    then
        echo "bin/peers matrix ${arguments[*]}"
        return
    fi
    echo "== $1" >&2
    "$java" @"$root/config/jvm/client.options" -jar "$root/peers.jar" matrix "${arguments[@]}" || status=$?
    case "$status" in
        0) ;;
        4) worst=4 ;;
        *) exit "$status" ;;
    esac
}

[[ "$is_plan" == true ]] || build_if_needed cluster-node.jar load-client.jar peers.jar
cd "$root"
if [[ -n "$inventory" ]]
then
    if ! grep -Eq '^host\.[^=]*\.roles=(.*,)? *peer *(,|$)' "$inventory"
    then
        echo "aws-guide.sh: without echoes through Aeron alone: no host of $inventory has the role peer" >&2
    elif [[ "$placement" == cluster ]]
    then
        for name in aws-guide-transport aws-guide-transport-max-rate
        do
            sweep "$name" --inventory "$inventory" --set transport=aeron-udp --set "driver=$drivers" --set placement=cluster
        done
    fi
    rates=aws-guide-max-rate
    [[ "$placement" == cluster ]] || rates=aws-guide-max-rate-partition
    sweep aws-guide --inventory "$inventory" --set "driver=$drivers" --set "placement=$placement"
    sweep "$rates" --inventory "$inventory" --set "driver=$drivers"
    exit "$worst"
fi
sweep aws-guide-transport --set "driver=$drivers"
sweep aws-guide-transport-max-rate --set "driver=$drivers"
if [[ "$drivers" != c ]]
then
    sweep aws-guide
    sweep aws-guide-max-rate
    sweep aws-guide-max-rate-partition
fi
if [[ "$drivers" != java ]]
then
    sweep aws-guide --set driver=c --set placement=none
    sweep aws-guide-max-rate --set driver=c --set placement=none
fi
exit "$worst"
