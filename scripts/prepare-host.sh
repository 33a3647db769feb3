#!/usr/bin/env bash
# Sets the kernel of this host up for steady times, if told so: without --apply it only prints what it would change, and why.
# What --apply changes lasts until the next boot, and --undo puts the values back that it found. Needs root for both.
#
#   scripts/prepare-host.sh                            print what is and what would be
#   sudo scripts/prepare-host.sh --apply               change it, and write the values before into the state file
#   sudo scripts/prepare-host.sh --undo                put those values back
#   scripts/prepare-host.sh --isolate 2-7              name the processors of the boot parameters that it prints
#
# --base-dir DIR   also mount the file system of DIR, the cluster's folder, without access times
# --state FILE     where the values before are kept (default: /var/lib/cluster-echo/host-before.tsv)
# --root DIR       work on the files below DIR in place of / (needs no root); mounts are then left alone
#
# Boot parameters are printed and never written: the boot loader is yours.
# Exit status: 0 done, 2 told something that cannot be used, or not root, 4 some setting could not be changed.
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

# name | file | rule | value | reason. Rules: least (raise a lower number), most (lower a higher number), is (a value),
# choice (one of those that the file lists, the current one in brackets).
settings='
net.core.rmem_max|proc/sys/net/core/rmem_max|least|4194304|room in receiving sockets for windows of 2 MB; what does not fit is lost and sent again
net.core.wmem_max|proc/sys/net/core/wmem_max|least|4194304|room in sending sockets for bursts; a full one makes the sender try again
net.core.netdev_max_backlog|proc/sys/net/core/netdev_max_backlog|least|10000|packets that a busy core may leave waiting before the kernel drops them
vm.swappiness|proc/sys/vm/swappiness|most|1|pages of a member that were swapped out come back from a disk, while the thread waits
vm.stat_interval|proc/sys/vm/stat_interval|least|120|the kernel interrupts each core that often to sum its statistics up
kernel.numa_balancing|proc/sys/kernel/numa_balancing|is|0|the kernel unmaps pages to see who uses them; each touch is then a page fault
kernel.timer_migration|proc/sys/kernel/timer_migration|is|0|timers of other cores are moved to those that are busy, which members are
kernel.nmi_watchdog|proc/sys/kernel/nmi_watchdog|is|0|interrupts every core again and again to see whether it hangs
transparent_hugepage/enabled|sys/kernel/mm/transparent_hugepage/enabled|choice|madvise|threads stop while the kernel puts their pages together
transparent_hugepage/defrag|sys/kernel/mm/transparent_hugepage/defrag|choice|madvise|a page fault may otherwise wait until memory is compacted
ksm/run|sys/kernel/mm/ksm/run|is|0|merged pages are copied at the next write, while the thread waits
'
governor_reason="a core that slows down when idle takes its time to come back"
clock_reason="this clock is read without a call into the kernel, and others are not"

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
base_dir=""
isolate=""
root_dir=/
state=""
while [[ $# -gt 0 ]]
do
    case "$1" in
        --apply) action=apply ;;
        --undo) action=undo ;;
        --base-dir) base_dir="$(value_after "$@")"; shift ;;
        --isolate) isolate="$(value_after "$@")"; shift ;;
        --state) state="$(value_after "$@")"; shift ;;
        --root) root_dir="$(value_after "$@")"; shift ;;
        --help | -h) print_help "${BASH_SOURCE[0]}"; exit 0 ;;
        *) fail "$1 is not known; see --help" ;;
    esac
    shift
done
[[ -d "$root_dir" ]] || fail "--root=$root_dir is not allowed: a folder that is there"
[[ -z "$base_dir" || -d "$base_dir" ]] || fail "--base-dir=$base_dir is not allowed: a folder that is there"
[[ -z "$isolate" || "$isolate" =~ ^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$ ]] ||
    fail "--isolate=$isolate is not allowed: a list of processors, as in 2-7"
root_dir="${root_dir%/}/"
state="${state:-${root_dir}var/lib/cluster-echo/host-before.tsv}"
if [[ "$action" != print && "$root_dir" == / && "$(id -u)" != 0 ]]
then
    fail "--$action needs root: it writes to /proc/sys and /sys; without it this only prints"
fi

failed=0

