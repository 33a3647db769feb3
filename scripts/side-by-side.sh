#!/usr/bin/env bash
# Compare clusters on this machine, interleaved: builds of this project, its drivers, the load rig of aeron-io/benchmarks.
#
#   scripts/side-by-side.sh --starts 5 java=ours:. embedded=ours:.,--driver=embedded
#   scripts/side-by-side.sh --starts 5 ours=ours:. rig=rig:../benchmarks/benchmarks-all/build/libs
#
# A side is NAME=ours:FOLDER[,OPTION...], a folder of this project whose jars are built, or NAME=rig:FOLDER, a folder with
# the jars that you have built of the rig. An OPTION is one of "bin/cluster-node start"; --driver also goes to the client.
# With memory=ours:.,--base-dir=/dev/shm/members, an empty folder, the members' data is in memory.
# Each start makes new members and deletes them afterwards; within it the rates follow each other. The side that begins changes.
#   --rates LIST     messages per second (default: 1000,10000,50000,100000)
#   --starts N       fresh starts of each side (default: 5)
#   --warm-up S      seconds before each rate (default: 5; before the first rate of a start three times as long)
#   --duration S     seconds measured (default: 5)
#   --size BYTES     length of messages (default: 288)
#   --output FOLDER  of rows.csv and the raw output of each run (default: results/side-by-side)
# Prints the median and the worst over the starts. rows.csv has every run, with the time that the hypervisor withheld (steal)
# and what the kernel wrote to disks meanwhile. The rig's settings are those of config/rig.properties.
# Exit status: 0 all runs ended, 2 invalid usage, 4 some runs have no result; their rows say so.
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

fail()
{
    echo "side-by-side.sh: $1" >&2
    exit 2
}

rates=1000,10000,50000,100000
starts=5
warm_up=5
duration=5
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
        --rates | --starts | --warm-up | --duration | --size | --output)
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
            fail "$1: allowed are --rates --starts --warm-up --duration --size --output, NAME=ours:FOLDER and NAME=rig:FOLDER"
            ;;
    esac
