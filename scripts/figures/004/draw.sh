#!/usr/bin/env bash
# From OUT/sweep/results.csv to the tables and pictures of seed 004 in OUT, and the table of
# averages on standard output. Called by scripts/figures.sh.
set -euo pipefail
out=$1
here=$(cd "$(dirname "$0")" && pwd)

awk -f "$here/../csv.awk" -f "$here/points.awk" "$out/sweep/results.csv" >"$out/points.csv"

# draw FIGURE HEADING ABSCISSA ORDINATE AVERAGES-OF-THE-PAPER
draw() {
  if [[ $1 == saturation ]]; then
    awk -f "$here/../csv.awk" -f "$here/saturation.awk" "$out/sweep/results.csv" >"$out/$1.csv"
  else
    awk -v figure="$1" -f "$here/../csv.awk" -f "$here/figure.awk" "$out/points.csv" >"$out/$1.csv"
  fi
  # Without a single value there is nothing to scale the axes by.
  if ! tail -n +2 "$out/$1.csv" | grep -q ',[0-9]'; then
    echo "$1: no run has ended well: no picture" >&2
    rm -f "$out/$1.svg" "$out/$1.png"
    return
  fi
  gnuplot -e "csv = '$out/$1.csv'; out = '$out/$1'; heading = '$2'; xname = '$3'; yname = '$4'; \
    marks = '$5'" "$here/../plot.gp"
}
size='nodes on a side'
draw fig3 'One VC per destination, buffers of 2 flits, NCT 1' "$size" 'time / theory (NCT 1)' \
  '0.97 1.25'
draw fig4 '2 VCs, buffers of 20 flits, NCT 1, no sync' "$size" 'time / theory (NCT 1)' '1.19'
draw fig5 '2 VCs, buffers of 20 flits, NCT 1, local sync' "$size" 'time / theory (NCT 1)' '1.11'
draw fig6 'Buffering: torus, 2 VCs, NCT 1, A2AT' 'flits of buffer per VC' 'time / theory (NCT 1)' ''
draw fig7 'NCT 2 and 4: 2 VCs, buffers of 200 flits, A2AT' "$size" 'time / theory (own NCT)' \
  '1.18 1.23 1.28'
draw cure 'The open question cured: RV32 processors, 2 VCs' "$size" 'time / theory (own NCT)' ''
draw saturation 'Uniform traffic on a 16 x 16 torus, 2 VCs of 8 flits' 'offered, flits/node/cycle' \
  'accepted, flits/node/cycle' ''

for form in md csv; do
  awk -v form="$form" -f "$here/../csv.awk" -f "$here/table.awk" "$out/points.csv" \
    >"$out/table.$form"
done
cat "$out/table.md"
