#!/usr/bin/env bash
# Remove what scripts/aws-up.sh has created: hosts with their disks, network, placement group, role. Fetch results before.
#
#   scripts/aws-down.sh first
#
# NAME    first argument: the name given to aws-up.sh
# --yes   do not ask for confirmation
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
aws="$root/deploy/aws"

if [[ "${1:-}" == --help || "${1:-}" == -h || $# -eq 0 ]]; then
    sed -n '2,/^set -euo/p' "${BASH_SOURCE[0]}" | sed '$d; s/^# \{0,1\}//'
    exit 0
fi

name="$1"
approve=()
case "${2:-}" in
    "") ;;
    --yes) approve=(-auto-approve) ;;
    *) echo "aws-down.sh: unknown option $2, see --help" >&2; exit 2 ;;
esac
run="$aws/.runs/$name"
if [[ ! "$name" =~ ^[a-z][a-z0-9-]{0,30}$ || ! -f "$run/variables.json" ]]; then
    echo "aws-down.sh: NAME=$name is not allowed: one of the folders in $aws/.runs" >&2
    exit 2
fi
if [[ ! -f "$run/terraform.tfstate" ]]; then
    echo "nothing was created for $name"
    rm -rf "$run"
    exit 0
fi

export TF_DATA_DIR="$run/.terraform" TF_IN_AUTOMATION=1
terraform -chdir="$aws" init -input=false >/dev/null
terraform -chdir="$aws" destroy -var-file="$run/variables.json" -state="$run/terraform.tfstate" ${approve[@]+"${approve[@]}"}
rm -rf "$run"
echo "$name is removed"
