"""Seed 001: nine networks of 1,024 processors, five patterns of traffic."""

import json
import subprocess
import sys

from weft_figures import plots, results, tables
from weft_figures.studies.seed_001_claims import claims_table

HEADINGS = {
    "fig7": "Random traffic",
    "fig8": "Random traffic within quarters",
    "fig9": "Hot spot: 5 % of packets to one node, three seeds",
    "fig10": "Mesh emulation",
    "fig11": "Localized traffic",
    "fig12": "DCE, 8 x 128: cross links that skip delta columns",
}
COLUMNS = ["figure", "curve", "rate", "packets", "latency", "p99", "accepted", "saturated"]

# The networks of table 1: those of 1,024 nodes, then those of 512 K.
NETWORKS = [
    ("(CB)^2", {"kind": "mdce", "n": 4, "B": 2, "C": 0}),
    ("CCCB", {"kind": "mdce", "n": 4, "B": 1, "C": 1}),
    ("CB", {"kind": "dce", "n": 8, "y_bits": 7, "delta": 1}),
    ("CCC", {"kind": "dce", "n": 8, "y_bits": 7, "delta": 0}),
    ("2DM", {"kind": "mesh", "dims": [32, 32]}),
    ("2DT", {"kind": "torus", "dims": [32, 32]}),
    ("3DT", {"kind": "torus", "dims": [8, 8, 16]}),
    ("FT", {"kind": "fat_tree", "levels": 10}),
    ("MIN", {"kind": "omega", "levels": 10}),
]
LARGE_NETWORKS = [
    ("(CB)^2", {"kind": "mdce", "n": 8, "B": 2, "C": 0}),
    ("CCCB", {"kind": "mdce", "n": 8, "B": 1, "C": 1}),
    ("CB", {"kind": "dce", "n": 16, "y_bits": 15, "delta": 1}),
    ("CCC", {"kind": "dce", "n": 16, "y_bits": 15, "delta": 0}),
    ("2DM", {"kind": "mesh", "dims": [1024, 512]}),
    ("2DT", {"kind": "torus", "dims": [1024, 512]}),
    ("3DT", {"kind": "torus", "dims": [64, 64, 128]}),
    ("FT", {"kind": "fat_tree", "levels": 19}),
    ("MIN", {"kind": "omega", "levels": 19}),
]


def points_of(rows, nodes):
    """One line per run: what was offered, the packets that arrived in 10,000 cycles (the paper's
    abscissa) and their latency in cycles. A run that failed has no figures; nor has one in which
    no measured packet arrived."""
    table = tables.Table(COLUMNS)
    for row in rows:
        figure, _, curve = row["series"].partition(" ")
        measured = [""] * 5
        if row.ended and results.number(row["latency_mean"]) > 0:
            accepted = results.number(row["accepted_rate"])
            packets = accepted / results.number(row["workload.packet_flits"]) * nodes * 10000
            measured = [f"{packets:.0f}", row["latency_mean"], row["latency_p99"],
                        row["accepted_rate"], row["saturated"]]
        table.add(figure, curve, row["workload.rate"], *measured)
    return table


def figure_of(points, figure):
    """The lines of one figure."""
    table = tables.Table(COLUMNS)
    for row in points:
        if row["figure"] == figure:
            table.add(*(row[column] for column in COLUMNS))
    return table


def chart_of(points, figure):
    """Latency over delivered packets, a curve for each network through the means of its seeds."""
    runs = {}
    for row in points:
        if row["figure"] == figure and row["packets"]:
            runs.setdefault(row["curve"], {}).setdefault(row["rate"], []).append(row)

    def mean(rows, column):
        return sum(float(row[column]) for row in rows) / len(rows)

    curves = []
    for name, rates in runs.items():
        seeds = rates.values()
        curves.append(plots.Curve(
            name=name.replace("^2", "\N{SUPERSCRIPT TWO}").replace("delta=", "delta = "),
            x=[mean(rows, "packets") / 1000 for rows in seeds],
            y=[mean(rows, "latency") for rows in seeds],
            saturated=[any(row["saturated"] == "true" for row in rows) for rows in seeds]))
    return plots.Chart(
        title=HEADINGS[figure],
        x_label="packets delivered in 10,000 cycles [thousands]",
        y_label="mean latency [cycles]",
        curves=curves, x_scale="log", y_scale="log")


def topology_report(weft, topology):
    """What `weft topo --json` says of a network."""
    done = subprocess.run(
        [weft, "topo", "mdce_uniform", "--set", "router.vcs=null",
         "--set", f"topology={json.dumps(topology)}", "--json", "-"],
        check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def table1(networks, report_of):
    """Table 1 of the paper: exact figures beside the printed ones. `report_of(topology)` is the
    report of a network."""
    table = tables.Table(["network", "nodes", "degree_in", "degree_out", "diameter",
                          "mean_distance", "paper_mean_distance", "unit"])
    for name, topology in networks:
        report = report_of(topology)
        table.add(name, report["nodes"], report["degree_in"], report["degree_out"],
                  report["diameter"], report["mean_distance"],
                  report.get("paper", {}).get("table1", ""), report["distance_unit"])
    return table


def make(out, weft, quick):
    """All tables and pictures in `out`; what the paper claims on standard output."""
    table = points_of(results.read(out / "sweep/results.csv"), 32 if quick else 1024)
    table.write(out / "points.csv")
    points = results.read(out / "points.csv")
    for figure in HEADINGS:
        chart = chart_of(points, figure)
        if chart.curves:
            figure_of(points, figure).write(out / f"{figure}.csv")
        plots.draw_if_any(chart, out / figure)
    networks = NETWORKS + ([] if quick else LARGE_NETWORKS)
    table1(networks, lambda topology: topology_report(weft, topology)).write(out / "table1.csv")
    table = claims_table(points)
    table.write(out / "table.csv")
    table.head[1] = "the paper says"
    table.write(out / "table.md")
    sys.stdout.write(table.markdown())
    return 0
