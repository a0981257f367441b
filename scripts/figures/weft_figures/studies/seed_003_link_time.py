"""Seed 003: the nested and the conventional schedule against their own link time, which is what a
schedule would take if each of its phases kept its links busy at full rate, one phase after the
other; headers of messages included, no latency, no wait for readiness.

Phases: on a board every main unit sends each aggregation unit its part, over a link of their own,
in as many pieces as main units. A step of halving or doubling moves what all aggregation units of
a board send over all links that lead from it along the dimension, and along X, Y and Z before
that over the links to its main units; partners several boards apart share links. At the end each
part goes to every main unit, over the same links."""

import math

from weft_figures import tables

CURVES = ["nested alphabetical", "nested bandwidth", "flat"]
WORD = 8  # Bytes of a flit.


def with_headers(flits, lanes):
    """A piece with its headers, over `lanes` side by side: messages about as long as the root of
    their number, 8 to 32 flits (sw/README.md)."""
    flits = math.ceil(flits)
    lane = (flits + lanes - 1) // lanes
    length = 8
    while length * length < lane:
        length *= 2
    length = min(length, lane, 32)
    return flits + (flits + length - 1) // length


def sharers(distance, size):
    """Most partners' ways that share a link in a step over `distance` boards of a ring."""
    if distance == 1:
        return 1
    return distance / 2 if 2 * distance == size else distance


class Boards:
    """A network of boards, from its name, such as "4x2x1x4 8+4"."""

    def __init__(self, network):
        dims, units = network.split(" ")
        self.sizes = [int(size) for size in dims.split("x")]
        self.mains, self.aggregators = (int(number) for number in units.split("+"))
        # Links that lead along each dimension from a board.
        self.links = [(self.mains if at else self.aggregators) * (2 if size == 2 else 1)
                      for at, size in enumerate(self.sizes)]

    def step(self, dimension, distance, flits):
        """Time of the step that exchanges `flits` of each aggregation unit."""
        size = self.sizes[dimension]
        lanes = min(self.mains, 8)
        if size == 2 and 2 * flits > 8 * lanes:
            lanes *= 2
        sent = with_headers(flits, lanes)
        between = self.aggregators * sent * sharers(distance, size) / self.links[dimension]
        within = sent / self.mains if dimension else 0
        return max(between, within)

    def link_time(self, size, curve):
        part = size / WORD / self.aggregators
        time = self.mains * with_headers(part / self.mains, 1) + with_headers(part, 1)
        dimensions = list(range(len(self.sizes)))
        if "bandwidth" in curve:
            dimensions.sort(key=lambda at: (-self.links[at], self.sizes[at]))
        depth = 0
        for dimension in dimensions:
            if curve == "flat":
                depth = 0
            distance = 1
            while distance < self.sizes[dimension]:
                depth += 1
                time += 2 * self.step(dimension, distance, part / 2**depth)
                distance *= 2
        return time


def link_time_table(points):
    """Cycles over link time, whole and in chunks, and over the bound."""
    cycles, bounds, cases = {}, {}, {}
    for row in points:
        if not row["figure"].startswith("size") or not row["cycles"]:
            continue
        case = row["network"], row["bytes"]
        cycles[case, row["curve"]] = int(row["cycles"])
        bounds[case] = int(row["bound_cycles"])
        if row["curve"].startswith(("nested", "flat")):
            cases[case] = True

    def quotient(case, curve, of):
        return f"{cycles[case, curve] / of:.3f}" if (case, curve) in cycles else "-"

    table = tables.Table(["network", "bytes", "order or steps", "link time", "cycles",
                          "cycles / link time", "bound", "cycles / bound",
                          "in 4 chunks / link time", "in 8 chunks / link time"])
    for curve in CURVES:
        for case in cases:
            boards, size = Boards(case[0]), int(case[1])
            # Below a word for each piece the schedule is made of headers and notes.
            if (case, curve) not in cycles or size < WORD * boards.mains * boards.aggregators:
                continue
            time = boards.link_time(size, curve)
            table.add(*case, curve, f"{time:.0f}", cycles[case, curve],
                      quotient(case, curve, time), bounds[case],
                      quotient(case, curve, bounds[case]),
                      quotient(case, f"{curve} chunks 4", time),
                      quotient(case, f"{curve} chunks 8", time))
    return table
