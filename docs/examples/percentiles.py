#!/usr/bin/env python3
"""Print percentiles of a run and its slowest interval, with Python's standard library.

    python3 docs/examples/percentiles.py results/reference-20261126-demo
"""
import csv
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
run = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
if run["format"] not in ("cluster-echo-run/1", "cluster-echo-run/2"):
    sys.exit("unknown format: " + run["format"])

print(run["verdict"]["label"], run["label"])
for name in ("p50", "p99", "p99.9", "max"):
    # A percentile with few messages beyond it is absent.
    time_ns = run["responseTimeNs"].get(name)
    print(name, "-" if time_ns is None else f"{time_ns / 1000:.1f} us")

with open(folder / "intervals.csv", newline="", encoding="utf-8") as rows:
    measured = [row for row in csv.DictReader(rows) if row["response_p99_us"]]
slowest = max(measured, key=lambda row: float(row["response_p99_us"]))
print(f"slowest interval: {slowest['begin_s']} s to {slowest['end_s']} s, p99 {float(slowest['response_p99_us']):.1f} us")
