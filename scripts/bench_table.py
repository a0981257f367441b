#!/usr/bin/env python3
# The speed of engine `model` on one work of each kind.
"""Print instructions for each flit hop, or seconds and memory, of engine `model` on works of each kind.

Instructions are those of the whole process, counted by callgrind; "slope": of a longer run less
those of a shorter one, so that start-up does not count. Seconds are of a plain run.
Arguments: the `weft` command, and words of which the rows to measure must have one (default: all).
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile


def uniform(dims, rate, cycles, flits=4, kind="torus"):
    """Uniform traffic, ended with the measuring phase."""
    topology = {"kind": "torus", "dims": dims} if kind == "torus" else dims
    return {"topology": topology,
            "workload": {"traffic": "uniform", "rate": rate, "warmup": 0, "measure": cycles,
                         "drain": 0, "packet_flits": flits}}


def collective(topology, work, **more):
    return {"topology": topology, "workload": work, **more}


TORUS17 = {"kind": "torus", "dims": [17, 17]}
CROSSBARS = {"kind": "hier_crossbar", "dims": [64, 4]}
A2A = {"collective": "a2a", "message_flits": 16}
# Name, configurations (two: slope), whether instructions are counted.
ROWS = [
    ("torus 32 x 32, 4 flits, 0.1", [uniform([32, 32], 0.1, n) for n in (1000, 2000)], True),
    ("torus 32 x 32, 4 flits, saturated", [uniform([32, 32], 0.4, n) for n in (1000, 2000)], True),
    ("torus 17 x 17, 100 flits, 0.2", [uniform([17, 17], 0.2, n, 100) for n in (2000, 4000)], True),
    ("a2at 17 x 17 native, 4 controllers",
     [collective(TORUS17, {"collective": "a2at", "message_flits": 100}, processor="native",
                 nic={"controllers": 4})], True),
    ("crossbar 256 a2a 16 flits, rv32", [collective(CROSSBARS, A2A)], True),
    ("crossbar 256 a2a 16 flits, native", [collective(CROSSBARS, A2A, processor="native")], True),
    ("boards 4, 2, 1, 4 allreduce 64 KiB",
     [collective({"kind": "board", "dims": [4, 2, 1, 4]},
                 {"collective": "allreduce", "bytes": 65536}, processor="native")], True),
    ("hop_group 8 x 8 x 8, 1,020 flits",
     [collective({"kind": "torus", "dims": [8, 8, 8]},
                 {"collective": "hop_group", "message_flits": 1020}, processor="native",
                 nic={"packet_flits": 255})], False),
    ("mdce 491,520 nodes, 0.05, 1,000 cycles",
     [uniform({"kind": "mdce", "n": 15, "B": 1, "C": 0, "P": 1}, 0.05, 1000, kind="mdce")], False),
    ("torus 512 x 256, 0.001, 1,000 cycles", [uniform([512, 256], 0.001, 1000)], False),
]


def count(weft, config, folder):
    """Instructions and flit hops of a run."""
    path, result = os.path.join(folder, "row.json"), os.path.join(folder, "result.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(config, file)
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/calls", weft, "run", path,
         "--json", result], capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None or not os.path.exists(result):
        sys.exit(f"bench_table.py: {config}: {done.stderr.strip()}")
    with open(result, encoding="utf-8") as file:
        return int(found.group(1)), json.load(file)["flit_hops"]


def seconds(weft, config, folder):
    """Seconds of the processor in a run, and the most memory of the runs so far, GB."""
    path = os.path.join(folder, "row.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(config, file)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([weft, "run", path], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, after.ru_maxrss / 1e6


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(f"usage: scripts/bench_table.py WEFT [WORD...]\n\n{__doc__}")
        return
    weft, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        for name, configs, counts in ROWS:
            if words and not any(word in name for word in words):
                continue
            if not counts:
                used, memory = seconds(weft, configs[0], folder)
                print(f"{name:40} {used:8.1f} s, at most {memory:.1f} GB", flush=True)
                continue
            parts = [count(weft, config, folder) for config in configs]
            what = "whole run"
            instructions, hops = parts[0]
            if len(parts) == 2:
                what = "slope"
                instructions, hops = parts[1][0] - parts[0][0], parts[1][1] - parts[0][1]
            print(f"{name:40} {instructions / hops:8.1f} instructions a flit hop ({what})",
                  flush=True)


if __name__ == "__main__":
    main()
