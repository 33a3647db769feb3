#!/usr/bin/env python3
"""Dynamic Ansible inventory from a cluster-echo inventory, so that one file names the hosts.

    CLUSTER_ECHO_INVENTORY=config/inventory/example.properties deploy/ansible/inventory.py --list

Groups: members, backup, clients, peers. Variables of each host: its ssh settings, echo_folder, echo_data, echo_java.
cluster-echo checks keys and values; this script only reads them.
"""

import json
import os
import shlex
import sys

DEFAULTS = {
    "roles": "",
    "ssh": "",
    "ssh.user": "",
    "ssh.port": "0",
    "ssh.key": "",
    "ssh.options": "",
    "folder": "/opt/cluster-echo",
    "data": "/var/tmp/cluster-echo",
    "java": "java",
}
GROUPS = {"member": "members", "backup": "backup", "client": "clients", "peer": "peers"}


def read(path):
    """Keys and values of a property file. Does not support escapes, which no key of an inventory needs."""
    values = {}
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text[0] in "#!":
                continue
            if "=" not in text or text.endswith("\\"):
                sys.exit(f"{path}, line {number}: '{text}' is not key=value on one line")
            key, value = text.split("=", 1)
            values[key.strip()] = value.strip()
    return values


def host_variables(name, values, folder):
    """Ansible variables of one host."""

    def value(key):
        return values.get(f"host.{name}.{key}", values.get(key, DEFAULTS[key]))

    variables = {
        "ansible_host": value("ssh") or name,
        "echo_folder": value("folder"),
        "echo_data": value("data"),
        "echo_java": value("java"),
    }
    if value("ssh.user"):
        variables["ansible_user"] = value("ssh.user")
    if int(value("ssh.port")):
        variables["ansible_port"] = int(value("ssh.port"))
    if value("ssh.key"):
        variables["ansible_ssh_private_key_file"] = os.path.normpath(os.path.join(folder, value("ssh.key")))
    if value("ssh.options"):
        # cluster-echo splits this value at blanks, without quoting.
        variables["ansible_ssh_common_args"] = " ".join(shlex.quote(word) for word in value("ssh.options").split())
    return variables


def groups(name, values):
    """The groups of a host according to its roles."""
    roles = values.get(f"host.{name}.roles", "").split(",")
    return sorted({GROUPS[role.split()[0]] for role in roles if role.split() and role.split()[0] in GROUPS})


def inventory(path):
    """The inventory in Ansible's format."""
    values = read(path)
    names = [name.strip() for name in values.get("hosts", "").split(",") if name.strip()]
    if not names:
        sys.exit(f"{path}: hosts= is missing: list all hosts, separated by commas")
    folder = os.path.dirname(os.path.abspath(path))
    result = {
        "_meta": {"hostvars": {name: host_variables(name, values, folder) for name in names}},
        "all": {"children": sorted(GROUPS.values()), "hosts": names},
    }
    for group in GROUPS.values():
        result[group] = {"hosts": [name for name in names if group in groups(name, values)]}
    return result


def main():
    """Print the answer to --list or --host."""
    path = os.environ.get("CLUSTER_ECHO_INVENTORY")
    if not path:
        sys.exit("CLUSTER_ECHO_INVENTORY is not set: set it to an inventory, for instance config/inventory/example.properties")
    if "--host" in sys.argv:
        print("{}")
    else:
        print(json.dumps(inventory(path), indent=2))


if __name__ == "__main__":
    main()
