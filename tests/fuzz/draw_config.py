# The generator: configurations.
"""Draw networks with settings and workloads."""

from draw_network import topology
from draw_work import goal, packet_lines, transfers

TABLES = ["ring", "hypercube", "hyperx", "dragonfly", "tree", "graph"]  # Route by tables.
# Over direct ways: on tables the first two, on grids all.
ALGORITHMS = ["valiant", "ugal", "o1turn", "minimal_adaptive"]
PATTERNS = ["uniform", "bit_complement", "hotspot", "localized", "neighbour", "tornado", "uniform",
            "transpose", "mesh_emulation", "partition4", "shuffle", "bit_reversal"]
# On networks of any size.
ON_ANY = ["uniform", "uniform", "hotspot", "localized", "neighbour", "tornado", "bit_complement"]
PACED = ["a2a", "a2and", "a2at", "hop_group", "hop_direct"]
ALL_TO_ALLS = PACED + ["a2a_scheduled", "alltoall"]
PICKERS = ["allreduce", "reduce_scatter", "allgather", "broadcast", "reduce"]
BARRIERS = ["barrier", "barrier_dissemination", "barrier_tree"]
ON_ARRAYS = ["allreduce", "allreduce_direct", "reduce_scatter_direct", "allgather_direct",
             "allreduce_ring", "allreduce_rabenseifner",
             "allreduce_recursive_doubling",
             "allreduce_rings", "allreduce_tree", "allreduce_tree_links", "allreduce_bine",
             "allreduce_lines", "allreduce_swing", "allreduce_swing_whole", "allreduce_trivance",
             "allreduce_trivance_whole", "reduce_scatter", "reduce_scatter_ring",
             "reduce_scatter_tree", "allgather", "allgather_ring", "allgather_tree", "broadcast",
             "broadcast_binomial", "broadcast_scatter", "broadcast_tree", "reduce",
             "reduce_binomial", "reduce_gather", "reduce_tree"]
ON_BOARDS = ["allreduce_boards", "allreduce_bucket", "allreduce_flat", "allreduce_nested",
             "allgather_nested",
             "broadcast_nested", "reduce_nested", "reduce_scatter_nested"]


def workload(draw, kind, nodes):
    what = draw.choice(["traffic", "traffic", "collective", "transfers"])
    if what == "transfers" and nodes > 1:
        return transfers(draw, nodes)
    if what == "collective":
        if draw.random() < 0.08 and nodes > 1:
            return goal(draw, nodes)
        names = ALL_TO_ALLS * 2 + BARRIERS + ON_ARRAYS
        if kind == "board":
            names = names + ON_BOARDS * 3
        name = draw.choice(names)
        if name in BARRIERS:
            return {"collective": name, "spread": draw.choice([1, 20, 300])}
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
        if name.startswith("broadcast") or name in ("reduce", "reduce_binomial", "reduce_tree"):
            work["root"] = draw.randrange(nodes)
        if name in ("allreduce_nested", "allreduce_flat") and draw.random() < 0.4:
            work["chunks"] = draw.choice([2, 3])
            work["order"] = draw.choice(["alphabetical", "bandwidth"])
        return work
    if nodes > 1 and draw.random() < 0.06:
        return {"traffic": "trace", "file": packet_lines(draw, nodes)}
    return traffic(draw)


def traffic(draw):
    """A workload of packets with a rate."""
    work = {"traffic": draw.choice(PATTERNS), "warmup": draw.choice([0, 50, 200] * 3 + ["auto"]),
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
    flits = work.get("packet_flits", 9)  # Of packet_lines.
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
    if work["traffic"] in ("mesh_emulation", "trace"):
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


def configuration(draw, network=topology):
    """A configuration on a network that `network` draws."""
    net, nodes = network(draw)
    kind = net["kind"]
    config = {"topology": net, "router": {}, "nic": {}, "watchdog": 20000,
              "max_cycles": draw.choice([20000, 20000, draw.randint(1, 3000)]),
              "seed": draw.randint(1, 1000)}
    work = config["workload"] = workload(draw, kind, nodes)
    router, nic = config["router"], config["nic"]
    if "rate" in work and draw.random() < 0.35:
        cuts = partition(draw, net, work)
        if any(cuts):
            config["partition"] = cuts
        else:
            work.pop("regions", None)
    if draw.random() < 0.3:
        config["link"] = {"parity": True}
    if draw.random() < 0.12:
        config.setdefault("link", {})["width_bits"] = draw.choice([128, 256, 512])
    if draw.random() < 0.1:
        config["link"] = {**config.get("link", {}), "parity": True,
                          "protection": draw.choice(["parity", "retry"])}
    if "crossbar" not in kind and "partition" not in config and draw.random() < 0.06:
        net["failed"] = {"share": draw.choice([0.02, 0.1, 0.2]), "seed": draw.randint(1, 9)}
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
            router["dateline"] = draw.choice(["balanced", "crossing"])
        algorithms = ALGORITHMS[:2] if kind in TABLES else []
        if kind in ["torus", "mesh"]:
            algorithms = ALGORITHMS
        if algorithms and "partition" not in config and draw.random() < 0.25:
            router["routing"] = draw.choice(algorithms)
            router.pop("dateline", None)
            if "vcs" in router:
                router["vcs"] = draw.choice([2, 4, 4, 6, 8])
        nic["controllers"] = draw.choice([1, 1, 1, 2, 3, 4])
    if "rate" in work or work.get("collective") in PACED:
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
        name = work["collective"]
        if name in ALL_TO_ALLS and draw.random() < 0.1:
            config["start"] = "network"
        barriers = ("hop_group", "hop_direct", "alltoall", "barrier")
        if (name in barriers or name.endswith(("_direct", "_rings", "_lines", "_boards", "_links"))
                or work.get("sync") == "barrier" or "start" in config):
            config["barrier"] = draw.choice(["hardware", "software"])
        if name == "barrier_tree":
            config["barrier"] = "hardware"
        elif "_tree" in name:
            config["combining"] = "tree"
        elif name in PICKERS:
            config["combining"] = draw.choice(["none", "tree"])
    if draw.random() < 0.15:
        link = config.get("link", {})
        most = link.get("width_bits", 64) - (0 if link.get("parity") else 1)
        faults = [{"node": draw.randrange(nodes), "cycle": draw.choice([0, draw.randint(0, 500)]),
                   "bit": draw.choice([draw.randint(0, most), most])}
                  for _ in range(draw.choice([1, 2, 3, 3, 30]))]
        if draw.random() < 0.5:  # Another one in the same flit.
            faults.append({**faults[0], "bit": draw.randint(0, most)})
        config["faults"] = faults
    if "traffic" in work:
        more_traffic(draw, config)
    return {key: value for key, value in config.items() if value != {}}