done
((${#sides[@]} > 0)) || fail "no side: allowed are NAME=ours:FOLDER and NAME=rig:FOLDER"
for number in starts warm_up duration size
do
    [[ "${!number}" =~ ^[1-9][0-9]*$ ]] || fail "--${number//_/-} ${!number}: allowed is a whole number above 0"
done
[[ "$rates" =~ ^[1-9][0-9]*(,[1-9][0-9]*)*$ ]] || fail "--rates $rates: allowed: whole numbers above 0, separated by commas"
for side in "${sides[@]}"
do
    place="${side#*=*:}"
    place="${place%%,*}"
    case "$side" in
        *=ours:*) [[ -f "$place/cluster-node.jar" && -f "$place/load-client.jar" ]] ||
            fail "$side: $place has no cluster-node.jar and load-client.jar; build them with scripts/demo.sh there"
            ;;
        *) compgen -G "$place/*.jar" > /dev/null || fail "$side: $place has no jar" ;;
    esac
done
command -v jq > /dev/null || fail "needs jq"

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
ours=""
base=""
limit=()

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

# run_ours FOLDER RATE WARM_UP RAW OPTION...: prints p50, p99, p99.9 and maximum in us, and the share of the rate that was sent.
run_ours()
{
    local folder="$1" rate="$2" seconds="$3" raw="$4" result
    shift 4
    "$folder/bin/load-client" --cluster-dir "$base" --rate "$rate" --size "$size" --warm-up "${seconds}s" \
        --duration "${duration}s" --quiet --output "$raw" "$@" > "$raw.txt" 2>&1 || true
    result="$(compgen -G "$raw/*/manifest.json" | tail -n 1)" && [[ -n "$result" ]] || return 1
    jq -r '[.responseTimeNs.p50, .responseTimeNs.p99, .responseTimeNs["p99.9"], .responseTimeNs.max | . / 1000] +
        [(.scheduled - .neverSent) / .scheduled] | map(tostring) | join(",")' "$result"
    cp "$result" "$raw.json"
    rm -rf "$raw"
}

# rig_java FOLDER LOG ARGUMENT...: becomes a process of the rig, so call it in a subshell.
rig_java()
{
    local name="$1" log="$2"
    shift 2
    # The members' flags, without the compilers' niceness: the rig's threads have none.
    # shellcheck disable=SC2046
    exec "${limit[@]}" "$java" $(grep -v -e '^#' -e Compiler -e ThreadPriorityPolicy "$root/config/jvm/node.options") \
        --add-opens java.base/jdk.internal.misc=ALL-UNNAMED --add-opens java.base/java.util.zip=ALL-UNNAMED \
        "-Daeron.dir=$rig_dir/$name" "$@" "$root/config/rig.properties" > "$log" 2>&1
}

start_rig()
{
    local libraries="$1/*" id
    for id in 0 1 2 client
    do
        (rig_java "$id" "$work/driver-$id.log" -cp "$libraries" io.aeron.driver.MediaDriver) &
        pids+=("$!")
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

# run_rig FOLDER RATE WARM_UP RAW: as run_ours.
run_rig()
{
    local libraries="$1/*" rate="$2" seconds="$3" raw="$4" sent histogram
    mkdir -p "$raw"
    limit=(timeout $((seconds + duration + 60)))
    (rig_java client "$raw.txt" -cp "$libraries" \
        "-Daeron.cluster.egress.channel=aeron:udp?endpoint=127.0.0.1:0" \
        -Dio.aeron.benchmarks.message.transceiver=io.aeron.benchmarks.aeron.ClusterMessageTransceiver \
        "-Dio.aeron.benchmarks.message.rate=$rate" "-Dio.aeron.benchmarks.warmup.message.rate=$rate" \
        "-Dio.aeron.benchmarks.message.length=$size" "-Dio.aeron.benchmarks.iterations=$duration" \
        "-Dio.aeron.benchmarks.warmup.iterations=$seconds" -Dio.aeron.benchmarks.batch.size=1 \
        "-Dio.aeron.benchmarks.output.directory=$raw" -Dio.aeron.benchmarks.output.file=rig \
        io.aeron.benchmarks.LoadTestRig) || true
    limit=()
    histogram="$(find "$raw" -name 'rig*.hdr*' ! -name '*.csv' | head -n 1)"
    [[ -n "$histogram" ]] || return 1
    sent="$(sed -n 's/.*managed to send only \([0-9,]*\) messages.*/\1/p' "$raw.txt" | tr -d ,)"
    "$java" -cp "$root/load-client.jar" org.HdrHistogram.HistogramLogProcessor -i "$histogram" -outputValueUnitRatio 1000 \
        -percentilesOutputTicksPerHalf 100 2> /dev/null > "$raw.hgrm"
    awk -v sent="${sent:-$((rate * duration))}" -v asked="$((rate * duration))" '
        $1 ~ /^[0-9.]+$/ && NF >= 3 {
            if (!p50 && $2 >= 0.5) p50 = $1
            if (!p99 && $2 >= 0.99) p99 = $1
            if (!p999 && $2 >= 0.999) p999 = $1
            max = $1
        }
        END { if (!max) exit 1; printf "%s,%s,%s,%s,%.4f\n", p50, p99, p999, max, sent / asked }' "$raw.hgrm"
    cp "$histogram" "$raw.hdr"
    rm -rf "$raw"
}

rows="$output/rows.csv"
echo start,side,messages_per_second,p50_us,p99_us,p999_us,max_us,sent,steal_ms,written_kb > "$rows"
missing=0

# measure START SIDE
measure()
{
    local start="$1" name="${2%%=*}" kind="${2#*=}" seconds=$((3 * warm_up)) rate raw values before after row
    local -a parts options=() client=()
    IFS=, read -ra parts <<< "${kind#*:}"
    kind="${kind%%:*}"
    base="$work/ours"
    local option
    for option in "${parts[@]:1}"
    do
        case "$option" in
            --base-dir=*) base="${option#*=}" ;;
            --driver=*) client+=("$option") options+=("$option") ;;
            *) options+=("$option") ;;
        esac
    done
    "start_$kind" "${parts[0]}" "${options[@]}" || cat "$work/start.log"
    for rate in ${rates//,/ }
    do
        raw="$output/$start-$name-$rate"
        mapfile -t before < <(machine)
        values="$("run_$kind" "${parts[0]}" "$rate" "$seconds" "$raw" "${client[@]}")" || values=""
        mapfile -t after < <(machine)
        if [[ -z "$values" ]]
        then
            values=,,,,
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

for ((start = 1; start <= starts; start++))
do
    for ((i = 0; i < ${#sides[@]}; i++))
    do
        measure "$start" "${sides[$(((start + i - 1) % ${#sides[@]}))]}"
    done
done

echo
printf '%-16s %10s %24s %24s %8s %14s\n' side messages/s 'p50, median (worst), us' 'p99, median (worst), us' sent 'steal, worst'
for side in "${sides[@]}"
do
    for rate in ${rates//,/ }
    do
        # column N: the values of this side and rate, sorted.
        column()
        {
            awk -F, -v side="${side%%=*}" -v rate="$rate" -v column="$1" \
                'side == $2 && rate == $3 && "" != $column { print $column }' "$rows" | sort -g
        }
        middle()
        {
            column "$1" | awk '{ values[NR] = $1 } END { if (NR) printf "%.0f", values[int((NR + 1) / 2)] }'
        }
        worst()
        {
            column "$1" | tail -n 1 | xargs -r printf '%.0f'
        }
        printf '%-16s %10s %24s %24s %7.1f%% %11s ms\n' "${side%%=*}" "$rate" "$(middle 4) ($(worst 4))" "$(middle 5) ($(worst 5))" \
            "$(column 8 | head -n 1 | awk '{ print 100 * $1 }')" "$(worst 9)"
    done
done
((missing == 0)) || exit 4
