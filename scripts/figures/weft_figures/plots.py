"""Pictures of curves in one house style: a column of a paper wide, SVG, PNG and PDF."""

import dataclasses
import re
import sys
import textwrap

import matplotlib
import matplotlib.style

matplotlib.use("Agg")

from matplotlib import pyplot, ticker  # noqa: E402  The backend comes first.
from matplotlib.lines import Line2D  # noqa: E402

from weft_figures import tables, ticks  # noqa: E402
from weft_figures.legend import place_legend, shortened  # noqa: E402

WIDTH = 3.5  # Inches: a column of a paper of two columns.
HEIGHT = 2.6  # Inches, without the space that a legend may need above.
FONT = 8  # Points, of all text.
DPI = 200  # Resolution of the PNG.
GREY = "#595959"
STYLE = {
    "axes.grid": True, "axes.labelsize": FONT, "axes.linewidth": 0.6,
    "axes.spines.right": False, "axes.spines.top": False, "axes.titlelocation": "left",
    "axes.titlepad": 5, "axes.titlesize": FONT,
    "figure.constrained_layout.h_pad": 0.03, "figure.constrained_layout.use": True,
    "figure.constrained_layout.w_pad": 0.03, "figure.dpi": DPI,
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],
    "font.size": FONT,
    "grid.color": "#E3E3E3", "grid.linewidth": 0.5,
    "legend.borderaxespad": 0, "legend.borderpad": 0.3, "legend.columnspacing": 0.8,
    "legend.fontsize": FONT, "legend.frameon": False, "legend.handlelength": 1.7,
    "legend.handletextpad": 0.5, "legend.labelspacing": 0.25,
    "lines.linewidth": 1.1, "lines.markeredgewidth": 0.5,
    "mathtext.default": "regular",
    "pdf.fonttype": 42,  # Letters as TrueType, which journals ask for.
    "svg.fonttype": "none", "svg.hashsalt": "weft",
    "xtick.labelsize": FONT, "xtick.major.width": 0.6, "xtick.minor.width": 0.4,
    "ytick.labelsize": FONT, "ytick.major.width": 0.6, "ytick.minor.width": 0.4,
}
# Colours of Okabe and Ito without yellow and black, and four that differ from them in lightness:
# told apart without red or green. Each has a marker of its own, with its size in points.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#882255", "#999933",
           "#332288", "#777777"]
MARKERS = [("o", 4.6), ("s", 4.2), ("^", 4.8), ("D", 3.7), ("v", 4.8), ("P", 5.6), ("X", 5.4),
           ("<", 4.8), (">", 4.8), ("*", 6.6)]
COINCIDING = 1  # Points between curves that run together.
MARKED = 40  # Curves of more points have no markers.


@dataclasses.dataclass
class Curve:
    """A curve by its points; `saturated` says of each whether it is beyond saturation."""

    name: str
    x: list
    y: list
    saturated: list = None

    @property
    def below_saturation(self):
        """How many points are before saturation."""
        saturated = self.saturated or []
        return saturated.index(True) if True in saturated else len(self.x)


@dataclasses.dataclass
class Chart:
    """A picture of curves. Scales: linear, log, of bytes "log binary" (powers of two) and
    "log bytes" (powers of ten). `bound` is what no curve can pass, a curve or a value. `levels`
    are values to compare with, written at their lines."""

    title: str
    x_label: str
    y_label: str
    curves: list
    x_scale: str = "linear"
    y_scale: str = "linear"
    bound: object = None
    bound_name: str = "bound"
    levels: list = dataclasses.field(default_factory=list)
    level_name: str = ""
    ticks_at_values: bool = True  # Where there are few abscissas, ticks are at them.


def curves_of(table, without=(), only=None, labels=None):
    """The columns of a table of curves that have values, by the names that `labels` gives them."""
    x = [float(text) for text in table.column(table.head[0])]
    curves = []
    for at, name in enumerate(table.head[1:], 1):
        if name in without or (only is not None and name not in only):
            continue
        points = [(x[i], float(cells[at])) for i, cells in enumerate(table.rows)
                  if cells[at] != tables.MISSING]
        if points:
            curves.append(Curve((labels or {}).get(name, name), *map(list, zip(*points))))
    return curves


