"""Seed 000: grouped by hops, against direct all-to-alls."""

import operator
import re
import sys

from weft_figures import plots, results, tables

HEADINGS = {
    "torus": "All-to-all, each collective at its best",
    "torus_odd": "All-to-all, each collective at its best",
    "mesh": "All-to-all, each collective at its best",
    "torus3d": "All-to-all, each collective at its best",
    "torus3d_large": "All-to-all, each collective at its best",
    "pacing": "Pacing under round robin",
    "pacing3d": "Pacing under round robin",
    "barrier": "Barrier between steps",
    "rv32": "Native and RV32 processors",
    "rv32_3d": "Native and RV32 processors",
    "waits": "Store and forward, packets of 100 flits",
    "buffers": "Blocks of 252 flits, round robin",
}
# The column of the abscissa in the table of a figure, and its name in the picture.
ABSCISSAS = {
    "waits": ("k", "nodes on a side, k"),
    "buffers": ("vc_depth", "buffer per VC [flits]"),
}
BLOCK = ("message_flits", "block size [flits]")


def rows(rows):
    """One line per run: what set it, abscissa, cycles, bound in cycles, and the ordinate, which is
    their quotient, or of "waits" the cycles that packets waited, per packet. A run that failed has
    no cycles."""
    table = tables.Table(
        ["figure", "network", "curve", "variant", "x", "cycles", "bound_cycles", "y"])
    for row in rows:
        figure = row["series"].split(" ")[0]
        collective = row["workload.collective"]
        dims = " x ".join(results.sizes(row["topology.dims"]))
        gap = "no gap" if row["nic.gap"] == "none" else f"gap {row['nic.gap']}"
        curve = collective
        variant = gap if collective.startswith("hop_") else f"sync {row['workload.sync']}"
        x = row["router.vc_depth" if figure == "buffers" else "workload.message_flits"]
        y = results.number(row["ratio"])
        if figure.startswith("pacing"):
            curve, variant = f"{collective} {gap}", ""
        elif figure == "barrier":
            curve, variant = f"{collective} {row['barrier']}", ""
        elif figure.startswith("rv32"):
            curve = f"{collective} {row['processor']}"
        elif figure == "waits":
            curve, variant = f"{collective} {gap} {row['processor']}", ""
            x, dims = dims.split(" ")[0], "k x k"
            if row.ended:
                waits = sum(results.number(row[f"waits_{what}"])
                            for what in ("link", "vc", "credit", "hol_blocked"))
                y = waits / results.number(row["packets"])
        measured = [row["cycles"], row["bound_cycles"], f"{y:.4f}"] if row.ended else [""] * 3
        table.add(figure, f"{row['topology.kind']} {dims}", curve, variant, x, *measured)
    return table


def figure_of(points, figure):
    """The ordinate of each curve at its best variant over the abscissa; last the bound itself."""
    x_name, _ = ABSCISSAS.get(figure, BLOCK)
    table = tables.side_by_side(
        x_name, ((row["curve"], row["x"], row["y"]) for row in points if row["figure"] == figure),
        better=operator.lt)
    if figure != "waits":
        table.head.append("bound")
        for cells in table.rows:
            cells.append("1")
    return table


def fastest_table(points):
    """For each network and size hop_group, the cycles of each other collective over those of
    hop_group, each at its best variant, and the fastest of all."""
    rows, curves, best = {}, {}, {}
    for row in points:
        if not re.match("torus|mesh", row["figure"]) or not row["cycles"]:
            continue
        point = row["figure"], row["x"]
        rows.setdefault(point, row)
        curves[row["curve"]] = True
        cycles = int(row["cycles"])
        if (point, row["curve"]) not in best or cycles < best[point, row["curve"]][0]:
            best[point, row["curve"]] = cycles, row["variant"]
    others = [curve for curve in curves if curve != "hop_group"]
    table = tables.Table(["network", "flits", "bound", "hop_group", "over bound",
                          *(f"{curve} / hop_group" for curve in others), "fastest", "at"])
    for point, row in rows.items():
        # Where hop_group failed nothing can be compared with it.
        own, _ = best.get((point, "hop_group"), (None, None))
        cycles = {curve: best[point, curve][0] for curve in ["hop_group", *others]
                  if (point, curve) in best}
        ratios = [f"{cycles[curve] / own:.2f}" if own and curve in cycles else "-"
                  for curve in others]
        fastest = min(cycles, key=cycles.get)
        table.add(row["network"], row["x"], row["bound_cycles"], own or "-",
                  f"{own / int(row['bound_cycles']):.3f}" if own else "-", *ratios, fastest,
                  best[point, fastest][1])
    return table


def chart_of(table, figure, network):
    """The picture of a figure's table. Axes are logarithmic but for waits, which may be none."""
    waits = figure == "waits"
    return plots.Chart(
        title=f"{HEADINGS[figure]}, {network}",
        x_label=ABSCISSAS.get(figure, BLOCK)[1],
        y_label="waiting time [cycles/packet]" if waits else "completion time / bound",
        curves=plots.curves_of(table, without=("bound",)),
        x_scale="linear" if waits else "log",
        y_scale="linear" if waits else "log",
        bound=None if waits else 1.0)


def make(out, weft, quick):
    """All tables and pictures in `out`; who is fastest on standard output."""
    del weft, quick
    table = rows(results.read(out / "sweep/results.csv"))
    table.write(out / "points.csv")
    points = results.read(out / "points.csv")
    for figure in HEADINGS:
        network = next((row["network"] for row in points if row["figure"] == figure), "")
        table = figure_of(points, figure)
        table.write(out / f"{figure}.csv")
        plots.draw_if_any(chart_of(table, figure, network), out / figure)
    table = fastest_table(points)
    table.write(out / "table.csv")
    table.write(out / "table.md")
    sys.stdout.write(table.markdown())
    return 0
