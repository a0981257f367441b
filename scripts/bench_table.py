#!/usr/bin/env python3
# The speed of engine `model` on one example of each kind of work.
"""Print what works of each kind cost engine `model`.

Instructions are those of the whole process for each flit hop, counted by callgrind; "slope": of a
longer run less those of a shorter one, so that start-up does not count. Seconds and gigabytes are of
plain runs on one thread, with start-up; milliseconds a cycle are a slope again; threads are compared
by the time of the cycles alone, the median of three rounds in which they alternate.
Arguments: the `weft` command, and words of which the rows to measure must have one (default: all);
with `--short` before them networks are small, to see that every row can be measured, and the
figures of no use.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def uniform(topology, rate, cycles, flits=4):
    """Uniform traffic, ended with the measuring phase."""
    return {"topology": topology,
            "workload": {"traffic": "uniform", "rate": rate, "warmup": 0, "measure": cycles,
                         "drain": 0, "packet_flits": flits}}


def torus(*dims):
    return {"kind": "torus", "dims": list(dims)}


def collective(topology, work, **more):
    return {"topology": topology, "workload": work, **more}


MDCE = {"kind": "mdce", "n": 15, "B": 1, "C": 0, "P": 1}
CROSSBARS = {"kind": "hier_crossbar", "dims": [64, 4]}
A2A = {"collective": "a2a", "message_flits": 16}
NATIVE = {"processor": "native"}


class Bench:
    """Runs of a `weft` command."""

    def __init__(self, weft, folder):
        self.weft, self.folder = weft, folder

    def write(self, config):
        """The file of a configuration, and that of its result."""
        path, result = os.path.join(self.folder, "row.json"), os.path.join(self.folder, "out.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(config, file)
        if os.path.exists(result):
            os.remove(result)
        return path, result

    def count(self, config, engine="model"):
        """Instructions and flit hops of a run."""
        path, result = self.write(config)
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={self.folder}/calls", self.weft,
             "run", path, "--engine", engine, "--json", result], capture_output=True, text=True,
            check=False)
        found = re.search(r"Collected : (\d+)", done.stderr)
        if found is None or not os.path.exists(result):
            sys.exit(f"bench_table.py: {config}: {done.stderr.strip()}")
        with open(result, encoding="utf-8") as file:
            return int(found.group(1)), json.load(file)["flit_hops"]

    def seconds(self, config, threads=1):
        """Of a run: the time of the whole of it, that of its cycles, and its memory, GB."""
        path, result = self.write(config)
        begin = time.monotonic()
        child = subprocess.Popen([self.weft, "run", path, "--threads", str(threads), "--json",
                                  result], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        whole = time.monotonic() - begin
        if child.returncode != 0:
            sys.exit(f"bench_table.py: {config}: exit status {child.returncode}")
        with open(result, encoding="utf-8") as file:
            return whole, json.load(file)["wall_s"], usage.ru_maxrss / 1e6

    def instructions(self, *configs, engine="model"):
        """A flit hop, of one configuration or the slope between two."""
        parts = [self.count(config, engine) for config in configs]
        instructions, hops = parts[0]
        if len(parts) == 2:
            instructions, hops = parts[1][0] - instructions, parts[1][1] - hops
        if hops == 0:
            sys.exit(f"bench_table.py: {configs}: no flit was moved")
        what = "slope" if len(parts) == 2 else "whole run"
        return f"{instructions / hops:8.1f} instructions a flit hop ({what})"

    def stepped(self, *configs):
        """The same on engine `flit`."""
        return self.instructions(*configs, engine="flit")

    def whole(self, config):
        """Time and memory."""
        whole, cycles, memory = self.seconds(config)
        return f"{whole:8.1f} s, {whole - cycles:.1f} s of them start and end, {memory:.1f} GB"

    def slope(self, short, long, cycles):
        """Time of a cycle."""
        return f"{1e3 * (self.seconds(long)[1] - self.seconds(short)[1]) / cycles:8.2f} ms a cycle"

    def threads(self, config):
        """Two over one."""
        ratios = [self.seconds(config)[1] / self.seconds(config, 2)[1] for _ in range(3)]
        return f"{statistics.median(ratios):8.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def rows(short):
    """Name, and what is measured: function and arguments. Short ones keep the names."""
    few = 20 if short else 1  # Factor by which nodes or cycles are fewer.
    side, odd, cube = (4, 3, 3) if short else (32, 17, 8)
    mdce = {**MDCE, "n": 2} if short else MDCE
    crossbars = {**CROSSBARS, "dims": [4, 4]} if short else CROSSBARS
    wide, tall = (8, 8) if short else (512, 256)
    middle = 8 if short else 128
    # A short table uses aggregation units: `allreduce` would go between all pairs.
    boards, reduction, size = (([2, 2, 1, 1], "allreduce_nested", 4096) if short else
                               ([4, 2, 1, 4], "allreduce", 65536))

    def uniforms(network, rate, *cycles, flits=4):
        return [uniform(network, rate, n // few, flits) for n in cycles]

    return [
        ("torus 32 x 32, 4 flits, 0.1", Bench.instructions,
         uniforms(torus(side, side), 0.1, 1000, 2000)),
        ("torus 32 x 32, 4 flits, saturated", Bench.instructions,
         uniforms(torus(side, side), 0.4, 1000, 2000)),
        ("engine flit: torus 32 x 32, 4 flits, 0.1", Bench.stepped,
         uniforms(torus(side, side), 0.1, 200, 400)),
        ("torus 17 x 17, 100 flits, 0.2", Bench.instructions,
         uniforms(torus(odd, odd), 0.2, 2000, 4000, flits=100 // few)),
        ("a2at 17 x 17 native, 4 controllers", Bench.instructions,
         [collective(torus(odd, odd), {"collective": "a2at", "message_flits": 100 // few}, **NATIVE,
                     nic={"controllers": 4})]),
        ("crossbar 256 a2a 16 flits, rv32", Bench.instructions, [collective(crossbars, A2A)]),
        ("crossbar 256 a2a 16 flits, native", Bench.instructions,
         [collective(crossbars, A2A, **NATIVE)]),
        ("boards 4, 2, 1, 4 allreduce 64 KiB", Bench.instructions,
         [collective({"kind": "board", "dims": boards}, {"collective": reduction, "bytes": size},
                     **NATIVE)]),
        ("hop_group 8 x 8 x 8, 1,020 flits", Bench.whole,
         [collective(torus(cube, cube, cube),
                     {"collective": "hop_group", "message_flits": 1020 // few}, **NATIVE,
                     nic={"packet_flits": 255})]),
        ("mdce 491,520 nodes, 0.05, 1,000 cycles", Bench.whole, uniforms(mdce, 0.05, 1000)),
        ("idle: torus 512 x 256, 0.001", Bench.slope,
         [*uniforms(torus(wide, tall), 0.001, 1000, 3000), 2000 // few]),
        ("2 threads over 1: torus 128 x 128, 0.3", Bench.threads,
         uniforms(torus(middle, middle), 0.3, 1000)),
        ("2 threads over 1: mdce 491,520 nodes", Bench.threads, uniforms(mdce, 0.05, 200)),
    ]


def main():
    arguments = sys.argv[1:]
    short = arguments[:1] == ["--short"]
    weft, *words = arguments[short:] or ["--help"]
    if weft in ("-h", "--help"):
        print(f"usage: scripts/bench_table.py [--short] WEFT [WORD...]\n\n{__doc__}")
        return
    if shutil.which("valgrind") is None:
        sys.exit("bench_table.py: valgrind is missing: package valgrind")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(weft), folder)
        for name, measure, values in rows(short):
            if not words or any(word in name for word in words):
                print(f"{name:40} {measure(bench, *values)}", flush=True)


if __name__ == "__main__":
    main()
