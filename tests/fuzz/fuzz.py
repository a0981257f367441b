#!/usr/bin/env python3
# Random configurations on two engines: everything that both report must be equal.
"""Compare two engines of a `weft` command on random networks, settings and workloads.

Prints a failure as the smallest configuration that still shows it, with the command to repeat it.
Exit status 0: no difference; 1: differences; 2: unusable arguments, or too few runs to mean anything.
"""

import argparse
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile

# Of a result, what is no figure of the run.
NOT_COMPARED = {"config", "engine", "wall_s", "flit_hops_per_s", "notes", "stepped"}
LIMIT_S = 60  # Of one run.
MOST_NODES = 200  # Small networks find the same faults sooner.
LEAST_SHARE = 0.5  # Of the configurations that both engines run; fewer, and the generator is poor.

TABLES = ["ring", "hypercube", "hyperx", "dragonfly", "tree", "graph"]  # Route by tables.
# Over direct ways: on tables the first two, on grids all.
ALGORITHMS = ["valiant", "ugal", "o1turn", "minimal_adaptive"]
PATTERNS = ["uniform", "bit_complement", "hotspot", "localized", "neighbour", "tornado", "uniform",
            "transpose", "mesh_emulation", "partition4", "shuffle", "bit_reversal"]
# On networks of any size.
ON_ANY = ["uniform", "uniform", "hotspot", "localized", "neighbour", "tornado", "bit_complement"]
PACED = ["a2a", "a2and", "a2at", "hop_group", "hop_direct"]
ALL_TO_ALLS = PACED + ["a2a_scheduled"]
ON_ARRAYS = ["allreduce_ring", "allreduce_rabenseifner", "allreduce_recursive_doubling",
             "allreduce_rings", "allreduce_tree", "reduce_scatter_ring", "allgather_ring",
             "broadcast_binomial", "broadcast_scatter", "broadcast_tree", "reduce_binomial",
             "reduce_gather", "reduce_tree"]
ON_BOARDS = ["allreduce_bucket", "allreduce_flat", "allreduce_nested", "allgather_nested",
             "broadcast_nested", "reduce_nested", "reduce_scatter_nested"]


def graph(draw):
    """A network of any graph as a file has it, every router reached from every other."""
    routers = [f"r{i}" for i in range(draw.randint(2, 12))]
    links = []

    def add(a, b, one_way=False):
        link = {"from": a, "to": b}
        if draw.random() < 0.2:
            link["stages"] = draw.randint(1, 4)
        if one_way:
            link["one_way"] = True
        links.append(link)

    if draw.random() < 0.2 and len(routers) > 2:
        for i, name in enumerate(routers):  # A ring in one direction.
            add(routers[i - 1], name, True)
    else:
        for i, name in enumerate(routers[1:], 1):
            add(draw.choice(routers[:i]), name)
    for _ in range(draw.randint(0, 2 * len(routers))):
        add(*draw.sample(routers, 2), draw.random() < 0.3)
    nodes = [draw.choice(routers) for _ in range(draw.randint(2, 24))]
    return {"routers": [{"name": name} for name in routers], "nodes": nodes, "links": links}


