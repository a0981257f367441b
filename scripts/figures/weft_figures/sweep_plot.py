"""A picture of any sweep from its results.csv: called by scripts/plot.sh."""

import argparse
import json
import math
import pathlib
import sys

from weft_figures import plots, results

# What a reader sees for a column; any other column is its own label.
AXES = {
    "offered_rate": "offered rate [flits/node/cycle]",
    "accepted_rate": "accepted rate [flits/node/cycle]",
    "workload.rate": "offered rate [flits/node/cycle]",
    "latency_mean": "mean latency [cycles]",
    "latency_p50": "median latency [cycles]",
    "latency_p99": "99th percentile of latency [cycles]",
    "latency_max": "largest latency [cycles]",
    "cycles": "time [cycles]",
    "ratio": "cycles / lower bound",
    "bound_cycles": "lower bound [cycles]",
    "router.vc_depth": "buffer per VC [flits]",
    "workload.message_flits": "message [flits]",
    "workload.packet_flits": "packet [flits]",
    "topology.dims": "nodes",
}
RATES = ("offered_rate", "accepted_rate", "workload.rate")
ORDINATES = ("latency_mean", "ratio", "cycles")  # The first that has values.
PLAIN = ("kind", "collective", "traffic", "processor")  # Keys whose values say what they are.
WIDE = 20  # From this quotient of the largest and the least value on a scale is logarithmic.
MOST = len(plots.COLOURS)  # Curves that can be told apart.


class Refused(Exception):
    """What cannot be drawn, and why."""


def value_of(cell):
    """The JSON value of a cell, or its text."""
    try:
        return json.loads(cell)
    except ValueError:
        return cell


def number_of(cell):
    """A cell as a number, or nothing; sizes like "[8,8]" are so many nodes."""
    value = value_of(cell)
    numbers = value if isinstance(value, list) and value else [value]
    if any(isinstance(one, bool) or not isinstance(one, (int, float)) for one in numbers):
        return None
    return float(math.prod(numbers))


def words_of(path, value):
    """A setting as a legend names it: torus 8 x 8, vc_depth 20."""
    key = path.rpartition(".")[2]
    if isinstance(value, dict):
        words = {name: words_of(name, value[name]) for name in sorted(value)}
        network = " ".join(words.pop(name) for name in ("kind", "dims") if name in words)
        return ", ".join(filter(None, [network, *words.values()]))
    if isinstance(value, list):
        return " \N{MULTIPLICATION SIGN} ".join(str(size) for size in value)
    if isinstance(value, str) and key in PLAIN:
        return value.replace("_", " ")
    return f"{key} {value}"


class Sweep:
    """The runs of a sweep that ended well, and the columns that set them."""

    def __init__(self, folder):
        path = folder / "results.csv"
        if not folder.is_dir():
            raise Refused(f"no folder {folder}")
        if not path.is_file():
            raise Refused(f"no file {path}: `weft sweep FILE -o {folder}` writes it at its end")
        rows = results.read(path)
        self.name = folder.resolve().name
        self.rows = [row for row in rows if row.ended]
        self.failed = len(rows) - len(self.rows)
        if not self.rows:
            raise Refused(f"{path}: no run has ended well")
        self.columns = list(self.rows[0])
        # Those between the series and the engine are what the axes and `set` changed.
        before = self.columns[:self.columns.index("engine")] if "engine" in self.columns else []
        self.settings = [column for column in before if column not in ("series", "seed")]

    def numbers(self, column):
        """The numbers of a column, or nothing."""
        return [number for row in self.rows if (number := number_of(row[column])) is not None]

    def varies(self, column):
        return len(set(self.numbers(column))) > 1

    def check(self, column):
        """Refuses a column that is missing or that has no numbers."""
        if column not in self.columns:
            raise Refused(f"no column {column}; there are: {', '.join(self.columns)}")
        if not self.numbers(column):
            raise Refused(f"column {column} has no numbers; those with numbers: "
                          f"{', '.join(name for name in self.columns if self.numbers(name))}")
        return column

    def default_x(self):
        """The offered rate under traffic, else the first number that the sweep changed."""
        if "offered_rate" in self.columns:
            return "offered_rate"
        return next(filter(self.varies, self.settings), None)

    def along(self, x):
        """The setting that changes along a curve: a measured abscissa follows from one."""
        candidates = [x, "workload.rate", *filter(self.varies, self.settings)]
        return next((column for column in candidates if column in self.settings), None)


def mean(values):
    return sum(values) / len(values)


