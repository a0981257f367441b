"""Pictures of any sweep: which curves its columns give, what is refused, files."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from weft_figures import plots, sweep_plot

PLOT = pathlib.Path(__file__).parents[1] / "plot.py"
LOAD = """series,topology.kind,workload.rate,engine,status,\
offered_rate,accepted_rate,saturated,latency_mean
mesh 8x8,mesh,0.2,model,0,0.21,0.21,false,19
mesh 8x8,mesh,0.1,model,0,0.11,0.11,false,17
mesh 8x8,mesh,0.4,model,0,0.41,0.31,true,800
fat tree,fat_tree,0.1,model,0,0.11,0.11,false,20
fat tree,fat_tree,0.2,model,0,0.21,0.21,false,21
fat tree,fat_tree,0.4,model,3,,,,
"""
AXES = """topology.dims,topology,router.vc_depth,seed,engine,status,cycles,ratio
"[8,8]","{""dims"":[8,8],""kind"":""mesh""}",8,1,model,0,300,3
"[8,8]","{""dims"":[8,8],""kind"":""mesh""}",8,2,model,0,100,2
"[8,8]","{""kind"":""fat_tree"",""levels"":6}",8,1,model,0,300,3.5
"[4,4]","{""kind"":""fat_tree"",""levels"":6}",8,1,model,0,300,1.5
"[8,8]","{""kind"":""fat_tree"",""levels"":6}",160,1,model,0,300,1.2
"""


class SweepPlot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "load"
        self.folder.mkdir()

    def chart(self, text, x=None, y=None, series=()):
        (self.folder / "results.csv").write_text(text, encoding="utf-8")
        with mock.patch("weft_figures.plots.draw") as draw:
            status, errors = self.run_main(
                *(["--x", x] if x else []), *(["--y", y] if y else []),
                *(f"--series={column}" for column in series))
        self.assertEqual(status, 0, errors)
        return draw.call_args.args[0]

    def run_main(self, *options, folder=None):
        """The exit status, and what was said on standard error."""
        errors = io.StringIO()
        arguments = ["plot.py", str(folder or self.folder), *options]
        with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stderr(errors), \
                contextlib.redirect_stdout(io.StringIO()):
            return sweep_plot.main(), errors.getvalue()

    def refused(self, reason, *options, text=None, **places):
        if text:
            (self.folder / "results.csv").write_text(text, encoding="utf-8")
        status, errors = self.run_main(*options, **places)
        self.assertEqual(status, 2)
        self.assertIn(reason, errors)
        self.assertEqual(errors.count("\n"), 1)

    def test_load_curves(self):
        chart = self.chart(LOAD)
        self.assertEqual(chart.curves, [
            plots.Curve("mesh 8x8", [0.11, 0.21, 0.41], [17, 19, 800], [False, False, True]),
            plots.Curve("fat tree", [0.11, 0.21], [20, 21])])
        self.assertEqual((chart.x_label, chart.x_scale, chart.y_label, chart.y_scale),
                         ("offered rate [flits/node/cycle]", "linear", "mean latency [cycles]",
                          "log"))
        self.assertFalse(chart.ticks_at_values)

    def test_a_curve_follows_the_load_where_throughput_falls(self):
        falling = LOAD.replace("0.31,true", "0.15,true")
        self.assertEqual(self.chart(falling, "accepted_rate").curves[0].x, [0.11, 0.21, 0.15])

    def test_accepted_rate_has_the_offered_one_beside_it(self):
        bound = self.chart(LOAD, y="accepted_rate").bound
        self.assertEqual((bound.x, bound.y), ([0.11, 0.21, 0.41],) * 2)

    def test_a_curve_for_each_combination_through_the_means_of_seeds(self):
        chart = self.chart(AXES, x="router.vc_depth")
        self.assertEqual(chart.curves, [
            plots.Curve("8 × 8, mesh 8 × 8", [8], [2.5]),
            plots.Curve("8 × 8, fat tree, levels 6", [8, 160], [3.5, 1.2]),
            plots.Curve("4 × 4, fat tree, levels 6", [8], [1.5])])
        self.assertEqual((chart.bound, chart.x_scale, chart.y_scale), (1.0, "log", "linear"))

    def test_the_first_axis_of_numbers_is_the_default(self):
        chart = self.chart(AXES)
        self.assertEqual((chart.x_label, chart.y_label), ("nodes", "cycles / lower bound"))
        self.assertEqual(chart.curves[1].x, [16, 64])

    def test_one_curve_has_the_name_of_the_folder(self):
        lines = LOAD.splitlines()[:4]
        text = "\n".join(line.partition(",")[2] for line in lines)
        self.assertEqual([curve.name for curve in self.chart(text).curves], ["load"])

    def test_refused(self):
        path = self.folder / "results.csv"
        self.refused("no file or folder nowhere", folder="nowhere")
        self.refused(f"no file {path}")
        path.write_text(LOAD.splitlines()[0], encoding="utf-8")
        self.refused("no table of `weft sweep`")
        path.write_text("a,b\n1,2\n", encoding="utf-8")
        self.refused("no table of `weft sweep`")
        path.write_text("engine,status\nmodel,0\nmodel\n", encoding="utf-8")
        self.refused(f"{path}: line 3: another number of cells than names")
        path.write_text("engine,status\nmodel,3\n", encoding="utf-8")
        self.refused("no run has ended well")
        path.write_text(LOAD, encoding="utf-8")
        self.refused("no column power; there are: series, topology.kind, workload.rate, engine",
                     "--y", "power")
        self.refused("column series has no numbers; those with numbers: workload.rate, status",
                     "--x", "series")
        self.refused("no folder nowhere", "-o", "nowhere/a")
        self.refused("latency may be each of a.latency, b.latency: expected: one of them",
                     "--x", "status", "--y", "latency", text="a.latency,b.latency,engine,status\n1,2,model,0\n")
        self.refused("at router.vc_depth 8 a curve would have runs of topology "
                     '{"dims":[8,8],"kind":"mesh"} and {"kind":"fat_tree","levels":6}: expected: '
                     "--series topology, too", "--x", "vc_depth",
                     "--series", "seed", text=AXES)
        path.write_text("engine,status,cycles\nmodel,0,5\n", encoding="utf-8")
        self.refused("choose a column with --x; there are: engine, status, cycles")
        many = "\n".join(f"series {n},1,model,0,{n}" for n in range(11))
        path.write_text(f"series,a,engine,status,cycles\n{many}\n", encoding="utf-8")
        self.refused("11 curves, of which 10 can be told apart", "--x", "a")

    def test_any_text_and_any_number_is_drawn_or_refused(self):
        head = "series,label,router.vc_depth,engine,status,cycles"
        for name in ("$x^{$", "a" * 42, "_a", "\N{CJK UNIFIED IDEOGRAPH-7F51}"):
            with self.subTest(name):
                text = f"{head}\n{name},b,4,model,0,5\n{name},c,8,model,0,3\nd,b,4,model,0,2\n"
                (self.folder / "results.csv").write_text(text, encoding="utf-8")
                self.assertEqual(self.run_main(), (0, ""))
        for number in ("NaN", "Infinity", "1e400", "1" + "0" * 400, "[" * 10000):
            with self.subTest(number):
                self.refused("column cycles has no numbers", "--x", "vc_depth", "--y", "cycles",
                             text=f"{head}\na,b,4,model,0,{number}\n")
        same = "word " * 100
        self.refused("names differ only in their middle", "--x", "vc_depth",
                     text=f"{head}\n{same}a {same},,4,model,0,5\n{same}b {same},,4,model,0,5\n")

    def test_columns_by_a_part_of_their_name(self):
        chart = self.chart(LOAD, "rate", "accepted_rate", series=["topology"])
        self.assertEqual(chart.curves, [
            plots.Curve("mesh 8x8", [0.1, 0.2, 0.4], [0.11, 0.21, 0.31], [False, False, True]),
            plots.Curve("fat tree", [0.1, 0.2], [0.11, 0.21])])

    def test_lists_that_are_no_sizes(self):
        text = """workload.arguments,engine,status,cycles
