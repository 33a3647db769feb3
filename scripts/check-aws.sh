#!/usr/bin/env bash
# Check deploy/aws without an AWS account.
#
#   scripts/check-aws.sh
#
# Checks format, rejection of invalid values, start scripts of the hosts and the cost estimate, and the plan if Terraform can
# download its provider.
# SKIPPED_CHECKS: file to which skipped checks are appended. They count neither as passed nor as failed.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
aws="$root/deploy/aws"

if [[ "${1:-}" == --help || "${1:-}" == -h ]]; then
    sed -n '2,/^set -euo/p' "${BASH_SOURCE[0]}" | sed '$d; s/^# \{0,1\}//'
    exit 0
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# skip REASON: report the skipped check and exit.
skip()
{
    echo "deploy/aws: skipped, $1"
    [[ -z "${SKIPPED_CHECKS:-}" ]] || echo "deploy/aws: $1" >> "$SKIPPED_CHECKS"
    exit 0
}

cat > "$work/variables.json" <<'JSON'
{ "member_count": 3, "client_count": 2, "instance_type": "c6in.4xlarge", "storage": "io2", "storage_iops": 10000 }
JSON
estimate="$(python3 "$aws/estimate.py" "$work/variables.json" 10)"
# 5 x 0.9072 + 5 x 0.005 + 5 x 20 x 0.08 / 730 + 3 x (100 x 0.125 + 10000 x 0.065) / 730, for 10 hours
grep -q '^  sum .* 72.95$' <<< "$estimate" || { echo "check-aws.sh: the estimate is wrong:"; echo "$estimate"; exit 1; } >&2

if ! command -v terraform >/dev/null 2>&1; then
    skip "terraform is not installed; only the estimate was checked"
fi
terraform fmt -check -diff -recursive "$aws"

# Checks that need no provider.
mkdir "$work/alone" "$work/alone/tests"
cp -r "$aws/variables.tf" "$aws/templates" "$aws/checks/render.tf" "$work/alone"
cp "$aws/checks/variables.tftest.hcl" "$work/alone/tests"
terraform -chdir="$work/alone" init -input=false >/dev/null
terraform -chdir="$work/alone" test
terraform -chdir="$work/alone" apply -input=false -auto-approve -var name=check -var ssh_from=203.0.113.7/32 \
    -var "ssh_public_key=ssh-ed25519 AAAA" -var ends_at=2026-01-31T18:00:00 >/dev/null
for role in member client
do
    terraform -chdir="$work/alone" output -raw "$role" > "$work/$role.sh"
    bash -n "$work/$role.sh"
    if command -v shellcheck >/dev/null 2>&1; then
        shellcheck "$work/$role.sh"
    fi
done

# Checks that need the provider.
export TF_DATA_DIR="$work/data"
cp -r "$aws" "$work/whole"
if ! terraform -chdir="$work/whole" init -backend=false -input=false >"$work/init" 2>&1; then
    skip "Terraform cannot download its provider; the configuration was neither validated nor planned"
fi
terraform -chdir="$work/whole" validate
terraform -chdir="$work/whole" test
