#!/usr/bin/env bash
# Measure Aeron, Aeron Cluster and peers (gRPC, KryoNet, RSocket, HTTP/1.1, Ratis, etcd) under the workloads of public reports.
#
#   scripts/peers.sh --only ping-pong,scheduled --systems aeron-udp,grpc,kryonet
#
# Interleaves the systems and compares the measured with the published ratios. Servers and clients are separate processes on
# this machine. The result goes to results/: report.md, runs.csv and the JSON of each run. Options are those of
# "bin/peers suite", for instance:
#   --full   published sizes (default: sizes for a small machine)
# All loads of all systems take hours, since each run warms up for 10 to 60 s: choose some with --only and --systems.
# Exit status: 0 each system completed a good run of each workload or was shown not to sustain it, 2 invalid usage, 4 some did
# not, 130 interrupted (completed runs are kept).
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    exit 0
fi

build_if_needed cluster-node.jar load-client.jar peers.jar
cd "$root"
exec "$java" "${command_flags[@]}" -jar "$root/peers.jar" suite "$@"
