#!/usr/bin/env python3
"""clang-tidy over the sources, with the checks of .clang-tidy: 0 findings, or status 1.

usage: tidy.py BUILD_FOLDER [COUNT|all] [SEED]    default: 16, a new seed each time, which is printed
       tidy.py BUILD_FOLDER FILE...               what is compiled of these, in any case

Files that are compiled together are checked together, in a fifth of the time. What passed is recorded
in BUILD_FOLDER/tidy.json and is checked anew when one of its files, the checks or clang-tidy change;
of the rest COUNT compilations are drawn at random. What is not built in BUILD_FOLDER is left out:
Ninja knows the headers of the others.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys

import compile_commands

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHECKED = tuple(f"{ROOT}/{top}/" for top in ("sim", "sw", "tb", "tests"))


def headers(build):
    """By object: the files of the repository that were read to compile it."""
    found, files = {}, None
    output = subprocess.run(
        ["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=True
    ).stdout
    for line in output.splitlines():
        if line.startswith("    "):
            file = os.path.realpath(build / line.strip())
            if file.startswith(str(ROOT)):
                files.append(file)
        elif line:
            files = found.setdefault(line.split(": #deps")[0], [])
    return found


def units(build):
    """What is compiled of the repository, each with the checksum of all that clang-tidy reads of it."""
    of_object, contents = headers(build), {}
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    common = version + (ROOT / ".clang-tidy").read_bytes()

    def content(file):
        if file not in contents:
            contents[file] = hashlib.sha256(pathlib.Path(file).read_bytes()).digest()
        return contents[file]

    for entry in compile_commands.listed(build):
        sources = [os.path.realpath(file) for file in compile_commands.sources_of(entry)]
        if not all(file.startswith(CHECKED) for file in sources):
            continue  # Generated.
        words = shlex.split(entry["command"])
        target = os.path.join(entry["directory"], words[words.index("-o") + 1])
        name = os.path.relpath(target, build)
        if name not in of_object:
            continue  # Not built, so that nothing is known of its headers.
        digest = hashlib.sha256(common + entry["command"].encode())
        for file in sorted({*sources, *filter(os.path.exists, of_object[name])}):
            digest.update(content(file))
        yield {
            "name": name,
            "file": entry["file"],
            "directory": entry["directory"],
            "sources": sources,
            "options": words[1:],
            "digest": digest.hexdigest(),
        }


def findings(unit):
    """Of clang-tidy in what is compiled together: lines, none if it passes."""
    command = ["clang-tidy", "--quiet", f"--config-file={ROOT}/.clang-tidy", unit["file"], "--"]
    run = subprocess.run(
        command + unit["options"], capture_output=True, text=True, cwd=unit["directory"]
    )
    lines = re.findall(r"^(/\S+: (?:warning|error): .*\])$", run.stdout, re.MULTILINE)
    if run.returncode and not lines:
        lines = [f"{unit['file']}: clang-tidy ended with {run.returncode}: {run.stderr[-500:]}"]
    # A header is found by links in the build folder.
    places = (line.partition(":") for line in lines)
    return [os.path.relpath(os.path.realpath(file), ROOT) + ":" + rest for file, _, rest in places]


def main():
    words = sys.argv[1:]
    if not words or words[0] in ("-h", "--help"):
        print(__doc__.strip())
        sys.exit(not words)
    build = pathlib.Path(words[0]).resolve()
    record = build / "tidy.json"
    passed = json.loads(record.read_text()) if record.exists() else {}
    all_units = list(units(build))
    files = {os.path.realpath(word) for word in words[1:] if os.path.exists(word)}
    if files:
        drawn = [unit for unit in all_units if files & set(unit["sources"])]
        print(f"{len(drawn)} compilations of these files")
    else:
        count = words[1] if len(words) > 1 else "16"
        seed = int(words[2]) if len(words) > 2 else random.SystemRandom().randrange(10**6)
        drawn = [unit for unit in all_units if passed.get(unit["name"]) != unit["digest"]]
        unknown = len(drawn)
        random.Random(seed).shuffle(drawn)
        drawn = drawn if count == "all" else drawn[: int(count)]
        print(
            f"{len(all_units)} compilations, {unknown} of them not yet checked as they are;"
            f" checked now: {len(drawn)}, seed {seed}",
            flush=True,
        )
    found = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for unit, lines in zip(drawn, pool.map(findings, drawn)):
            for line in lines:
                if line not in found:
                    print(line, flush=True)
            found.update(lines)
            if not lines:
                passed[unit["name"]] = unit["digest"]
                record.write_text(json.dumps(passed, indent=1, sort_keys=True) + "\n")
    print(f"{len(found)} findings")
    sys.exit(bool(found) or not all_units)


main()
