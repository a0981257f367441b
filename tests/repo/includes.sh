#!/usr/bin/env bash
# The compiler finds no header of a folder of sim/ that the including folder may not know.
# Arguments: build folder, C++ compiler.
set -euo pipefail
build=$1 compiler=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# The options with which the files of a folder are compiled.
options_of() {
  python3 - "$build/compile_commands.json" "$compiler" "/weft_$1.dir/" <<'PY'
import json
import shlex
import sys

database, compiler, folder = sys.argv[1:]
for entry in json.load(open(database)):
    if folder in entry["command"]:
        words = shlex.split(entry["command"])
        print("\n".join(words[words.index(compiler) + 1 : words.index("-o")]))
        break
PY
}

# expect found|refused FOLDER HEADER
expect() {
  local wanted=$1 folder=$2 header=$3 got=found options
  mapfile -t options < <(options_of "$folder")
  if ((${#options[@]} == 0)); then
    got="no file of sim/$folder that is compiled"
  else
    echo "#include \"$header\"" > "$work/file.cpp"
    if ! "$compiler" "${options[@]}" -fsyntax-only "$work/file.cpp" 2> "$work/errors"; then
      got=$(head -n 5 "$work/errors")
      [[ $got == *"$header: No such file"* ]] && got=refused
    fi
  fi
  [[ $got == "$wanted" ]] && return
  echo "FAIL: sim/$folder including $header: $got"
  failures=$((failures + 1))
}

expect found base sim/base/random.hpp
expect refused base sim/run/run.hpp
expect found run sim/engine/engine.hpp
expect refused engine sim/run/run.hpp
expect found analysis sim/topology/graph.hpp
expect refused topology sim/analysis/analysis.hpp
exit $((failures != 0))
