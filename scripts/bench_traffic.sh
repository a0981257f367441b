#!/usr/bin/env bash
# Cost of synthetic traffic on a torus of 32 x 32 nodes, below saturation and beyond it: executed
# instructions of the whole process for each flit hop (counted by perf if it can, else by valgrind),
# and flit hops per second of a plain run.
set -euo pipefail
cd "$(dirname "$0")/.."
usage='usage: scripts/bench_traffic.sh [RATE...]
  RATE  flits per node and cycle; default: 0.1 and 0.4 (saturated)
WEFT=FILE takes that command and builds nothing, CYCLES=N measures over N cycles (default 12000).'
if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  echo "$usage"
  exit 0
fi
for argument in "$@"; do
  [[ $argument =~ ^(0?\.[0-9]+|1)$ ]] || {
    echo "scripts/bench_traffic.sh: value \"$argument\": expected: a rate up to 1" >&2
    echo "$usage" >&2
    exit 2
  }
done
perf=no counter=(valgrind)
if perf stat -x, -e instructions:u true 2>&1 | grep -q '^[0-9]'; then perf=yes counter=(); fi
source scripts/packages.sh
if [[ -n ${WEFT:-} ]]; then
  weft=$WEFT
else
  weft_packages "${WEFT_RUN_PACKAGES[@]}" ${counter[@]+"${counter[@]}"}
  weft_build weft
  weft=build/weft
fi
[[ $perf == yes ]] || command -v valgrind >/dev/null ||
  { echo "valgrind is missing: package valgrind" >&2 && exit 2; }
cycles=${CYCLES:-12000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

run() { # rate file command...
  local rate=$1 file=$2
  shift 2
  # The run ends with the measuring phase: beyond saturation the rest would take ten times as long.
  "$@" "$weft" run torus32_uniform --set workload.rate="$rate" --set workload.measure="$cycles" \
    --set max_cycles=$((cycles + 1000)) --json "$folder/$file" >"$folder/out" 2>"$folder/err" ||
    [[ -s $folder/$file ]] || { cat "$folder/err" >&2; exit 1; }
}
field() { # file name
  sed -n 's/^ *"'"$2"'": *\([-0-9.e+]*\),\{0,1\}$/\1/p' "$folder/$1"
}
# Instructions of user code in the run just counted.
counted() {
  if [[ $perf == yes ]]; then
    sed -n 's/^\([0-9]*\),.*instructions.*/\1/p' "$folder/perf"
  else
    sed -n 's/^==[0-9]*== *Collected *: *\([0-9]*\).*/\1/p' "$folder/err"
  fi
}

printf '%8s %10s %12s %16s %14s\n' rate accepted 'flit hops' 'instr/flit hop' 'flit hops/s'
for rate in "${@:-0.1}" $( (($#)) || echo 0.4); do
  run "$rate" plain.json
  if [[ $perf == yes ]]; then
    run "$rate" counted.json perf stat -x, -e instructions:u -o "$folder/perf"
  else
    run "$rate" counted.json valgrind --tool=callgrind --callgrind-out-file=/dev/null
  fi
  awk -v rate="$rate" -v accepted="$(field plain.json accepted_rate)" \
    -v hops="$(field plain.json flit_hops)" -v n="$(counted)" \
    -v speed="$(field plain.json flit_hops_per_s)" \
    'BEGIN { printf "%8s %10.4f %12d %16.1f %14.3g\n", rate, accepted, hops, n / hops, speed }'
done
