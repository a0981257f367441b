"""Cycles a second of engines on large networks: scripts/bench_engines.sh runs it."""
import json
import os
import statistics
import subprocess
import sys
import tempfile

TORUS = {"kind": "torus", "dims": [32, 32]}
NETWORKS = {
    "torus 32x32": {"topology": TORUS},
    "torus 32x32, saturated": {"topology": TORUS, "traffic": {"rate": 0.6}},
    "torus 17x17": {"topology": {"kind": "torus", "dims": [17, 17]}},
    "mdce, 1,024 nodes": {"topology": {"kind": "mdce", "n": 4, "B": 1, "C": 1, "P": 1}},
    "dragonfly 4,8,4": {"topology": {"kind": "dragonfly", "p": 4, "a": 8, "h": 4}},
    "crossbars 64x4, RV32": {"topology": {"kind": "hier_crossbar", "dims": [64, 4]},
                             "processor": "rv32",
                             "workload": {"collective": "a2a", "message_flits": 16}},
    "pipeline 2": {"topology": TORUS, "router": {"pipeline": 2}},
    "pipeline 3": {"topology": TORUS, "router": {"pipeline": 3}},
    "ugal": {"topology": TORUS, "router": {"routing": "ugal", "vcs": 6}},
    "minimal_adaptive": {"topology": TORUS, "router": {"routing": "minimal_adaptive", "vcs": 4}},
    "two classes": {"topology": TORUS, "router": {"message_classes": 2, "vcs": 4},
                    "traffic": {"reply_flits": 4, "rate": 0.05}},
    "retry": {"topology": TORUS, "link": {"protection": "retry"}},
}


def config(network, cycles):
    settings = dict(NETWORKS[network])
    if "workload" in settings:
        return settings
    work = {"traffic": "uniform", "rate": 0.1, "packet_flits": 4, "warmup": min(1000, cycles),
            "measure": cycles, "drain": 0, **settings.pop("traffic", {})}
    return {**settings, "workload": work}


def speed(weft, folder, network, engine, cycles):
    """Cycles a second, or None if the engine refuses the network."""
    file, result = os.path.join(folder, "run.json"), os.path.join(folder, "result.json")
    with open(file, "w") as out:
        json.dump(config(network, cycles), out)
    if os.path.exists(result):
        os.remove(result)
    run = subprocess.run([weft, "run", file, "--engine", engine, "--json", result],
                         capture_output=True, text=True)
    if not os.path.exists(result):
        print(f"{network}, {engine}: {run.stderr.strip()}", file=sys.stderr)
        return None
    with open(result) as text:
        got = json.load(text)
    return got["cycles"] / got["wall_s"]


def main():
    weft, *names = sys.argv[1:]
    if names == ["--list"]:
        print("\n".join(NETWORKS))
        return 0
    unknown = [name for name in names if name not in NETWORKS]
    if unknown:
        print(f"no network {unknown[0]!r}: expected: {', '.join(NETWORKS)}", file=sys.stderr)
        return 2
    runs, cycles = int(os.environ.get("RUNS", 5)), int(os.environ.get("CYCLES", 5000))
    engines = os.environ.get("ENGINES", "flit gates model rtl").split()
    print(f"{'cycles/s':24}" + "".join(f"{engine:>16}" for engine in engines), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in names or NETWORKS:
            medians = []
            for engine in engines:
                length = cycles // 10 if engine == "rtl" else cycles
                # The first run builds what the cache does not have.
                all_runs = [speed(weft, folder, name, engine, length) for _ in range(runs)]
                medians.append(None if None in all_runs else statistics.median(all_runs))
            base = medians[0]
            cells = ["refused" if one is None else f"{one:,.0f} ({one / base:.1f})"
                     for one in medians]
            print(f"{name:24}" + "".join(f"{cell:>16}" for cell in cells), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
