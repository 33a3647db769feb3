#!/usr/bin/env bash
# Kill the leader under load repeatedly, measure each outage and check that no acknowledged message was lost.
#
#   scripts/failover-test.sh --cycles 5 --rate 2k --timeouts fast
#
# Tests the cluster that runs in cluster-data, or starts three members there. Options are those of
# "bin/load-client failover" and override the defaults of this script:
#   --rate 2k --delivery exactly-once --label failover
# Exit status: 0 all cycles recovered and no acknowledged message was lost; 4 if not, or if the client stalled or the test is
# otherwise unreliable: the result names each reason.
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
exec "$java" @"$root/config/jvm/client.options" -jar "$root/load-client.jar" failover \
    --config "$root/config/failover-test.properties" "$@"
