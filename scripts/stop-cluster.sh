#!/usr/bin/env bash
# Stops the members that start-cluster.sh has started, no other process, and removes what they leave in shared memory.
# Logs and snapshots stay, unless --delete-data is given.
#
#   scripts/stop-cluster.sh --base-dir cluster-data
#
# Options are those of "java -jar cluster-node.jar stop".
# Exit status: 0 nothing runs any more, 2 told something that cannot be used.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    [[ ! -f "$root/cluster-node.jar" ]] || run_node stop --help
    exit 0
fi

# An older jar stops members just as well; a build would only be in the way.
[[ -f "$root/cluster-node.jar" ]] || build_if_needed cluster-node.jar
run_node stop "$@"
