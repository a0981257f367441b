# The generator: the ends of the documented ranges of keys.
"""Set keys of a configuration to the least or the most that `weft list keys` says of them."""

import json
import re
import subprocess

# Keys of sections that no other key must agree with. Their most must leave a run short: numbers
# above MOST do not.
SECTIONS = ("router", "nic", "link")
WORK = ("message_flits", "areas", "spread", "chunks", "warmup", "measure", "drain", "packet_flits",
        "reply_flits", "burst_cycles", "root")
MOST = 5000
# Flits of a router's in-port: with more a run is about memory, and takes gigabytes.
MOST_BUFFERED = 20000


def ends_of_keys(weft):
    """By name of a key and "crossbars" or "routers", where the two differ, its ends."""
    keys = json.loads(subprocess.run([weft, "list", "keys", "--json"], check=True,
                                     capture_output=True, text=True).stdout)
    ends = {}
    for key in keys:
        section, _, name = key["name"].partition(".")
        if section not in SECTIONS and not (section == "workload" and name in WORK):
            continue
        found = re.search(r"(\d+) to (\d+)", key["expected"])
        if not found or "list" in key["type"]:
            continue
        values = [int(found[1]), *([int(found[2])] if int(found[2]) <= MOST else [])]
        for network in ("crossbars", "routers"):
            other = {"crossbars": "routers", "routers": "crossbars"}[network]
            if f"networks of {other}" not in key.get("applies", ""):
                ends.setdefault((network, section, name), set()).update(values)
    return {key: sorted(values) for key, values in ends.items()}


def with_extremes(draw, config, ends):
    """The configuration with some keys at an end of their range. Of the workload only keys that it
    has, as others belong to other work; a packet must fit into a buffer that holds it whole."""
    network = "crossbars" if "crossbar" in config["topology"]["kind"] else "routers"
    able = [(section, name) for kind, section, name in ends if kind == network
            and (section != "workload" or isinstance(config["workload"].get(name), int))]
    config = {**config}
    for section, name in draw.sample(able, min(len(able), draw.choice([1, 1, 2, 3]))):
        value = draw.choice(ends[network, section, name])
        config[section] = {**config.get(section, {}), name: value}
    router = config.get("router", {})
    if isinstance(router.get("vcs"), int) and router.get("vc_depth"):
        depth = min(router["vc_depth"], MOST_BUFFERED // router["vcs"])
        config["router"] = {**router, "vc_depth": depth}
    return config


def small_ring(draw):
    """A ring of few nodes, and their number."""
    nodes = draw.randint(2, 5)
    return draw.choice([{"kind": "ring", "nodes": nodes}, {"kind": "torus", "dims": [nodes]}]), nodes


def with_self_transfers(draw, config):
    """The configuration with some of its transfers from a node to itself."""
    work = config["workload"]
    if "transfers" not in work:
        return config
    some = [{**one, "to": one["from"]} if draw.random() < 0.4 else one for one in work["transfers"]]
    return {**config, "workload": {**work, "transfers": some}}
