#!/usr/bin/env python3
"""Tables of grade.sh.

usage: grade_table.py stuck|upset|x|network_upset|network_x FOLDER [JSON]
       grade_table.py --into FILE stuck|upset|x|network_upset|network_x TABLE

The first prints the table of the results in FOLDER and writes all of them to JSON, the second
replaces the table in FILE, up to the list of what was missed.
"""
import json
import pathlib
import sys

HEADS = {
    "stuck": ["nets", "faults", "detected", "redundant", "missed", "shown", "deep",
              "held", "share"],
    "upset": ["upsets", "masked", "latent", "visible", "told"],
    "x": ["bits", "states", "outputs"],
    "network_upset": ["flops", "cycles", "trials", "masked", "shifted", "alarm", "repaired",
                      "told", "stalled", "silent", "95 %", "counts", "words", "silent flops"],
    "network_x": ["cycles", "bits", "states", "outputs"],
}

# Registers of each network that are listed; the JSON has all.
SHOWN = 12


def percent(part, whole):
    """A share, rounded down: 100 means all; nothing of nothing."""
    return f"{int(1000 * part / whole) / 10:.1f} %" if whole else "-"


def share(part, whole):
    """A share of trials, rounded."""
    return f"{100 * part / whole:.2f} %"


def cells(what, one):
    """The columns of a block."""
    if what == "stuck":
        return [one[k] for k in ("nets", "faults", "detected", "redundant", "missed",
                                 "witnesses", "deep", "held")] + [
            percent(one["detected"], one["faults"] - one["redundant"])]
    if what == "network_upset":
        low, high = (f"{100 * limit:.2f}" for limit in one["interval"])
        return [one[k] for k in ("flops", "cycles", "trials")] + [
            share(one[k], one["trials"]) for k in ("masked", "shifted", "alarm", "repaired", "told",
                                                   "stalled", "silent")] + [
            f"{low} to {high} %"] + [share(one[k], one["trials"]) for k in ("counts", "words")] + [
            round(one["silent"] / one["trials"] * one["flops"])]
    if what == "network_x":
        return [one["cycles"], one["bits"], one["states"], len(one["ports"])]
    if what == "upset":
        return [one["upsets"]] + [percent(one[k], one["upsets"])
                                  for k in ("masked", "latent", "visible", "told")]
    return [one["bits"], one["states"], len(one["ports"])]


def row(values):
    """A row of a table."""
    return "| " + " | ".join(str(value) for value in values) + " |"


def state(fault):
    """What is known of a fault that was missed."""
    if fault["held"]:
        return "held inputs"
    if "inputs" in fault:
        return "deep" if "with" in fault else "inputs found"
    return "open" if fault["tried"] else "no time"


def table(what, results):
    """The table, then what it does not show."""
    if what.startswith("network"):
        return network_table(what, results)
    lines = [row(["block", "parameters", "records"] + HEADS[what])]
    lines.append("|" + "---|" * (3 + len(HEADS[what])))
    lists = []
    for path, one in results:
        name = path.stem.split("@")[0].replace("+", "/")
        lines.append(row([f"`{name}`", one["parameters"], one["records"]] + cells(what, one)))
        for fault in one.get("missed_faults", []):
            lists.append(f"{name}: {fault['net']} stuck at {fault['stuck']}: {state(fault)}")
        for port in one.get("ports", []):
            lists.append(f"{name}: {port['port']}: {port['bits']} bits in {port['records']} "
                         f"records, from record {port['first']} on")
        if one.get("illegal"):
            lists.append(f"{name}: an assertion does not hold in {one['illegal']} records")
    if what == "stuck" and len(results) > 1:
        every = {k: sum(one[k] for _, one in results) for k in
                 ("nets", "faults", "detected", "redundant", "missed", "witnesses", "deep",
                  "held")}
        lines.append(row(["all", "", ""] + cells(what, every)))
    return lines, lists


def network_table(what, results):
    """The same of networks; of upsets, the registers with most silent ones follow."""
    lines = [row(["network"] + HEADS[what]), "|" + "---|" * (1 + len(HEADS[what]))]
    lists = []
    for path, one in results:
        lines.append(row([path.stem] + cells(what, one)))
        for port in one.get("ports", []):
            lists.append(f"{path.stem}: {port['port']}: {port['bits']} bits in {port['records']} "
                         f"cycles, from cycle {port['first']} on")
        for register in one.get("registers", [])[:SHOWN]:
            lists.append(f"{path.stem}: {register['register']}: {register['silent']} silent of "
                         f"{register['trials']} upsets in its {register['flops']} flops")
    return lines, lists


def main(arguments):
    """As the usage says."""
    if arguments[:1] == ["--into"] and len(arguments) == 4:
        target = pathlib.Path(arguments[1])
        begin, end = f"<!-- {arguments[2]} -->\n", f"<!-- end of {arguments[2]} -->\n"
        before, rest = target.read_text().split(begin)
        rest = rest.split(end)[1]
        rows = pathlib.Path(arguments[3]).read_text().split("\n\n")[0].rstrip("\n")
        target.write_text(f"{before}{begin}{rows}\n{end}{rest}")
        return 0
    if len(arguments) not in (2, 3) or arguments[0] not in HEADS:
        print(__doc__.strip())
        return 1
    what = arguments[0]
    results = [(path, json.loads(path.read_text()))
               for path in sorted(pathlib.Path(arguments[1]).glob("*.json"))]
    if what.startswith("network"):
        results = [(path, {"network": path.stem} | one) for path, one in results]
    lines, lists = table(what, results)
    print("\n".join(lines))
    if lists:
        print("\n" + "\n".join(lists))
    if len(arguments) == 3:
        pathlib.Path(arguments[2]).write_text(json.dumps([one for _, one in results], indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
