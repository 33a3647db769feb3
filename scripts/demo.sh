#!/usr/bin/env bash
# Run a first benchmark: build, start three members on this machine, measure 10 s of load, print the result, stop the members.
#
#   scripts/demo.sh --rate 20k --duration 30s
#
# The members are stopped on failure and on Ctrl-C too. The cluster runs in cluster-data of the checkout, the result goes to
# results/. Options are those of "bin/load-client" and override the defaults of this script:
#   --rate 2k --size 288 --duration 10s --warm-up 10s --label demo
# Exit status: that of the load client (0 a good run, 4 rate missed or messages lost, 99 a threshold failed,
# 130 interrupted), or of start-cluster.sh if the cluster did not start.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    exit 0
fi

base_dir="$root/cluster-data"
# The status below would build a missing jar itself, and hide it. An old one is not replaced while members may run from it.
[[ -f "$root/cluster-node.jar" ]] || build_if_needed cluster-node.jar load-client.jar
# Of a cluster with a member that is down, too: its status fails, but it must not be stopped.
if (cd "$root" && { "$root/scripts/cluster-status.sh" --base-dir "$base_dir" --json || true; }) 2> /dev/null |
    grep '"alive" *: *true' > /dev/null
then
    echo "demo.sh: a cluster is already running in $base_dir; stop it first with scripts/stop-cluster.sh --base-dir $base_dir" >&2
    exit 2
fi

# shellcheck disable=SC2317 # called by the trap below
stop_members()
{
    local status=$?
    # The first Ctrl-C ended the run cleanly; a second one must not leave members behind.
    trap '' INT TERM
    "$root/scripts/stop-cluster.sh" --base-dir "$base_dir" || echo "demo.sh: members may still be running, see $base_dir" >&2
    exit "$status"
}

build_if_needed cluster-node.jar load-client.jar
cd "$root"
trap stop_members EXIT
trap 'exit 143' TERM
# The load client handles Ctrl-C itself: it drains, stores what it measured, and exits with status 130.
trap ':' INT

"$root/scripts/start-cluster.sh" --base-dir "$base_dir" || exit "$?"

status=0
"$java" @"$root/config/jvm/client.options" -jar "$root/load-client.jar" \
    --base-dir "$base_dir" --config "$root/config/demo.properties" "$@" || status=$?

result="$(find "$root/results" -mindepth 1 -maxdepth 1 -type d -name '*-demo' -newer "$base_dir/cluster.properties" 2> /dev/null |
    sort | tail -n 1 || true)"
[[ -z "$result" ]] || echo "The result is in $result"
exit "$status"
