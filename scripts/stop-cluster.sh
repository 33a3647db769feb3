#!/usr/bin/env bash
# Stop the members and the backup of a folder and remove their files in shared memory.
#
#   scripts/stop-cluster.sh --base-dir cluster-data
#
# Stops no other process. Keeps logs and snapshots. Options are those of "bin/cluster-node stop", for instance:
#   --delete-data   also delete logs and snapshots
# Exit status: 0 no member runs any more, 2 invalid usage.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    [[ ! -f "$root/cluster-node.jar" ]] || run_node stop --help
    exit 0
fi

# An older jar can stop members too; do not build for that.
[[ -f "$root/cluster-node.jar" ]] || build_if_needed cluster-node.jar
run_node stop "$@"
