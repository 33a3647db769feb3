#!/usr/bin/env bash
# Measure all that the published guide to benchmarking Aeron on AWS measured: echoes through Aeron alone and through a cluster, by
# length, placement and driver, at 100,000/s, and the highest rates.
#
#   scripts/aws-guide.sh --scale 0.05 --repeats 1
#
# Runs the sweeps config/matrix/aws-guide*, one after the other, each with its own folder in results/. Options are those of
# "bin/peers matrix", for all of them; --scale has no effect where the highest rate is searched. The C driver does not emulate
# placements: measure it with "bin/peers matrix config/matrix/aws-guide-transport --set driver=java,c", and beneath a cluster with
# "bin/load-client matrix config/matrix/aws-guide-max-rate --set driver=c --set placement=none" (scripts/build-c-driver.sh).
# Takes hours: a search for the highest rate makes 12 to 60 runs, and there are 12 searches, each repeated five times.
# Exit status: 0 all cells of all sweeps are GOOD, 2 invalid usage, 4 some are not, 130 interrupted; an interrupted sweep resumes
# with "bin/peers matrix FOLDER".
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    exit 0
fi

build_if_needed cluster-node.jar load-client.jar peers.jar
cd "$root"
worst=0
for sweep in config/matrix/aws-guide*.properties
do
    echo "== $sweep" >&2
    status=0
    "$java" "${command_flags[@]}" -jar "$root/peers.jar" matrix "$sweep" "$@" || status=$?
    case "$status" in
        0) ;;
        4) worst=4 ;;
        *) exit "$status" ;;
    esac
done
exit "$worst"
