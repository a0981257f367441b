"""Seed 003: allreduce on system boards."""

import json
import sys

from weft_figures import plots, results, tables
from weft_figures.studies.seed_003_link_time import link_time_table
from weft_figures.studies.seed_003_states import make_states
from weft_figures.studies.seed_003_steps import steps_table

DIMENSIONS = "WXYZ"
# What is drawn over the size of the array: name, column of points.csv, ordinate, its scale.
FIGURES = [
    ("size", "cycles", "completion time [cycles]", "log"),
    ("moved", "moved", "data over all links [bytes]", "log bytes"),
    ("busiest", "busiest", "data over the busiest link [bytes]", "log bytes"),
]
# Names of curves in the pictures; the tables have the words of the configuration.
LABELS = {
    "nested alphabetical": "nested, alphabetical",
    "nested bandwidth": "nested, by bandwidth",
    "nested bandwidth stored": "nested, stored",
    "nested bandwidth chunks 4": "nested, 4 chunks",
    "nested bandwidth chunks 8": "nested, 8 chunks",
    "rabenseifner": "Rabenseifner",
    "recursive_doubling": "recursive doubling",
}
# Upper ends of the classes of quotients in the table of orders.
CLASSES = [(0.8, "below 0.8"), (0.9, "0.8 to 0.9"), (0.95, "0.9 to 0.95"), (1, "0.95 to 1")]


def points_of(rows):
    """One line per run: figure, network, curve, bytes of an array, what was varied besides (order
    of the dimensions, steps), cycles, the bound in cycles, bytes over all links and over the
    busiest one, headers included, and flits over the links of a dimension where they were
    counted. A run that failed has none of these."""
    table = tables.Table(["figure", "network", "curve", "bytes", "order", "steps", "cycles",
                          "bound_cycles", "moved", "busiest", *DIMENSIONS])
    for row in rows:
        figure, _, curve = row["series"].partition(" ")
        topology = json.loads(row["topology"])
        workload = json.loads(row["workload"])
        dims = results.sizes(row["topology.dims"] or json.dumps(topology["dims"]))
        setting = [row[f"workload.{key}"] or workload.get(key, "")
                   for key in ("bytes", "order", "steps")]
        measured = [""] * 8
        if row.ended:
            moved = [f"{8 * results.number(row[column]):.0f}"
                     for column in ("flit_hops", "max_link_load")]
            measured = [row["cycles"], row["bound_cycles"], *moved,
                        *(row[f"link_flits_{dimension}"] for dimension in DIMENSIONS)]
        table.add(figure, f"{'x'.join(dims)} {topology['mains']}+{topology['aggregators']}",
                  curve, *setting, *measured)
    return table


def figure_of(points, figure, column):
    """A column of the points over the size of the array; of cycles last the bound."""
    points = [row for row in points if row["figure"] == figure]
    table = tables.side_by_side(
        "bytes", ((row["curve"], row["bytes"], row[column]) for row in points), sort=True)
    if column == "cycles":
        bounds = {row["bytes"]: row["bound_cycles"] for row in points if row["bound_cycles"]}
        table.head.append("bound")
        for cells in table.rows:
            cells.append(bounds.get(cells[0], tables.MISSING))
    return table


def fastest_table(points):
    """For each network and size the fastest, its cycles, the same over the bound, and the cycles
    of each curve over these."""
    cases, curves, cycles = {}, {}, {}
    for row in points:
        if not row["figure"].startswith("size") or not row["cycles"]:
            continue
        case = row["network"], row["bytes"]
        cases.setdefault(case, int(row["bound_cycles"]))
        curves[row["curve"]] = True
        cycles[case, row["curve"]] = int(row["cycles"])
    table = tables.Table(["network", "bytes", "fastest", "cycles", "over bound", *curves])
    for case, bound in cases.items():
        here = {curve: cycles[case, curve] for curve in curves if (case, curve) in cycles}
        fastest = min(here, key=here.get)
        least = here[fastest]
        table.add(*case, fastest, least, f"{least / bound:.2f}",
                  *(f"{here[curve] / least:.2f}" if curve in here else "-" for curve in curves))
    return table


