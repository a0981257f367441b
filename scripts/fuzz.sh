#!/usr/bin/env bash
# Random configurations on two engines, compared in all figures of their results.
#   scripts/fuzz.sh runs [N] [OPTIONS]    engine model against flit, N configurations (1000);
#                                         OPTIONS of tests/fuzz/fuzz.py, such as --seed 7
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} != runs ]]; then
  sed -n '2,4s/^# \{0,1\}//p' "$0"
  [[ ${1:-} == -h || ${1:-} == --help ]] && exit 0 || exit 2
fi
shift
runs=1000
if [[ ${1:-} =~ ^[0-9]+$ ]]; then
  runs=$1
  shift
fi
exec python3 -B tests/fuzz/fuzz.py build/weft "$runs" "$@"
