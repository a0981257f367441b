# Kinds gates and cosim_gates: random work on networks whose blocks are few as gates.
"""Engine gates against flit, and engine cosim with --gates. A block that is not in the cache takes
half a minute as a kernel: the parameters of blocks are those of a point, all else is random."""

import copy
import glob
import os

from draw_config import PATTERNS, traffic
from draw_work import transfers
from kind import Kind, wrong_end
from kind_fault import FIELDS
from runs import difference, resumed, run, too_many_threads

# Sections that decide what the kernels are, and the number of nodes.
POINTS = (
    ({"topology": {"kind": "torus", "dims": [4, 3]}}, 12),
    ({"topology": {"kind": "hier_crossbar", "dims": [2, 2]}}, 4),
    ({"topology": {"kind": "ring", "nodes": 5}, "router": {"vc_depth": 1}}, 5),
    ({"topology": {"kind": "mesh", "dims": [3, 2]},
      "router": {"pipeline": 3, "message_classes": 2, "vcs": 4}}, 6),
    ({"topology": {"kind": "torus", "dims": [9, 9]}, "router": {"vc_depth": 4}}, 81),
    ({"topology": {"kind": "torus", "dims": [3, 3]}, "link": {"parity": True},
      "router": {"vcs": 4, "arbiter": "age", "pipeline": 2, "vc_depth": 3}}, 9),
    ({"topology": {"kind": "mesh", "dims": [4, 4]}, "link": {"width_bits": 128},
      "nic": {"controllers": 2}, "router": {"hold": "flit", "vc_depth": 2}}, 16),
    ({"topology": {"kind": "mesh", "dims": [24, 24]}, "router": {"vcs": 1, "vc_depth": 2}}, 576),
    ({"topology": {"kind": "torus", "dims": [4, 4]}, "router": {"routing": "ugal", "vc_depth": 4}},
     16),
    ({"topology": {"kind": "torus", "dims": [3, 3, 2]},
      "router": {"switching": "cut_through", "vc_depth": 20}}, 18),
    ({"topology": {"kind": "mdce", "n": 3, "B": 1, "C": 0}}, 24),
    ({"topology": {"kind": "fat_tree", "levels": 4}}, 16),
    ({"topology": {"kind": "dragonfly", "p": 1, "a": 2, "h": 1},
      "router": {"routing": "valiant", "vc_depth": 3}}, 6),
    ({"topology": {"kind": "mesh", "dims": [3, 3]}, "router": {"routing": "minimal_adaptive"}}, 9),
    ({"topology": {"kind": "full_crossbar", "pes": 7}, "link": {"parity": True},
      "router": {"vc_depth": 3, "output_depth": 1}}, 7),
    ({"topology": {"kind": "hier_crossbar", "dims": [4, 3]}, "router": {"vc_depth": 4}}, 12),
)
SHORT = 2  # Points of the tests, whose kernels tests/e2e/cli_gates.sh has, too.
# With all blocks as gates: also interfaces, links and trees.
TRIOS = (
    ({"topology": {"kind": "ring", "nodes": 3}, "router": {"vc_depth": 2}}, 3),
    ({"topology": {"kind": "hier_crossbar", "dims": [2, 2]}, "router": {"vc_depth": 3}}, 4),
    ({"topology": {"kind": "torus", "dims": [3, 2]}, "link": {"stages": 1}}, 6),
    ({"topology": {"kind": "torus", "dims": [3, 2]},
      "link": {"protection": "retry", "parity": True}}, 6),
    ({"topology": {"kind": "mesh", "dims": [2, 2]},
      "link": {"protection": "parity", "parity": True},
      "router": {"arbiter": "age", "vc_depth": 2, "vcs": 2}}, 4),
    ({"topology": {"kind": "torus", "dims": [3, 3]}, "router": {"routing": "ugal", "vc_depth": 2}},
     9),
)
LANES = ["64", "256", "512"]