def orders_of(points):
    """Both orders of the dimensions beside each other: for each network and size of the array its
    cycles in alphabetical order, by falling bandwidth, and their quotient, the least first. Those
    of which a run failed are left out and named on standard error."""
    cycles = {}
    for row in points:
        if row["figure"] == "orders":
            name = f"{row['network']} {row['bytes']}"
            cycles.setdefault(name, {})[row["order"]] = row["cycles"]
    table = tables.Table(["network and bytes", "alphabetical", "bandwidth", "ratio"])
    for name, order in cycles.items():
        alphabetical, bandwidth = order.get("alphabetical"), order.get("bandwidth")
        if not alphabetical or not bandwidth:
            print(f"orders: {name}: a run has failed", file=sys.stderr)
            continue
        table.add(name, alphabetical, bandwidth, f"{int(bandwidth) / int(alphabetical):.4f}")
    table.rows.sort(key=lambda cells: (float(cells[3]), cells[0].encode()))
    return table


def orders_summary(orders):
    """How many networks and sizes are in which class of quotients, as Markdown, and whether the
    order by bandwidth is slower nowhere."""
    classes = [words for _, words in CLASSES] + ["the same cycles", "slower"]
    count = dict.fromkeys(classes, 0)
    least, slower = None, []
    for name, alphabetical, bandwidth, text in orders.rows:
        ratio = int(bandwidth) / int(alphabetical)
        where = next((words for end, words in CLASSES if ratio < end), None)
        if where is None:
            where = "the same cycles" if ratio == 1 else "slower"
        count[where] += 1
        if where == "slower":
            slower.append(f"{name} ({text})")
        if least is None or ratio < least[0]:
            least = ratio, name
    table = tables.Table(["bandwidth / alphabetical", "networks and sizes"], rule="---")
    for words, networks in count.items():
        table.add(words, networks)
    text = table.markdown()
    if least:
        text += f"\nLeast: {least[0]:.3f}, {least[1]}\n"
    if slower:
        print("orders: by bandwidth slower than alphabetical: " + " ".join(slower),
              file=sys.stderr)
    if not orders.rows:
        print("orders: no network has both runs", file=sys.stderr)
    return text, bool(orders.rows) and not slower


def sorted_quotients(orders):
    """The quotients of both orders over their rank."""
    table = tables.Table(["network", "bandwidth / alphabetical"])
    for rank, ratio in enumerate(orders.column("ratio"), 1):
        table.add(rank, ratio)
    return table


def draw_sizes(points, out):
    for suffix in ("", "_large"):
        rows = [row for row in points if row["figure"] == f"size{suffix}"]
        if not rows:
            continue
        for name, column, y_label, y_scale in FIGURES:
            table = figure_of(rows, f"size{suffix}", column)
            table.write(out / f"{name}{suffix}.csv")
            dims, units = rows[0]["network"].split(" ")
            bound = plots.curves_of(table, only=("bound",))
            plots.draw_if_any(plots.Chart(
                title=f"Allreduce, boards {dims}, {units} units each",
                x_label="size of each array [bytes]", y_label=y_label,
                curves=plots.curves_of(table, without=("bound",), labels=LABELS),
                x_scale="log binary", y_scale=y_scale,
                bound=bound[0] if bound else None), out / f"{name}{suffix}")


def draw_orders(orders, out):
    table = sorted_quotients(orders)
    table.write(out / "orders.csv")
    plots.draw_if_any(plots.Chart(
        title="Dimensions by falling bandwidth",
        x_label="networks and sizes, sorted", y_label="cycles / cycles in alphabetical order",
        curves=plots.curves_of(table, labels={"bandwidth / alphabetical": "by bandwidth"}),
        bound=1.0, bound_name="alphabetical"), out / "orders")


def make(out, weft, quick):
    """All tables and pictures in `out`, the tables on standard output. Exit status 1 where the
    order of dimensions by bandwidth is slower than the alphabetical one, or a step leaves other
    values than those of halving and doubling."""
    del quick
    table = points_of(results.read(out / "sweep/results.csv"))
    table.write(out / "points.csv")
    points = results.read(out / "points.csv")
    draw_sizes(points, out)
    orders = orders_of(points)
    orders.write(out / "orders_sizes.csv")
    draw_orders(orders, out)
    made = {"table": fastest_table(points), "link_time": link_time_table(points),
            "steps": steps_table(points)}
    for name, table in made.items():
        table.write(out / f"{name}.csv")
        table.write(out / f"{name}.md")
    summary, faster = orders_summary(orders)
    (out / "orders.md").write_text(summary, encoding="utf-8")
    right = make_states(out, weft)
    print(made["table"].markdown(), made["link_time"].markdown(), summary,
          made["steps"].markdown(), sep="\n", end="")
    return 0 if faster and right else 1
