#!/usr/bin/env bash
# Create hosts for members and load clients on AWS with deploy/aws, and write their inventory.
#
#   scripts/aws-up.sh first --ssh-from 203.0.113.7 --hours 3
#
# Prints a cost estimate and asks for confirmation first. Prerequisites: docs/aws.md.
#
# NAME                 first argument: name of the deployment
# --ssh-from ADDRESS   the only IPv4 address that may use ssh (required)
# --ssh-key FILE       public key for ssh (default: ~/.ssh/id_ed25519.pub)
# --hours N            lifetime after which everything that costs money removes itself, 1 to 72 (default: 4)
# --region R, --type T, --members N, --clients N, --placement cluster|partition, --spot
# --set KEY=VALUE      any other variable of deploy/aws/variables.tf; repeatable
# --plan               only show the estimate and the plan
# --yes                do not ask for confirmation
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
aws="$root/deploy/aws"

fail()
{
    echo "aws-up.sh: $1" >&2
    exit 2
}

if [[ "${1:-}" == --help || "${1:-}" == -h || $# -eq 0 ]]; then
    sed -n '2,/^set -euo/p' "${BASH_SOURCE[0]}" | sed '$d; s/^# \{0,1\}//'
    exit 0
fi

name="$1"
shift
[[ "$name" =~ ^[a-z][a-z0-9-]{0,30}$ ]] ||
    fail "NAME=$name is not allowed: a lower-case letter, then up to 30 lower-case letters, digits and dashes"
hours=4
key="$HOME/.ssh/id_ed25519.pub"
ssh_from=
is_asking=true
is_plan=false
settings=()
while [[ $# -gt 0 ]]
do
    case "$1" in
        --yes) is_asking=false; shift; continue ;;
        --plan) is_plan=true; shift; continue ;;
        --spot) settings+=("spot=true"); shift; continue ;;
    esac
    [[ $# -ge 2 ]] || fail "$1 needs a value, see --help"
    case "$1" in
        --ssh-from) ssh_from="$2" ;;
        --ssh-key) key="$2" ;;
        --hours) hours="$2" ;;
        --region) settings+=("region=$2") ;;
        --type) settings+=("instance_type=$2") ;;
        --members) settings+=("member_count=$2") ;;
        --clients) settings+=("client_count=$2") ;;
        --placement) settings+=("placement=$2") ;;
        --set) settings+=("$2") ;;
       *) fail "unknown option $1, see --help" ;;
    esac
    shift 2
done
[[ "$hours" =~ ^([1-9]|[1-6][0-9]|7[0-2])$ ]] || fail "--hours=$hours is not allowed: 1 to 72"
[[ "$ssh_from" =~ ^[0-9]{1,3}(\.[0-9]{1,3}){3}$ ]] ||
    fail "--ssh-from=$ssh_from is not allowed: the only IPv4 address that may use ssh, for instance 203.0.113.7"
[[ -r "$key" ]] || fail "--ssh-key=$key is not allowed: a readable file with a public key"
for tool in terraform python3
do
    command -v "$tool" >/dev/null || fail "$tool is not installed"
done

run="$aws/.runs/$name"
[[ ! -e "$run/terraform.tfstate" ]] || fail "$name already exists: remove it with scripts/aws-down.sh $name"
mkdir -p "$run"
ends_at="$(date -u -d "+$hours hours" +%Y-%m-%dT%H:%M:%S)"
# Lists and numbers are JSON, all other values are text.
python3 - "$run/variables.json" "name=$name" "ssh_from=$ssh_from/32" "ends_at=$ends_at" \
    "ssh_public_key=$(head -1 "$key")" ${settings[@]+"${settings[@]}"} <<'PYTHON' || exit 2
import json, re, sys
known = set(re.findall(r'^variable "(\w+)"', open(sys.argv[1].rsplit("/.runs/", 1)[0] + "/variables.tf").read(), re.M))
values = {}
for setting in sys.argv[2:]:
    key, separator, text = setting.partition("=")
    if not separator or key not in known:
        sys.exit(f"aws-up.sh: --set {setting} is not allowed: KEY=VALUE with one of {', '.join(sorted(known))}")
    try:
        values[key] = json.loads(text)
    except ValueError:
        values[key] = text
json.dump(values, open(sys.argv[1], "w"), indent=2)
PYTHON

python3 "$aws/estimate.py" "$run/variables.json" "$hours"
echo "Everything that costs money removes itself at $ends_at UTC; scripts/aws-down.sh $name removes it earlier."

export TF_DATA_DIR="$run/.terraform" TF_IN_AUTOMATION=1
terraform -chdir="$aws" init -input=false >/dev/null
terraform -chdir="$aws" plan -input=false -var-file="$run/variables.json" -state="$run/terraform.tfstate" -out="$run/plan"
if $is_plan; then
    exit 0
fi
if $is_asking; then
    read -r -p "Create these? Only 'yes' does: " answer
    [[ "$answer" == yes ]] || { echo "nothing was created"; exit 0; }
fi
if ! terraform -chdir="$aws" apply -input=false -state="$run/terraform.tfstate" "$run/plan"; then
    echo "aws-up.sh: only a part was created. It may cost money, and may only be removed by its own timer: remove it with" \
        "scripts/aws-down.sh $name" >&2
    exit 1
fi
terraform -chdir="$aws" output -state="$run/terraform.tfstate" -raw inventory > "$run/inventory.properties"
terraform -chdir="$aws" output -state="$run/terraform.tfstate" -raw inventory_inside > "$run/inventory-inside.properties"
echo "inventory in $run/inventory.properties; the hosts take a minute or two more to be ready"
