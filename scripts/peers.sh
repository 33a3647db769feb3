#!/usr/bin/env bash
# Measure Aeron, Aeron Cluster and peers (gRPC, KryoNet, RSocket, HTTP/1.1, Ratis, etcd) under the workloads of public reports.
#
#   scripts/peers.sh --only ping-pong,scheduled --systems aeron-udp,grpc,kryonet
#
# --only LIST       ping-pong, scheduled, price-stream, size-sweep, concurrency-sweep, in-flight, memory (default: all)
# --systems LIST    systems, the first of which others are compared with (default: those of each workload)
# --rounds N        repeats of each cell (default: 3, with --full 5)
# --full            sizes as published, which take hours (default: sizes for a small machine)
#
# Runs the sweeps config/matrix/reports-*, one after the other, each with its own folder in results/. Interleaves the systems and
# compares the measured with the published ratios. Servers, and clients of loads without a rate, are separate processes on this
# machine. All other options are those of "bin/peers matrix".
# All loads of all systems take hours, since each run warms up for 10 to 60 s: choose some with --only and --systems.
# Exit status: 0 all cells of all sweeps are GOOD, 2 invalid usage, 4 some are not, 130 interrupted; an interrupted sweep resumes
# with "bin/peers matrix FOLDER".
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

only=ping-pong,scheduled,price-stream,size-sweep,concurrency-sweep,in-flight,memory
systems=
is_full=false
others=()
while [[ $# -gt 0 ]]
do
    case "$1" in
        --help | -h) print_help "${BASH_SOURCE[0]}"; exit 0 ;;
        --full) is_full=true; shift; continue ;;
        --only=* | --systems=* | --rounds=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
        --only | --systems | --rounds) [[ $# -ge 2 ]] || { echo "peers.sh: $1 needs a value, see --help" >&2; exit 2; } ;;
        *) others+=("$1"); shift; continue ;;
    esac
    case "$1" in
        --only) only="$2" ;;
        --systems) systems="$2" ;;
        --rounds) others+=(--repeats "$2") ;;
    esac
    shift 2
done
IFS=, read -ra workloads <<< "$only"
for workload in "${workloads[@]}"
do
    [[ -f "$root/config/matrix/reports-$workload.properties" ]] ||
        { echo "peers.sh: --only=$workload is not allowed: one of those in --help" >&2; exit 2; }
done

# systems_of WORKLOAD: those that its file lists, and etcd where the file has settings of it.
systems_of()
{
    local file="$root/config/matrix/reports-$1.properties"
    awk '/^transport=/ { is_list = 1 } is_list { print } is_list && !/\\$/ { exit }' "$file" |
        tr -d ' \\\n' | sed 's/^transport=//'
    if grep -q '@etcd=' "$file"
    then
        echo -n ,etcd
    fi
}

# chosen WORKLOAD: the given systems that it has.
chosen()
{
    local system known list=()
    known="$(systems_of "$1")"
    for system in ${systems//,/ }
    do
        [[ "$system" != aeron-cluster ]] || system=cluster
        [[ ",$known," != *",$system,"* ]] || list+=("$system")
    done
    (IFS=,; echo "${list[*]-}")
}

if [[ -n "$systems" ]]
then
    all="$(for workload in "${workloads[@]}"; do echo -n ",$(systems_of "$workload")"; done | tr , '\n' | sort -u | paste -sd,)"
    for system in ${systems//,/ }
    do
        [[ ",$all,aeron-cluster," == *",$system,"* ]] ||
            { echo "peers.sh: --systems=$system is not allowed: of $only there are ${all#,}" >&2; exit 2; }
    done
fi

# option NAME VALUE: add an option unless it was given.
option()
{
    local given=" ${others[*]-}"
    [[ "$given " == *" $1 "* || "$given" == *" $1="* || "$1" == --duration && "$given" == *" -d"* ]] || options+=("$1" "$2")
}

powers()
{
    local power
    for ((power = 1; power <= $1; power *= 2))
    do
        echo -n "$power"
        ((power == $1)) || echo -n ,
    done
}

# sweep NAME OPTION...: run a sweep; of several --set of a key the last one counts.
sweep()
{
    local status=0
    "$java" @"$root/config/jvm/client.options" -jar "$root/peers.jar" matrix "config/matrix/reports-$1" "${@:2}" || status=$?
    case "$status" in
        0) ;;
        4) worst=4 ;;
        *) exit "$status" ;;
    esac
}

build_if_needed cluster-node.jar load-client.jar peers.jar
cd "$root"
worst=0
for workload in "${workloads[@]}"
do
    options=()
    if [[ -n "$systems" ]]
    then
        of_workload="$(chosen "$workload")"
        if [[ -z "$of_workload" ]]
        then
            echo "peers.sh: no system of --systems has $workload" >&2
            continue
        fi
        options+=(--set "transport=$of_workload")
    fi
    if [[ "$workload" == scheduled ]]
    then
        option --duty-cycle-interval 0us
        option --compilers both
    fi
    if [[ "$is_full" == true ]]
    then
        option --repeats 5
        case "$workload" in
            ping-pong | scheduled | memory) option --duration 60s ;;
            price-stream) options+=(--set load=price-stream:100M) ;;
            size-sweep) option --duration 10s; options+=(--set "size=$(powers 131072)") ;;
            concurrency-sweep) option --duration 10s; options+=(--set "in-flight=$(powers 1024)") ;;
        esac
    fi
    options+=(${others[@]+"${others[@]}"})
    if [[ "$workload" == memory && " ${options[*]-}" != *" heap="* ]]
    then
        # The programs of the report have fewer messages of RSocket in flight with the large heap.
        sweep memory ${options[@]+"${options[@]}"} --set heap=2g --set in-flight@rsocket=128
        options+=(--set "heap=128m,92m")
    fi
    sweep "$workload" ${options[@]+"${options[@]}"}
done
exit "$worst"
