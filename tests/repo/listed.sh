#!/usr/bin/env bash
# Every source is listed for editors with a command of its own (scripts/compile_commands.py), also
# where several are compiled together. Takes the build folder.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/scripts/compile_commands.py" "$1"
python3 - "$root" "$1/clangd/compile_commands.json" <<'PYTHON'
import json
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
listed = {pathlib.Path(entry["file"]).resolve() for entry in json.load(open(sys.argv[2]))}
# Built without Verilator, and by scripts/bound.sh.
elsewhere = {"sim/observe/no_waves.cpp", "tests/formal/router/ring_bound.cpp"}
sources = [file for top in ("sim", "tb", "tests") for file in sorted(root.glob(f"{top}/**/*.cpp"))]
missing = [
    str(file.relative_to(root))
    for file in sources
    if file.resolve() not in listed and str(file.relative_to(root)) not in elsewhere
]
for name in missing:
    print(f"FAIL: {name} is not in {sys.argv[2]}")
sys.exit(bool(missing) or len(sources) < 300)
PYTHON
