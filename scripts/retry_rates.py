#!/usr/bin/env python3
"""What links that repair errors lose in time: networks and collectives by the rate of errors.

usage: scripts/retry_rates.py [--weft PROGRAM] [--small]

An all-to-all and an allreduce on RV32 processors with `link.protection` "retry": cycles without
errors over cycles with them, where a word of every link in every cycle is wrong with that chance,
in any of its wires. Closes with `N passed, M failed`: a run fails with wrong data or with less than
the bar of its rate. --small: smaller networks and one rate, for a test.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BARS = {1e-6: 0.99, 1e-4: 0.97, 1e-3: 0.80}
NETWORKS = (
    ("torus 8 x 8", {"kind": "torus", "dims": [8, 8]}),
    ("mesh 8 x 8", {"kind": "mesh", "dims": [8, 8]}),
    ("MDCE, 32 nodes", {"kind": "mdce", "n": 2, "B": 1, "C": 1, "P": 1}),
    ("dragonfly, 72 nodes", {"kind": "dragonfly", "p": 2, "a": 4, "h": 2}),
    ("boards, 2 x 2 x 2", {"kind": "board", "dims": [2, 2, 2, 1], "mains": 4, "aggregators": 2}),
    ("full crossbar, 32 nodes", {"kind": "full_crossbar", "pes": 32}),
    ("crossbars 8 x 8", {"kind": "hier_crossbar", "dims": [8, 8]}),
)
SMALL = (
    ("torus 3 x 3", {"kind": "torus", "dims": [3, 3]}),
    ("crossbars 3 x 3", {"kind": "hier_crossbar", "dims": [3, 3]}),
)
WORKLOADS = (
    ("all-to-all", {"collective": "alltoall", "message_flits": 64}),
    # The same messages on every network.
    ("allreduce", {"collective": "allreduce_ring", "bytes": 16384, "type": "int32", "op": "sum"}),
)


def cycles(weft, topology, workload, rate, folder):
    """Cycles of a run, and the words that links repaired. Raises RuntimeError if it fails."""
    config = {"topology": topology, "workload": workload, "processor": "rv32",
              "link": {"protection": "retry"}}
    if rate:
        config["faults"] = [{"link": "all", "field": "any", "rate": rate}]
    name = f"{topology['kind']}-{workload['collective']}-{rate}"
    path = folder / f"{name}.json"
    path.write_text(json.dumps(config))
    result = folder / f"{name}-result.json"
    done = subprocess.run([weft, "run", path, "--json", result], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    found = json.loads(result.read_text())
    return found["cycles"], found["links"]["errors"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weft", default=pathlib.Path(__file__).parent.parent / "build/weft")
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_args()
    networks = SMALL if arguments.small else NETWORKS
    rates = [1e-3] if arguments.small else list(BARS)
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = [(network, work,
                 [pool.submit(cycles, arguments.weft, topology, workload, rate,
                              pathlib.Path(folder)) for rate in [0, *rates]])
                for network, topology in networks for work, workload in WORKLOADS]
        print("| network | work | cycles |" + "".join(f" {rate:g} |" for rate in rates))
        print("|---|---|---|" + "---|" * len(rates))
        passed = failed = 0
        for network, work, runs in rows:
            cells = []
            try:
                plain, _ = runs[0].result()
            except RuntimeError as error:
                print(f"| {network} | {work} | {error} |")
                failed += len(rates)
                continue
            for rate, run in zip(rates, runs[1:]):
                try:
                    taken, repaired = run.result()
                    good = plain / taken >= BARS[rate] and (repaired > 0 or rate < 1e-4)
                    text = f"{plain / taken:.3f} ({repaired} repaired)"
                except RuntimeError as error:
                    good, text = False, str(error)
                passed += good
                failed += not good
                cells.append(text if good else f"**{text}**")
            print(f"| {network} | {work} | {plain} | " + " | ".join(cells) + " |", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
