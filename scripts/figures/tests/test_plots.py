"""Pictures: ticks on any range, labels that are apart, a legend that covers nothing, files that
are the same each time."""

import contextlib
import io
import itertools
import pathlib
import re
import tempfile
import unittest

import matplotlib
from matplotlib import pyplot

from weft_figures import legend, plots, tables, ticks

RANGES = [(1, 4080), (0.93, 1.12), (5, 17), (20, 3600), (0.002, 0.06), (7900, 1.6e6), (1, 1e12),
          (3e-7, 0.4), (1.01, 1.02), (64, 16777216), (99, 101)]


class Ticks(unittest.TestCase):
    def test_a_choice_on_any_range(self):
        for scale, (low, high) in itertools.product(
                ("linear", "log", "log bytes", "log binary"), RANGES):
            with self.subTest(scale=scale, low=low, high=high):
                if scale == "log binary" and high / low < 4:
                    continue
                choices = ticks.choices_of(scale, low, high)
                self.assertTrue(choices)
                for choice in choices:
                    self.assertGreaterEqual(len(choice), 2)
                    self.assertEqual(choice, sorted(set(choice)))
                    labels = ticks.labels_of(choice, scale)
                    self.assertEqual(len(set(labels)), len(labels), labels)

    def test_labels(self):
        for scale, values, labels in [
                ("linear", [1, 1.25, 1.5], ["1.00", "1.25", "1.50"]),
                ("linear", [-5, 0, 1000], ["\N{MINUS SIGN}5", "0", "1,000"]),
                ("log", [1, 1.5, 2, 4080], ["1", "1.5", "2", "4,080"]),
                ("log", [1000, 1e6], ["$10^{3}$", "$10^{6}$"]),
                ("log", [50000, 100000, 200000], ["50 k", "100 k", "200 k"]),
                ("log binary", [64, 1024, 16777216], ["64", "1 Ki", "16 Mi"]),
                ("log bytes", [100, 20000, 3e6], ["100", "20 k", "3 M"])]:
            with self.subTest(values):
                self.assertEqual(ticks.labels_of(values, scale), labels)

    def test_measured_abscissas_come_first(self):
        values = [1, 6, 24, 60, 252, 1020, 4080]
        self.assertEqual(ticks.choices_of("log", 0.8, 5000, values)[0], values)


def chart(x, curves=6, saturated=None, **settings):
    """Curves that fall, one above the other."""
    return plots.Chart(
        title="A network of 8 x 8", x_label="size [flits]", y_label="time [cycles]",
        curves=[plots.Curve(f"curve number {n}", list(x),
                            [1 + (n + 1) * (x[-1] / value) ** 0.3 for value in x], saturated)
                for n in range(curves)], **settings)


