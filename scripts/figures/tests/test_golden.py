"""The tables of each seed, byte for byte."""

import contextlib
import io
import json
import pathlib
import shutil
import tempfile
import unittest
from unittest import mock

from weft_figures import results, tables
from weft_figures.studies import (collectives, matrix, routing, seed_000, seed_001, seed_003,
                                  seed_003_states, seed_004)

GOLDEN = pathlib.Path(__file__).parent / "golden"
INPUTS = {"results.csv", "reports.jsonl"}


def recorded_states(weft, steps, folder):
    """The states that the golden table shows; whatever was given away is a zero."""
    del weft, folder
    return {(2 * (int(row["unit"]) - 401) + 1, element):
            int(row[str(element + 1)]) if row[str(element + 1)] != "-" else 0
            for row in results.read(GOLDEN / "003/states.csv") if row["steps"] == str(steps)
            for element in range(16)}


class Golden(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        (self.out / "sweep").mkdir()
        self.errors, self.printed = io.StringIO(), io.StringIO()
        # Pictures have tests of their own.
        self.draw = self.enterContext(mock.patch("weft_figures.plots.draw"))
        self.enterContext(contextlib.redirect_stdout(self.printed))
        self.enterContext(contextlib.redirect_stderr(self.errors))

    def check(self, study, seed, status=0):
        shutil.copy(GOLDEN / seed / "results.csv", self.out / "sweep")
        self.assertEqual(study.make(self.out, "weft", True), status)
        golden = {path.name for path in (GOLDEN / seed).iterdir()} - INPUTS
        self.assertEqual({path.name for path in self.out.glob("*.*")}, golden)
        for name in sorted(golden):
            with self.subTest(name):
                self.assertEqual((self.out / name).read_bytes(),
                                 (GOLDEN / seed / name).read_bytes())

    def drawn(self):
        return [call.args[1].name for call in self.draw.call_args_list]

    def test_seed_000(self):
        self.check(seed_000, "000")
        self.assertEqual(self.drawn(), ["torus", "mesh", "torus3d", "pacing", "barrier", "rv32",
                                        "waits", "buffers"])
        self.assertIn("torus_odd: no run has ended well: no picture", self.errors.getvalue())
        self.assertEqual(self.printed.getvalue(), (GOLDEN / "000/table.md").read_text())

    def test_seed_001(self):
        with open(GOLDEN / "001/reports.jsonl", encoding="utf-8") as file:
            reports = [json.loads(line) for line in file]
        with mock.patch.object(seed_001, "topology_report", side_effect=reports):
            self.check(seed_001, "001")
        self.assertEqual(self.drawn(), [f"fig{number}" for number in range(7, 13)])

    def test_seed_003(self):
        with mock.patch.object(seed_003_states, "run", recorded_states):
            self.check(seed_003, "003")
        self.assertEqual(self.drawn(), ["size", "moved", "busiest", "size_large", "moved_large",
                                        "busiest_large", "orders"])
        self.assertIn("orders: 1x4x1x4 8+4 1024: a run has failed", self.errors.getvalue())

    def test_seed_004(self):
        self.check(seed_004, "004")
        self.assertEqual(self.drawn(), ["fig3", "fig4", "fig5", "fig6", "crossing", "fig7", "cure",
                                        "slots", "saturation"])
        slots = self.draw.call_args_list[-2].args[0]
        self.assertEqual([curve.name for curve in slots.curves],
                         ["A2AT in slots of a packet time", "A2AT, paced by arrivals"])
        # A bound has nothing below it.
        self.assertGreater(min(min(curve.y) for curve in slots.curves), slots.bound)

    def test_collectives(self):
        self.check(collectives, "collectives")
        self.assertEqual(self.printed.getvalue(), (GOLDEN / "collectives/table.md").read_text())

    def test_routing(self):
        self.check(routing, "routing")
        self.assertEqual(self.drawn(), ["torus_uniform", "torus_tornado", "mesh_uniform",
                                        "mesh_tornado", "dragonfly_uniform",
                                        "dragonfly_next_group"])
        self.assertEqual(self.printed.getvalue(),
                         "".join((GOLDEN / f"routing/{name}.md").read_text() + "\n"
                                 for name in ("table", "ugal")))

    def test_a_slow_pick_fails(self):
        case = {"network": "torus", "processor": "native", "bytes": "64", "bound_cycles": "50"}
        points = [results.Row(case, algorithm=algorithm, cycles=cycles)
                  for algorithm, cycles in (("allreduce", "106"), ("allreduce_tree", "100"),
                                            ("allreduce_ring", ""))]
        table, slow = collectives.compared(points)
        self.assertEqual(slow, ["torus, native, 64: 1.060 of allreduce_tree"])
        self.assertEqual(table.rows[0][3:], ["50", "tree", "100", "2.000", "1.060", "2.00", "-"])

    def test_a_wrong_state_fails(self):
        states = {(steps, *cell): value for steps in range(9)
                  for cell, value in recorded_states("", steps, "").items()}
        states[5, 21, 4] += 1  # Unit 411 has elements 5 and 6 then.
        _, right = seed_003_states.states_table(states)
        self.assertFalse(right)
        self.assertEqual(self.errors.getvalue(),
                         "states: unit 411 after 5 steps: 1 results, not 2\n")

    def test_a_slower_order_fails(self):
        orders = tables.Table(["network and bytes", "alphabetical", "bandwidth", "ratio"])
        orders.add("1x2x4x1 2+1 64", 100, 101, "1.0100")
        text, faster = seed_003.orders_summary(orders)
        self.assertFalse(faster)
        self.assertIn("| slower | 1 |", text)
        self.assertIn("slower than alphabetical: 1x2x4x1 2+1 64 (1.0100)", self.errors.getvalue())

    def test_no_orders_fail(self):
        orders = tables.Table(["network and bytes", "alphabetical", "bandwidth", "ratio"])
        _, faster = seed_003.orders_summary(orders)
        self.assertFalse(faster)
        self.assertIn("no network has both runs", self.errors.getvalue())

    def test_the_fastest_without_hop_group(self):
        points = [results.Row(figure="torus", network="torus 8 x 8", curve=curve, x="6",
                              cycles=cycles, bound_cycles="100", variant="sync none")
                  for curve, cycles in (("hop_group", ""), ("a2at", "150"), ("a2a", "120"))]
        self.assertEqual(seed_000.fastest_table(points).rows,
                         [["torus 8 x 8", "6", "100", "-", "-", "-", "-", "a2a", "sync none"]])


class Collectives(unittest.TestCase):
    """The matrix of collectives and networks."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        self.errors, self.printed = io.StringIO(), io.StringIO()
        self.enterContext(contextlib.redirect_stdout(self.printed))
        self.enterContext(contextlib.redirect_stderr(self.errors))

    def make(self, change=lambda row: None):
        table = tables.Table(matrix.COLUMNS, quoted={1, 7})
        for row in results.read(GOLDEN / "matrix/results.csv"):
            change(row)
            table.add(*(row[column] for column in matrix.COLUMNS))
        with mock.patch.object(matrix, "measure", return_value=table):
            return matrix.make(self.out, "weft", True)

    def test_matrix(self):
        self.assertEqual(self.make(), 0)
        golden = (GOLDEN / "matrix/matrix.md").read_text(encoding="utf-8")
        self.assertEqual((self.out / "matrix.md").read_text(encoding="utf-8"), golden)
        self.assertEqual(self.printed.getvalue(), golden)
        self.assertEqual((self.out / "points.csv").read_bytes(),
                         (GOLDEN / "matrix/results.csv").read_bytes())

    def test_wrong_data_fail(self):
        def spoil(row):
            if row["collective"] == "a2a":
                row.update(status="1", cycles="", ratio="", why="3 words differ")
        self.assertEqual(self.make(spoil), 1)
        self.assertIn("torus 3 x 2, native, a2a: 3 words differ", self.errors.getvalue())


class SideBySide(unittest.TestCase):
    POINTS = [("a", "10", "2"), ("b", "2", ""), ("a", "10", "3"), ("a", "2", "7")]

    def test_the_last_value_stands_in_order_of_appearance(self):
        table = tables.side_by_side("x", self.POINTS)
        self.assertEqual(table.csv(), "x,a,b\n10,3,nan\n2,7,nan\n")

    def test_the_better_value_stands_in_order_of_the_abscissa(self):
        table = tables.side_by_side("x", self.POINTS, better=lambda new, old: new < old, sort=True)
        self.assertEqual(table.csv(), "x,a,b\n2,7,nan\n10,2,nan\n")


if __name__ == "__main__":
    unittest.main()
