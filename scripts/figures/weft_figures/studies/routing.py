"""Routing algorithms: latency and saturation of deterministic, oblivious and adaptive routing."""

import json
import sys

from weft_figures import plots, results, tables
from weft_figures.studies.routing_loads import Dragonfly, Grid, ideal

PATTERNS = {"uniform": "uniform", "transpose": "transpose", "tornado": "tornado",
            "bit_complement": "bit complement", "next_group": "to the next group"}
# Names of curves, and of the routing in routing_loads, which has no adaptive ones.
OBLIVIOUS = {"dimension order": "direct", "minimal": "direct", "O1TURN": "o1turn",
             "Valiant": "valiant"}
COLUMNS = ["figure", "curve", "rate", "accepted", "latency", "p99", "saturated"]
# What was published, as a share of the capacity of an 8-ary 2-cube (a rate of 1 on the torus);
# dragonflies as rates.
GOAL = "Singh et al. 2003, table 1"
DRAGONFLY = "Kim et al. 2008, fig. 8"
PUBLISHED = {
    ("torus_uniform", "dimension order"): ("1", GOAL),
    ("torus_transpose", "dimension order"): ("0.25", GOAL),
    ("torus_tornado", "dimension order"): ("0.33", GOAL),
    ("torus_bit_complement", "dimension order"): ("0.5", GOAL),
    ("dragonfly_uniform", "minimal"): ("near 1", DRAGONFLY),
    ("dragonfly_uniform", "Valiant"): ("near 0.5", DRAGONFLY),
    ("dragonfly_next_group", "minimal"): ("1 / (a h)", DRAGONFLY),
    ("dragonfly_next_group", "Valiant"): ("near 0.5", DRAGONFLY),
    ("dragonfly_next_group", "UGAL"): ("near 0.5", DRAGONFLY),
} | {(f"torus_{pattern}", "Valiant"): ("0.5", GOAL)
     for pattern in ("uniform", "transpose", "tornado", "bit_complement")}


def points_of(rows):
    """One line per run. A run that failed has no figures."""
    table = tables.Table(COLUMNS)
    for row in rows:
        figure, _, curve = row["series"].partition(" ")
        measured = [row[column] for column in
                    ("accepted_rate", "latency_mean", "latency_p99", "saturated")]
        table.add(figure, curve, row["workload.rate"], *(measured if row.ended else [""] * 4))
    return table


def curves_of(points, figure):
    """The lines of each curve of a figure that have a latency."""
    curves = {}
    for row in points:
        if row["figure"] == figure and results.number(row["latency"]) > 0:
            curves.setdefault(row["curve"], []).append(row)
    return curves


def chart_of(curves, title):
    """Latency over the offered rate."""
    return plots.Chart(
        title=title, x_label="offered rate [flits per node and cycle]",
        y_label="mean latency [cycles]", y_scale="log", ticks_at_values=False,
        curves=[plots.Curve(name=name,
                            x=[float(row["rate"]) for row in rows],
                            y=[float(row["latency"]) for row in rows],
                            saturated=[row["saturated"] == "true" for row in rows])
                for name, rows in curves.items()])


def accepted(rows):
    """The highest rate that was accepted at any offered rate."""
    return max(float(row["accepted"]) for row in rows)


def saturation_table(points, networks):
    """For each figure and curve: latency at the lowest rate, the highest accepted rate, and the
    rate that the links allow. `networks`: by figure's first word."""
    table = tables.Table(["network", "traffic", "routing", "latency", "accepted", "links allow",
                          "of that", "published", "source"])
    for figure in figures_of(points):
        kind, _, pattern = figure.partition("_")
        for name, rows in curves_of(points, figure).items():
            limit, share = "", ""
            if name in OBLIVIOUS:
                rate = ideal(networks[kind], pattern, OBLIVIOUS[name])
                limit, share = f"{rate:.3f}", f"{accepted(rows) / min(1, rate):.2f}"
            table.add(kind, PATTERNS[pattern], name, f"{float(rows[0]['latency']):.1f}",
                      f"{accepted(rows):.3f}", limit, share,
                      *PUBLISHED.get((figure, name), ("", "")))
    return table


def ugal_table(points):
    """UGAL beside the better of minimal routing and Valiant's on dragonflies."""
    table = tables.Table(["traffic", "minimal", "Valiant", "UGAL", "UGAL over the better"])
    for figure in figures_of(points):
        curves = curves_of(points, figure)
        if {"minimal", "Valiant", "UGAL"} - set(curves):
            continue
        rates = [accepted(curves[name]) for name in ("minimal", "Valiant", "UGAL")]
        table.add(PATTERNS[figure.partition("_")[2]], *(f"{rate:.3f}" for rate in rates),
                  f"{rates[2] / max(rates[:2]):.2f}")
    return table


def figures_of(points):
    """The names of all figures, in the order of the sweep."""
    return list(dict.fromkeys(row["figure"] for row in points))


def networks_of(rows):
    """What routing_loads must know, from the configurations of the runs."""
    networks = {}
    for row in rows:
        topology = json.loads(row["topology"])
        kind = topology["kind"]
        if kind == "dragonfly":
            networks[kind] = Dragonfly(*(topology[key] for key in "pah"))
        else:
            networks[kind] = Grid(topology["dims"], kind == "torus")
    return networks


def title_of(figure, networks):
    """A figure's title, with the network's size."""
    kind, _, pattern = figure.partition("_")
    sizes = getattr(networks[kind], "sizes", None)
    size = f" {'x'.join(map(str, sizes))}" if sizes else f", {len(networks[kind].nodes)} nodes"
    return f"{kind.capitalize()}{size}: {PATTERNS[pattern]} traffic"


def make(out, weft, quick):
    """All tables and pictures in `out`; saturation and UGAL on standard output."""
    del weft, quick
    rows = results.read(out / "sweep/results.csv")
    networks = networks_of(rows)
    points_of(rows).write(out / "points.csv")
    points = results.read(out / "points.csv")
    for figure in figures_of(points):
        plots.draw_if_any(chart_of(curves_of(points, figure), title_of(figure, networks)),
                          out / figure)
    for name, table in (("table", saturation_table(points, networks)),
                        ("ugal", ugal_table(points))):
        table.write(out / f"{name}.csv")
        table.write(out / f"{name}.md")
        sys.stdout.write(table.markdown() + "\n")
    return 0