# The value of a file that is there: of a list of choices the one in brackets.
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
        least) [[ "$now" =~ ^[0-9]+$ && "$now" -ge "$wanted" ]] ;;
        most) [[ "$now" =~ ^[0-9]+$ && "$now" -le "$wanted" ]] ;;
        *) [[ "$now" == "$wanted" ]] ;;
    esac
}

# keep FILE VALUE: note a value before; of several runs the first one counts.
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
        echo "unknown  $name: there is no /$2, or it may not be read"
    elif is_met "$rule" "$now" "$wanted"
    then
        echo "ok       $name = $now"
    elif [[ "$action" == print ]]
    then
        echo "would    $name = $wanted (is $now): $reason"
    else
        keep "$2" "$now"
        if { echo "$wanted" >"$file"; } 2>/dev/null
        then
            echo "set      $name = $wanted (was $now): $reason"
        else
            echo "failed   $name = $wanted (is $now): the kernel does not take it" >&2
            failed=1
        fi
    fi
}

all_settings()
{
    local name file rule wanted reason governor clock="sys/devices/system/clocksource/clocksource0"
    while IFS='|' read -r name file rule wanted reason
    do
        [[ -z "$name" ]] || set_to "$name" "$file" "$rule" "$wanted" "$reason"
    done <<<"$settings"

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

# The mount of the cluster's folder: "POINT OPTIONS".
mount_of()
{
    findmnt --noheadings --output TARGET,OPTIONS --target "$1"
}

remount()
{
    local point options found reason="each read of a file is a write to its access time otherwise"
    found="$(mount_of "$base_dir")" || { echo "unknown  file system of $base_dir: findmnt does not tell"; return; }
    read -r point options <<<"$found"
    if [[ ",$options," == *,noatime,* ]]
    then
        echo "ok       $point is mounted with noatime"
    elif [[ "$action" == print || "$root_dir" != / ]]
    then
        echo "would    mount -o remount,noatime $point (is $options): $reason"
    else
        # A mount that says neither relatime nor noatime has strictatime.
        keep "mount:$point" "$([[ ",$options," == *,relatime,* ]] && echo relatime || echo strictatime)"
        if mount -o remount,noatime "$point"
        then
            echo "set      $point is mounted with noatime (was $options): $reason"
        else
            failed=1
        fi
    fi
}

# Boot parameters that keep the timer's tick, the kernel's callbacks and interrupts off the processors of members.
print_boot()
{
    local online last housekeeping="0"
    online="$(current "${root_dir}sys/devices/system/cpu/online" || echo 0)"
    last="${online##*[-,]}"
    if [[ -z "$isolate" ]]
    then
        if [[ "$last" -lt 3 ]]
        then
            echo "boot     nothing: with $((last + 1)) processors there are none to set apart"
            return
        fi
        isolate="2-$last"
        housekeeping="0-1"
    elif [[ "$isolate" =~ ^([0-9]+)- && "${BASH_REMATCH[1]}" -gt 1 ]]
    then
        housekeeping="0-$((BASH_REMATCH[1] - 1))"
    fi
    echo "boot     nohz_full=$isolate rcu_nocbs=$isolate irqaffinity=$housekeeping isolcpus=managed_irq,$isolate"
    echo "         for the kernel's command line, by your boot loader, and a boot: no tick, no callbacks and no interrupts there."
    echo "         Members go there by: --set 'echo.launch.prefix=taskset -c $isolate'. No isolcpus without managed_irq: Linux"
    echo "         does not spread the threads of a process over processors that are isolated from its scheduler."
}

undo()
{
    local name before
    [[ -f "$state" ]] || { echo "Nothing to undo: there is no $state."; return; }
    while IFS=$'\t' read -r name before
    do
        if [[ "$name" == mount:* ]]
        then
            # Without atime, mount would add what is wanted to the noatime that is there.
            mount -o "remount,atime,$before" "${name#mount:}" && echo "restored ${name#mount:} with $before" || failed=1
        elif { echo "$before" >"$root_dir$name"; } 2>/dev/null
        then
            echo "restored /$name = $before"
        else
            echo "failed   /$name = $before: the kernel does not take it" >&2
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
        echo "The values before stand in $state: --undo puts them back. All of this lasts until the next boot."
    elif [[ "$action" == print ]]
    then
        echo "Nothing was changed; --apply does."
    fi
fi
[[ "$failed" == 0 ]] || exit 4
