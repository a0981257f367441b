# The generator: transfers, packets of a file, and dependency traces.
"""Draw work that is a list. Where a configuration names a file, it has the file's lines."""


def transfers(draw, nodes, flits=(0, 1, 2, 7, 40, 130, 300), timed=0.3):
    """Messages; with chance `timed` one has a start of its own, which the interfaces must know."""
    some = []
    for _ in range(draw.randint(1, 30)):
        src, dst = draw.sample(range(nodes), 2)
        some.append({"from": src, "to": dst, "flits": draw.choice(flits),
                     "start": draw.choice([0, 0, draw.randint(0, 400)]),
                     "gap": draw.choice([0, 0, 0, 2])})
        if draw.random() < timed:
            some[-1]["at"] = some[-1]["start"] + draw.randint(0, 200)
    return {"transfers": some}


def packet_lines(draw, nodes):
    """Packets of traffic `trace`: cycle,src,dst,flits."""
    lines = []
    for _ in range(draw.randint(1, 60)):
        src, dst = draw.sample(range(nodes), 2)
        lines.append(f"{draw.randint(0, 390)},{src},{dst},{draw.randint(1, 9)}")
    return lines


def goal(draw, nodes):
    """A trace whose operations wait for earlier ones only, so that none wait in a circle."""
    ranks = [[] for _ in range(nodes)]
    counts = [0] * nodes
    for _ in range(draw.randint(1, 40)):
        src, dst = draw.sample(range(nodes), 2)
        size, tag = draw.choice([1, 8, 64, 500, 3000]), draw.randint(0, 3)
        for rank, what in ((src, f"send {size}b to {dst} tag {tag}"),
                           (dst, f"recv {size}b from {src} tag {tag}"),
                           (src, f"calc {draw.randint(0, 200)}")):
            number = counts[rank]
            counts[rank] += 1
            ranks[rank].append(f"  o{number}: {what}")
            if number and draw.random() < 0.4:
                word = draw.choice(["requires", "requires", "irequires"])
                ranks[rank].append(f"  o{number} {word} o{draw.randrange(number)}")
    lines = [f"num_ranks {nodes}"]
    for rank, operations in enumerate(ranks):
        if operations:
            lines += [f"rank {rank} {{", *operations, "}"]
    work = {"collective": "goal", "file": lines}
    if draw.random() < 0.3:
        work["compute_factor"] = draw.choice([0.5, 2.5])
    if draw.random() < 0.3:
        work["phases"] = draw.choice(["kinds", "operations"])
    return work
