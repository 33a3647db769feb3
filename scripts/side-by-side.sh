#!/usr/bin/env bash
# Compare clusters on this machine, interleaved: builds of this project, its drivers, the load rig of aeron-io/benchmarks.
#
#   scripts/side-by-side.sh --starts 5 java=ours:. embedded=ours:.,--driver=embedded
#   scripts/side-by-side.sh --starts 5 ours=ours:. rig=rig:../benchmarks/benchmarks-all/build/libs
#
# A side is one of
#   NAME=ours:FOLDER[,OPTION...]            a folder of this project whose jars are built; each OPTION is one of
#                                           "bin/cluster-node start", such as --profile; --driver also goes to the client,
#                                           and --duty-cycle-interval only to the client
#   NAME=rig:FOLDER[,driver=c][,pinned]     a folder with the jars that you have built of the rig. driver=c: its members and
#                                           client use aeronmd of scripts/build-c-driver.sh instead of the Java driver. pinned:
#                                           a node and its driver share a core, by taskset; so do the client and its driver.
# With memory=ours:.,--base-dir=/dev/shm/members, an empty folder, the members' data is in memory. With ,client=KIND:FOLDER at
# the end of a side the client is the other one: rig:FOLDER for ours, which then sends bytes back as received, or ours:FOLDER.
# Each start makes new members and deletes them afterwards; within it the rates follow each other. The order of the sides in
# each start is drawn from the seed.
#   --rates LIST     messages per second (default: 1000,10000,50000,100000)
#   --starts N       fresh starts of each side (default: 10)
#   --seed N         of the order (default: drawn; printed)
#   --warm-up S      seconds before each rate, for which each new client compiles (default: 30; before the first rate of a
#                    start twice as long). A fixed time, not a search for the steady state: rows say whether it was reached.
#   --duration S     seconds measured (default: 25; with fewer than 21 the steady state is not known)
#   --size BYTES     length of messages (default: 288)
#   --output FOLDER  of rows.csv and the raw output of each run (default: results/side-by-side)
# One judge for both: a run is FAILED when it missed its rate or a member took no part, and then counts neither in medians nor
# in "met". A member of the rig took no part if it recorded less than was due, by the positions of its recordings; one
# that caught up before the end is not found. rows.csv has every run with its verdict, absent members, how far
# the client's sending lagged at the end (the rig's is an upper bound), steady state, the time that the hypervisor withheld
# (steal) and what the kernel wrote to disks meanwhile. The rig's settings are those of config/rig.properties.
# Exit status: 0 all runs ended, 2 invalid usage, 4 some runs have no result; their rows say so.
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

fail()
{
    echo "side-by-side.sh: $1" >&2
    exit 2
}

# check_place SIDE KIND FOLDER
check_place()
{
    if [[ "$2" == rig ]]
    then
        compgen -G "$3/*.jar" > /dev/null || fail "$1: $3 has no jar"
    else
        [[ -f "$3/cluster-node.jar" && -f "$3/load-client.jar" ]] ||
            fail "$1: $3 has no cluster-node.jar and load-client.jar; build them with scripts/demo.sh there"
    fi
}

rates=1000,10000,50000,100000
starts=10
seed="$RANDOM"
warm_up=30
duration=25
size=288
output=results/side-by-side
sides=()
while (($# > 0))
do
    case "$1" in
        -h | --help)
            print_help "${BASH_SOURCE[0]}"
            exit 0
            ;;
        --rates | --starts | --seed | --warm-up | --duration | --size | --output)
            (($# > 1)) || fail "$1 needs a value"
            name="${1#--}"
            printf -v "${name//-/_}" '%s' "$2"
            shift 2
            ;;
        *=ours:* | *=rig:*)
            sides+=("$1")
            shift
            ;;
        *)
            fail "$1: allowed are --rates --starts --seed --warm-up --duration --size --output, NAME=ours:FOLDER and NAME=rig:FOLDER"
            ;;
    esac