def lanes_here():
    """Widths of vectors that the processor runs."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = file.read()
    return LANES[:1 + (" avx2 " in flags) + (" avx512vl " in flags)]


COLLECTIVES = ["a2a", "allreduce_ring", "barrier_dissemination", "broadcast_binomial",
               "allreduce_recursive_doubling"]


def interfaces(number, config):
    """Keys of the interfaces of point `number`, and most flits of a packet after its header."""
    nic = config.get("nic", {}) | {"queue_depth": (8, 1, 15, 2)[number % 4]}
    if "crossbar" in config["topology"]["kind"]:  # In routers each is a port.
        nic["controllers"] = (4, 1, 2)[number % 3]
    switching = "switching" in config.get("router", {})
    room = config["router"]["vc_depth"] - 3 if switching else 255
    return nic, min((16, 4, 1, 128, 255)[number % 5], room)


def packets(draw, made, longest):
    """Lengths of packets, of which the longest decide what the interfaces are."""
    if draw.random() < 0.3:
        made["packet_flits"] = longest + 1
        return
    made["packet_flits"] = [{"flits": longest + 1, "weight": draw.choice([0.02, 0.3, 1])},
                            {"flits": draw.randint(1, longest), "weight": draw.choice([0.5, 1])}]


def work(draw, config, nodes, number):
    """A workload for the network of point `number`, and the keys of its interfaces."""
    name = draw.choice(["transfers", "traffic", "traffic", "traffic", "collective"])
    nic, longest = interfaces(number, config)
    config["nic"] = nic
    if name == "collective" and nodes < 100:
        config["processor"] = draw.choice(["native", "native", "rv32"])
        nic["packet_flits"] = longest
        kind = COLLECTIVES[number % len(COLLECTIVES)]
        if kind == "a2a":
            return {"collective": kind, "message_flits": draw.choice([1, 2, 5, 16])}
        if kind == "barrier_dissemination":
            return {"collective": kind, "spread": draw.choice([1, 20, 300])}
        return {"collective": kind, "bytes": 8 * draw.choice([1, 3, 16, 100])}
    if name == "transfers":
        nic["packet_flits"] = longest
        return transfers(draw, nodes, timed=0)
    nic["gap"] = draw.choice([0, 0, 0, 1, 3])
    made = traffic(draw)
    if nodes > 100:
        made |= {"warmup": 50, "measure": min(made["measure"], 200)}
    if made["warmup"] == "auto":
        made["warmup"] = 100
    packets(draw, made, longest)
    if made["traffic"] not in PATTERNS[:6] or nodes & (nodes - 1):
        made["traffic"] = draw.choice(["uniform", "neighbour", "hotspot", "localized", "tornado"])
    if "message_classes" in config.get("router", {}):
        made["reply_flits"] = draw.randint(1, longest + 1)
    return made


def faults(draw, nodes):
    """Errors in flits that interfaces send, on wires for some cycles, or in all of them."""
    if draw.random() < 0.5:
        return [{"node": draw.randrange(nodes), "cycle": draw.randint(0, 400),
                 "bit": draw.randint(0, 63)} for _ in range(draw.randint(1, 4))]
    return [{"link": "all", "field": draw.choice(["any", *FIELDS]), "cycle": draw.randint(0, 100),
             "rate": draw.choice([0.0003, 0.002]), "burst": draw.choice([0, 0, 3, 40]),
             "cycles": draw.choice([100, 2000])}]


def configuration(draw, points, number):
    """A configuration with random work on point `number`."""
    base, nodes = points[number]
    config = copy.deepcopy(base) | {"max_cycles": draw.choice([20000, draw.randint(50, 3000)]),
                                    "watchdog": 2000, "seed": draw.randint(1, 1000)}
    config["workload"] = work(draw, config, nodes, number)
    if draw.random() < 0.3 and "reply_flits" not in config["workload"]:
        config["faults"] = faults(draw, nodes)
    return config


class Gates(Kind):
    """The whole result of engine gates, on threads and in lanes of any width, also resumed from a
    checkpoint of flit, is that of flit."""

    def __init__(self, context):
        super().__init__(context)
        self.lanes = lanes_here()
        self.kernels = len(self.built())

    def built(self):
        """Kernels in the cache."""
        cache = os.environ.get("WEFT_CACHE") or os.path.join(os.path.dirname(self.context.weft),
                                                             "verilated")
        return glob.glob(os.path.join(cache, "*lanes-????????????????"))

    def summary(self):
        return f"{len(self.built()) - self.kernels} kernels built"

    def draw(self, draw):
        points = POINTS[:SHORT] if self.context.short else POINTS
        number = draw.randrange(len(points))
        config = configuration(draw, points, number)
        if "crossbar" not in config["topology"]["kind"] and draw.random() < 0.3:
            config["link"] = {**config.get("link", {}), "stages": draw.choice([1, 2, 5])}
        # Native programs cannot be saved.
        at = draw.choice([None, None, None, 10, 50, 90])
        return {**config, "threads": draw.choice([1, 1, 2, 3]),
                "lanes": self.lanes[0 if self.context.short else number % len(self.lanes)],
                "resumed": None if config.get("processor") == "native" else at}

    def fault(self, case, name, counts):
        config = {key: value for key, value in case.items()
                  if key not in ("threads", "lanes", "resumed")}
        first = run(self.context, config, name, "flit")
        if first.status == 2:
            return None
        # Without optimisation a kernel takes ten times as long.
        environment = {"WEFT_LANES": case["lanes"],
                       "WEFT_VERILATED_OPT": "-O0" if self.context.short else "-O1"}
        if case["resumed"] is not None:
            counts["runs resumed in gates"] += 1
            return wrong_end(config, first) or resumed(
                self.context, config, first, name, case["resumed"], engine="flit",
                threads=(1, case["threads"]), rest=("gates",), environment=environment)
        other = run(self.context, config, name, "gates", case["threads"], environment=environment)
        if too_many_threads(other):
            return None
        counts["cycles"] += (other.result or {"cycles": 0})["cycles"]
        counts["runs with faults"] += "faults" in config
        counts[f"runs in {case['lanes']} lanes"] += 1
        return wrong_end(config, first) or other.crash or difference(first, other)


class CosimGates(Gates):
    """Model, RTL and gates of all blocks are equal in every cycle, and a run is that of flit."""

    def draw(self, draw):
        points = TRIOS[:1] if self.context.short else TRIOS
        number = draw.randrange(len(points))
        config = configuration(draw, points, number)
        config["max_cycles"] = min(config["max_cycles"], 3000)
        config["nic"] = {"packet_flits": 8}
        made = config["workload"]
        if "traffic" in made:
            config["nic"] = {"gap": draw.choice([0, 0, 1])}
            packets(draw, made, 8)
        elif "transfers" not in made and "stages" in config.get("link", {}):
            config["combining"] = "tree"
            config["workload"] = {"collective": "allreduce_tree",
                                  "bytes": 8 * draw.choice([1, 3, 16]),
                                  "op": draw.choice(["sum", "max", "prod"]),
                                  "type": draw.choice(["int32", "int64", "fp32"])}
        elif "transfers" not in made:
            config["barrier"] = "hardware"
            config["workload"] = {"collective": "a2a", "message_flits": draw.choice([1, 5, 20]),
                                  "sync": "barrier"}
        return {**config, "resumed": draw.choice([None, None, 10, 50, 90])}

    def fault(self, case, name, counts):
        config = {key: value for key, value in case.items() if key != "resumed"}
        first = run(self.context, config, name, "flit")
        if first.status == 2:
            return None
        if case["resumed"] is None:
            other = run(self.context, config, name, "cosim", options=("--gates",))
            counts["cycles compared"] += (other.result or {"cycles": 0})["cycles"]
            wrong = other.crash or difference(first, other)
        else:
            wrong = resumed(self.context, config, first, name, case["resumed"],
                            engine="flit", rest=("cosim", "--gates"))
            counts["resumed in gates"] += 1
        return wrong_end(config, first) or wrong
