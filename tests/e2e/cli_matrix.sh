#!/usr/bin/env bash
# scripts/figures.sh matrix: every collective on a small network of each kind, on the models,
# and the pickers with every block compared with its RTL (engine cosim). What is refused has a
# reason.
source "$(dirname "$0")/lib.sh"

out=$source_dir/build/figures/matrix
for plan in quick cosim; do
  rm -rf "${out:?}/$plan"
  expect 0 "tables, figures build/figures/matrix/$plan" \
    env WEFT="$weft" "$source_dir/scripts/figures.sh" matrix --$plan
  # The two reasons: odd squares, and boards; the pickers have none.
  if grep '^[0-9]' "$out/$plan/matrix.md" | grep -v 'odd and 3 or more$\|a network of boards,'; then
    fail 'other reasons'
  fi
  grep -q '^| alltoall | [0-9]' "$out/$plan/matrix.md" || fail "no matrix"
done

# The same cycles as the models.
awk -F'"' 'FNR == NR { split($3, a, ","); model[$2 a[2] a[3]] = a[5]; next }
           FNR > 1 { split($3, a, ","); n++; if (model[$2 a[2] a[3]] != a[5]) exit 1 }
           END { if (n != 70) exit 1 }' "$out/quick/points.csv" "$out/cosim/points.csv" ||
  fail "cosim has other cycles than the model"

expect 2 'expected: with matrix, without --quick' \
  "$source_dir/scripts/figures.sh" 000 --cosim

finish
