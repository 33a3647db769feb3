#!/usr/bin/env bash
# Kills the leader of a cluster of three under load, again and again, measures each outage, and proves that no acknowledged
# message was lost. Works on the cluster that runs in cluster-data, or starts one there for the test.
#
#   scripts/failover-test.sh --cycles 5 --rate 2k --timeouts fast
#
# Options are those of "java -jar load-client.jar failover"; they win over the ones set here.
# Exit status: 0 all cycles recovered and nothing was lost, 4 otherwise.
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    exit 0
fi

build_if_needed cluster-node.jar load-client.jar
cd "$root"
exec java @"$root/config/jvm/client.options" -jar "$root/load-client.jar" failover \
    --config "$root/config/failover-test.properties" "$@"
