#!/usr/bin/env bash
# Tune the kernel of this host for low latency; without --apply only print what would change, and why.
#
#   sudo scripts/prepare-host.sh --apply
#
# --apply          change the settings until the next boot, and save the previous values (needs root)
# --undo           restore the previous values (needs root)
# --guide          the values of the published guide to benchmarking Aeron on AWS where they differ; with --base-dir its mount
#                  options too. config/host/settings.txt has both values and the reasons
# --isolate CPUS   processors for the printed boot parameters, for instance 2-7
# --base-dir DIR   also mount the file system of DIR, the cluster's folder, without access times
# --state FILE     file of the previous values (default: /var/lib/cluster-echo/host-before.tsv)
# --root DIR       change the files below DIR instead of / (does not need root); mounts are not changed
#
# Boot parameters are only printed: set them with your own boot loader.
# Exit status: 0 done, 2 invalid usage or not root, 4 some setting could not be changed.
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

governor_reason="a core that slows down when idle takes time to speed up again"
clock_reason="this clock is read without a system call, others are not"

fail()
{
    echo "prepare-host.sh: $1" >&2
    exit 2
}

value_after()
{
    [[ $# -ge 2 && -n "$2" ]] || fail "$1: a value is missing"
    echo "$2"
}

action=print
is_guide=false
base_dir=""
isolate=""
root_dir=/
state=""
while [[ $# -gt 0 ]]
do
    case "$1" in
        --apply) action=apply ;;
        --undo) action=undo ;;
        --guide) is_guide=true ;;
        --base-dir) base_dir="$(value_after "$@")"; shift ;;
        --isolate) isolate="$(value_after "$@")"; shift ;;
        --state) state="$(value_after "$@")"; shift ;;
        --root) root_dir="$(value_after "$@")"; shift ;;
        --help | -h) print_help "${BASH_SOURCE[0]}"; exit 0 ;;
       *) fail "unknown option $1, see --help" ;;
    esac
    shift
done
[[ -d "$root_dir" ]] || fail "--root=$root_dir is not allowed: an existing folder"
[[ -z "$base_dir" || -d "$base_dir" ]] || fail "--base-dir=$base_dir is not allowed: an existing folder"
[[ -z "$isolate" || "$isolate" =~ ^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$ ]] ||
    fail "--isolate=$isolate is not allowed: a list of processors, for instance 2-7"
root_dir="${root_dir%/}/"
state="${state:-${root_dir}var/lib/cluster-echo/host-before.tsv}"
if [[ "$action" != print && "$root_dir" == / && "$(id -u)" != 0 ]]
then
    fail "--$action needs root, because it writes to /proc/sys and /sys; without --$action this script only prints"
fi

failed=0

# The value in a file; of a list of choices, the one in brackets.
current()
{
    local text
    { text="$(tr -s ' \t\n' ' ' <"$1")"; } 2>/dev/null || return 1
    text="${text% }"
    [[ "$text" =~ \[([^]]*)\] ]] && text="${BASH_REMATCH[1]}"
    echo "$text"
}

is_met()
{
    local rule="$1" now="$2" wanted="$3"
    case "$rule" in
        last) [[ "${now##* }" =~ ^[0-9]+$ && "${now##* }" -ge "$wanted" ]] ;;
        least) [[ "$now" =~ ^[0-9]+$ && "$now" -ge "$wanted" ]] ;;
        most) [[ "$now" =~ ^[0-9]+$ && "$now" -le "$wanted" ]] ;;
        *) [[ "$now" == "$wanted" ]] ;;
    esac
}

# keep FILE VALUE: save a previous value; over several runs, the first one is kept.
keep()
{
    mkdir -p "$(dirname "$state")"
    touch "$state"
    cut -f1 "$state" | grep -qxF "$1" || printf '%s\t%s\n' "$1" "$2" >>"$state"
}

# set_to NAME FILE RULE VALUE REASON
set_to()
{
    local name="$1" file="$root_dir$2" rule="$3" wanted="$4" reason="$5" now
    if ! now="$(current "$file")"
    then
        echo "unknown  $name: /$2 does not exist or cannot be read"
    elif is_met "$rule" "$now" "$wanted"
    then
        echo "ok       $name = $now"
    elif [[ "$action" == print ]]
    then
        echo "would    $name = $wanted (is $now): $reason"
    else
        keep "$2" "$now"
        [[ "$rule" != last ]] || wanted="${now% *} $wanted"
        if { echo "$wanted" >"$file"; } 2>/dev/null
        then
            echo "set      $name = $wanted (was $now): $reason"
        else
            echo "failed   $name = $wanted (is $now): rejected by the kernel" >&2
            failed=1
        fi
    fi
}

# The value of a setting on this host: of memory at most 1%, or 10% for the guide's.
wanted_of()
{
    local rule="$1" wanted="$2" total share=100
    [[ "$is_guide" == false ]] || share=10
    if [[ "$rule" == memory ]]
    then
        total="$(sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' "${root_dir}proc/meminfo" 2>/dev/null || true)"
        [[ -n "$total" ]] || return 1
        wanted="$((total / share < wanted ? total / share : wanted))"
    fi
    echo "$wanted"
}

