# The shrinker: the smallest case that still fails, of configurations and of bytes.
"""Cases with one thing less, and the search among them."""

MOST_TRIES = 3000


def smaller_config(config):
    """Configurations with one thing less."""
    for section in ("router", "nic", "link", "faults", "partition", "barrier", "combining", "processor",
                    "start"):
        if section in config:
            yield {key: value for key, value in config.items() if key != section}
    if "failed" in config["topology"]:
        yield {**config, "topology": {k: v for k, v in config["topology"].items() if k != "failed"}}
    for section in ("router", "nic", "link", "workload"):
        for key in config.get(section, {}):
            if key in ("transfers", "traffic", "collective", "bytes", "file"):
                continue
            yield {**config, section: {k: v for k, v in config[section].items() if k != key}}
    work, net = config["workload"], config["topology"]
    for where, key in ((config, "faults"), (work, "transfers"), (work, "regions"), (work, "file")):
        for some in without_parts(where.get(key, [])):
            if some or key == "faults":
                yield ({**config, key: some} if where is config
                       else {**config, "workload": {**work, key: some}})
    for place, fault in enumerate(config.get("faults", [])):
        for key in fault:
            if key not in ("link", "node"):
                less = {k: v for k, v in fault.items() if k != key}
                yield {**config, "faults": [*config["faults"][:place], less,
                                            *config["faults"][place + 1:]]}
    for key in ("measure", "warmup", "message_flits", "packet_flits", "bytes"):
        if isinstance(work.get(key), int) and work[key] > 8:
            yield {**config, "workload": {**work, key: work[key] // 2 // 8 * 8 or 1}}
    for place, size in enumerate(net.get("dims", [])):
        if size > 2:
            dims = [*net["dims"][:place], size - 1, *net["dims"][place + 1:]]
            yield {**config, "topology": {**net, "dims": dims}}
    for key in ("levels", "pes", "nodes", "n", "y_bits", "mains", "aggregators", "dimensions"):
        if net.get(key, 0) > 2:
            yield {**config, "topology": {**net, key: net[key] - 1}}


def without_parts(whole):
    """A list or bytes without a part, long parts first."""
    if not isinstance(whole, (list, bytes)):
        return
    part = len(whole) // 2
    while part:
        for begin in range(0, len(whole), part):
            yield whole[:begin] + whole[begin + part:]
        part //= 2


def shrink(fails, case, smaller):
    """The smallest case found that still fails."""
    tries, found = 0, True
    while found:
        found = False
        for candidate in smaller(case):
            tries += 1
            if tries > MOST_TRIES:
                return case
            if fails(candidate):
                case, found = candidate, True
                break
    return case