def draw_if_any(chart, path):
    """Draws a picture that has a curve; else says so and leaves no older one."""
    if chart.curves:
        draw(chart, path)
        return
    print(f"{path.name}: no run has ended well: no picture", file=sys.stderr)
    for ending in (".svg", ".png"):
        path.with_suffix(ending).unlink(missing_ok=True)


# By ending: what the file says about its making. Nothing, so that equal pictures are equal files.
METADATA = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def draw(chart, path, endings=(".svg", ".png")):
    """Writes `path` with each of the endings."""
    with matplotlib.style.context(STYLE, after_reset=True):  # Not the user's own.
        figure = figure_of(chart)
        for ending in endings:
            figure.savefig(path.with_suffix(ending), dpi=DPI, metadata=METADATA[ending])
        pyplot.close(figure)


def figure_of(chart):
    """The picture, drawn once, with its ticks and its legend where they cover nothing."""
    figure, axes = pyplot.subplots(figsize=(WIDTH, HEIGHT))
    if chart.x_scale != "linear":
        axes.set_xscale("log")
    if chart.y_scale != "linear":
        axes.set_yscale("log")
    handles = draw_reference(axes, chart) + draw_curves(axes, chart)
    axes.margins(x=0.04, y=0.06)
    axes.autoscale_view()
    values = sorted({x for curve in chart.curves for x in curve.x} if chart.ticks_at_values else ())
    if not any(curve.saturated for curve in chart.curves):
        show_coinciding(axes, handles)
    write_labels(figure, axes, chart)
    fit_ticks(figure, axes.xaxis, chart.x_scale, axes.get_xlim(), values)
    fit_ticks(figure, axes.yaxis, chart.y_scale, axes.get_ylim())
    write_levels(axes, chart)
    place_legend(figure, axes, handles, lambda: write_levels(axes, chart))
    return figure


def write_labels(figure, axes, chart):
    """The labels of the axes, the ordinate's first, since it narrows the axes; then the title, from
    their left end."""
    title = re.sub(r"(?<=\w)( ?)x( ?)(?=\d|k\b)", "\\1\N{MULTIPLICATION SIGN}\\2", chart.title)
    write_wrapped(figure, axes.set_ylabel, chart.y_label,
                  lambda text: text.get_window_extent().height <= axes.bbox.height)
    write_wrapped(figure, axes.set_xlabel, chart.x_label,
                  lambda text: text.get_window_extent().width <= axes.bbox.width)
    write_wrapped(figure, axes.set_title, title,
                  lambda text: text.get_window_extent().x1 <= figure.bbox.x1)


def write_wrapped(figure, write, text, fits):
    """Writes a text as it is, mathematics or not, in as many lines as it needs to fit."""
    text = shortened(text)
    for width in range(len(text), 0, -1):
        written = write(textwrap.fill(text, width), parse_math=False)
        figure.draw_without_rendering()
        if fits(written):
            return


def draw_curves(axes, chart):
    """The curves with their markers: whole lines and filled markers up to saturation, broken lines
    and open markers beyond. Returns what the legend shows."""
    handles = []
    for number, curve in enumerate(chart.curves):
        colour = COLOURS[number % len(COLOURS)]
        marker, size = MARKERS[number % len(MARKERS)]
        if len(curve.x) > MARKED:
            marker = None
        style = {"color": colour, "marker": marker, "markersize": size, "zorder": 3}
        end = curve.below_saturation
        axes.plot(curve.x[:end], curve.y[:end], markeredgecolor="white", **style)
        if end < len(curve.x):
            start = max(end - 1, 0)
            axes.plot(curve.x[start:], curve.y[start:], color=colour, linewidth=0.8,
                      linestyle=(0, (3, 2)), zorder=2.5)
            axes.plot(curve.x[end:], curve.y[end:], markerfacecolor="white",
                      **{**style, "zorder": 2.6}, linestyle="none", markeredgecolor=colour)
        handles.append(Line2D([], [], label=curve.name, markeredgecolor="white", **style))
    if any(curve.below_saturation < len(curve.x) for curve in chart.curves):
        handles.append(Line2D([], [], color=GREY, linewidth=0.8, linestyle=(0, (3, 2)),
                              marker="o", markersize=MARKERS[0][1], markerfacecolor="white",
                              label="saturated"))
    return handles


