#!/usr/bin/env bash
# The tests, by tier. `quick` is what a change shows first: unit tests, the repository, the models,
# lint, one comparison of RTL and model for each kind of network. `full`, the default, adds benches,
# end-to-end tests, proofs, netlist equivalence and mutations; of the blocks that did not change it
# takes a fifth. `deep` takes all blocks, and adds clang's tools on all sources and long fuzzing.
# Further arguments go to ctest (for instance -R '^unit'). Closes with `N passed, N failed`.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  echo "usage: scripts/test.sh [--tier quick|full|deep] [CTEST ARGUMENTS]"
  echo "e.g.:  scripts/test.sh -R '^e2e'"
  exit 0
fi
tier=full targets=(all)
if [[ ${1:-} == --tier ]]; then
  tier=${2:-}
  shift $(($# < 2 ? $# : 2))
fi
case $tier in
  quick)
    targets=(weft unit_tests repo_test)
    set -- -L '^(unit|repo|model|quick)$' "$@"
    ;;
  full | deep) ;;
  *) echo "scripts/test.sh: --tier ${tier:-''}: expected: quick, full or deep" >&2 && exit 2 ;;
esac
source scripts/packages.sh

# Further packages: the browser of reports, the debugger, readers of man pages and lists, MPI and
# Slurm; tools that count and measure for the tables of documents, and standard cells.
weft_packages "${WEFT_TEST_PACKAGES[@]}" chromium gdb-multiarch help2man libmetis-dev \
  libopenmpi-dev man-db openmpi-bin python3-protobuf python3-yaml qflow-tech-osu018 slurm-wlm \
  time valgrind
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
if [[ $tier == deep ]]; then
  for check in lint.sh prove.sh equiv.sh "mutate.sh build" "fuzz.sh config 600" \
    "tidy.py build all" "clangd.py build all"; do
    total=$((total + 1))
    # shellcheck disable=SC2086 # A script and its arguments.
    scripts/$check || status=1 failed=$((failed + 1))
  done
fi
echo "$((total - failed)) passed, $failed failed"
exit "$status"
