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
    """The points of a block's own file: {kind: {(place, name): count}}. A line's name is its text,
    or its function's name, which stay when lines above it change."""
    points = {"line": collections.Counter(), "toggle": collections.Counter()}
    text, function, functions = source.read_text().splitlines(), None, {}
    for number, line in enumerate(text, 1):
        if begin := re.match(r" *function .*?(\w+)\(", line):
            function = begin[1]
        functions[number] = function
        if "endfunction" in line:
            function = None
    for line in open(data, errors="replace"):
        if not line.startswith("C '"):
            continue
        key, count = line[3:].rsplit("' ", 1)
        field = dict(part.split("\2", 1) for part in key.split("\1") if part)
        if pathlib.Path(field["f"]).name != source.name:
            continue
        if field["page"].startswith("v_toggle"):
            points["toggle"][None, field["o"]] += int(count)
        else:
            line = int(field["l"])
            name = f"{field['o']}: {text[line - 1].strip()}"
            if functions[line]:
                name = f"function {functions[line]}"
            points["line"][(line, int(field["n"])), name] += int(count)
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
        block, _, points = line.strip().partition(" ")
        if kind is None or not re.fullmatch(r"\w+/\w+", block):
            sys.exit(f"{path}:{number}: expected: group/block and its points, of a kind")
        if points.startswith(("line ", "function ")):
            named[block][points.removeprefix("line ")] = kind
            continue
        for word in points.split():
            named[block].update((name, kind) for name in expand(word))
    return named, kinds


def main(rtl, data, *blocks):
    rtl, data = pathlib.Path(rtl), pathlib.Path(data)
    named, kinds = explanations(rtl / "coverage_left.txt")
    rows, errors = [], []
    explained = {kind: collections.Counter() for kind in kinds}
    missing = [block for block in blocks if not (data / f"{block.split('/')[1]}.dat").exists()]
    errors += [f"{block}: not measured" for block in missing]
    for block in blocks:
        if block in missing:
            continue
        group, name = block.split("/")
        points = points_of(data / f"{name}.dat", rtl / group / f"weft_{name}.sv")
        counts = collections.defaultdict(list)
        for (_, name), count in [*points["line"].items(), *points["toggle"].items()]:
            counts[name].append(count)
        for name, kind in named[block].items():
            if name in counts and not any(counts[name]):
                explained[kind][block] += len(counts[name])
            else:
                state = "is covered" if name in counts else "is no point"
                errors.append(f"{block}: {name}, explained as {kind}, {state}")
        row = {"block": block}
        for kind, counts in points.items():
            left = [point for point, count in counts.items() if not count]
            row[kind] = len(counts)
            row[f"{kind} covered"] = len(counts) - len(left)
            row[f"{kind} left"] = [point for point in left if point[1] not in named[block]]
            row[f"{kind} explained"] = len(left) - len(row[f"{kind} left"])
        rows.append(row)
    total = {key: sum(row[key] for row in rows) for kind in ("line", "toggle")
             for key in (kind, f"{kind} covered", f"{kind} explained")}

    def percent(row, kind):
        of = row[kind] - row[f"{kind} explained"]
        return 100 * row[f"{kind} covered"] / of if of else 100.0

    print("| block | lines | explained | covered | % | toggles | explained | covered | % |")
    print("|---|" + 8 * "---:|")
    for row in rows + [total]:
        cells = [f"`{row['block']}`" if "block" in row else f"all {len(rows)}"]
        for kind in "line", "toggle":
            cells += [row[kind], row[f"{kind} explained"], row[f"{kind} covered"],
                      f"{percent(row, kind):.1f}" if row[kind] else ""]
        print("|", " | ".join(map(str, cells)), "|")
    if missing:
        print("\nNot measured yet: " + ", ".join(f"`{block}`" for block in missing) + ".")
    print("\n## What is left, explained\n")
    for kind, text in kinds.items():
        if explained[kind]:
            of = ", ".join(f"`{block}` {count}" for block, count in explained[kind].items())
            print(f"- **{kind}**: {text} {of}.")
    print("\n## What is left besides\n")
    for row in rows:
        parts = [f"line {line} {name}" for (line, _), name in row["line left"]]
        parts += shorten(name for _, name in row["toggle left"])
        if parts:
            print(f"- `{row['block']}`: " + ", ".join(f"`{part}`" for part in parts))
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
