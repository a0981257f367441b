#!/usr/bin/env python3
"""Compile commands for editors and clang's tools: what CMake lists, with a unity file replaced by the
files that it includes, and without what only GCC takes, such as the precompiled header that it made.

usage: compile_commands.py BUILD_FOLDER    writes BUILD_FOLDER/clangd/compile_commands.json
"""
import json
import pathlib
import re
import sys


def listed(build):
    """What CMake lists, as any compiler can run it."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"].endswith(("cmake_pch.hxx.cxx", "cmake_pch.hxx")):
            continue
        # Only GCC has the last option.
        dropped = r" -Winvalid-pch| -include \S*cmake_pch\.hxx| -fno-tree-slp-vectorize"
        command = re.sub(dropped, "", entry["command"])
        # ccache, and what sets its environment, stand before the compiler.
        command = re.sub(r"^.*?(\S*/(?:c\+\+|cc|g\+\+|gcc|clang\+\+|clang) )", r"\1", command)
        yield {"directory": entry["directory"], "file": entry["file"], "command": command}


def sources_of(entry):
    """The file that an entry compiles, or those that its unity file includes."""
    if "/Unity/" not in entry["file"]:
        return [entry["file"]]
    text = pathlib.Path(entry["file"]).read_text()
    return re.findall(r'^#include "(.*)"$', text, re.MULTILINE)


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        sys.exit(len(sys.argv) != 2)
    build = pathlib.Path(sys.argv[1])
    entries = [
        {**entry, "file": file, "command": entry["command"].replace(entry["file"], file)}
        for entry in listed(build)
        for file in sources_of(entry)
    ]
    folder = build / "clangd"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    main()