"[16,5]",model,0,30
"[9,5]",model,0,20
"""
        chart = self.chart(text)
        self.assertEqual((chart.x_label, chart.curves),
                         ("argument 0", [plots.Curve("load", [9, 16], [20, 30])]))
        several = text + '"[9,6]",model,0,40\n'
        self.refused("choose a column with --x", text=several)
        self.assertEqual([curve.name for curve in self.chart(several, x="status").curves],
                         ["arguments 16, 5", "arguments 9, 5", "arguments 9, 6"])

    def test_a_label_stands_for_what_it_was_set_with(self):
        text = """label,topology.dims,nic.controllers,router.vc_depth,engine,status,cycles
small,"[4,4]",1,4,model,0,10
small,"[4,4]",1,8,model,0,8
large,"[8,8]",2,4,model,0,40
large,"[8,8]",2,8,model,0,30
"""
        names = [curve.name for curve in self.chart(text, "router.vc_depth").curves]
        self.assertEqual(names, ["small", "large"])

    def test_the_program_draws(self):
        (self.folder / "results.csv").write_text(LOAD, encoding="utf-8")
        for options, files in ([], ["load/plot.svg", "load/plot.png", "load/plot.pdf"]), \
                (["-o", "load v1.2"], ["load v1.2.svg", "load v1.2.png", "load v1.2.pdf"]), \
                (["-o", "paper.pdf"], ["paper.pdf"]):
            with self.subTest(options):
                done = subprocess.run(
                    [sys.executable, "-B", PLOT, "load/results.csv", *options],
                    cwd=self.folder.parent, check=True, capture_output=True, text=True)
                self.assertEqual(done.stdout, "not drawn       1 runs that failed\n"
                                              f"picture         {', '.join(files)}\n")
                begins = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}
                for name in files:
                    content = (self.folder.parent / name).read_bytes()
                    self.assertTrue(content.startswith(begins[name[-4:]]), name)
        svg = (self.folder.parent / "load/plot.svg").read_text(encoding="utf-8")
        for text in ("mesh 8x8", "fat tree", "saturated", "mean latency [cycles]"):
            self.assertIn(f">{text}</text>", svg)
        self.assertEqual([path.name for path in self.folder.parent.glob("paper.*")], ["paper.pdf"])


if __name__ == "__main__":
    unittest.main()