def show_coinciding(axes, handles):
    """Of curves that run together the upper ones are broken and have smaller markers, so that
    the lower ones show. Their handles are drawn alike."""
    near = COINCIDING / 72 * axes.figure.dpi
    drawn = []
    for handle in handles:
        lines = [line for line in axes.lines if line.get_color() == handle.get_color()]
        if len(lines) != 1 or len(lines[0].get_xdata()) < 2 or handle.get_color() == GREY:
            continue
        points = {x: axes.transData.transform((x, y))[1] for x, y in lines[0].get_xydata()}
        below = [sum(abs(points[x] - other.get(x, float("inf"))) < near for x in points)
                 for other in drawn]
        drawn.append(points)
        depth = sum(3 * number >= 2 * len(points) for number in below)
        for line in (lines[0], handle):
            if depth and line.get_marker() not in (None, "None"):
                line.set_linestyle((0, (3, 3)) if depth == 1 else (3, (1.5, 4.5)))
                line.set_markersize(line.get_markersize() * 0.7**min(depth, 2))


def draw_reference(axes, chart):
    """The bound and the levels. Returns what the legend shows."""
    handles = []
    style = {"color": "black", "linewidth": 1.1, "zorder": 2}
    if isinstance(chart.bound, Curve):
        axes.plot(chart.bound.x, chart.bound.y, **style)
    elif chart.bound is not None:
        axes.axhline(chart.bound, **style)
    if chart.bound is not None:
        handles.append(Line2D([], [], label=chart.bound_name, **style))
    style = {"color": GREY, "linewidth": 0.9, "linestyle": (0, (1.5, 1.5)), "zorder": 2}
    for level in chart.levels:
        axes.axhline(level, **style)
    if chart.levels:
        handles.append(Line2D([], [], label=chart.level_name, **style))
    return handles


def write_levels(axes, chart):
    """The values of the levels at the right ends of their lines, apart from each other."""
    for text in list(axes.texts):
        text.remove()
    if not chart.levels:
        return
    height = FONT / 72 * axes.figure.dpi * 1.1
    wanted = [axes.transData.transform((1, level))[1] for level in sorted(chart.levels)]
    pixels = wanted[:1]
    for pixel in wanted[1:]:
        pixels.append(max(pixel, pixels[-1] + height))
    shift = sum(map(float.__sub__, pixels, wanted)) / len(wanted)
    for level, pixel in zip(sorted(chart.levels), pixels):
        y = axes.transAxes.inverted().transform((0, pixel - shift))[1]
        axes.text(1.01, y, ticks.plain(level), transform=axes.transAxes, color=GREY, va="center")


def fit_ticks(figure, axis, scale, limits, values=()):
    """The densest ticks whose labels are apart; without labels the finer ones of a decade."""
    axis.set_minor_locator(ticker.NullLocator())
    for choice in ticks.choices_of(scale, *limits, values):
        axis.set_major_locator(ticker.FixedLocator(choice))
        axis.set_major_formatter(ticker.FixedFormatter(ticks.labels_of(choice, scale)))
        figure.draw_without_rendering()
        if apart(axis):
            break
    if scale in ("log", "log bytes") and not set(choice) <= set(values):
        finer = ticks.within([mantissa * 10.0**decade for decade in range(-12, 16)
                              for mantissa in range(1, 10)], *limits)
        axis.set_minor_locator(ticker.FixedLocator(finer))
        axis.set_minor_formatter(ticker.NullFormatter())


def apart(axis):
    """Whether the labels of an axis have space between them."""
    along = 0 if axis.axis_name == "x" else 1
    space = FONT / 72 * axis.figure.dpi * (0.7 if along == 0 else 0.25)
    spans = sorted((box.min[along], box.max[along]) for box in label_boxes(axis))
    return all(after[0] - before[1] >= space for before, after in zip(spans, spans[1:]))


def label_boxes(axis):
    """The boxes of the labels of an axis, in pixels."""
    return [tick.label1.get_window_extent() for tick in axis.get_major_ticks()
            if tick.label1.get_text()]
