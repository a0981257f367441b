#!/usr/bin/env bash
# scripts/figures.sh matrix: every collective on a small network of each kind. What is refused has a
# reason. (--cosim compares with RTL, for half an hour of verilating: by hand.)
source "$(dirname "$0")/lib.sh"

out=$source_dir/build/figures/matrix/quick
rm -rf "${out:?}"
expect 0 'tables, figures build/figures/matrix/quick' \
  env WEFT="$weft" "$source_dir/scripts/figures.sh" matrix --quick
# The two reasons: odd squares, and boards.
if grep '^[0-9]' "$out/matrix.md" | grep -v 'odd and 3 or more$\|a network of boards,'; then
  fail 'other reasons'
fi
grep -q '^| alltoall | [0-9]' "$out/matrix.md" || fail 'no matrix'

expect 2 'expected: with matrix, without --quick' \
  "$source_dir/scripts/figures.sh" 000 --cosim

finish
