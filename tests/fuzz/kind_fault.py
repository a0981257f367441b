# Kind fault: random errors on the wires of links, by protection.
"""Engines agree on what faults do; protected links lose nothing that they do not count."""

import csv
import os

from draw_network import small_network
from draw_work import transfers
from kind import Kind
from runs import call, difference, run, too_many_threads, write

FIELDS = ["data", "data", "last", "vc", "stamp", "check", "valid", "credit"]
BODY = 100  # A message is one packet, so that a lost packet is a lost message.


def base(draw):
    """A small network with transfers and a protection, without faults."""
    net, nodes = small_network(draw)
    protection = draw.choice(["none", "parity", "parity", "retry", "retry"])
    config = {"topology": net, "router": {"vc_depth": draw.choice([3, 8, 20])},
              "link": {"protection": protection, "parity": True},
              "workload": transfers(draw, nodes, (0, 1, 2, 7, 20, BODY)),
              "max_cycles": 60000, "watchdog": 20000, "seed": draw.randint(1, 1000)}
    if protection == "none":
        config["link"]["parity"] = draw.choice([True, True, False])
    if draw.random() < 0.3:
        config["link"]["stages"] = draw.choice([1, 2, 5])
    if "crossbar" not in net["kind"]:
        config["router"]["arbiter"] = draw.choice(["round_robin", "round_robin", "age"])
        if draw.random() < 0.3:
            config["router"]["pipeline"] = draw.choice([2, 3])
        if draw.random() < 0.2:
            config["router"]["switching"] = draw.choice(["cut_through", "store_forward"])
            config["router"]["vc_depth"] = BODY + 3
    return config, nodes


def one_fault(draw, links, nodes, config):
    """A fault that the network can have, mostly."""
    if draw.random() < 0.3:
        where = draw.choice(["all", "all", "interface"])
        return {"link": where, "field": draw.choice(["any", "any", *FIELDS]),
                "rate": draw.choice([0.0005, 0.002, 0.01])}
    fault = {"cycle": draw.choice([0, draw.randint(0, 300)]), "field": draw.choice(FIELDS)}
    if draw.random() < 0.6 and links:
        fault["link"] = draw.choice(links)
    else:
        fault["node"] = draw.randrange(nodes)
    if fault["field"] in ("data", "stamp", "check"):
        wires = {"data": 65, "stamp": 16, "check": 4}[fault["field"]]
        fault["bit"] = draw.randrange(wires - (fault["field"] == "data"
                                               and not config["link"]["parity"]))
    if fault["field"] not in ("data", "stamp", "check"):
        fault["effect"] = draw.choice(["invert", "clear", "set"])
    if draw.random() < 0.4:
        fault["cycles"] = draw.choice([2, 5, 16, 60])
    return fault


class Fault(Kind):
    """`model`, `flit` and threads agree; parity counts what it loses; retry loses nothing."""

    def links(self, config, name):
        """Names of the links of a network."""
        stem = os.path.join(self.context.folder, name)
        path = write(self.context, config, name)
        call([self.context.weft, "run", path, "--set", "max_cycles=1", "--links", f"{stem}.csv"])
        if not os.path.exists(f"{stem}.csv"):
            return []
        with open(f"{stem}.csv", encoding="utf-8", newline="") as file:
            return [f"{row['from']} out {row['from_port']}" for row in csv.DictReader(file)]

    def draw(self, draw):
        config, nodes = base(draw)
        links = self.links(config, f"links{draw.randrange(1 << 40)}")
        config["faults"] = [one_fault(draw, links, nodes, config)
                            for _ in range(draw.choice([1, 1, 2, 5]))]
        return config

    def fault(self, case, name, counts):
        first, other = run(self.context, case, name), run(self.context, case, name, "flit", 2)
        counts["runs"] += 2
        wrong = first.crash or other.crash
        if too_many_threads(other):
            other = run(self.context, case, name, "flit")
        wrong = wrong or difference(first, other)
        if wrong:
            return wrong
        if first.status == 2:
            return None
        protection = case.get("link", {}).get("protection", "none")
        counts[f"with {protection}"] += 1
        return "" if protection == "none" else self.kept(case, protection, first, counts)

    def kept(self, case, protection, done, counts):
        """That protected links have kept their promise."""
        if done.status == 3:
            return f"hangs: {done.error}"
        if not case.get("faults"):
            return done.error
        found, sent = done.result, len(case["workload"]["transfers"])
        if found["faults"]["passed"]:  # Several errors in a word can look like another word.
            counts["not judged: an error that no check sees"] += 1
            return ""
        counts["faults put"] += found["faults"]["put"]
        errors = found["errors"]
        if found["stopped"]:
            return f"no end by cycle {found['cycles']}"
        if protection == "retry" and (found["messages"] != sent or done.status != 0):
            return f"{found['messages']} of {sent} delivered: {done.error}"
        lost = found["links"]["lost"] + errors["parity"] + errors["order"]
        if found["messages"] + lost != sent:
            return f"{found['messages']} delivered and {lost} lost of {sent}"
        return ""
