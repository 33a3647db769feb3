#!/usr/bin/env bash
# Starts a cluster, has it echo, and stops it, again and again in the same folder, and fails where a process or a file in
# shared memory is left behind. For finding out whether a machine can run the tool.
#
#   scripts/cycle-cluster.sh 20 --base-port 24000
#
# First argument: how many cycles (20). The others are options of start-cluster.sh, but for --base-dir: it works in a
# folder of its own, which is removed at the end when all went well.
# Exit status: 0 all cycles went well, 1 something was left behind, else that of the command that failed.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    exit 0
fi

cycles="${1:-20}"
[[ $# -eq 0 ]] || shift
if ! [[ "$cycles" =~ ^[1-9][0-9]*$ ]]
then
    echo "cycle-cluster.sh: cycles=$cycles is not allowed: a whole number from 1" >&2
    exit 2
fi

build_if_needed cluster-node.jar
base_dir="$(mktemp -d "${TMPDIR:-/tmp}/cluster-cycles.XXXXXX")"

finish()
{
    local status=$?
    trap '' INT TERM
    if [[ $status -eq 0 ]]
    then
        rm -r "$base_dir"
    else
        "$root/scripts/stop-cluster.sh" --base-dir "$base_dir" >&2 || true
        echo "cycle-cluster.sh: failed; logs are in $base_dir" >&2
    fi
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for ((cycle = 1; cycle <= cycles; cycle++))
do
    begin_ms="$(date +%s%3N)"
    started="$("$root/scripts/start-cluster.sh" --base-dir "$base_dir" --json "$@" 2> "$base_dir/start.err")" || {
        status=$?
        cat "$base_dir/start.err" >&2
        exit "$status"
    }
    "$root/scripts/stop-cluster.sh" --base-dir "$base_dir" > /dev/null

    left=()
    # A pid may belong to another process by now; ours name the folder.
    mapfile -t pids < <(sed -n 's/.*"pid" : \([0-9]*\).*/\1/p' <<< "$started")
    for pid in "${pids[@]}"
    do
        [[ ! -d "/proc/$pid" ]] || ! grep -qz "$base_dir" "/proc/$pid/cmdline" || left+=("process $pid")
    done
    mapfile -t folders < <(sed -n 's/.*"aeronFolder" : "\(.*\)".*/\1/p' <<< "$started")
    for folder in "${folders[@]}"
    do
        [[ ! -e "$folder" ]] || left+=("$folder")
    done
    if [[ ${#left[@]} -gt 0 ]]
    then
        echo "cycle-cluster.sh: cycle $cycle left behind: ${left[*]}" >&2
        exit 1
    fi
    echo "cycle $cycle of $cycles: started, echoed, stopped in $(($(date +%s%3N) - begin_ms)) ms"
done
