"""Allreduce: every algorithm beside every other, and what the picker chooses."""

import json
import sys

from weft_figures import results, tables

PICKER = "allreduce"
MOST = 1.05  # Most time of the picker's choice over that of the fastest.


def points_of(rows):
    """One line per run: network, processor, bytes of an array, algorithm, cycles, and the bound in
    cycles. A run that failed has neither, nor has one of a longer array than the algorithm takes.
    """
    table = tables.Table(["network", "processor", "bytes", "algorithm", "cycles", "bound_cycles"])
    for row in rows:
        network, processor, _ = row["series"].split(", ")
        workload = json.loads(row["workload"])
        algorithm = row["workload.collective"] or workload["collective"]
        measured = [row["cycles"], row["bound_cycles"]] if row.ended else ["", ""]
        table.add(network, processor, row["workload.bytes"], algorithm, *measured)
    return table


def compared(points):
    """For each network, processor and size: the bound of messages without the combining tree, the
    fastest algorithm, its cycles and these over the bound, those of the picker's choice over the
    fastest, and of every algorithm over the bound. Also the points at which the choice takes more
    than MOST."""
    cases, names = {}, {}
    for row in points:
        case = row["network"], row["processor"], row["bytes"]
        cases.setdefault(case, {})[row["algorithm"]] = row
        if row["algorithm"] != PICKER:
            names[row["algorithm"]] = True
    table = tables.Table(["network", "processor", "bytes", "bound", "fastest", "cycles",
                          "over bound", "picker", *(name.partition("_")[2] for name in names)])
    slow = []
    for case, rows in cases.items():
        cycles = {name: int(row["cycles"]) for name, row in rows.items() if row["cycles"]}
        picked = cycles.pop(PICKER, None)
        if not cycles:
            continue
        fastest = min(cycles, key=cycles.get)
        # The combining tree has a bound of its own, which is lower.
        bound = max(int(rows[name]["bound_cycles"]) for name in cycles)
        quotient = f"{picked / cycles[fastest]:.3f}" if picked else "-"
        if not picked or picked > MOST * cycles[fastest]:
            slow.append(f"{', '.join(case)}: {quotient} of {fastest}")
        table.add(*case, bound, fastest.partition("_")[2], cycles[fastest],
                  f"{cycles[fastest] / bound:.3f}", quotient,
                  *(f"{cycles[name] / bound:.2f}" if name in cycles else "-" for name in names))
    return table, slow


def make(out, weft, quick):
    """The table, also on standard output. Exit status 1 where the picker's choice takes more than
    MOST of the fastest algorithm's time; small networks are left out of that."""
    del weft
    table = points_of(results.read(out / "sweep/results.csv"))
    table.write(out / "points.csv")
    table, slow = compared(results.read(out / "points.csv"))
    table.write(out / "table.csv")
    table.write(out / "table.md")
    print(table.markdown(), end="")
    if quick:
        return 0
    for case in slow:
        print(f"picker: {case}", file=sys.stderr)
    return 1 if slow else 0
