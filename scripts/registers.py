#!/usr/bin/env python3
"""Writes what is made from the table of registers, sim/packet/register_map.hpp: the addresses for C
and for SystemVerilog, and the table in rtl/bus/README.md. With --check it only compares.

usage: scripts/registers.py [--check]
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = "sim/packet/register_map.hpp"
WRITTEN = f"Written by scripts/registers.py from {TABLE}."
ACCESS = {"kReads": "r", "kWrites": "w", "kBoth": "rw", "kTells": "w"}


def rows():
    """(name, address, number, access, what, refused, accepted) of each row."""
    text = (ROOT / TABLE).read_text()
    text = text[text.index("to_array<Register>({") : text.index("\n  });\n}();")]
    words = r'((?:"[^"]*"\s*)+)'
    row = rf"\{{{words}, (\w+), (\d+), (k\w+),\s*{words}(?:,\s*{words})?(?:,\s*{words})?"
    for name, address, number, access, *texts in re.findall(row, text):
        name, *texts = ("".join(re.findall('"([^"]*)"', each)) for each in (name, *texts))
        yield name, int(address, 16), int(number), access, *texts


def addresses(name, address, number, *_):
    """Names and addresses of a row: of up to four registers all, of more the first and the last."""
    if number == 1:
        return [(name, address)]
    shown = range(number) if number <= 4 else (0, number - 1)
    return [(f"{name}{i}", address + 4 * i) for i in shown]


def c_header(table):
    lines = [
        "// Registers of a NIC, byte offsets from WEFT_MMIO_BASE; all are 32-bit words.",
        f"// {WRITTEN}",
        "#ifndef WEFT_REGISTER_MAP_H",
        "#define WEFT_REGISTER_MAP_H",
    ]
    for row in table:
        comment = f"// {ACCESS[row[3]]}: {row[4]}."
        lines += ["", *textwrap.wrap(comment, 100, subsequent_indent="// ")]
        lines += [f"#define WEFT_REG_{name} 0x{at:02X}" for name, at in addresses(*row)]
    return "\n".join([*lines, "", "#endif", ""])


def package(table):
    words = max(row[1] // 4 + row[2] for row in table)
    lines = [
        "// Byte addresses of the registers that drivers see (rtl/bus/README.md, register_block).",
        f"// {WRITTEN}",
        "",
        "package weft_reg;",
        "",
        "  // No block uses all of them.",
        "  // verilator lint_off UNUSEDPARAM",
    ]
    for name, at in (pair for row in table for pair in addresses(*row)):
        name = "".join(word.capitalize() for word in name.split("_"))
        lines.append(f"  localparam logic [11:0] {name:18} = 12'h{at:03x};")
    lines += [
        "",
        "  // By word, from address 0 on: it can be read; it can be written.",
        f"  localparam int unsigned Words = {words};",
    ]
    for name, without in (("Readable", ("kWrites", "kTells")), ("Writable", ("kReads",))):
        rows = [row for row in table if row[3] not in without]
        mask = sum(1 << row[1] // 4 + i for row in rows for i in range(row[2]))
        lines.append(f"  localparam logic [Words-1:0] {name} = {words}'h{mask:x};")
    return "\n".join([*lines, "  // verilator lint_on UNUSEDPARAM", "", "endpackage", ""])


def markdown(table):
    lines = [
        "| register | address | | what it is | a write is refused | accepted in cycle t |",
        "|---|---|---|---|---|---|",
    ]
    for row in table:
        _, at, _, access, what, refused, accepted = row
        names = [f"`{name}`" for name, _ in addresses(*row)]
        names = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
        if access == "kTells":
            accepted = "nothing: it is for a simulator"
        cells = (names, f"0x{at:02X}", ACCESS[access], what, refused, accepted)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    table = list(rows())
    readme = "rtl/bus/README.md"
    begin = f"<!-- {WRITTEN} -->\n"
    before, old = (ROOT / readme).read_text().split(begin)
    after = old[old.index("\n\n") :]
    files = {
        "sw/include/weft_register_map.h": c_header(table),
        "rtl/weft_reg.sv": package(table),
        readme: before + begin + markdown(table) + after,
    }
    for name, text in files.items():
        file = ROOT / name
        if file.exists() and file.read_text() == text:
            continue
        if sys.argv[1:]:
            sys.exit(f"FAIL: {name} is not what scripts/registers.py writes from {TABLE}")
        file.write_text(text)


main()
