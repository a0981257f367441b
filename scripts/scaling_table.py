#!/usr/bin/env python3
"""Tables and cost model of scripts/scaling.sh: scaling_table.py RUNS.JSONL SENT.JSONL

A cycle on R processes costs  hop * H / R + exchange + byte * B : H flit hops a cycle, of which each
costs `hop` where the network has so many nodes (measured on one process); `exchange`, the step that
all processes take together; and B bytes that a process sends. `exchange` and `byte` are fitted to
the runs on several processes by least squares of relative errors. B falls with the number of
processes as it does in SENT.JSONL, runs of which only that counts.
"""
import json
import math
import sys


def fit(rows):
    """Least squares of (a + b * bytes - rest) / total: the two figures, not below 0."""
    s11 = s12 = s22 = t1 = t2 = 0.0
    for row in rows:
        w = 1 / row["cycle"] ** 2
        b, rest = row["bytes"], row["cycle"] - row["alone"] / row["processes"]
        s11, s12, s22 = s11 + w, s12 + w * b, s22 + w * b * b
        t1, t2 = t1 + w * rest, t2 + w * b * rest
    det = s11 * s22 - s12 * s12
    exchange = (t1 * s22 - t2 * s12) / det if det else t1 / s11
    byte = (t2 * s11 - t1 * s12) / det if det else 0.0
    if byte < 0:
        exchange, byte = t1 / s11, 0.0
    if exchange < 0:
        exchange, byte = 0.0, t2 / s22
    return exchange, byte


def falls(sent, name):
    """The power of the number of processes with which the bytes of each fall."""
    of_name = sorted((r["processes"], r["bytes"]) for r in sent if r["network"] == name)
    (few, most), (many, least) = of_name[0], of_name[-1]
    print(f"{name}: " + ", ".join(f"{b} bytes of one of {r}" for r, b in of_name))
    return math.log(most / least) / math.log(many / few)


def main():
    if len(sys.argv) != 3 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if len(sys.argv) > 1 and sys.argv[1] in ("-h", "--help") else 2
    sent = [json.loads(line) for line in open(sys.argv[2])]
    runs = [json.loads(line) for line in open(sys.argv[1])]
    alone = {(r["network"], r["nodes"]): r for r in runs if r["processes"] == 1}
    rows = []
    print("network   nodes processes  us a cycle  ns a hop  times 1  bytes a cycle  MB a process")
    for run in sorted(runs, key=lambda r: (r["network"], r["nodes"], r["processes"])):
        first = alone.get((run["network"], run["nodes"]))
        cycle = run["seconds"] / run["cycles"]
        faster = first and first["seconds"] / first["cycles"] / cycle
        if first and run["digest"] != first["digest"]:
            print(f"digests differ: {run} and {first}")
            return 1
        print(f"{run['network']:7} {run['nodes']:7} {run['processes']:9} {cycle * 1e6:11.1f} "
              f"{run['seconds'] / run['hops'] * 1e9:9.1f} "
              + (f"{faster:8.2f}" if faster else "       -")
              + f" {run['bytes']:14} {run['kilobytes'] / 1000:13.0f}")
        if first and run["processes"] > 1:
            rows.append({**run, "cycle": cycle, "alone": first["seconds"] / first["cycles"]})
    if not rows:
        return 0
    exchange, byte = fit(rows)
    print(f"\nfitted: an exchange {exchange * 1e6:.1f} us, {byte * 1e9:.2f} ns a byte sent")
    worst = max(abs(exchange + byte * r["bytes"] + r["alone"] / r["processes"] - r["cycle"])
                / r["cycle"] for r in rows)
    print(f"largest error of a run: {worst * 100:.0f} %")
    print("\nsent in a cycle:")
    power = {name: falls(sent, name) for name in sorted({r["network"] for r in rows})}
    print("\npredicted, times as fast as one process; each sends as much as one of two times\n"
          + ", ".join(f"(2 / processes) ^ {p:.2f} ({name})" for name, p in power.items()) + ":")
    print("network   nodes processes  exchange 1 us  2 us")
    for (name, nodes), first in sorted(alone.items()):
        two = next((r for r in rows if r["network"] == name and r["nodes"] == nodes), None)
        if two is None or nodes < 1 << 17:
            continue
        cycle = first["seconds"] / first["cycles"]
        for processes in (16, 128):
            sends = two["bytes"] * (2 / processes) ** power[name]
            times = [cycle / (cycle / processes + us * 1e-6 + byte * sends) for us in (1, 2)]
            print(f"{name:7} {nodes:7} {processes:9} {times[0]:14.0f} {times[1]:5.0f}")
    return 0


sys.exit(main())
