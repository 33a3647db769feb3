#!/usr/bin/env bash
# Show process, role, election, term, positions, sessions, counters and errors of each member.
#
#   scripts/cluster-status.sh --json
#
# Options are those of "bin/cluster-node status".
# Exit status: 0 all members run and follow one leader, 2 invalid usage, 3 otherwise.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    [[ ! -f "$root/cluster-node.jar" ]] || run_node status --help
    exit 0
fi

[[ -f "$root/cluster-node.jar" ]] || build_if_needed cluster-node.jar
run_node status "$@"
