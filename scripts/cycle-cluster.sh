#!/usr/bin/env bash
# Start and stop a cluster repeatedly to check that this machine can run it.
#
#   scripts/cycle-cluster.sh 20 --base-port 24000
#
# The first argument is the number of cycles (default: 20), the others are options of start-cluster.sh except --base-dir: the
# cluster runs in a temporary folder, which is deleted after success. A cycle fails if a process or a file in shared memory
# is left behind.
# Exit status: 0 all cycles passed, 1 something was left behind, otherwise that of the command that failed.
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
    # A pid may have been reused; the command lines of our members contain the folder.
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
