#!/usr/bin/env bash
# Every test: builds, then runs unit tests, lockstep benches, end-to-end tests, lint, proofs,
# netlist equivalence and mutations. `--fast`: what neither verilates nor synthesises RTL, and
# builds no more than that. Further arguments go to ctest (for instance -R '^unit'). Closes with
# `N passed, N failed`.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  echo "usage: scripts/test.sh [--fast] [CTEST ARGUMENTS]    e.g. scripts/test.sh -R '^e2e'"
  exit 0
fi
targets=(all)
if [[ ${1:-} == --fast ]]; then
  shift
  targets=(weft unit_tests repo_test)
  set -- -L '^(unit|repo|model)$' "$@"
fi
source scripts/packages.sh

# Besides: the browser of reports, the debugger, readers of man pages and lists, MPI and Slurm; what
# counts and measures for the tables of documents, and standard cells.
weft_packages chromium gdb-multiarch help2man libmetis-dev libopenmpi-dev man-db openmpi-bin \
  python3-protobuf python3-yaml qflow-tech-osu018 slurm-wlm time valgrind
weft_build "${targets[@]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
ctest --test-dir build -j2 --output-on-failure --no-tests=error "$@" 2>&1 | tee "$log" || status=$?
# ctest's own closing line: "95% tests passed, 1 tests failed out of 20".
failed=$(sed -n 's/^[0-9]*% tests passed, \([0-9]*\) tests failed out of [0-9]*$/\1/p' "$log")
total=$(sed -n 's/^[0-9]*% tests passed, [0-9]* tests failed out of \([0-9]*\)$/\1/p' "$log")
if [[ -z $total ]]; then
  echo "no test was run" >&2
  exit 1
fi
echo "$((total - failed)) passed, $failed failed"
exit "$status"
