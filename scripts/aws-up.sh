#!/usr/bin/env bash
# Makes members and load clients on AWS in a placement group, with deploy/aws, and writes an inventory of them. Prints an
# estimate of what that costs, and asks, before it makes anything. docs/aws.md says what it needs.
#
#   scripts/aws-up.sh first --ssh-from 203.0.113.7 --hours 3
#   scripts/aws-up.sh far --placement partition --type c6in.8xlarge --clients 2 --hours 2 --set storage=io2 --plan
#
# NAME                 first argument: what the set is called
# --ssh-from ADDRESS   the one IPv4 address that may use ssh (it is not guessed)
# --ssh-key FILE       public key that the hosts let in (default: ~/.ssh/id_ed25519.pub)
# --hours N            after which everything that costs money removes itself, 1 to 72 (default: 4)
# --region R, --type T, --members N, --clients N, --placement cluster|partition, --spot
# --set KEY=VALUE      any other variable of deploy/aws/variables.tf; may be given again
# --plan               show the estimate and the plan, and make nothing
# --yes                do not ask
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
    fail "NAME=$name is not allowed: a small letter, then up to 30 small letters, digits and dashes"
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
        *) fail "$1 is not known, see --help" ;;
    esac
    shift 2
done
[[ "$hours" =~ ^([1-9]|[1-6][0-9]|7[0-2])$ ]] || fail "--hours=$hours is not allowed: 1 to 72"
[[ "$ssh_from" =~ ^[0-9]{1,3}(\.[0-9]{1,3}){3}$ ]] ||
    fail "--ssh-from=$ssh_from is not allowed: the one IPv4 address that may use ssh, as 203.0.113.7"
[[ -r "$key" ]] || fail "--ssh-key=$key is not allowed: a readable file with a public key"
for tool in terraform python3
do
    command -v "$tool" >/dev/null || fail "$tool is not installed"
done

run="$aws/.runs/$name"
[[ ! -e "$run/terraform.tfstate" ]] || fail "$name is there already: scripts/aws-down.sh $name removes it"
mkdir -p "$run"
ends_at="$(date -u -d "+$hours hours" +%Y-%m-%dT%H:%M:%S)"
# Values that are lists or numbers are JSON, all others text.
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
echo "Everything that costs money removes itself at $ends_at UTC; scripts/aws-down.sh $name removes all of it before."

export TF_DATA_DIR="$run/.terraform" TF_IN_AUTOMATION=1
terraform -chdir="$aws" init -input=false >/dev/null
terraform -chdir="$aws" plan -input=false -var-file="$run/variables.json" -state="$run/terraform.tfstate" -out="$run/plan"
if $is_plan; then
    exit 0
fi
if $is_asking; then
    read -r -p "Make these? Only 'yes' makes them: " answer
    [[ "$answer" == yes ]] || { echo "nothing was made"; exit 0; }
fi
if ! terraform -chdir="$aws" apply -input=false -state="$run/terraform.tfstate" "$run/plan"; then
    echo "aws-up.sh: not all of it was made. What was made may cost money, and may have no other end than its own timer:" \
        "scripts/aws-down.sh $name removes it" >&2
    exit 1
fi
terraform -chdir="$aws" output -state="$run/terraform.tfstate" -raw inventory > "$run/inventory.properties"
terraform -chdir="$aws" output -state="$run/terraform.tfstate" -raw inventory_inside > "$run/inventory-inside.properties"
echo "inventory in $run/inventory.properties; the hosts take a minute or two more to be ready"