class Pictures(unittest.TestCase):
    def setUp(self):
        self.enterContext(matplotlib.rc_context(plots.STYLE))
        self.addCleanup(pyplot.close, "all")

    def check(self, figure):
        """Within the page, no label on another, nothing below the legend, no small text."""
        figure.draw_without_rendering()
        axes = figure.axes[0]
        for axis in (axes.xaxis, axes.yaxis):
            self.assertTrue(plots.apart(axis))
            for box in plots.label_boxes(axis):
                self.assertGreater(box.x0, figure.bbox.x0)
                self.assertLess(box.x1, figure.bbox.x1)
        box = axes.get_legend().get_window_extent()
        points = legend.obstacles(axes)
        covered = ((points[:, 0] > box.x0) & (points[:, 0] < box.x1)
                   & (points[:, 1] > box.y0) & (points[:, 1] < box.y1))
        self.assertFalse(covered.any())
        self.assertEqual(figure.get_figwidth(), plots.WIDTH)
        texts = figure.findobj(
            lambda artist: isinstance(artist, matplotlib.text.Text) and artist.get_text())
        self.assertGreaterEqual(min(text.get_size() for text in texts), 8)
        self.assertLessEqual(max(text.get_window_extent().x1 for text in texts), figure.bbox.x1)

    def test_any_range(self):
        for low, high in RANGES[1::2]:
            with self.subTest(low=low, high=high):
                step = (high / low) ** 0.1
                self.check(plots.figure_of(chart([low * step**i for i in range(11)], 2,
                                                 x_scale="log", y_scale="log")))

    def test_many_curves_with_a_bound_and_levels(self):
        self.check(plots.figure_of(chart([5, 7, 9, 11], 10, bound=1.0, levels=[1.18, 1.2, 1.23],
                                         level_name="paper")))

    def test_a_single_point(self):
        for scale in ("linear", "log", "log bytes", "log binary"):
            with self.subTest(scale):
                self.check(plots.figure_of(plots.Chart(
                    "One", "x", "y", [plots.Curve("a", [64], [3])], x_scale=scale)))

    def test_a_long_title_takes_two_lines(self):
        long = chart([1, 2, 4])
        long.title = "All-to-all, each collective at its best, " * 2
        figure = plots.figure_of(long)
        self.check(figure)
        self.assertIn("\n", figure.axes[0].get_title(loc="left"))

    def test_names_are_wrapped_and_read_as_they_are(self):
        names = ["letters" * 6, "$x^{$", "$5 or $6", "_hidden", "several words " * 14, "a\x01b"]
        long = chart([1, 2, 4], len(names))
        for curve, name in zip(long.curves, names):
            curve.name = name
        long.x_label = long.y_label = long.title = "values.$x^{$ of a long name " * 4
        figure = plots.figure_of(long)
        self.check(figure)
        axes = figure.axes[0]
        shown = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(shown[1:4] + shown[5:], ["$x^{$", "$5 or $6", "_hidden", "a b"])
        self.assertEqual(shown[0].replace("\n", ""), names[0])
        self.assertEqual(shown[4].replace("\n", " "), names[4].strip())
        for text in (axes.xaxis.label, axes.yaxis.label):
            box = text.get_window_extent()
            self.assertGreaterEqual(min(box.x0, box.y0), 0)
            self.assertLessEqual(box.x1, figure.bbox.x1)
            self.assertLessEqual(box.y1, figure.bbox.y1)

    def test_of_endless_names_the_middle_is_left_out(self):
        endless = chart([1, 2, 4], 10)
        for curve in endless.curves:
            curve.name = f"{curve.name} {'word ' * 1000}{curve.name}"
        figure = plots.figure_of(endless)
        self.check(figure)
        self.assertLess(figure.get_figheight(), 15)
        for number, text in enumerate(figure.axes[0].get_legend().get_texts()):
            words = " ".join(text.get_text().split())
            self.assertTrue(words.startswith(f"curve number {number} word"))
            self.assertTrue(words.endswith(f"word curve number {number}"))

    def test_saturation_is_drawn(self):
        figure = plots.figure_of(chart([1, 2, 3, 4], 1, saturated=[False, False, True, True]))
        solid, broken, markers = figure.axes[0].lines
        self.assertEqual(list(solid.get_xdata()), [1, 2])
        self.assertEqual(list(broken.get_xdata()), [2, 3, 4])
        self.assertEqual(markers.get_markerfacecolor(), "white")
        texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        self.assertEqual(texts, ["curve number 0", "saturated"])

    def test_curves_that_coincide_both_show(self):
        twice = chart([1, 2, 3, 4], 2)
        twice.curves[1].y = twice.curves[0].y
        lower, upper = plots.figure_of(twice).axes[0].lines
        self.assertEqual(lower.get_linestyle(), "-")
        self.assertEqual(upper.get_linestyle(), "--")
        self.assertLess(upper.get_markersize(), lower.get_markersize())
        apart = plots.figure_of(chart([1, 2, 3, 4], 2)).axes[0].lines
        self.assertEqual([line.get_linestyle() for line in apart], ["-", "-"])

    def test_files_are_the_same_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a"
            written = []
            for _ in range(2):
                plots.draw(chart([1, 2, 4, 8], 3, bound=1.0), path)
                written.append([path.with_suffix(ending).read_bytes()
                                for ending in (".svg", ".png")])
            self.assertEqual(*written)
            svg = written[0][0].decode()
            self.assertIn(">curve number 2</text>", svg)
            self.assertFalse(re.search("<dc:date>|20[0-9][0-9]-", svg))

    def test_no_curve_no_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "fig1"
            path.with_suffix(".svg").touch()
            with contextlib.redirect_stderr(io.StringIO()) as errors:
                plots.draw_if_any(chart([1], 0), path)
            self.assertEqual(errors.getvalue(), "fig1: no run has ended well: no picture\n")
            self.assertFalse(path.with_suffix(".svg").exists())

    def test_each_curve_has_its_own_colour_and_marker(self):
        self.assertEqual(len(set(plots.COLOURS)), len(plots.MARKERS))
        self.assertEqual(len({marker for marker, _ in plots.MARKERS}), len(plots.COLOURS))

    def test_curves_of_a_table(self):
        table = tables.Table(["k", "a", "b", "bound"])
        table.add(5, "1.5", "nan", "1")
        table.add(7, "1.2", "nan", "1")
        curves = plots.curves_of(table, without=("bound",), labels={"a": "A"})
        self.assertEqual(curves, [plots.Curve("A", [5, 7], [1.5, 1.2])])


if __name__ == "__main__":
    unittest.main()
