"""Seed 004: A2AT on mesh and torus."""

import sys

from weft_figures import plots, results, tables
from weft_figures.studies.seed_004_averages import FIGURE_6, averages_table

SIDE = "nodes on a side, k"
OVER_NCT1 = "time / theory (NCT 1)"
OVER_OWN = "time / theory (own NCT)"
# Heading, abscissa and ordinate of each figure, and the averages that the paper states.
FIGURES = {
    "fig3": ("One VC per destination, buffers of 2 flits, NCT 1", SIDE, OVER_NCT1, [0.97, 1.25]),
    "fig4": ("2 VCs, buffers of 20 flits, NCT 1, no sync", SIDE, OVER_NCT1, [1.19]),
    "fig5": ("2 VCs, buffers of 20 flits, NCT 1, local sync", SIDE, OVER_NCT1, [1.11]),
    "fig6": ("Buffering: torus, 2 VCs, NCT 1, A2AT", "buffer per VC [flits]", OVER_NCT1, []),
    "crossing": ("Buffering with datelines by crossing: torus, 2 VCs, NCT 1, A2AT",
                 "buffer per VC [flits]", OVER_NCT1, []),
    "fig7": ("NCT 2 and 4: 2 VCs, buffers of 200 flits, A2AT", SIDE, OVER_OWN,
             [1.18, 1.23, 1.28]),
    "cure": ("A2AT in slots, and with balanced datelines: RV32", SIDE, OVER_OWN, []),
}
LABELS = {
    "NCT 4 slots": "NCT 4, a2at_slots",
    "NCT 4 a2at local": "NCT 4, A2AT",
    "NCT 1 a2at local balanced": "NCT 1, A2AT, buffers of 20",
    "NCT 1 a2at local balanced buffer 30": "NCT 1, A2AT, buffers of 30",
    **{f"{kind} {collective}": f"{kind}, {collective.upper()}"
       for kind in ("torus", "mesh") for collective in ("a2at", "a2and")},
    "torus a2at crossing": "torus, A2AT, dateline by crossing",
    **{f"{kind} NCT{controllers} {sync}{rule}": f"{kind}, NCT {controllers}, {words}{rule}"
       for kind in ("torus", "mesh") for controllers in (2, 4) for rule in ("", " crossing")
       for sync, words in (("none", "no sync"), ("local", "local"))},
    **{f"k = {k} {sync}": f"k = {k}, {words}" for k in (5, 7, 9, 11, 17)
       for sync, words in (("none", "no sync"), ("local", "local sync"))},
    "gap 3": "round robin, gap 3",
    "age gap 3": "age, gap 3",
    "balanced": "round robin, balanced",
    "balanced age": "age, balanced",
}

# The curves of figure "cure" that the top README shows, in words that need no paper.
SLOTS = {
    "NCT 4 slots": "A2AT in slots of a packet time",
    "NCT 4 a2at local": "A2AT, paced by arrivals",
}


def message_times(kind, controllers, k):
    """Message times of A2AT by NCT (number of send controllers), Table 1 of the paper."""
    divisors = {("mesh", 1): 3, ("torus", 1): 3, ("mesh", 2): 4, ("torus", 2): 6, ("torus", 4): 8}
    return k * (k + 1) * (k - 1) / divisors[kind, controllers]


def points_of(rows):
    """One line per point: what set it, its cycles, the theory of Table 1 in cycles, and the
    quotient. A point that failed has no cycles."""
    table = tables.Table(["series", "k", "vc_depth", "cycles", "theory_cycles", "over_theory"])
    for row in rows:
        if row["series"].startswith("saturation "):
            continue
        k = results.sizes(row["topology.dims"])[0]
        # A message is a packet of a header and 99 flits.
        theory = 100 * message_times(
            row["topology.kind"], int(row["nic.controllers"]), int(k))
        measured = ["", f"{theory:g}" if theory % 1 else f"{theory:.0f}", ""]
        if row.ended:
            measured[0] = row["cycles"]
            measured[2] = f"{int(row['cycles']) / theory:.4f}"
        table.add(row["series"], k, row["router.vc_depth"], *measured)
    return table


def figure_of(points, figure):
    """Time over theory of each curve over the size of the network or of the buffers."""
    def case(row):
        curve = row["series"].removeprefix(f"{figure} ")
        if figure in FIGURE_6:
            return f"k = {row['k']} {curve}", row["vc_depth"]
        return curve, row["k"]

    return tables.side_by_side(
        "vc_depth" if figure in FIGURE_6 else "k",
        ((*case(row), row["over_theory"]) for row in points
         if row["series"].startswith(f"{figure} ")))


def saturation_rows(rows):
    """The runs under traffic, each with its curve."""
    for row in rows:
        if row["series"].startswith("saturation "):
            yield row["series"].removeprefix("saturation "), row


def saturation_table(rows):
    """Accepted over offered rate, flits per node and cycle: a column for each way of arbitration
    and pacing."""
    return tables.side_by_side("rate", (
        (curve, row["workload.rate"],
         f"{results.number(row['accepted_rate']):.4f}" if row.ended else "")
        for curve, row in saturation_rows(rows)))


def saturation_chart(rows):
    curves = plots.curves_of(saturation_table(rows), labels=LABELS)
    saturated = {(LABELS.get(curve, curve), float(row["workload.rate"]))
                 for curve, row in saturation_rows(rows) if row["saturated"] == "true"}
    for curve in curves:
        curve.saturated = [(curve.name, x) in saturated for x in curve.x]
    offered = sorted({x for curve in curves for x in curve.x})
    return plots.Chart(
        title="Uniform traffic on a 16 x 16 torus, 2 VCs of 8 flits",
        x_label="offered rate [flits/node/cycle]", y_label="accepted rate [flits/node/cycle]",
        curves=curves, bound=plots.Curve("accepted = offered", offered, offered),
        bound_name="accepted = offered")


def chart_of(table, figure):
    heading, x_label, y_label, paper = FIGURES[figure]
    return plots.Chart(
        title=heading, x_label=x_label, y_label=y_label,
        curves=plots.curves_of(table, labels=LABELS),
        x_scale="log" if figure in FIGURE_6 else "linear",
        bound=1.0, bound_name="theory", levels=paper, level_name="paper's mean")


def slots_chart(table):
    """Cycles over the lower bound. With four controllers on an odd torus the theory of Table 1 is
    the bound that Weft prints: what every link must carry."""
    return plots.Chart(
        title="All-to-all on a k x k torus, four send controllers",
        x_label=SIDE, y_label="cycles / lower bound",
        curves=plots.curves_of(table, only=SLOTS, labels=SLOTS),
        bound=1.0, bound_name="lower bound")


def make(out, weft, quick):
    """All tables and pictures in `out`; the averages on standard output."""
    del weft, quick
    rows = results.read(out / "sweep/results.csv")
    points_of(rows).write(out / "points.csv")
    points = results.read(out / "points.csv")
    for figure in FIGURES:
        table = figure_of(points, figure)
        table.write(out / f"{figure}.csv")
        plots.draw_if_any(chart_of(table, figure), out / figure)
        if figure == "cure":
            plots.draw_if_any(slots_chart(table), out / "slots")
    saturation_table(rows).write(out / "saturation.csv")
    plots.draw_if_any(saturation_chart(rows), out / "saturation")
    averages = averages_table(points)
    averages.write(out / "table.csv")
    averages.write(out / "table.md")
    sys.stdout.write(averages.markdown())
    return 0
