"""Seed 003: what each step between boards moves, from runs of which one ends a step later."""

import dataclasses

from weft_figures import results, tables

DIMENSIONS = "WXYZ"


@dataclasses.dataclass
class Step:
    halving: bool
    dimension: int
    distance: int  # Partners are 1, 2, 4 ... boards from each other.
    depth: int  # Number of halvings: the part of the array is that of a unit over 2^depth.

    @property
    def stage(self):
        kind = "halving" if self.halving else "doubling"
        return f"{DIMENSIONS[self.dimension]} {kind} {self.distance}"


def plan(flat, sizes):
    """The steps of a collective in alphabetical order. The nested one halves through all
    dimensions and doubles back; the flat one does both in each dimension."""
    steps, halvings = [], []
    for dimension, size in enumerate(sizes):
        depth = 0 if flat else len(halvings)
        here = []
        distance = 1
        while distance < size:
            depth += 1
            here.append(Step(True, dimension, distance, depth))
            distance *= 2
        halvings += here
        steps += here
        if flat:
            steps += [dataclasses.replace(step, halving=False) for step in reversed(here)]
    if not flat:
        steps += [dataclasses.replace(step, halving=False) for step in reversed(halvings)]
    return steps


def steps_table(points):
    """Bytes over the links of each dimension in each step, headers and notes of readiness
    included; the same sent by one aggregation unit as a part of the array; and that part as figs
    26 and 27 of the seed have it. Runs are in order of their steps."""
    table = tables.Table(["network", "collective", "step", "stage", *DIMENSIONS, "sent / array",
                          "seed"])
    before = None  # Flits of each dimension in the run that ends a step earlier.
    for row in points:
        if not row["figure"].startswith("steps"):
            continue
        flits = None
        if row["W"]:
            flits = [results.number(row[dimension]) for dimension in DIMENSIONS]
        dims, units = row["network"].split(" ")
        sizes = [int(size) for size in dims.split("x")]
        aggregators = int(units.split("+")[1])
        number = int(row["steps"])
        if number > 0:
            step = plan(row["curve"] == "flat", sizes)[number - 1]
            moved, sent = ["-"] * 4, "-"
            if flits and before:
                change = [8 * (now - then) for now, then in zip(flits, before)]
                moved = [f"{value:.0f}" for value in change]
                senders = aggregators
                for size in sizes:
                    senders *= size
                part = change[step.dimension] / step.distance / senders / int(row["bytes"])
                sent = f"{part:.5f}"
            table.add(row["network"], row["curve"], number, step.stage, *moved, sent,
                      f"1/{aggregators * 2**step.depth}")
        before = flits
    return table