def topology(draw):
    """A topology and its number of nodes."""
    kind = draw.choice(["torus"] * 4 + ["mesh"] * 3 + ["mdce", "dce", "fat_tree", "omega", "board",
                                                       "full_crossbar", "hier_crossbar",
                                                       "crossbar_2d", "hier_crossbar", "ring",
                                                       "hypercube", "hyperx", "dragonfly", "tree",
                                                       "graph", "graph"])
    if kind in ("torus", "mesh", "hier_crossbar", "crossbar_2d"):
        count = 2 if kind == "crossbar_2d" else draw.choice([1, 2, 2, 2, 3, 3, 4])
        dims, nodes = [], 1
        for _ in range(count):
            size = draw.randint(2, max(2, min(9, MOST_NODES // nodes)))
            dims.append(size)
            nodes *= size
        return {"kind": kind, "dims": dims}, nodes
    if kind in ("fat_tree", "omega"):
        levels = draw.randint(1, 5)
        return {"kind": kind, "levels": levels}, 2 ** levels
    if kind == "graph":
        net = graph(draw)
        return {"kind": kind, "file": net}, len(net["nodes"])
    if kind == "ring":
        nodes = draw.randint(2, 40)
        return {"kind": kind, "nodes": nodes}, nodes
    if kind == "hypercube":
        bits = draw.randint(1, 6)
        return {"kind": kind, "dimensions": bits}, 2 ** bits
    if kind == "hyperx":
        dims = [draw.randint(2, 5) for _ in range(draw.choice([1, 2, 2, 3]))]
        each = draw.choice([1, 1, 2, 3])
        nodes = each
        for size in dims:
            nodes *= size
        return {"kind": kind, "dims": dims, "nodes_per_router": each}, nodes
    if kind == "dragonfly":
        p, a, h = draw.randint(1, 3), draw.randint(1, 4), draw.randint(1, 2)
        return {"kind": kind, "p": p, "a": a, "h": h}, p * a * (a * h + 1)
    if kind == "tree":
        radix, levels = draw.choice([(2, 2), (2, 3), (2, 5), (3, 2), (3, 3), (4, 2), (4, 3), (7, 2)])
        return {"kind": kind, "radix": radix, "levels": levels}, radix ** levels
    if kind == "full_crossbar":
        pes = draw.randint(2, 40)
        return {"kind": kind, "pes": pes}, pes
    if kind == "mdce":
        n, planes = draw.randint(2, 4), draw.choice([(1, 0), (0, 1), (1, 1), (2, 1)])
        return {"kind": kind, "n": n, "B": planes[0], "C": planes[1],
                "P": draw.choice([1, 1, 2])}, n * 2 ** n
    if kind == "dce":
        n = draw.randint(2, 5)
        bits = draw.randint(1, n)
        return {"kind": kind, "n": n, "y_bits": bits, "delta": draw.choice([0, 1, 2])}, n * 2 ** bits
    dims = [draw.choice([1, 1, 2, 3, 4]) for _ in range(4)]
    mains, aggregators = draw.randint(1, 3), draw.randint(1, 2)
    boards = dims[0] * dims[1] * dims[2] * dims[3]
    return {"kind": kind, "dims": dims, "mains": mains,
            "aggregators": aggregators}, boards * (mains + aggregators)


def workload(draw, kind, nodes):
    what = draw.choice(["traffic", "traffic", "collective", "transfers"])
    if what == "transfers" and nodes > 1:
        some = []
        for _ in range(draw.randint(1, 30)):
            src, dst = draw.sample(range(nodes), 2)
            some.append({"from": src, "to": dst, "flits": draw.choice([0, 1, 2, 7, 40, 130, 300]),
                         "start": draw.choice([0, 0, draw.randint(0, 400)]),
                         "gap": draw.choice([0, 0, 0, 2])})
            if draw.random() < 0.3:
                some[-1]["at"] = some[-1]["start"] + draw.randint(0, 200)
        return {"transfers": some}
    if what == "collective":
        names = ALL_TO_ALLS + ON_ARRAYS
        if kind == "board":
            names = names + ON_BOARDS * 3
        name = draw.choice(names)
        if name in ALL_TO_ALLS:
            flits = draw.choice([1, 2, 5, 16, 33]) if nodes <= 40 else draw.choice([1, 2, 5])
            work = {"collective": name, "message_flits": flits}
            if name in PACED and draw.random() < 0.4:
                work["sync"] = draw.choice(["local", "barrier"])
            return work
        work = {"collective": name, "bytes": 8 * draw.choice([1, 2, 3, 16, 100, 257])}
        if name.startswith("allreduce") or name.startswith("reduce"):
            work["op"] = draw.choice(["sum", "max", "min", "mean", "prod"])
            work["type"] = draw.choice(["int32", "int64", "fp32"])
        return work
    work = {"traffic": draw.choice(PATTERNS), "warmup": draw.choice([0, 50, 200]),
            "measure": draw.randint(50, 600)}
    work["rate"] = round(draw.choice([0.02, 0.1, 0.3, 0.6, 1.0]) * draw.uniform(0.7, 1), 3)
    if work["traffic"] != "mesh_emulation" and draw.random() < 0.2:
        work["burst_rate"] = round(draw.uniform(work["rate"] + 0.01, 1), 3)
        if work["burst_rate"] > work["rate"]:
            work["burst_cycles"] = draw.choice([200, 500, 3000])
        else:
            del work["burst_rate"]
    work["packet_flits"] = draw.choice([1, 2, 4, 4, 5, 16, 40])
    if draw.random() < 0.3:
        work["packet_flits"] = [{"flits": draw.choice([1, 2, 3, 5, 9, 30]),
                                 "weight": draw.choice([0.5, 1, 4])}
                                for _ in range(draw.randint(1, 4))]
    if draw.random() < 0.3:
        work["drain"] = draw.choice([0, 100, 3000])
    return work


def longest(work):
    """Flits of the longest packet of traffic."""
    flits = work["packet_flits"]
    return max(one["flits"] for one in flits) if isinstance(flits, list) else flits


def partition(draw, net, work):
    """A partition, and in `work` what differs in its regions; [] where the network has none."""
    kind = net["kind"]
    if kind in ("torus", "mesh"):
        most = [(size & -size).bit_length() - 1 for size in net["dims"]]
    elif kind == "mdce":
        most = [0, *(net["n"] for planes in (net["B"], net["C"]) if planes)]
    elif kind == "dce":
        most = [0, net["y_bits"]]
    elif kind in ("fat_tree", "omega"):
        most = [net["levels"] - 1]
    else:
        return []
    cuts = [draw.randint(0, min(bits, 2)) for bits in most]
    if work["traffic"] not in ON_ANY:
        work["traffic"] = "uniform"
    regions = []
    for _ in range(draw.randint(0, 2 ** sum(cuts))):
        changes = {"rate": draw.choice([0, 0.05, 0.2, 0.7])}
        if draw.random() < 0.3:
            changes = {"packet_flits": draw.randint(1, longest(work))}
        if draw.random() < 0.3:
            changes["traffic"] = draw.choice(ON_ANY)
        regions.append(changes)
    if regions:
        work["regions"] = regions
    return cuts


def more_traffic(draw, config):
    """Sometimes a list in place of the pattern, and replies, where these are possible."""
    work = config["workload"]
    if work["traffic"] == "mesh_emulation":
        return
    if draw.random() < 0.2:
        work["traffic"] = [{"traffic": name, "weight": draw.choice([0.5, 1, 3])}
                           for name in [work["traffic"], *draw.sample(ON_ANY, draw.randint(0, 2))]]
    if "faults" in config or draw.random() < 0.7:
        return
    work["reply_flits"] = draw.choice([1, 2, 5, 30])
    router = config["router"]
    if router.get("switching", "wormhole") != "wormhole":
        router["vc_depth"] = max(router["vc_depth"], work["reply_flits"] + 2)
    own_way = router.get("routing") not in ALGORITHMS
    if "arbiter" in router and own_way and draw.random() < 0.4:  # A network of routers.
        router["message_classes"] = 2
        if "vcs" in router:
            router["vcs"] = draw.choice([2, 4, 4, 6, 8])


def configuration(draw):
    net, nodes = topology(draw)
    kind = net["kind"]
    config = {"topology": net, "router": {}, "nic": {}, "watchdog": 20000,
              "max_cycles": draw.choice([20000, 20000, draw.randint(1, 3000)]),
              "seed": draw.randint(1, 1000)}
    work = config["workload"] = workload(draw, kind, nodes)
    router, nic = config["router"], config["nic"]
    if "traffic" in work and draw.random() < 0.35:
        cuts = partition(draw, net, work)
        if any(cuts):
            config["partition"] = cuts
        else:
            work.pop("regions", None)
    if draw.random() < 0.3:
        config["link"] = {"parity": True}
    if "crossbar" in kind:
        router["vc_depth"] = draw.choice([3, 4, 8, 20])
        router["output_depth"] = draw.choice([1, 2, 4, 8])
        nic["controllers"] = draw.choice([1, 1, 2, 4])
    else:
        router["vc_depth"] = draw.choice([1, 2, 3, 4, 8, 20, 150])
        if draw.random() < 0.2:
            config.setdefault("link", {})["stages"] = draw.choice([0, 1, 2, 3, 10])
        if draw.random() < 0.6:
            router["vcs"] = draw.choice([2, 2, 3, 4, 5, 8, 16, "per_destination"])
            if router["vcs"] == "per_destination":
                router["vc_depth"] = min(router["vc_depth"], 8)
        router["arbiter"] = draw.choice(["round_robin", "round_robin", "age"])
        router["hold"] = draw.choice(["packet", "packet", "packet", "flit"])
        if draw.random() < 0.2:
            router["pipeline"] = draw.choice([2, 3])
        router["switching"] = draw.choice(["wormhole", "wormhole", "cut_through", "store_forward"])
        if kind in TABLES and draw.random() < 0.6:
            router["routing"] = draw.choice(["shortest", "shortest", "up_down", "dimension_order"])
        if kind == "torus" and draw.random() < 0.3:
            router["dateline"] = "balanced"
        algorithms = ALGORITHMS[:2] if kind in TABLES else []
        if kind in ["torus", "mesh"]:
            algorithms = ALGORITHMS
        if algorithms and "partition" not in config and draw.random() < 0.25:
            router["routing"] = draw.choice(algorithms)
            router.pop("dateline", None)
            if "vcs" in router:
                router["vcs"] = draw.choice([2, 4, 4, 6, 8])
        nic["controllers"] = draw.choice([1, 1, 1, 2, 3, 4])
    if "traffic" in work or work.get("collective") in PACED:
        nic["gap"] = draw.choice([0, 0, 0, 1, 3])
    if "traffic" not in work:
        nic["packet_flits"] = draw.choice([1, 4, 16, 128, 255])
        if "crossbar" not in kind and router.get("vcs") != "per_destination":
            by_algorithm = router.get("routing") in ALGORITHMS
            nic["in_order"] = draw.choice(["auto", False if by_algorithm else True, False])
    if router.get("switching", "wormhole") != "wormhole":
        whole = longest(work) if "traffic" in work else nic["packet_flits"] + 1
        router["vc_depth"] = max(router["vc_depth"], whole + 2)
    nic["queue_depth"] = draw.choice([1, 2, 8, 15])
    if "collective" in work:
        config["processor"] = draw.choice(["native", "native", "rv32"])
        if work["collective"] in ALL_TO_ALLS:
            config["barrier"] = draw.choice(["hardware", "software"])
    if draw.random() < 0.15:
        most = 64 if config.get("link", {}).get("parity") else 63
        faults = [{"node": draw.randrange(nodes), "cycle": draw.choice([0, draw.randint(0, 500)]),
                   "bit": draw.choice([draw.randint(0, most), most])}
                  for _ in range(draw.choice([1, 2, 3, 3, 30]))]
        if draw.random() < 0.5:  # Another one in the same flit.
            faults.append({**faults[0], "bit": draw.randint(0, most)})
        config["faults"] = faults
    if "traffic" in work:
        more_traffic(draw, config)
    return {key: value for key, value in config.items() if value != {}}


def run(weft, engine, threads, config, folder, name):
    """Exit status, the result without what is not compared, and the first line of the error."""
    path = os.path.join(folder, f"{name}.config.json")
    result = os.path.join(folder, f"{name}.{engine}.json")
    if isinstance(config["topology"].get("file"), dict):  # A network in a file of its own.
        net = os.path.join(folder, f"{name}.net.json")
        with open(net, "w", encoding="utf-8") as file:
            json.dump(config["topology"]["file"], file)
        config = {**config, "topology": {**config["topology"], "file": net}}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(config, file)
    if os.path.exists(result):
        os.remove(result)
    try:
        done = subprocess.run([weft, "run", path, "--engine", engine, "--threads", str(threads), "--json",
                               result], capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return -1, None, "no end"
    got = None
    if os.path.exists(result):
        with open(result, encoding="utf-8") as file:
            got = {k: v for k, v in json.load(file).items() if k not in NOT_COMPARED}
    return done.returncode, got, done.stderr.strip().split("\n")[0]


def difference(weft, engines, threads, config, folder, name):
    """What differs between the first engine, on some threads, and the second, on one, as text; ""
    if nothing does, None if one of them has no result in time or both refuse it."""
    one, other = (run(weft, engine, count, config, folder, name)
                  for engine, count in zip(engines, (threads, 1)))
    if -1 in (one[0], other[0]) or one[2].startswith("weft: --threads:"):  # More than nodes.
        return None
    if one[0] == other[0] == 2:
        return None
    if one[0] != other[0]:
        return f"exit status {one[0]} and {other[0]}: {one[2]} | {other[2]}"
    if one[0] == 3:
        return "" if one[2] == other[2] else f"{one[2]} | {other[2]}"
    if one[1] == other[1]:
        return ""
    keys = [key for key in one[1] if one[1].get(key) != other[1].get(key)]
    return "; ".join(f"{key}: {one[1].get(key)} and {other[1].get(key)}" for key in keys)


def smaller(config):
    """Configurations with one thing less."""
    for section in ("router", "nic", "link", "faults", "partition", "barrier", "processor"):
        if section in config:
            yield {key: value for key, value in config.items() if key != section}
    for section in ("router", "nic", "workload"):
        for key in config.get(section, {}):
            if key in ("transfers", "traffic", "collective", "bytes"):
                continue
            yield {**config, section: {k: v for k, v in config[section].items() if k != key}}
    work, net = config["workload"], config["topology"]
    some = work.get("transfers", [])
    for part in range(len(some)):
        if len(some) > 1:
            yield {**config, "workload": {"transfers": some[:part] + some[part + 1:]}}
    for key in ("measure", "warmup", "message_flits", "packet_flits", "bytes"):
        if isinstance(work.get(key), int) and work[key] > 8:
            yield {**config, "workload": {**work, key: work[key] // 2 // 8 * 8 or 1}}
    for place, size in enumerate(net.get("dims", [])):
        if size > 2:
            dims = [*net["dims"][:place], size - 1, *net["dims"][place + 1:]]
            yield {**config, "topology": {**net, "dims": dims}}
    for key in ("levels", "pes", "n", "y_bits", "mains", "aggregators"):
        if net.get(key, 0) > 2:
            yield {**config, "topology": {**net, key: net[key] - 1}}


def shrink(differs, config):
    """The smallest configuration found that still differs."""
    found = True
    while found:
        found = False
        for candidate in smaller(config):
            if differs(candidate):
                config, found = candidate, True
                break
    return config


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft", help="the command, as build/weft")
    parser.add_argument("runs", type=int, help="configurations to try")
    parser.add_argument("--seed", type=int, default=1, help="of the first one; the next has the next")
    parser.add_argument("--engines", nargs=2, default=["model", "flit"], metavar="ENGINE")
    parser.add_argument("-j", type=int, default=os.cpu_count(), help="runs at a time")
    arguments = parser.parse_args()
    weft = os.path.abspath(arguments.weft)
    compared, failures = 0, 0

    def job(seed):
        draw = random.Random(seed)
        config = configuration(draw)
        threads = draw.randint(1, 3) if arguments.engines[0] == "model" else 1
        return seed, config, threads, difference(weft, arguments.engines, threads, config, folder,
                                                 str(seed))

    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.runs)
        for seed, config, threads, what in pool.map(job, seeds):
            compared += what is not None
            if what:
                failures += 1
                config = shrink(lambda one: difference(weft, arguments.engines, threads, one,
                                                       folder, f"shrink{seed}"), config)
                print(f"seed {seed}, {threads} threads: {what}\n  smallest: {json.dumps(config)}",
                      flush=True)
            for engine in arguments.engines:
                for ending in (f"{engine}.json", "config.json"):
                    try:
                        os.remove(os.path.join(folder, f"{seed}.{ending}"))
                    except FileNotFoundError:
                        pass
            if sys.stderr.isatty():
                print(f"\r{seed - arguments.seed + 1} of {arguments.runs}", end="", file=sys.stderr)
    print(f"{compared} of {arguments.runs} configurations compared on {' and '.join(arguments.engines)}"
          f", {failures} differ")
    if compared < LEAST_SHARE * arguments.runs:
        print("too few: the generator makes configurations that are refused", file=sys.stderr)
        return 2
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
