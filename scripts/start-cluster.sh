#!/usr/bin/env bash
# Starts the members of a cluster on this machine, waits until a leader has answered, and prints where everything is.
# Needs no arguments; builds first where that is needed; starts only members that do not run yet.
#
#   scripts/start-cluster.sh --members 3 --fsync 1 --timeouts fast
#
# Options are those of "java -jar cluster-node.jar start", among them --base-dir, --base-port, --mtu, --profile, --json, and
# --inventory, which starts the members on other hosts (docs/MANY-HOSTS.md).
# The folder is cluster-data below the current one unless --base-dir gives another.
# Exit status: 0 the cluster serves, 2 told something that cannot be used, 3 no leader or no echo in time.
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