def curves_of(sweep, x, y):
    """A curve for each series and each combination of the settings that are not along it, through
    the means of the seeds."""
    along = sweep.along(x)
    others = [column for column in sweep.settings if column != along]
    groups, cells = {}, {}
    for row in sweep.rows:
        series = row["series"]
        for column in others:
            cells.setdefault((series, column), set()).add(row[column])
        if number_of(row[x]) is None or number_of(row[y]) is None:
            continue
        key = (series, *(row[column] for column in others))
        groups.setdefault(key, {}).setdefault(row[along] if along else row[x], []).append(row)

    def name_of(series, *values):
        words = [words_of(column, value_of(value)) for column, value in zip(others, values)
                 if value and len(cells[series, column]) > 1]
        return ", ".join(filter(None, [series, *words])) or sweep.name

    curves = []
    for key, points in groups.items():
        points = [points[cell] for cell in sorted(points, key=lambda cell: number_of(cell) or 0)]
        saturated = [any(row["saturated"] == "true" for row in rows) for rows in points]
        curves.append(plots.Curve(
            name=name_of(*key),
            x=[mean([number_of(row[x]) for row in rows]) for rows in points],
            y=[mean([number_of(row[y]) for row in rows]) for rows in points],
            # Saturation is the end of a curve only where the load grows along it.
            saturated=saturated if any(saturated) and x in RATES else None))
    return curves


def scale_of(column, values):
    """Of rates linear, as load curves have it; of other values by how far apart they are."""
    wide = column not in RATES and min(values) > 0 and max(values) >= WIDE * min(values)
    return "log" if wide else "linear"


def chart_of(sweep, x, y):
    curves = curves_of(sweep, x, y)
    if not curves:
        raise Refused(f"no run has both {x} and {y}")
    if len(curves) > MOST:
        raise Refused(f"{len(curves)} curves, of which {MOST} can be told apart: take another "
                      "column as -x, or sweep less")
    xs = [value for curve in curves for value in curve.x]
    chart = plots.Chart(
        title="", x_label=AXES.get(x, x), y_label=AXES.get(y, y), curves=curves,
        x_scale=scale_of(x, xs), y_scale=scale_of(y, [v for curve in curves for v in curve.y]),
        # A measured abscissa has no round values.
        ticks_at_values=x in sweep.settings)
    if y == "ratio":
        chart.bound, chart.bound_name = 1.0, "lower bound"
    if y == "accepted_rate" and x in ("offered_rate", "workload.rate"):
        chart.bound_name = "accepted = offered"
        chart.bound = plots.Curve(chart.bound_name, sorted(set(xs)), sorted(set(xs)))
    return chart


def picture_path(folder, out):
    """Where the pictures go, without their endings; SVG and PNG are made in any case."""
    path = pathlib.Path(out) if out else folder / "plot"
    if not path.parent.is_dir():
        raise Refused(f"no folder {path.parent}")
    # The ending which is put in their place is the last one, so that a name may have a dot.
    return path if path.suffix in (".svg", ".png") else path.with_name(f"{path.name}.svg")


def main():
    parser = argparse.ArgumentParser(prog="scripts/plot.sh", description=(
        "Draws a sweep: a curve for each series and each combination of its axes, through the "
        "means of its seeds, as SVG and PNG; runs beyond saturation have broken lines and open "
        "markers."))
    parser.add_argument("dir", type=pathlib.Path, metavar="DIR",
                        help="folder with the results.csv of `weft sweep`")
    parser.add_argument("-x", metavar="COLUMN", help="abscissa (default: offered_rate if there is "
                        "such a column, else the first axis of numbers)")
    parser.add_argument("-y", metavar="COLUMN", help="ordinate (default: latency_mean, ratio or "
                        "cycles, the first that there is)")
    parser.add_argument("-o", metavar="FILE", help="FILE.svg and FILE.png (default: DIR/plot)")
    options = parser.parse_args()
    try:
        sweep = Sweep(options.dir)
        x = options.x or sweep.default_x()
        if x is None:
            raise Refused("no axis of the sweep has several numbers: choose a column with -x; "
                          f"there are: {', '.join(sweep.columns)}")
        y = options.y or next(filter(sweep.numbers, ORDINATES), ORDINATES[0])
        chart = chart_of(sweep, sweep.check(x), sweep.check(y))
        path = picture_path(options.dir, options.o)
    except Refused as reason:
        print(f"scripts/plot.sh: {reason}", file=sys.stderr)
        return 2
    if sweep.failed:
        print(f"runs that failed, not drawn: {sweep.failed}", file=sys.stderr)
    plots.draw(chart, path)
    print(f"picture         {path.with_suffix('.svg')}, {path.with_suffix('.png')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
