"""The tables of scripts/coverage.sh: what the benches cover of each block, and what they leave.

    coverage_table.py RTL_FOLDER DATA_FOLDER GROUP/BLOCK...

Reads DATA_FOLDER/BLOCK.dat, as verilator_coverage writes it, and the explanations in
RTL_FOLDER/coverage_left.txt. Markdown on standard output. Status 1 where a block is below LEAST,
or an explained point is covered or is not there.
"""
import collections
import itertools
import pathlib
import re
import sys

LEAST = 95  # percent of the points without an explanation


def numbers(text):
    """The numbers in `3,5-7`."""
    for part in text.split(","):
        low, _, high = part.partition("-")
        yield from range(int(low), int(high or low) + 1)


def ranges(values):
    """The other way round."""
    parts = []
    for value in sorted(values):
        if parts and value == parts[-1][1] + 1:
            parts[-1][1] = value
        else:
            parts.append([value, value])
    return ",".join(f"{low}-{high}" if high > low else str(low) for low, high in parts)


def expand(text):
    """The names of the bits in `a[0,2-3][5]`."""
    base, *indices = re.findall(r"[^\[\]]+", text)
    for place in itertools.product(*map(numbers, indices)):
        yield base + "".join(f"[{index}]" for index in place)


def shorten(names):
    """The other way round, of many bits: bits of one signal, and equal ones of an array's, as one."""
    bits, words = collections.defaultdict(set), collections.defaultdict(set)
    for name in names:
        word, _, bit = name.rpartition("[") if name.endswith("]") else (name, "", "")
        bits[word].add(int(bit[:-1]) if bit else None)
    for word, places in bits.items():
        last = "" if None in places else f"[{ranges(places)}]"
        base, _, index = word.partition("[")
        words[base, last].add(int(index[:-1]) if index else None)
    return [base + ("" if None in places else f"[{ranges(places)}]") + last
            for (base, last), places in words.items()]


def points_of(data, source):
    """The points of a block's own file: {kind: {name: count}}."""
    points = {"line": collections.Counter(), "toggle": collections.Counter()}
    text = source.read_text().splitlines()
    for line in open(data, errors="replace"):
        if not line.startswith("C '"):
            continue
        key, count = line[3:].rsplit("' ", 1)
        field = dict(part.split("\2", 1) for part in key.split("\1") if part)
        if pathlib.Path(field["f"]).name != source.name:
            continue
        if field["page"].startswith("v_toggle"):
            kind, name = "toggle", field["o"]
        else:
            kind = "line"
            name = f"{field['l']} {field['o']}: {text[int(field['l']) - 1].strip()}"
        points[kind][name] += int(count)
    return points


def explanations(path):
    """{block: {name: kind}} and {kind: text}. A line `KIND: text` begins a kind."""
    named, kinds, kind = collections.defaultdict(dict), {}, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            kind, colon, text = line.partition(": ")
            if not colon:
                sys.exit(f"{path}:{number}: expected: KIND: text")
            kinds[kind] = text
            continue
        block, *words = line.split()
        if kind is None or not re.fullmatch(r"\w+/\w+", block):
            sys.exit(f"{path}:{number}: expected: group/block SIGNAL[BITS]... of a kind")
        for word in words:
            named[block].update((name, kind) for name in expand(word))
    return named, kinds


def main(rtl, data, *blocks):
    rtl = pathlib.Path(rtl)
    named, kinds = explanations(rtl / "coverage_left.txt")
    rows, left, errors = [], [], []
    explained = {kind: collections.Counter() for kind in kinds}
    total = collections.Counter()
    for block in blocks:
        group, name = block.split("/")
        points = points_of(f"{data}/{name}.dat", rtl / group / f"weft_{name}.sv")
        for bit, kind in named[block].items():
            if points["toggle"].get(bit) == 0:
                explained[kind][block] += 1
            else:
                state = "is covered" if bit in points["toggle"] else "is no point"
                errors.append(f"{block}: {bit}, explained as {kind}, {state}")
        row = {"block": block}
        for kind, counts in points.items():
            open_points = [p for p, count in counts.items() if not count]
            row[kind] = len(counts)
            row[f"{kind} covered"] = len(counts) - len(open_points)
            if kind == "toggle":
                row["explained"] = sum(p in named[block] for p in open_points)
                open_points = [p for p in open_points if p not in named[block]]
            row[f"{kind} left"] = open_points
            total[kind] += len(counts)
            total[f"{kind} covered"] += row[f"{kind} covered"]
        total["explained"] += row["explained"]
        rows.append(row)

    def percent(row, kind):
        of = row[kind] - (row["explained"] if kind == "toggle" else 0)
        return 100 * row[f"{kind} covered"] / of if of else 100.0

    print("| block | lines | covered | % | toggles | explained | covered | % |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for row in rows + [total | {"block": f"all {len(rows)}"}]:
        print(f"| `{row['block']}` |" if "/" in row["block"] else f"| {row['block']} |",
              f"{row['line']} | {row['line covered']} | {percent(row, 'line'):.1f} |",
              f"{row['toggle']} | {row['explained']} | {row['toggle covered']} |",
              f"{percent(row, 'toggle'):.1f} |")
    print("\n## What is left, explained\n")
    for kind, text in kinds.items():
        if explained[kind]:
            of = ", ".join(f"`{block}` {count}" for block, count in explained[kind].items())
            print(f"- **{kind}**: {text} {of}.")
    print("\n## What is left besides\n")
    for row in rows:
        parts = [f"`{name}`" for name in row["line left"] + shorten(row["toggle left"])]
        if parts:
            print(f"- `{row['block']}`: " + ", ".join(parts))
    for row in rows:
        for kind in "line", "toggle":
            if percent(row, kind) < LEAST:
                errors.append(f"{row['block']}: {percent(row, kind):.1f} % of the {kind}s, "
                              f"expected: {LEAST}")
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
