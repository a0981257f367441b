#!/usr/bin/env python3
# The frozen table of runs: checks that a `weft` command computes today what it computed when the
# table was written, or writes the table anew. See README.md.
"""Compare the runs of tests/golden/*.jsonl with what a `weft` command does now."""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LEAST_RUNS = 70  # Fewer are no table: something has emptied it.
LIMIT_S = 1200  # Of one run, which may have to build its Verilated libraries first.
RV32_LIMIT = 1.02  # How many times as many cycles an RV32 program may take.
# Of the result, what is no figure of the run: its time, its build, words, and the configuration again.
NOT_FROZEN = {"config", "wall_s", "flit_hops_per_s", "version", "commit", "notes"}
RV32_FROZEN = ("cycles", "messages", "flits")


def read_table(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    names = [row["name"] for row in rows]
    twice = {one for one in names if names.count(one) > 1}
    if twice:
        sys.exit(f"{name}: more than one run with the name {', '.join(sorted(twice))}")
    return rows


def write_table(name, rows):
    path = os.path.join(HERE, name)
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")
    os.replace(path + ".tmp", path)


def engine_of(row):
    options = row.get("options", [])
    return options[options.index("--engine") + 1] if "--engine" in options else "model"


def run(weft, folder, number, row):
    """Exit status, result without what is not frozen (None without one), and standard error."""
    config = os.path.join(folder, f"{number}.config.json")
    result = os.path.join(folder, f"{number}.json")
    with open(config, "w", encoding="utf-8") as file:
        json.dump(row["config"], file)
    command = [weft, "run", config, "--json", result, *row.get("options", [])]
    try:
        done = subprocess.run(
            command, cwd=HERE, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return None, None, f"not over after {LIMIT_S} s"
    got = None
    if os.path.exists(result):
        with open(result, encoding="utf-8") as file:
            got = {key: value for key, value in json.load(file).items() if key not in NOT_FROZEN}
    return done.returncode, got, done.stderr.strip()


def why_empty(status, got, stderr):
    """Why a run is none that a table may hold; None of a run that did something."""
    if status not in (0, 1) or got is None:
        return f"exit status {status}, {'a' if got else 'no'} result: {stderr}"
    if (status == 0) != got["verified"]:
        return f"exit status {status} and verified {got['verified']}"
    if not got["cycles"] or not got["flit_hops"] or not got["messages"]:
        return "nothing was sent"
    return None


def differences(frozen, got, path=""):
    """Lines with both values, of whatever is frozen and not the same now."""
    if isinstance(frozen, dict) and isinstance(got, dict):
        for key, value in frozen.items():
            yield from differences(value, got.get(key), f"{path}/{key}")
    elif isinstance(frozen, list) and isinstance(got, list) and len(frozen) == len(got):
        for index, (one, other) in enumerate(zip(frozen, got)):
            yield from differences(one, other, f"{path}/{index}")
    elif frozen != got or isinstance(frozen, bool) != isinstance(got, bool):
        yield f"{path[1:]}: frozen {json.dumps(frozen)}, now {json.dumps(got)}"


def exact(row, got):
    return list(differences(row["result"], got))


def not_slower(row, got):
    """An RV32 run sends the same and takes at most 2 % more cycles."""
    frozen = row["result"]
    wrong = [line for key in RV32_FROZEN if key != "cycles"
             for line in differences(frozen[key], got[key], "/" + key)]
    if got["cycles"] > RV32_LIMIT * frozen["cycles"]:
        wrong.append(f"cycles: frozen {frozen['cycles']}, now {got['cycles']}, "
                     f"{100 * (got['cycles'] / frozen['cycles'] - 1):.1f} % more")
    return wrong


def rv32_result(got):
    result = {key: got[key] for key in RV32_FROZEN}
    result["cycles_per_message"] = round(got["cycles"] / got["messages"], 4)
    return result


# File of each table, how a run is compared, and what of it is written down.
TABLES = {"runs.jsonl": (exact, lambda got: got), "rv32.jsonl": (not_slower, rv32_result)}


def chosen_runs(arguments):
    """(table, row) of the runs that the arguments choose."""
    runs = []
    for table in TABLES:
        rows = read_table(table)
        if table == "runs.jsonl" and len(rows) < LEAST_RUNS:
            sys.exit(f"{table}: {len(rows)} runs, expected: {LEAST_RUNS} or more")
        runs += [(table, row) for row in rows]
    if arguments.fast:
        runs = [one for one in runs if engine_of(one[1]) == "model"]
    if arguments.engine:
        # Losses and events are the models' own.
        runs = [(table, {**row, "options": [*row.get("options", []), "--engine", arguments.engine]})
                for table, row in runs
                if table == "runs.jsonl" and engine_of(row) == "model"
                and "--losses" not in row.get("options", [])]
        for _, row in runs:
            if "result" in row:
                row["result"] = {**row["result"], "engine": arguments.engine}
                row["result"].pop("stepped", None)  # Why the model did what this engine does.
    if arguments.rtl:
        runs = [one for one in runs if engine_of(one[1]) != "model"]
    if arguments.name:
        runs = [one for one in runs if arguments.name in one[1]["name"]]
    if not runs:
        sys.exit("no run of that choice is in the tables")
    return runs


def check(runs, outcomes):
    """Prints what differs; number of runs that do."""
    failures = 0
    for (table, row), (status, got, stderr) in zip(runs, outcomes):
        expected = row.get("status", 0)
        if "result" not in row:
            wrong = ["not frozen"]
        elif status != expected:
            wrong = [f"exit status: frozen {expected}, now {status}: {stderr}"]
        else:
            empty = why_empty(status, got, stderr)
            wrong = [empty] if empty else TABLES[table][0](row, got)
        failures += bool(wrong)
        for line in wrong:
            print(f"{table}: {row['name']}: {line}")
    return failures


def freeze(runs, outcomes):
    """Writes the tables with these results; number of runs that no table may hold."""
    failures = 0
    for (table, row), (status, got, stderr) in zip(runs, outcomes):
        empty = why_empty(status, got, stderr)
        if empty is None and status != row.get("status", 0):
            empty = f"exit status {status}, the table says {row.get('status', 0)}: {stderr}"
        if empty:
            failures += 1
            print(f"{table}: {row['name']}: {empty}")
        else:
            row["result"] = TABLES[table][1](got)
    if failures == 0:
        for table in TABLES:
            write_table(table, [row for its, row in runs if its == table])
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weft", help="the command, as build/weft")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="compare (the default)")
    what.add_argument("--freeze", action="store_true", help="write all results anew")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--fast", action="store_true", help="only runs of the engine model")
    which.add_argument("--rtl", action="store_true", help="only runs of the other engines")
    which.add_argument("--engine", help="the runs of the engine model, on this one instead")
    which.add_argument("--name", help="only runs with this in their name")
    parser.add_argument("-j", type=int, default=os.cpu_count(), help="runs at a time")
    arguments = parser.parse_args()
    if arguments.freeze and (arguments.fast or arguments.rtl or arguments.engine or arguments.name):
        parser.error("--freeze: expected: all runs, so that the tables are of one program")

    runs = chosen_runs(arguments)
    weft = os.path.abspath(arguments.weft)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        outcomes = list(pool.map(lambda job: run(weft, folder, job[0], job[1][1]),
                                 enumerate(runs)))
    failures = (freeze if arguments.freeze else check)(runs, outcomes)
    print(f"{len(runs) - failures} of {len(runs)} runs "
          f"{'frozen' if arguments.freeze else 'as frozen'}, {time.monotonic() - begin:.1f} s")
    if arguments.freeze and failures:
        print("the tables are as they were")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
