"""Every collective on every kind of network: cycles and ratio to the bound, or why it is refused."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from weft_figures import results, tables

HERE = pathlib.Path(__file__).parents[2] / "matrix"
COLUMNS = ["group", "network", "processor", "collective", "status", "cycles", "ratio", "why"]


def workload(collective, work):
    """What a run of a collective has: its blocks, or its array."""
    if collective["kind"] == "barrier":
        return {"collective": collective["name"]}
    size = "message_flits" if collective["kind"] == "alltoall" else "bytes"
    return {"collective": collective["name"], size: work[size]}


def run(weft, engine, config):
    """Status and result of one run, or why there is none."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(config, file)
        file.flush()
        run = subprocess.run([weft, "run", file.name, "--engine", engine, "--json", "-"],
                             capture_output=True, text=True, check=False)
        why = run.stderr.strip().replace(f"{file.name}: ", "").removeprefix("weft: ")
    if run.returncode != 0:
        return run.returncode, {}, why.split("\n")[0]
    return 0, json.loads(run.stdout), ""


def outcome(weft, engine, config):
    """As `run` with engine `model`, as which `engine` must end."""
    expected = run(weft, "model", config)
    if expected[0] != 0 or engine == "model":
        return expected
    status, result, why = run(weft, engine, config)
    if status != 0:  # Not 2: the model has run.
        return 1, {}, why
    for key in ("cycles", "digest"):
        if result[key] != expected[1][key]:
            return 1, {}, f"{key}: {engine} {result[key]}, model {expected[1][key]}"
    return 0, result, ""


def hardware(collective):
    """What a collective needs beside the network; pickers go by messages."""
    name = collective["name"]
    if name == "barrier_tree":
        return {"barrier": "hardware"}
    return {"combining": "tree"} if "_tree" in name else {}


def measure(weft, engine, plan):
    """A table with a line for each network, processor and collective."""
    listed = json.loads(subprocess.run([weft, "list", "collectives", "--json"],
                                       capture_output=True, text=True, check=True).stdout)
    cells = [(group, network, topology, processor, collective)
             for group, networks in plan["networks"].items()
             for network, topology in networks.items()
             for processor in plan["processors"]
             # Traces and programs have work of their own.
             for collective in listed if collective["kind"] not in ("replay", "program")]

    def one(cell):
        _, _, topology, processor, collective = cell
        return outcome(weft, engine,
                       {"topology": topology, "processor": processor, **hardware(collective),
                        "workload": workload(collective, plan["work"])})

    table = tables.Table(COLUMNS, quoted={1, 7})
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for cell, (status, result, why) in zip(cells, pool.map(one, cells)):
            group, network, _, processor, collective = cell
            table.add(group, network, processor, collective["name"], status,
                      result.get("cycles", ""), result.get("ratio", ""), why)
    return table


def reason(row):
    """Why a run is refused, without the names and values of this run."""
    why = row["why"].replace(f"with {row['collective']}: ", "")
    return why.partition(": expected: ")[2] or why


def matrix(rows):
    """A table of networks by collectives, and the list of footnotes."""
    networks = list(dict.fromkeys(row["network"] for row in rows))
    table, notes, lines = tables.Table(["collective", *networks]), [], {}
    for row in rows:
        if row.ended:
            cell = f"{row['cycles']} ({float(row['ratio']):.2f})"
        else:
            note = reason(row)
            if note not in notes:
                notes.append(note)
            cell = f"- [{notes.index(note) + 1}]"
        lines.setdefault(row["collective"], {})[row["network"]] = cell
    for collective, cells in lines.items():
        table.add(collective, *(cells[network] for network in networks))
    return table, notes


def make(out, weft, quick):
    """Models, or, into the folder `cosim`, models against RTL."""
    engine = "cosim" if out.name == "cosim" else "model"
    plan = json.loads((HERE / ("quick.json" if quick else "full.json")).read_text(encoding="utf-8"))
    out.mkdir(parents=True, exist_ok=True)
    measure(weft, engine, plan).write(out / "points.csv")
    rows = results.read(out / "points.csv")
    text = [f"Cycles (ratio to the bound): blocks of {plan['work']['message_flits']} flits, arrays "
            f"of {plan['work']['bytes']} bytes, engine {engine}."]
    for group in dict.fromkeys(row["group"] for row in rows):
        for processor in dict.fromkeys(row["processor"] for row in rows):
            table, notes = matrix([row for row in rows
                                   if (row["group"], row["processor"]) == (group, processor)])
            text.append(f"## {group}, {processor}\n\n{table.markdown()}")
            text.append("\n".join(f"{i + 1}. {note}" for i, note in enumerate(notes)))
    page = "\n\n".join(part.rstrip() for part in text if part) + "\n"
    (out / "matrix.md").write_text(page, encoding="utf-8")
    print(page, end="")
    # A configuration that is refused has status 2; whatever else has failed is an error.
    failed = [row for row in rows if row["status"] not in ("0", "2")]
    for row in failed:
        print(f"{row['network']}, {row['processor']}, {row['collective']}: {row['why']}",
              file=sys.stderr)
    return 1 if failed else 0
