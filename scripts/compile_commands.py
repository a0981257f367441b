#!/usr/bin/env python3
"""Compile commands for editors and clang's tools: what CMake lists, with a unity file replaced by the
files that it includes, and without the precompiled header, which only the compiler that made it reads.

usage: compile_commands.py BUILD_FOLDER    writes BUILD_FOLDER/clangd/compile_commands.json
"""
import json
import pathlib
import re
import sys


def entries(listed):
    for entry in listed:
        if entry["file"].endswith(("cmake_pch.hxx.cxx", "cmake_pch.hxx")):
            continue
        command = re.sub(r" -Winvalid-pch| -include \S*cmake_pch\.hxx", "", entry["command"])
        # ccache, and what sets its environment, stand before the compiler.
        command = re.sub(r"^.*?(\S*/(?:c\+\+|cc|g\+\+|gcc|clang\+\+|clang) )", r"\1", command)
        files = [entry["file"]]
        if "/Unity/" in entry["file"]:
            text = pathlib.Path(entry["file"]).read_text()
            files = re.findall(r'^#include "(.*)"$', text, re.MULTILINE)
        for file in files:
            yield {
                "directory": entry["directory"],
                "file": file,
                "command": command.replace(entry["file"], file),
            }


def main():
    build = pathlib.Path(sys.argv[1])
    listed = json.loads((build / "compile_commands.json").read_text())
    folder = build / "clangd"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(list(entries(listed)), indent=1) + "\n")


if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
    print(__doc__.strip())
    sys.exit(len(sys.argv) != 2)
main()
