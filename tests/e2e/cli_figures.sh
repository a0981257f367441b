#!/usr/bin/env bash
# scripts/figures.sh --quick: from the sweep to tables and pictures, and what they must show.
source "$(dirname "$0")/lib.sh"

out=$source_dir/build/figures/000/quick
rm -rf "$out"
expect 0 'tables, figures build/figures/000/quick' \
  env WEFT="$weft" "$source_dir/scripts/figures.sh" 000 --quick -j 2
awk -F, '$6 == "" { exit 1 }' "$out/points.csv" || fail 'a run of the sweep has failed'
for figure in torus torus_odd mesh torus3d pacing barrier rv32 buffers waits; do
  grep -q '</svg>' "$out/$figure.svg" || fail "$figure.svg is no picture"
  [ "$(head -c 4 "$out/$figure.png" | tail -c 3)" = PNG ] || fail "$figure.png is no picture"
done

# Paced by hops no packet waits, on either processor; unpaced they do.
awk -F, 'NR == 1 { for (i = 2; i <= NF; i++) paced[i] = $i ~ /gap hops-1/; next }
         $1 == 5 { for (i = 2; i <= NF; i++) { seen++; if (paced[i] != ($i == 0)) exit 1 } }
         END { if (seen != 4) exit 1 }' "$out/waits.csv" ||
  fail "waits: $(cat "$out/waits.csv")"

# Nothing is below its bound.
awk -F, 'NR > 1 && $1 != "waits" && $NF < 1 { exit 1 }' "$out/points.csv" || fail 'below the bound'

out=$source_dir/build/figures/001/quick
rm -rf "$out"
expect 0 'tables, figures build/figures/001/quick' \
  env WEFT="$weft" "$source_dir/scripts/figures.sh" 001 --quick -j 2
awk -F, '$5 == "" { exit 1 }' "$out/points.csv" || fail 'a run of the sweep has failed'
for figure in fig7 fig8 fig9 fig10 fig11 fig12; do
  grep -q '</svg>' "$out/$figure.svg" || fail "$figure.svg is no picture"
  [ "$(head -c 4 "$out/$figure.png" | tail -c 3)" = PNG ] || fail "$figure.png is no picture"
done
# Nine networks, exact and as printed.
grep -qx 'CCCB,1024,3,3,11,6.8359375,6.44,links between routers' "$out/table1.csv" ||
  fail "table 1: $(cat "$out/table1.csv")"
[ "$(wc -l <"$out/table1.csv")" = 10 ] || fail "table 1: $(cat "$out/table1.csv")"
# Every claim has its row; latency at low load is no matter of size.
[ "$(grep -c ',\(yes\|no\|-\)$' "$out/table.csv")" = 11 ] ||
  fail "claims: $(cat "$out/table.csv")"
grep -q '^fig7,"below.*,yes$' "$out/table.csv" || fail "claims: $(cat "$out/table.csv")"

out=$source_dir/build/figures/collectives/quick
rm -rf "$out"
expect 0 'tables, figures build/figures/collectives/quick' \
  env WEFT="$weft" "$source_dir/scripts/figures.sh" collectives --quick -j 2
# Every run has ended, none below its bound, and the picker has chosen the fastest.
awk -F, 'NR > 1 && ($5 == "" || $5 < $6) { exit 1 } END { if (NR < 100) exit 1 }' \
  "$out/points.csv" || fail "points: $(cat "$out/points.csv")"
awk -F, 'NR > 1 && $8 > 1.05 { exit 1 }' "$out/table.csv" || fail "table: $(cat "$out/table.csv")"

out=$source_dir/build/figures/003/quick
rm -rf "$out"
expect 0 'tables, figures build/figures/003/quick' \
  env WEFT="$weft" "$source_dir/scripts/figures.sh" 003 --quick -j 2
awk -F, '$7 == "" { exit 1 }' "$out/points.csv" || fail 'a run of the sweep has failed'
for figure in size moved busiest orders; do
  grep -q '</svg>' "$out/$figure.svg" || fail "$figure.svg is no picture"
  [ "$(head -c 4 "$out/$figure.png" | tail -c 3)" = PNG ] || fail "$figure.png is no picture"
done
awk -F, '$1 == "size" && $7 < $8 { exit 1 }' "$out/points.csv" || fail 'below the bound'
# No schedule without chunks is faster than its links.
awk -F, 'NR > 1 && ($6 < 1 || $6 > 20) { exit 1 } END { if (NR < 4) exit 1 }' \
  "$out/link_time.csv" || fail "link time: $(cat "$out/link_time.csv")"
# Steps 1 to 8 of both drivers: a step moves along its own dimension alone, and halves what goes:
# header and note of readiness make it more than the seed's part, the less the longer the part.
awk -F, 'NR == 1 { next }
         { rows++; split($10, part, "/"); along = index("WXYZ", substr($4, 1, 1)) + 4
           for (i = 5; i <= 8; i++) if ((i == along) != ($i > 0)) exit 1
           if ($9 <= 1 / part[2] || $9 > 1.4 / part[2]) exit 1 }
         END { if (rows != 16) exit 1 }' "$out/steps.csv" || fail "steps: $(cat "$out/steps.csv")"
# Figs 17, 18, 21, 24, with the seed's values in the seed's cells.
for row in 1,17,413,27,27,27,27,27,27,27,27,-,-,-,-,-,-,-,- \
  2,18,411,-,-,-,-,42,42,42,42,-,-,-,-,-,-,-,- 5,21,411,-,-,-,-,136,136,-,-,-,-,-,-,-,-,-,- \
  8,24,416,136,136,136,136,136,136,136,136,136,136,136,136,136,136,136,136; do
  grep -qx -e "$row" "$out/states.csv" || fail "states: no $row in $(cat "$out/states.csv")"
done

expect 2 'seed "999": expected' "$source_dir/scripts/figures.sh" 999
finish
