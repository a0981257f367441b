#!/usr/bin/env python3
"""Sources as clangd shows them to an editor: each without an error.

usage: clangd.py BUILD_FOLDER [COUNT] [SEED]    COUNT files of sim/, tb/ and tests/ drawn at random
                                                (40, a new seed each time), opened in clangd
       clangd.py BUILD_FOLDER all               every source compiled by clang with the same commands
                                                (minutes)

BUILD_FOLDER must be built, for the headers that the build makes.
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def opened(entry):
    """Errors in clangd, which finds the command by .clangd as for an editor."""
    # Checks only the tokens of the first line: clangd 14 crashes on some of its own actions.
    command = ["clangd", f"--check={entry['file']}", "--check-lines=1-1"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    lines = run.stderr.splitlines()
    # Warnings, which clangd also lists as errors, are left to scripts/tidy.py: some are wrong.
    wrong = [line for line in lines if re.match(r"E\[[^]]*\] (?!\[-W)", line)]
    if "/clangd/compile_commands.json" not in run.stderr or "fallback command" in run.stderr:
        wrong.append("clangd does not find its command by .clangd")
    completed = bool(lines) and "All checks completed" in lines[-1]
    return wrong if completed else wrong or lines[-3:] or ["clangd did not run"]


def compiled(entry):
    """Errors of clang."""
    words = shlex.split(entry["command"])
    compiler = "clang" if entry["file"].endswith(".c") else "clang++"
    options = [word for word in words[1:] if word != "-c"]
    at = options.index("-o")
    del options[at : at + 2]
    run = subprocess.run(
        [compiler, "-fsyntax-only", *options], cwd=entry["directory"], capture_output=True, text=True
    )
    wrong = [line for line in run.stderr.splitlines() if "error:" in line]
    return wrong or [run.stderr[-300:]] if run.returncode else []


def main():
    words = sys.argv[1:]
    if not words or words[0] in ("-h", "--help"):
        print(__doc__.strip())
        sys.exit(not words)
    count = words[1] if len(words) > 1 else "40"
    tops = ("sim", "tb", "tests", "sw") if count == "all" else ("sim", "tb", "tests")
    tops = tuple(f"{ROOT}/{top}/" for top in tops)
    listed = json.loads((pathlib.Path(words[0]) / "clangd/compile_commands.json").read_text())
    entries = {entry["file"]: entry for entry in listed if entry["file"].startswith(tops)}
    files = sorted(entries)
    if count == "all":
        look = compiled
        print(f"all {len(files)} files", flush=True)
    else:
        look = opened
        seed = int(words[2]) if len(words) > 2 else random.SystemRandom().randrange(10**6)
        print(f"{count} of {len(files)} files, seed {seed}", flush=True)
        files = random.Random(seed).sample(files, int(count))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, wrong in zip(files, pool.map(look, map(entries.get, files))):
            failed += bool(wrong)
            for line in wrong[:5]:
                print(f"FAIL: {os.path.relpath(file, ROOT)}: {line}", flush=True)
    print(f"{len(files)} files, {failed} with errors")
    sys.exit(bool(failed) or not files)


main()
