"""A picture of any sweep from its results.csv: what `weft plot` draws."""

import argparse
import csv
import json
import math
import pathlib
import sys
import warnings

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
ORDINATES = ("latency_mean", "ratio", "cycles")  # The first one with values is drawn.
PLAIN = ("kind", "collective", "traffic", "processor")  # Keys whose values say what they are.
WIDE = 20  # From this quotient of the largest and the least value on a scale is logarithmic.
LARGEST = 1e100  # Largest number that is drawn: such a range still has ticks.
MOST = len(plots.COLOURS)  # Curves that can be told apart.


class Refused(Exception):
    """What cannot be drawn, and why."""


def value_of(cell):
    """The JSON value of a cell, or its text."""
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell


def number_of(value):
    """A value as a number, or nothing; what no picture can have is none."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) <= LARGEST else None


def place_that_differs(cells):
    """The place at which the lists among cells differ, if it is one."""
    lists = [value for value in map(value_of, cells) if isinstance(value, list)]
    if not lists or any(len(one) != len(lists[0]) for one in lists):
        return None
    if len(lists[0]) == 1:
        return 0
    places = [place for place, values in enumerate(zip(*lists))
              if any(value != values[0] for value in values)]
    return places[0] if len(places) == 1 else None


def words_of(path, value):
    """A setting as a legend names it: torus 8 x 8, vc_depth 20, arguments 1, 16."""
    key = path.rpartition(".")[2]
    if isinstance(value, dict):
        words = {name: words_of(name, value[name]) for name in sorted(value)}
        network = " ".join(words.pop(name) for name in ("kind", "dims") if name in words)
        return ", ".join(filter(None, [network, *words.values()]))
    if isinstance(value, list):
        if key == "dims":
            return " \N{MULTIPLICATION SIGN} ".join(str(size) for size in value)
        return f"{key} {', '.join(str(one) for one in value)}"
    if isinstance(value, str) and key in PLAIN:
        return value.replace("_", " ")
    return f"{key} {value}"


class Sweep:
    """The runs of a sweep that ended well, and the columns that set them."""

    def __init__(self, path):
        folder = path if path.is_dir() else path.parent
        if path.is_dir():
            path = path / "results.csv"
            if not path.is_file():
                raise Refused(f"no file {path}: `weft sweep FILE -o {folder}` writes it at its end")
        elif not path.is_file():
            raise Refused(f"no file or folder {path}")
        try:
            rows = results.read(path)
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise Refused(f"{path}: cannot be read: {error}") from error
        if not rows or "engine" not in rows[0] or "status" not in rows[0]:
            raise Refused(f"{path}: no table of `weft sweep`: expected: a line of names with engine "
                          "and status, and a line for each run")
        for number, row in enumerate(rows, 2):
            if None in row or None in row.values():
                raise Refused(f"{path}: line {number}: another number of cells than names")
        self.folder = folder
        self.name = folder.resolve().name
        self.rows = [row for row in rows if row.ended]
        self.failed = len(rows) - len(self.rows)
        if not self.rows:
            raise Refused(f"{path}: no run has ended well")
        self.columns = list(self.rows[0])
        # Those between the series and the engine are what the axes and `set` changed.
        before = self.columns[:self.columns.index("engine")]
        self.settings = [column for column in before if column not in ("series", "label", "seed")]

        self.places = {column: place_that_differs({row[column] for row in self.rows})
                       for column in self.columns}

    def number(self, row, column):
        """A cell as a number, or nothing. Sizes like "[8,8]" are so many nodes; of other lists,
        like the arguments of programs, it is the element that differs in the sweep, if one does."""
        value = value_of(row[column])
        if not isinstance(value, list):
            return number_of(value)
        if column.rpartition(".")[2] != "dims":
            place = self.places[column]
            return None if place is None else number_of(value[place])
        numbers = [number_of(one) for one in value]
        return math.prod(numbers) if numbers and None not in numbers else None

    def numbers(self, column):
        """The numbers of a column, or nothing."""
        return [number for row in self.rows if (number := self.number(row, column)) is not None]

    def label(self, column):
        """What an axis says."""
        place = self.places[column]
        if place is not None and column.rpartition(".")[2] == "arguments":
            return f"argument {place}"
        return AXES.get(column, column)

    def varies(self, column):
        return len(set(self.numbers(column))) > 1

    def columns_of(self, name):
        """The columns that a name means: that column; or those that end in it, as rate does in
        workload.rate; or those of its parts, as topology.kind is of topology."""
        for matches in (name.__eq__, lambda column: column.endswith(f".{name}"),
                        lambda column: column.startswith(f"{name}.")):
            found = [column for column in self.columns if matches(column)]
            if found:
                return found
        raise Refused(f"no column {name}; there are: {', '.join(self.columns)}")

    def column_of(self, name):
        """The column of numbers that a name means."""
        found = self.columns_of(name)
        numbers = [column for column in found if self.numbers(column)]
        if not numbers:
            raise Refused(f"column {found[0]} has no numbers; those with numbers: "
                          f"{', '.join(name for name in self.columns if self.numbers(name))}")
        if len(numbers) > 1:
            raise Refused(f"{name} may be each of {', '.join(numbers)}: expected: one of them")
        return numbers[0]

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


def label_of(rows):
    """The label that all of these runs have, or nothing."""
    labels = {row["label"] for row in rows}
    return labels.pop() if len(labels) == 1 else ""


def check_mixed(sweep, x, columns):
    """Refuses curves of runs that differ in more than their seed at one abscissa."""
    known = {}
    for row in sweep.rows:
        key = (row["series"], row[x], *(row[column] for column in columns))
        first = known.setdefault(key, row)
        for column in sweep.settings:
            if first[column] != row[column]:
                raise Refused(f"at {x} {row[x]} a curve would have runs of {column} "
                              f"{first[column]} and {row[column]}: expected: --series {column}, too")


def curves_of(sweep, x, y, series=None):
    """A curve for each series and each combination of the columns `series`, by default all
    settings that are not along it, through the means of the seeds."""
    along = sweep.along(x)
    others = [column for column in sweep.settings if column != along]
    if series is not None:
        check_mixed(sweep, along or x, series)
        others = series
    groups, cells = {}, {}
    for row in sweep.rows:
        name = row["series"]
        for column in others:
            cells.setdefault((name, column), set()).add(row[column])
        if sweep.number(row, x) is None or sweep.number(row, y) is None:
            continue
        key = (name, *(row[column] for column in others))
        groups.setdefault(key, {}).setdefault(row[along] if along else row[x], []).append(row)
    labels = {key: label_of([row for rows in points.values() for row in rows])
              for key, points in groups.items()}

    def told(column):
        """Whether the label tells the value of a column."""
        at = others.index(column) + 1
        values = {}
        for key, label in labels.items():
            values.setdefault(label, set()).add(key[at])
        return all(label and len(cells) == 1 for label, cells in values.items())

    def name_of(key):
        words = [words_of(column, value_of(value)) for column, value in zip(others, key[1:])
                 if value and len(cells[key[0], column]) > 1 and not told(column)]
        return ", ".join(filter(None, [key[0], labels[key], *words])) or sweep.name

    curves = []
    for key, points in groups.items():
        order = along or x
        points = sorted(points.values(), key=lambda rows: sweep.number(rows[0], order) or 0)
        saturated = [any(row["saturated"] == "true" for row in rows) for rows in points]
        curves.append(plots.Curve(
            name=name_of(key),
            x=[mean([sweep.number(row, x) for row in rows]) for rows in points],
            y=[mean([sweep.number(row, y) for row in rows]) for rows in points],
            # Saturation is the end of a curve only where the load grows along it.
            saturated=saturated if any(saturated) and x in RATES else None))
    return curves


def scale_of(column, values):
    """Of rates linear, as load curves have it; of other values by how far apart they are."""
    wide = column not in RATES and min(values) > 0 and max(values) >= WIDE * min(values)
    return "log" if wide else "linear"


def chart_of(sweep, x, y, series=None):
    curves = curves_of(sweep, x, y, series)
    if not curves:
        raise Refused(f"no run has both {x} and {y}")
    if len(curves) > MOST:
        raise Refused(f"{len(curves)} curves, of which {MOST} can be told apart: take another "
                      "column as --x, or sweep less")
    if len({plots.shortened(curve.name) for curve in curves}) < len(curves):
        raise Refused("curves whose names differ only in their middle: expected: a label beside "
                      "what the sweep sets")
    xs = [value for curve in curves for value in curve.x]
    chart = plots.Chart(
        title="", x_label=sweep.label(x), y_label=sweep.label(y), curves=curves,
        x_scale=scale_of(x, xs), y_scale=scale_of(y, [v for curve in curves for v in curve.y]),
        # A measured abscissa has no round values.
        ticks_at_values=x in sweep.settings)
    if y == "ratio":
        chart.bound, chart.bound_name = 1.0, "lower bound"
    if y == "accepted_rate" and x in ("offered_rate", "workload.rate"):
        chart.bound_name = "accepted = offered"
        chart.bound = plots.Curve(chart.bound_name, sorted(set(xs)), sorted(set(xs)))
    return chart


def files_of(folder, out):
    """Where the picture goes, and the endings of its files: that of FILE, or all."""
    path = pathlib.Path(out) if out else folder / "plot"
    if not path.parent.is_dir():
        raise Refused(f"no folder {path.parent}")
    if path.suffix in plots.METADATA:
        return path, (path.suffix,)
    # Only the last ending is replaced, so that a name may have a dot.
    return path.with_name(f"{path.name}.svg"), tuple(plots.METADATA)


def main():
    parser = argparse.ArgumentParser(prog="weft plot")
    parser.add_argument("sweep", type=pathlib.Path)
    parser.add_argument("--x")
    parser.add_argument("--y")
    parser.add_argument("--series", action="append")
    parser.add_argument("-o", dest="out")
    options = parser.parse_args()
    # Letters that the font lacks are in the SVG all the same, as it names other fonts.
    warnings.filterwarnings("ignore", "Glyph")
    try:
        sweep = Sweep(options.sweep)
        x = sweep.column_of(options.x) if options.x else sweep.default_x()
        if x is None:
            raise Refused("no axis of the sweep has several numbers: choose a column with --x; "
                          f"there are: {', '.join(sweep.columns)}")
        y = options.y or next(filter(sweep.numbers, ORDINATES), ORDINATES[0])
        series = options.series and [column for name in options.series
                                     for column in sweep.columns_of(name)]
        chart = chart_of(sweep, x, sweep.column_of(y), series)
        path, endings = files_of(sweep.folder, options.out)
        plots.draw(chart, path, endings)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename or options.sweep}: {error.strerror}", file=sys.stderr)
        return 2
    if sweep.failed:
        print(f"not drawn       {sweep.failed} runs that failed")
    print(f"picture         {', '.join(str(path.with_suffix(ending)) for ending in endings)}")
    return 0
