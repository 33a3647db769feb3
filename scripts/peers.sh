#!/usr/bin/env bash
# The loads of public reports on Aeron, Aeron Cluster and their peers (gRPC, KryoNet, RSocket, HTTP/1.1, Ratis, etcd), system by system
# in turns, with the published ratios beside the ones found. Servers and clients are processes of their own on this machine.
#
#   scripts/peers.sh --only ping-pong,scheduled --systems aeron-udp,grpc,kryonet
#
# Without --full it takes a size that a small machine does in an hour or two; with --full, hours on a quiet one. Options are
# those of "java -jar peers.jar suite". The result, report.md with runs.csv and each run's own JSON, goes to results/.
# Exit status: 0 each system gave a good run of each load or showed that it does not bear it, 2 usage, 4 some did not, 130
# interrupted (what was measured is kept).
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    exit 0
fi

build_if_needed cluster-node.jar load-client.jar peers.jar
cd "$root"
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -jar "$root/peers.jar" suite "$@"
