#!/usr/bin/env python3
"""Every documented maximum of a block's parameter is a parameter point of its bench.

usage: maxima.py BUILD_DIR [BLOCK]...   status 1 and what is missing; --list prints all of them

Maxima are read from rtl/<group>/weft_<block>.sv: of a parameter's `///` line, such as "1 to 255" or
"2, 4, 8 or 16", and of its parameter checks (WEFT_PARAM), where a comparison with `<=` or `<` must
be reached exactly. A maximum that depends on another parameter is that of the same point. Points
are those that the bench lists (`--points`); what a point leaves out has its default.
"""
import math
import pathlib
import re
import subprocess
import sys

# Not reached, by block and parameter or check, and why.
ONE_FORMAT = "model and bench have the one format that is built; the proofs have others"
PASSED_ON = "the interface passes it on to retain_unit and ack_unit, whose benches reach it"
VC_EACH = "a VC for each node: digits of 16 bits are those of 5625 nodes or more"
NOT_REACHED = {
    ("inject_unit", "weft_pkg::digit_lsb(Coords, NumDims) <= AddrW"): VC_EACH,
    ("nic", "NumAddr"): PASSED_ON,
    ("nic", "Timeout"): PASSED_ON,
    ("axi_nic", "NumAddr"): PASSED_ON,
    ("axi_nic", "Timeout"): PASSED_ON,
    ("mean_div", "DivW"): ONE_FORMAT,
    ("mean_div", "DivW <= ManW + 1"): ONE_FORMAT,
    ("mean_div", "ManW + DivW < 2 + (1 << (ExpW + 1))"): ONE_FORMAT,
}

ROOT = pathlib.Path(__file__).resolve().parents[2]


def code(text):
    """SystemVerilog constants and operators as Python's."""
    text = re.sub(r"\bweft_pkg::(\w+)", r"weft_pkg__\1", text)
    text = re.sub(r"\b\d+'\(", "(", text)
    text = re.sub(r"\b\d*'[hH]([0-9a-fA-F_]+)", lambda m: str(int(m[1].replace("_", ""), 16)), text)
    text = re.sub(r"\b\d*'[dD](\d+)", r"\1", text)
    text = re.sub(r"\b\d*'[bB]([01]+)", lambda m: str(int(m[1], 2)), text)
    text = re.sub(r"\$clog2\(", "clog2(", text)
    text = re.sub(r"(\w+)\[([^][]*?) \+: ([^][]*?)\]", r"(\1 >> (\2) & ((1 << (\3)) - 1))", text)
    text = re.sub(r"^(.*?) \? (.*?) : (.*)$", r"(\2) if (\1) else (\3)", text)
    return text.replace("'0", "0").replace("&&", " and ").replace("||", " or ").replace("/", "//")


def value(text, names):
    """A constant expression; None where it has what is no number, such as a function."""
    names = {**names, "clog2": lambda x: max(x - 1, 0).bit_length(), "__builtins__": {}}
    names |= digits(names)
    try:
        return int(eval(code(text), names))  # Expressions of this repository.
    except (NameError, SyntaxError, TypeError, ValueError):
        return None


def digits(names):
    """The functions of modules whose addresses have digits, in the places of `MaxCoords`."""
    if not isinstance(names.get("MaxCoords"), int):
        return {}
    width = names["weft_pkg__DigitParamW"]
    places = lambda last, dims: (last >> d * width & (1 << width) - 1 for d in range(dims))
    lsb = lambda last, dims: sum(place.bit_length() for place in places(last, dims))
    coords = names["MaxCoords"]
    return {"Coords": coords, "weft_pkg__digit_lsb": lsb, "unit_lsb": lambda dims: lsb(coords, dims),
            "rank_step": lambda dims: math.prod(last + 1 for last in places(coords, dims))}


def package():
    names = {}
    for name, text in re.findall(r"localparam (?:int unsigned|logic \[.*?\]) (\w+)\s*= (.*?);",
                                 (ROOT / "rtl/weft_pkg.sv").read_text()):
        names[name] = value(text, names)
    return names | {"weft_pkg__" + name: number for name, number in names.items()}


def parameters(text):
    """(name, default, `///` lines) of each parameter of a module, without derived ones."""
    found, lines = [], []
    head = text[text.index("\nmodule "):]
    if "#(" not in head.split("(\n")[0] + "(":
        return found
    head = head[:head.index("\n) (")]
    for line in re.sub(r"=\n\s+", "= ", head).split("\n"):
        if line.strip().startswith("///"):
            lines.append(line.strip()[3:].strip())
        elif match := re.match(r"\s*parameter .*?(\w+)\s*=\s*(.*?),?$", line):
            found.append((match[1], match[2], " ".join(lines)))
            lines = []
        elif line.strip():
            lines = []
    return found


