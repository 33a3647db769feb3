#!/usr/bin/env python3
"""Estimates the cost of hosts from prices.csv next to this script.

Example: estimate.py variables.json 4     (Terraform variables, and hours)
"""
import csv
import json
import os
import sys

HOURS_PER_MONTH = 730.0
ROOT_GIB = 20
DEFAULTS = {
    "region": "us-east-1", "placement": "cluster", "member_count": 3, "client_count": 1, "instance_type": "c6in.4xlarge",
    "client_instance_type": "", "storage": "gp3", "storage_gib": 100, "storage_iops": 6000, "storage_mib_per_second": 500,
    "spot": False,
}


def prices(file, region):
    """Dollars and date by kind and name, from the newest row of each."""
    found = {}
    with open(file, encoding="utf-8") as lines:
        for row in csv.DictReader(line for line in lines if not line.startswith("#")):
            key = row["kind"], row["name"]
            if row["region"] == region and (key not in found or row["date"] >= found[key][1]):
                found[key] = float(row["usd"]), row["date"]
    return found


def parts(values, known):
    """Items of the bill: description, count, dollars per hour or None if the price is unknown, date."""
    def price(kind, name):
        return known.get((kind, name), (None, None))

    members, clients = int(values["member_count"]), int(values["client_count"])
    client_type = values["client_instance_type"] or values["instance_type"]
    for count, name, what in ((members, values["instance_type"], "members"), (clients, client_type, "clients")):
        dollars, date = price("instance", name)
        yield f"{what}: {name}", count, dollars, date
    dollars, date = price("address", "ipv4")
    yield "public addresses", members + clients, dollars, date
    dollars, date = price("volume", "gp3")
    yield f"system disks: {ROOT_GIB} GiB gp3", members + clients, monthly(dollars, ROOT_GIB), date

    storage = values["storage"]
    if storage != "instance-store":
        gib, iops = int(values["storage_gib"]), int(values["storage_iops"])
        dollars, date = price("volume", storage)
        costs = [monthly(dollars, gib)]
        if storage == "gp3":
            costs.append(monthly(price("volume", "gp3-iops-above-3000")[0], max(0, iops - 3000)))
            costs.append(monthly(
                price("volume", "gp3-throughput-above-125")[0], max(0, int(values["storage_mib_per_second"]) - 125)))
        else:
            costs.append(monthly(price("volume", "io2-iops")[0], iops))
        yield f"archives: {gib} GiB {storage}, {iops} IOPS", members, None if None in costs else sum(costs), date


def monthly(dollars, amount):
    """Dollars per hour of an amount with a monthly price."""
    return None if dollars is None else dollars * amount / HOURS_PER_MONTH


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        values = {**DEFAULTS, **json.load(file)}
    hours = float(arguments[1])
    known = prices(os.path.join(os.path.dirname(os.path.abspath(__file__)), "prices.csv"), values["region"])

    total, unknown, dates = 0.0, [], set()
    print(f"Estimate for {hours:g} h in {values['region']}, in US dollars without tax:")
    for words, count, dollars, date in parts(values, known):
        if dollars is None:
            unknown.append(words)
            print(f"  {count:3d} x {words:45s}  price unknown")
            continue
        dates.add(date)
        total += count * dollars * hours
        print(f"  {count:3d} x {words:45s}  {dollars:9.4f}/h  {count * dollars * hours:9.2f}")
    print(f"  {'sum' + (' of known prices' if unknown else ''):51s}  {'':11s}  {total:9.2f}")
    if dates:
        print(f"Approximate prices of {', '.join(sorted(dates))} (deploy/aws/prices.csv), not checked against the current price list.")
    if values["spot"]:
        print("Spot instances usually cost between a third and two thirds of that.")
    if values["placement"] == "partition":
        print("Traffic between zones is charged by GB in both directions. It is not in the sum and may be most of the bill.")
    if unknown:
        print("Items without a price are not in the sum: add rows to deploy/aws/prices.csv.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
