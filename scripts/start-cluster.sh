#!/usr/bin/env bash
# Start the members of a cluster on this machine and wait until the leader answers an echo.
#
#   scripts/start-cluster.sh --members 3 --fsync 1 --timeouts fast
#
# Builds the jars first if needed. Starts only members that do not run yet. Options are those of
# "bin/cluster-node start", for instance:
#   --base-dir DIR     folder of the cluster (default: cluster-data in the current folder)
#   --inventory FILE   start the members on other hosts (docs/MANY-HOSTS.md)
# Exit status: 0 the cluster is ready, 2 invalid usage, 3 no leader or no echo within the timeout, 4 a majority is ready and
# keeps running, but not all members.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    [[ ! -f "$root/cluster-node.jar" ]] || run_node start --help
    exit 0
fi

build_if_needed cluster-node.jar
run_node start "$@"