all_settings()
{
    local name file rule wanted guide reason bytes governor clock="sys/devices/system/clocksource/clocksource0"
    while IFS='|' read -r name file rule wanted guide _ reason
    do
        [[ -n "$name" && "$name" != "#"* ]] || continue
        [[ "$is_guide" == false || -z "$guide" || "$guide" == "?" ]] || wanted="$guide"
        bytes="$(current "$root_dir${file/%_ratio/_bytes}" || echo 0)"
        if [[ "$file" == *_ratio && "$bytes" != 0 ]]
        then
            echo "ok       ${name/%_ratio/_bytes} = $bytes, in place of $name"
        elif [[ -z "$wanted" ]]
        then
            echo "guide    $name = $(current "$root_dir$file" || echo unknown): the guide sets it, to a value not known here; $reason"
        elif ! wanted="$(wanted_of "$rule" "$wanted")"
        then
            echo "unknown  $name: /proc/meminfo has no MemTotal"
        else
            set_to "$name" "$file" "${rule/memory/least}" "$wanted" "$reason"
        fi
    done <"$root/config/host/settings.txt"

    for governor in "$root_dir"sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor
    do
        [[ -e "$governor" ]] || continue
        name="${governor#"$root_dir"sys/devices/system/cpu/}"
        set_to "governor of ${name%%/*}" "${governor#"$root_dir"}" is performance "$governor_reason"
    done
    if [[ " $(cat "$root_dir$clock/available_clocksource" 2>/dev/null) " == *" tsc "* ]]
    then
        set_to "clock source" "$clock/current_clocksource" is tsc "$clock_reason"
    fi
}

# The mount of the cluster's folder: "MOUNTPOINT OPTIONS".
mount_of()
{
    findmnt --noheadings --output TARGET,OPTIONS --target "$1"
}

# Mount without access times; the guide also without those of folders, which noatime implies, and with discard, which reports freed
# blocks to the disk as files are deleted and is left to fstrim here.
remount()
{
    local point options found wanted=noatime reason="otherwise each read of a file writes its access time"
    [[ "$is_guide" == false ]] || wanted=noatime,nodiratime,discard
    found="$(mount_of "$base_dir")" || { echo "unknown  file system of $base_dir: findmnt does not find it"; return; }
    read -r point options <<<"$found"
    if [[ ",$options," == *,noatime,* && ("$is_guide" == false || ",$options," == *,discard*) ]]
    then
        echo "ok       $point is mounted with $options"
    elif [[ "$action" == print || "$root_dir" != / ]]
    then
        echo "would    mount -o remount,$wanted $point (is $options): $reason"
    else
        # A mount with neither relatime nor noatime has strictatime. Without atime, --undo would keep the present noatime.
        found="atime,$([[ ",$options," == *,relatime,* ]] && echo relatime || echo strictatime)"
        [[ ",$options," != *,noatime,* ]] || found=noatime
        [[ "$is_guide" == false || ",$options," == *,discard* ]] || found+=,nodiscard
        keep "mount:$point" "$found"
        if mount -o "remount,$wanted" "$point"
        then
            echo "set      $point is mounted with $wanted (was $options): $reason"
        else
            failed=1
        fi
    fi
}

# Boot parameters that keep timer ticks, RCU callbacks and interrupts off the members' processors.
print_boot()
{
    local online last housekeeping="0"
    online="$(current "${root_dir}sys/devices/system/cpu/online" || echo 0)"
    last="${online##*[-,]}"
    if [[ -z "$isolate" ]]
    then
        if [[ "$last" -lt 3 ]]
        then
            echo "boot     nothing: $((last + 1)) processors are too few to isolate any"
            return
        fi
        isolate="2-$last"
        housekeeping="0-1"
    elif [[ "$isolate" =~ ^([0-9]+)- && "${BASH_REMATCH[1]}" -gt 1 ]]
    then
        housekeeping="0-$((BASH_REMATCH[1] - 1))"
    fi
    echo "boot     nohz_full=$isolate rcu_nocbs=$isolate irqaffinity=$housekeeping isolcpus=managed_irq,$isolate"
    echo "         Add this to the kernel command line in your boot loader and reboot: no ticks, RCU callbacks or interrupts on"
    echo "         processors $isolate. Run members on them: --set 'echo.launch.prefix=taskset -c $isolate'. Do not use isolcpus"
    echo "         without managed_irq: Linux does not balance the threads of a process over processors isolated that way."
}

undo()
{
    local name before
    [[ -f "$state" ]] || { echo "Nothing to undo: $state does not exist."; return; }
    while IFS=$'\t' read -r name before
    do
        if [[ "$name" == mount:* ]]
        then
            # Earlier versions of this script kept one word.
            [[ "$before" == *atime,* || "$before" == noatime* ]] || before="atime,$before"
            mount -o "remount,$before" "${name#mount:}" && echo "restored ${name#mount:} with $before" || failed=1
        elif { echo "$before" >"$root_dir$name"; } 2>/dev/null
        then
            echo "restored /$name = $before"
        else
            echo "failed   /$name = $before: rejected by the kernel" >&2
            failed=1
        fi
    done < <(tac "$state")
    [[ "$failed" != 0 ]] || rm "$state"
}

if [[ "$action" == undo ]]
then
    undo
else
    all_settings
    [[ -z "$base_dir" ]] || remount
    print_boot
    if [[ "$action" == apply && -f "$state" ]]
    then
        echo "The previous values are in $state: --undo restores them. The changes last until the next boot."
    elif [[ "$action" == print ]]
    then
        echo "Nothing was changed: use --apply for that."
    fi
fi
[[ "$failed" == 0 ]] || exit 4
