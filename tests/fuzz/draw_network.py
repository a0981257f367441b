# The generator: networks.
"""Draw the topology of a configuration."""

MOST_NODES = 200  # Small networks find the same faults sooner.


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
        radix, levels = draw.choice([(2, 2), (2, 3), (2, 5), (3, 2), (3, 3), (4, 2), (4, 3),
                                     (7, 2)])
        return {"kind": kind, "radix": radix, "levels": levels}, radix ** levels
    if kind == "full_crossbar":
        pes = draw.randint(2, 40)
        return {"kind": kind, "pes": pes}, pes
    if kind == "mdce":
        planes = draw.choice([(1, 0), (0, 1), (1, 1), (2, 1)])
        n = draw.randint(2, 5 - sum(planes))  # Up to 192 nodes: 16,384 would take gigabytes.
        return {"kind": kind, "n": n, "B": planes[0], "C": planes[1],
                "P": draw.choice([1, 1, 2])}, n * 2 ** (n * sum(planes))
    if kind == "dce":
        n = draw.randint(2, 5)
        bits = draw.randint(1, n)
        delta = draw.choice([0, 1, 2])
        return {"kind": kind, "n": n, "y_bits": bits, "delta": delta}, n * 2 ** bits
    dims = [draw.choice([1, 1, 2, 3, 4]) for _ in range(4)]
    mains, aggregators = draw.randint(1, 3), draw.randint(1, 2)
    boards = dims[0] * dims[1] * dims[2] * dims[3]
    return {"kind": kind, "dims": dims, "mains": mains,
            "aggregators": aggregators}, boards * (mains + aggregators)


def small_ring(draw):
    """A ring of few nodes, mostly with addresses that no node has, and their number."""
    nodes = draw.choice([2, 3, 3, 4, 5, 5, 6, 7])
    return {"kind": "ring", "nodes": nodes}, nodes


def small_network(draw):
    """A topology of every kind with few nodes, and their number."""
    kinds = [({"kind": "torus", "dims": [draw.randint(2, 5)]}, None),
             ({"kind": "torus", "dims": [draw.randint(2, 3), draw.randint(2, 4)]}, None),
             ({"kind": "mesh", "dims": [draw.randint(2, 4), draw.randint(2, 3)]}, None),
             ({"kind": "hier_crossbar", "dims": [draw.randint(2, 4), draw.randint(2, 3)]}, None),
             ({"kind": "crossbar_2d", "dims": [2, draw.randint(2, 3)]}, None),
             ({"kind": "full_crossbar", "pes": draw.randint(2, 8)}, None),
             ({"kind": "ring", "nodes": draw.randint(2, 7)}, None),
             ({"kind": "mdce", "n": 2, "B": 1, "C": draw.randint(0, 1)}, 8),
             ({"kind": "fat_tree", "levels": 2}, 4), ({"kind": "omega", "levels": 2}, 4),
             ({"kind": "dragonfly", "p": 1, "a": 2, "h": 1}, 6),
             ({"kind": "board", "dims": [2, 1, 1, 1], "mains": 2, "aggregators": 1}, 6)]
    net, nodes = draw.choice(kinds)
    if nodes is None:
        nodes = net.get("pes") or net.get("nodes") or 1
        for size in net.get("dims", []):
            nodes *= size
    return net, nodes