NUMBER = r"(2 \*\* [\w:]+|(?:\d )?`\w+`(?: [+/] \d+)?|[\d,]*\d|(?:weft_pkg::)?\w*AddrW)"


def documented(line):
    """The maximum that a parameter's `///` line says, as an expression; None without one."""
    line = re.sub(r"\([^)]*\)", "", line)
    if match := re.search(r"(?:\d|`|AddrW|weft_pkg::\w+) ?(?:[+] \d )?to " + NUMBER, line) or \
            re.search(r", to (\d+)", line):
        text = match[1].replace(",", "").replace("`", "")
        return re.sub(r"^(\d+) (\w)", r"\1 * \2", text) if not "**" in text else text
    if match := re.search(r"\d+(?:, \d+)* or (\d+)\b", line):
        return match[1]
    return None


def conjuncts(text):
    """The parts of a condition that `&&` joins, inside parentheses too."""
    parts, depth, begin = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0 and text.startswith("&&", at):
            parts.append(text[begin:at].strip())
            begin = at + 2
    parts.append(text[begin:].strip())
    if len(parts) == 1 and "||" in text and "(" in text:
        return [p for inner in re.findall(r"\(([^()]*&&[^()]*)\)", text) for p in conjuncts(inner)]
    return [p for part in parts for p in (conjuncts(part) if part != text else [part])]


def checks(text, names):
    """(what, expression that is true at the maximum) of a module's parameter checks. After `!A ||`
    only points count that set A."""
    found = []
    for _, condition in re.findall(r"`WEFT_PARAM\((\w+),\s*(.*?)\)\n", text, re.S):
        condition = " ".join(condition.split())
        guard = ""
        if match := re.match(r"!(\w+) \|\| ", condition):
            guard = match[1] + " and "
            condition = re.sub(r"^\(([^()]*)\)$", r"\1", condition[match.end():])
        for part in conjuncts(condition):
            match = re.fullmatch(r"([^<>=|]+) (<=|<) ([^<>=|]+(?:<< [^<>=|]+)?)", part)
            if not match or not any(re.search(rf"\b{name}\b", match[1]) for name in names):
                continue
            more = " + 1" if match[2] == "<" else ""
            found.append((part, f"{guard}({match[1]}{more}) == ({match[3]})"))
    return found


def points(build, block, defaults, constants):
    output = subprocess.run([build / "tb" / f"{block}_tb", "--points"], check=True,
                            capture_output=True, text=True).stdout
    found = []
    for line in output.splitlines():
        point = dict(constants)
        words = dict(word.split("=", 1) for word in line.split()[1:])
        for name, default in defaults:
            point[name] = value(words.get(name, default), point)
        found.append(point)
    return found


def main():
    words = sys.argv[1:]
    listing = "--list" in words
    words = [word for word in words if word != "--list"]
    if not words or words[0] == "-h":
        print(__doc__)
        return 0 if words else 2
    build, wanted = pathlib.Path(words[0]), words[1:]
    constants, missing, reached = package(), 0, 0
    for source in sorted(ROOT.glob("rtl/*/weft_*.sv")):
        block = source.stem.removeprefix("weft_")
        if wanted and block not in wanted:
            continue
        text = source.read_text()
        module = parameters(text)
        names = [name for name, _, _ in module]
        # Derived constants of the module that checks name.
        derived = re.findall(r"localparam int unsigned (\w+)\s*=\s*(.*?)[,;]?\n", text)
        due = [(name, f"{name} == ({most})") for name, _, line in module
               if (most := documented(line))]
        due += checks(text, names)
        if not due:
            continue
        tried = points(build, block, [(name, default) for name, default, _ in module], constants)
        for point in tried:
            for name, expression in derived:
                point.pop(name, None)  # Of the package.
                if (number := value(expression, point)) is not None:
                    point[name] = number
        for what, expression in due:
            values = [value(expression, point) for point in tried]
            if all(v is None for v in values):
                missing += 1
                print(f"FAILED {block}: the maximum of {what} cannot be read: {expression}")
            elif (block, what) in NOT_REACHED and not any(values):
                if listing:
                    print(f"{block}: {what}: not reached: {NOT_REACHED[block, what]}")
            elif any(values):
                reached += 1
                if listing:
                    print(f"{block}: {what}: reached")
            else:
                missing += 1
                print(f"FAILED {block}: no point of its bench reaches the maximum of {what}: "
                      f"{expression}")
    print(f"{reached} maxima reached, {missing} not")
    if not wanted and reached < 140:
        print(f"FAILED only {reached} maxima were found")
        return 1
    return 1 if missing or not reached else 0


if __name__ == "__main__":
    sys.exit(main())