done
((${#sides[@]} > 0)) || fail "no side: allowed are NAME=ours:FOLDER and NAME=rig:FOLDER"
for number in starts seed warm_up duration size
do
    [[ "${!number}" =~ ^[1-9][0-9]*$ ]] || fail "--${number//_/-} ${!number}: allowed is a whole number above 0"
done
[[ "$rates" =~ ^[1-9][0-9]*(,[1-9][0-9]*)*$ ]] || fail "--rates $rates: allowed: whole numbers above 0, separated by commas"
for side in "${sides[@]}"
do
    place="${side#*:}"
    place="${place%%,*}"
    if [[ "$side" == *,client=* ]]
    then
        client="${side##*,client=}"
        [[ "$side" =~ ^[^=]+=(ours:.*,client=rig:[^,]+|rig:.*,client=ours:[^,]+)$ ]] ||
            fail "$side: allowed for a client are ,client=rig:FOLDER beside ours: and ,client=ours:FOLDER beside rig:, at the end"
        check_place "$side" "${client%%:*}" "${client#*:}"
    fi
    if [[ "$side" =~ ^[^=]+=rig:[^,]+, ]]
    then
        [[ ",${side#*,}," =~ ^,((driver=c|pinned),)*(client=ours:[^,]+,)?$ ]] ||
            fail "$side: allowed after the folder are ,driver=c ,pinned and ,client=ours:FOLDER"
        [[ "$side" != *,driver=c* || -x "$root/.c-driver/aeronmd" ]] ||
            fail "$side: $root/.c-driver/aeronmd is missing; build it with scripts/build-c-driver.sh"
    fi
    kind="${side#*=}"
    check_place "$side" "${kind%%:*}" "$place"
done
build_if_needed load-client.jar

mkdir -p "$output"
output="$(cd "$output" && pwd)"
[[ ! -e "$output/rows.csv" ]] ||
    fail "--output $output: it has the rows.csv of another comparison; allowed is a folder without one"
work="$(mktemp -d "$output/members.XXXXXX")"
# Folders for data of members that were not there before.
made=()
for side in "${sides[@]}"
do
    if [[ "$side" == *,--base-dir=* ]]
    then
        base="${side##*,--base-dir=}"
        base="${base%%,*}"
        # Its cluster would be measured, and then deleted. The folder of the output is not empty any more.
        if [[ -z "$base" || -n "$(ls -A "$base" 2> /dev/null)" ]]
        then
            rm -rf "$work"
            fail "$side: --base-dir $base is not empty; allowed is an empty folder, or none yet"
        fi
        [[ -e "$base" ]] || made+=("$base")
    fi
done
rig_dir="$(mktemp -d /dev/shm/side-by-side.XXXXXX)"
pids=()
# PID:FOLDER of each member's media driver of the rig.
drivers=()
ours=""
base=""
limit=()
pinned=""
rig_driver=java

# The steps that judge runs and sum them up.
sides()
{
    "$java" "${command_flags[@]}" -jar "$root/load-client.jar" sides "$@"
}

stop()
{
    if [[ -n "$ours" ]]
    then
        if "$ours/bin/cluster-node" stop --base-dir "$base" > "$work/stop.log" 2>&1
        then
            rm -rf "${base:?}"/*
        else
            cat "$work/stop.log" >&2
            echo "side-by-side.sh: the members in $base were not stopped" >&2
        fi
        ours=""
    fi
    if ((${#pids[@]} > 0))
    then
        kill -TERM "${pids[@]}" 2> /dev/null || true
        wait "${pids[@]}" 2> /dev/null || true
        pids=()
    fi
    rm -rf "${work:?}"/* "${rig_dir:?}"/*
}
trap 'stop; rm -rf "$work" "$rig_dir"; [[ ! -v made[0] ]] || rmdir "${made[@]}" 2> /dev/null || true' EXIT
trap 'exit 130' INT TERM

# Sums since the machine started: steal in ms, written back in KB. With print mawk writes one above 2^31 as 3e+09.
machine()
{
    awk -v tick="$(getconf CLK_TCK)" '/^cpu /{ printf "%.0f\n", $9 * 1000 / tick }' /proc/stat
    awk -v page="$(getconf PAGESIZE)" '/^nr_written /{ printf "%.0f\n", $2 * page / 1024 }' /proc/vmstat
}

start_ours()
{
    local folder="$1"
    shift
    ours="$folder"
    "$folder/bin/cluster-node" start --base-dir "$base" "$@" > "$work/start.log" 2>&1
}

# run_ours FOLDER RATE WARM_UP RAW OPTION...: prints the judged fields of a row.
run_ours()
{
    local folder="$1" rate="$2" seconds="$3" raw="$4" result before="" recorded=()
    shift 4
    ((${#drivers[@]} == 0)) || before="$(sides recorded "${drivers[@]}")"
    # Its status is in its verdict.
    "$folder/bin/load-client" --rate "$rate" --size "$size" --warm-up "${seconds}s" \
        --duration "${duration}s" --quiet --output "$raw" "$@" > "$raw.txt" 2>&1 || true
    result="$(compgen -G "$raw/*/manifest.json" | tail -n 1)" && [[ -n "$result" ]] || return 1
    [[ -z "$before" ]] || recorded=(--rate "$rate" --size "$size" --warm-up "$seconds" --duration "$duration"
        "--before=$before" "--after=$(sides recorded "${drivers[@]}")")
    sides ours "${recorded[@]}" "$(dirname "$result")" || return 1
    cp "$result" "$raw.json"
    rm -rf "$raw"
}

# pin NAME: the command that keeps a member of the rig, or its client, with its driver on one core.
pin()
{
    local id="${1/client/3}"
    [[ -z "$pinned" ]] || echo "taskset -c $((id % $(nproc)))"
}

# rig_driver NAME LOG LIBRARIES: becomes a media driver, so call it in a subshell.
rig_driver()
{
    local key value
    [[ "$rig_driver" == c ]] || rig_java "$1" "$2" -cp "$3" io.aeron.driver.MediaDriver
    while IFS='=' read -r key value
    do
        key="${key//./_}"
        export "${key^^}=$value"
    done < <(grep '^aeron\.' "$root/config/rig.properties" | grep -v -e '^aeron\.cluster' -e '^aeron\.archive' -e '|')
    export AERON_SHARED_IDLE_STRATEGY=yield AERON_DIR="$rig_dir/$1"
    # shellcheck disable=SC2046
    exec $(pin "$1") "$root/.c-driver/aeronmd" > "$2" 2>&1
}

# rig_java FOLDER LOG ARGUMENT...: becomes a process of the rig, so call it in a subshell.
rig_java()
{
    local name="$1" log="$2"
    shift 2
    # The members' flags, without the compilers' niceness: the rig's threads have none.
    # shellcheck disable=SC2046
    exec "${limit[@]}" $(pin "$name") "$java" $(grep -v -e '^#' -e Compiler -e ThreadPriorityPolicy "$root/config/jvm/node.options") \
        --add-opens java.base/jdk.internal.misc=ALL-UNNAMED --add-opens java.base/java.util.zip=ALL-UNNAMED \
        "-Daeron.dir=$rig_dir/$name" "$@" "$root/config/rig.properties" > "$log" 2>&1
}

start_rig()
{
    local libraries="$1/*" id option
    pinned=""
    rig_driver=java
    drivers=()
    for option in "${@:2}"
    do
        [[ "$option" != pinned ]] || pinned=yes
        [[ "$option" != driver=c ]] || rig_driver=c
    done
    for id in 0 1 2 client
    do
        [[ "$id" != client || "$client_kind" == rig ]] || continue
        (rig_driver "$id" "$work/driver-$id.log" "$libraries") &
        pids+=("$!")
        [[ "$id" == client ]] || drivers+=("$!:$rig_dir/$id")
    done
    for id in 0 1 2
    do
        (cd "$work" && rig_java "$id" "$work/node-$id.log" -cp "$libraries" "-Daeron.cluster.member.id=$id" \
            "-Dio.aeron.benchmarks.output.directory=$work/$id" "-Daeron.cluster.dir=$work/$id/cluster" \
            "-Daeron.archive.dir=$work/$id/archive" \
            "-Daeron.archive.control.channel=aeron:udp?endpoint=127.0.0.1:2${id}004" \
            io.aeron.benchmarks.aeron.ClusterNode) &
        pids+=("$!")
    done
}

# attach_rig FOLDER JARS: lets the rig's client, with a driver of its own, find our members, and the recorder theirs.
attach_rig()
{
    local pid
    pinned=""
    rig_driver=java
    (rig_driver client "$work/driver-client.log" "$2/*") &
    pids+=("$!")
    for pid in $("$1/bin/cluster-node" status --base-dir "$base" --json | sed -n 's/.*"pid" : \([0-9]*\).*/\1/p')
    do
        drivers+=("$pid:$(sed -n 's|^[^/]*\(/.*\)/cnc.dat$|\1|p' "/proc/$pid/maps" | head -n 1)")
    done
    client+=("-Daeron.cluster.ingress.endpoints=$(sed -n '/^ingress.endpoints=/{s///;s/[\]//g;p}' "$base/cluster.properties")")
}

# run_rig FOLDER RATE WARM_UP RAW OPTION...: as run_ours; each OPTION is one of the JVM.
run_rig()
{
    local libraries="$1/*" rate="$2" seconds="$3" raw="$4" sent histogram before
    shift 4
    mkdir -p "$raw"
    before="$(sides recorded "${drivers[@]}")"
    limit=(timeout $((seconds + duration + 60)))
    (rig_java client "$raw.txt" -cp "$libraries" \
        "-Daeron.cluster.egress.channel=aeron:udp?endpoint=127.0.0.1:0" \
        -Dio.aeron.benchmarks.message.transceiver=io.aeron.benchmarks.aeron.ClusterMessageTransceiver \
        "-Dio.aeron.benchmarks.message.rate=$rate" "-Dio.aeron.benchmarks.warmup.message.rate=$rate" \
        "-Dio.aeron.benchmarks.message.length=$size" "-Dio.aeron.benchmarks.iterations=$duration" \
        "-Dio.aeron.benchmarks.warmup.iterations=$seconds" -Dio.aeron.benchmarks.batch.size=1 \
        -Dio.aeron.benchmarks.track.history=true "$@" \
        "-Dio.aeron.benchmarks.output.directory=$raw" -Dio.aeron.benchmarks.output.file=rig \
        io.aeron.benchmarks.LoadTestRig) || true
    limit=()
    histogram="$(find "$raw" -name 'rig*.hdr*' ! -name '*.csv*' | head -n 1)"
    [[ -n "$histogram" ]] || return 1
    sent="$(sed -n 's/.*managed to send only \([0-9,]*\) messages.*/\1/p' "$raw.txt" | tr -d ,)"
    sides rig --rate "$rate" --size "$size" --warm-up "$seconds" --duration "$duration" \
        --sent "${sent:-$((rate * duration))}" --before="$before" --after="$(sides recorded "${drivers[@]}")" "$histogram" ||
        return 1
    cp "$histogram" "$raw.hdr"
    rm -rf "$raw"
}

rows="$output/rows.csv"
fields="$(sides header)"
echo "start,side,messages_per_second,$fields,steal_ms,written_kb" > "$rows"
missing=0

# measure START SIDE
measure()
{
    local start="$1" name="${2%%=*}" kind="${2#*=}" seconds=$((2 * warm_up)) rate raw values before after row
    local -a parts options=() client=()
    IFS=, read -ra parts <<< "${kind#*:}"
    kind="${kind%%:*}"
    base="$work/ours"
    drivers=()
    local option client_kind="$kind" client_folder="${parts[0]}"
    for option in "${parts[@]:1}"
    do
        case "$option" in
            --base-dir=*) base="${option#*=}" ;;
            --driver=*) client+=("$option") options+=("$option") ;;
            --duty-cycle-interval=*) client+=("$option") ;;
            client=*)
                client_kind="${option#client=}"
                client_folder="${client_kind#*:}"
                client_kind="${client_kind%%:*}"
                ;;
            *) options+=("$option") ;;
        esac
    done
    case "$kind-$client_kind" in
        ours-ours) client+=(--base-dir "$base") ;;
        ours-rig) options+=(--set=echo.service=plain) ;;
        rig-ours)
            client+=(--service plain
                --endpoints "$(sed -n 's/^aeron.cluster.ingress.endpoints=//p' "$root/config/rig.properties")")
            ;;
    esac
    "start_$kind" "${parts[0]}" "${options[@]}" || cat "$work/start.log"
    [[ "$kind-$client_kind" != ours-rig ]] || attach_rig "${parts[0]}" "$client_folder"
    for rate in ${rates//,/ }
    do
        raw="$output/$start-$name-$rate"
        mapfile -t before < <(machine)
        values="$("run_$client_kind" "$client_folder" "$rate" "$seconds" "$raw" "${client[@]}")" || values=""
        mapfile -t after < <(machine)
        if [[ -z "$values" ]]
        then
            values="${fields//[^,]/}"
            missing=$((missing + 1))
            mkdir -p "$raw-logs"
            find "$work" -maxdepth 1 -name '*.log' -exec cp {} "$raw-logs" \;
        fi
        row="$start,$name,$rate,$values,$((after[0] - before[0])),$((after[1] - before[1]))"
        echo "$row" | tee -a "$rows"
        seconds=$warm_up
    done
    stop
}

echo "--seed $seed"
start=0
# Read at once: what runs in the loop may read standard input.
mapfile -t order < <(sides order --seed "$seed" --starts "$starts" --sides "${#sides[@]}")
for indexes in "${order[@]}"
do
    start=$((start + 1))
    for index in $indexes
    do
        measure "$start" "${sides[$index]}"
    done
done

echo
sides table "$rows"
((missing == 0)) || exit 4
