#!/usr/bin/env bash
# CPU time and memory of a cold build: every compilation is timed, none is taken from ccache. The
# build folder is a temporary one.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  echo "usage: scripts/build_time.sh [TARGET...]    default: weft; all: with tests"
  exit 0
fi
(($#)) || set -- weft
source scripts/packages.sh
weft_packages "${WEFT_TEST_PACKAGES[@]}" time
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
log=$folder/steps
launcher="/usr/bin/time;-a;-o;$log;-f;%U %S %M %C"
cmake -S . -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" \
  -DCMAKE_C_COMPILER_LAUNCHER="$launcher" >/dev/null
start=$(date +%s)
cmake --build "$folder" --target "$@" >"$folder/log" || {
  cat "$folder/log" >&2
  exit 1
}
wall=$(($(date +%s) - start))
# The last word of a compilation's command is the file that it reads.
awk -v wall="$wall" -v cores="$(nproc)" -v sorted="sort -rn | sed -n 1,30p" '
  { cpu = $1 + $2; sum += cpu; file = $NF; sub(".*/(build|tmp)[^/]*/", "", file) }
  { printf "%7.1f s %5d MB  %s\n", cpu, $3 / 1024, file | sorted }
  END {
    close(sorted)
    printf "%d compilations, %.1f CPU-minutes, %d s with %s cores\n", NR, sum / 60, wall,
           cores
  }' "$log"
