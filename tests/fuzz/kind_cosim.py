# Kind cosim: random work on networks whose RTL is compared with the models in every cycle.
"""Random configurations on engine cosim, whose cycles and digest must be those of model."""

from draw_config import traffic
from draw_network import small_network, small_ring
from kind_fault import FIELDS
from draw_work import transfers
from kind import Kind, wrong_end
from runs import difference, run

# Networks and settings that other tests verilate, too: only the work on them is random.
RETRY = {"protection": "retry", "parity": True}
POINTS = (
    ({"topology": {"kind": "torus", "dims": [4, 4]}}, 16),
    ({"topology": {"kind": "torus", "dims": [5, 5]}}, 25),
    ({"topology": {"kind": "mesh", "dims": [3, 3]}}, 9),
    ({"topology": {"kind": "hier_crossbar", "dims": [4, 4]}}, 16),
    ({"topology": {"kind": "torus", "dims": [2, 2]}, "link": RETRY}, 4),
    ({"topology": {"kind": "hier_crossbar", "dims": [2, 2]}, "link": RETRY}, 4),
)


class Cosim(Kind):
    """Of ten cases three have another network than POINTS, but in the tests."""

    def draw(self, draw):
        base, nodes = draw.choice(POINTS)
        config = {key: dict(value) for key, value in base.items()}
        if not self.context.short and draw.random() < 0.3:
            net = small_ring if draw.random() < 0.5 else small_network
            config["topology"], nodes = net(draw)
            config["router"] = {"vc_depth": draw.choice([1, 2, 3, 4, 8])}
            if "crossbar" not in config["topology"]["kind"] and draw.random() < 0.5:
                config["router"]["arbiter"] = "age"
        config |= {"max_cycles": 3000, "watchdog": 2000, "seed": draw.randint(1, 1000)}
        if draw.random() < 0.5 or "link" in config:
            config["workload"] = transfers(draw, nodes, timed=0)
            for message in config["workload"]["transfers"] if self.context.short else ():
                message["gap"] = 0
        else:
            config["workload"] = traffic(draw)
            config["workload"] |= {"warmup": draw.choice([0, 30]), "measure": draw.randint(50, 300)}
        if draw.random() < 0.5:
            config["faults"] = [{"link": "all", "field": draw.choice(["any", *FIELDS]), "rate": 0.002,
                                 "burst": draw.choice([0, 0, 3, 40])}]
        return config

    def fault(self, case, name, counts):
        first = run(self.context, case, name)
        if first.status == 2:
            return None
        other = run(self.context, case, name, "cosim")
        counts["cycles compared"] += (other.result or {"cycles": 0})["cycles"]
        return (wrong_end(case, first) or other.crash or difference(first, other))
