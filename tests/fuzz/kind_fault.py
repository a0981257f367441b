# Kind fault: random errors on the wires of links, by protection.
"""Engines agree on what faults do; protected links lose nothing that they do not count, and where
packets are acknowledged all arrive, or a dead link has cut them off."""

import csv
import os

from draw_network import small_network, small_ring
from draw_work import transfers
from kind import Kind
from runs import call, difference, resumed, run, too_many_threads, write

FIELDS = ["data", "data", "last", "vc", "stamp", "check", "valid", "credit"]
BODY = 100  # A message is one packet, so that a lost packet is a lost message,
LONG = 700  # but where all packets arrive.
BUILT = {"parity": True}  # Links of the cases that tests compare with RTL.


def base(draw):
    """A small network with transfers and a protection, without faults."""
    net, nodes = small_ring(draw) if draw.random() < 0.4 else small_network(draw)
    protection = draw.choice(["none", "parity", "parity", "retry", "retry"])
    reliable = protection != "none" and draw.random() < 0.4
    config = {"topology": net, "router": {"vc_depth": draw.choice([1, 2, 3, 4, 8, 20])},
              "link": {"protection": protection, "parity": True},
              "workload": transfers(draw, nodes,
                                    (0, 1, 2, 7, 20, BODY, *([LONG] if reliable else [])),
                                    timed=0 if reliable else 0.3),
              "max_cycles": 60000, "watchdog": 20000, "seed": draw.randint(1, 1000)}
    if reliable:
        config["nic"] = {"reliable": True, "timeout": draw.choice([300, 2000]),
                         "outstanding": draw.choice([2, 4, 16])}
        config["max_cycles"] = 600000
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


def built(draw):
    """A ring whose router and interface are the same blocks for any number of nodes."""
    net, nodes = small_ring(draw)
    return {"topology": net, "router": {"vc_depth": 3}, "link": BUILT,
            "workload": transfers(draw, nodes, (0, 2, 20, BODY), timed=0),
            "max_cycles": 6000, "watchdog": 2000, "seed": draw.randint(1, 1000)}, nodes


def one_fault(draw, links, nodes, config):
    """A fault that the network can have, mostly."""
    reliable = "nic" in config
    if reliable and config["link"]["protection"] == "retry" and draw.random() < 0.4 and links:
        return {"link": draw.choice(links), "field": "any", "rate": 1, "cycle": draw.randint(0, 300)}
    if draw.random() < 0.3:
        where = draw.choice(["all", "all", "interface"])
        return {"link": where, "field": draw.choice(["any", "any", *FIELDS]),
                "rate": draw.choice([0.0005, 0.002, *([] if reliable else [0.01])]),
                **({"burst": draw.choice([2, 8, 16, 100])} if draw.random() < 0.3 else {})}
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
    """`model`, `flit`, threads and RTL agree; parity counts what it loses; retry loses nothing."""

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
        if self.context.short and draw.random() < 0.3:
            config, nodes = built(draw)
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
        if self.built(case):
            other = run(self.context, case, name, "cosim")
            counts["runs with RTL"] += 1
            wrong = other.crash or difference(first, other)
            if wrong:
                return f"model and cosim: {wrong}"
        percent = case.get("seed", 0) % 98 + 1
        wrong = resumed(self.context, case, first, name, percent, "flit", (2, 1))
        if wrong:
            return wrong
        if case.get("seed", 0) % 3 == 0 and "crossbar" not in case["topology"]["kind"]:
            wrong = self.observed(case, name, other)
            if wrong:
                return wrong
            counts["observed"] += 1
        protection = case.get("link", {}).get("protection", "none")
        reliable = case.get("nic", {}).get("reliable", False)
        counts[f"with {protection}{' and acknowledgements' if reliable else ''}"] += 1
        if reliable:
            return self.all_arrive(case, first, counts)
        return "" if protection == "none" else self.kept(case, protection, first, counts)

    def built(self, case):
        """Whether to compare with the RTL: of a test only what few blocks are verilated for."""
        return case.get("link") == BUILT or (not self.context.short
                                             and case.get("seed", 0) % 3 == 0)

    def observed(self, case, name, plain):
        """That losses and waits are counted whatever errors make of packets, and change nothing."""
        waits = os.path.join(self.context.folder, f"{name}.waits.json")
        done = run(self.context, case, name, "flit", options=["--losses", "--events", waits])
        if done.crash or done.status != plain.status:
            return f"observed: {done.crash or done.error}, else {plain.error}"
        if not done.result:
            return ""
        cycles = {sum(done.result["losses"]["link_cycles"].values()) /
                  done.result["losses"]["links"], done.result["losses"]["cycles"]}
        same = done.result["digest"] == plain.result["digest"] and len(cycles) == 1
        return "" if same else f"observed: {done.result['losses']}"

    @staticmethod
    def all_arrive(case, done, counts):
        """That all messages have arrived, or the link is named that has cut some off."""
        if done.status == 3 and " is dead" in done.error:
            counts["links cut nodes off"] += 1
            return ""
        # Of 256 flits on 4 links, with errors at two such rates, one packet in 60 arrives whole.
        rates = sum(fault.get("rate", 0) for fault in case.get("faults", []))
        if (done.status == 3 and "sent again 32 times" in done.error and rates >= 0.004
                and case["link"]["protection"] == "parity"):
            counts["not judged: errors in nearly every packet"] += 1
            return ""
        if done.status == 3 or not done.result:
            return f"hangs: {done.error}"
        resends = done.result["resends"]
        counts["restarts"] += resends["restarts"]
        counts["dead links"] += len(resends["dead"].split("; ")) if resends["dead"] else 0
        if done.result.get("faults", {}).get("passed", 0):
            counts["not judged: an error that no check sees"] += 1
            return ""
        found, sent = done.result["messages"], len(case["workload"]["transfers"])
        return "" if found == sent and done.status == 0 else f"{found} of {sent}: {done.error}"

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
