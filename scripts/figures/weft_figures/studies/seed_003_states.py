"""Seed 003, figs 16 to 24: the array of 16 values in every aggregation unit of 2 x 2 x 2 x 2 boards
with one such unit each, after 0 to 8 steps, read from the memories of runs that end there.

Unit 401 + b is on board b, whose bits are its coordinates in W, X, Y, Z, and begins with 16 times
b + 1. A result after k steps of halving is the sum over the 2^k boards that differ in the first k
bits alone; whatever was left from before is a sum over fewer, and less."""

import json
import subprocess
import sys

from weft_figures import results, tables

STEPS = range(9)
BOARDS = 16
ELEMENTS = range(16)
DIMENSIONS = "WXYZZYXW"
TOPOLOGY = {"kind": "board", "dims": [2, 2, 2, 2], "mains": 1, "aggregators": 1}
WORKLOAD = {"collective": "allreduce_nested", "bytes": 128, "type": "int64", "op": "sum",
            "data": "member"}


def run(weft, steps, folder):
    """Runs the nested schedule up to a step; returns its states, (rank, element): value."""
    path = folder / f"{steps}.csv"
    report = subprocess.run(
        [weft, "run", "board_uniform", "--set", "processor=native",
         "--set", f"topology={json.dumps(TOPOLOGY)}", "--set", f"workload={json.dumps(WORKLOAD)}",
         "--set", f"workload.steps={steps}", "--states", str(path)],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    (folder / f"{steps}.txt").write_text(report, encoding="utf-8")
    return {(int(row["rank"]), int(row["element"])): int(row["value"])
            for row in results.read(path)}


def result(steps, board):
    """The value of an element that a board holds after so many steps."""
    combined = 2 ** min(steps, 4)
    first = board - board % combined
    return combined * first + combined * (combined + 1) // 2


def states_table(states):
    """The states, (steps, rank, element): value, with "-" where the unit has given an element away
    and not got it back; and whether every unit holds as many results as it must."""
    table = tables.Table(["steps", "figure", "unit", *(element + 1 for element in ELEMENTS)])
    table.head = [str(name) for name in table.head]
    right = True
    for steps in STEPS:
        expected = 16 // 2**steps if steps < 4 else 2 ** (steps - 4)
        for board in range(BOARDS):
            unit = 401 + board
            values = [states.get((steps, 2 * board + 1, element)) for element in ELEMENTS]
            cells = [value if value == result(steps, board) else "-" for value in values]
            table.add(steps, 16 + steps, unit, *cells)
            held = sum(cell != "-" for cell in cells)
            if held != expected:
                print(f"states: unit {unit} after {steps} steps: {held} results, not {expected}",
                      file=sys.stderr)
                right = False
    return table, right


def as_printed(table):
    """The states in the form of figs 16 to 24."""
    lines = []
    for steps in STEPS:
        stage = "initial state"
        if steps:
            stage = f"{DIMENSIONS[steps - 1]} {'doubling' if steps > 4 else 'halving'}"
        lines += [""] if steps else []
        lines += [f"Fig. {16 + steps}, {stage}:", ""]
        for of, _, unit, *cells in table.rows:
            if of == str(steps):
                lines.append(f"    {unit} " + "".join(f"{cell:>4}" for cell in cells))
    return "\n".join(lines) + "\n"


def make_states(out, weft):
    """states.csv and states.md in `out`; whether they are those of halving and doubling."""
    folder = out / "states"
    folder.mkdir(exist_ok=True)
    states = {}
    for steps in STEPS:
        for (rank, element), value in run(weft, steps, folder).items():
            states[steps, rank, element] = value
    table, right = states_table(states)
    table.write(out / "states.csv")
    (out / "states.md").write_text(as_printed(table), encoding="utf-8")
    return right
