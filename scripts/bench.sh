#!/usr/bin/env bash
# Speed of the engines on one job, in one run: all-to-all of 16-flit messages on the 256 processors
# of seed 002 fig. 1. Prints cycles/s of `rtl` and `model` and their ratio, the median of several
# rounds; the two alternate, so that a change of the computer's speed affects both.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} == -h ]]; then
  echo "usage: scripts/bench.sh [ROUNDS [ARGUMENTS OF weft run]]"
  echo "e.g.   scripts/bench.sh 5 --set processor=native"
  echo "WEFT=FILE takes that command in place of build/weft."
  exit 0
fi
weft=${WEFT:-build/weft} rounds=${1:-3}
shift || true
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
# Builds the library.
"$weft" run xbar256 --engine rtl --set max_cycles=1 "$@" >/dev/null 2>&1 || true
for ((i = 0; i < rounds; i++)); do
  for engine in rtl model; do
    "$weft" run xbar256 --engine $engine --json "$results/$engine.$i" "$@" >/dev/null
  done
done
python3 - "$results" "$rounds" <<'P'
import json, statistics, sys
folder, rounds = sys.argv[1], int(sys.argv[2])
rate, hops, same = {}, {}, set()
for engine in ("rtl", "model"):
    runs = [json.load(open(f"{folder}/{engine}.{i}")) for i in range(rounds)]
    rate[engine] = [r["cycles"] / r["wall_s"] for r in runs]
    hops[engine] = [r["flit_hops"] / r["wall_s"] for r in runs]
    same |= {(r["cycles"], r["digest"]) for r in runs}
    print(f"{engine:6} {statistics.median(rate[engine]):10.0f} cycles/s"
          f" {statistics.median(hops[engine]):12.0f} flit hops/s")
ratio = [m / r for m, r in zip(rate["model"], rate["rtl"])]
print(f"ratio  {statistics.median(ratio):10.1f} (from {min(ratio):.1f} to {max(ratio):.1f})")
print("equal cycles and digest" if len(same) == 1 else f"DIFFERENT RESULTS: {same}")
sys.exit(len(same) != 1)
P
