#!/usr/bin/env bash
# Figs 16 to 24 of seed 003 into OUT/states.csv and OUT/states.md: the array of 16 values in every
# aggregation unit of 2 x 2 x 2 x 2 boards with one such unit each, after 0 to 8 steps. Called with
# OUT, the command in WEFT. Exit status 1 where the figures are not those of halving and doubling.
set -euo pipefail
out=$1
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out/states"
for k in 0 1 2 3 4 5 6 7 8; do
  "$WEFT" run seed003_board --set processor=native \
    --set 'topology={"kind": "board", "dims": [2, 2, 2, 2], "mains": 1, "aggregators": 1}' \
    --set 'workload={"collective": "allreduce_nested", "bytes": 128, "type": "int64",
      "op": "sum", "data": "member"}' --set "workload.steps=$k" \
    --states "$out/states/$k.csv" >"$out/states/$k.txt"
  awk -v k="$k" 'NR > 1 { print k "," $0 }' "$out/states/$k.csv"
done >"$out/states/all.csv"
for form in csv md; do
  awk -F, -v form="$form" -f "$here/states.awk" "$out/states/all.csv" >"$out/states.$form"
done
