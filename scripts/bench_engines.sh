#!/usr/bin/env bash
# Cycles a second of the engines on large networks, and what of it each engine is of `flit`.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  echo "usage: scripts/bench_engines.sh [NETWORK...]    default: all; --list names them"
  echo "RUNS=N: the median of N runs (default 5); ENGINES: default 'flit gates model rtl';"
  echo "CYCLES=N: of measurement (default 5000; rtl makes a tenth). WEFT=FILE: that command."
  exit 0
fi
source scripts/packages.sh
if [[ -z ${WEFT:-} && ${1:-} != --list ]]; then
  weft_packages "${WEFT_RUN_PACKAGES[@]}" python3 yosys
  weft_build weft
fi
exec python3 scripts/bench_engines.py "${WEFT:-build/weft}" "$@"
