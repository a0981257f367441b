#!/usr/bin/env bash
# From OUT/sweep/results.csv to the tables and pictures of seed 001 in OUT, and the table of what
# the paper claims on standard output. Called by scripts/figures.sh, with the command in WEFT.
set -euo pipefail
out=$1
here=$(cd "$(dirname "$0")" && pwd)
quick=
[[ $out == */quick ]] && quick=quick

awk -v nodes="$([[ $quick ]] && echo 32 || echo 1024)" -f "$here/../csv.awk" -f "$here/points.awk" \
  "$out/sweep/results.csv" >"$out/points.csv"

# draw FIGURE STYLE HEADING
draw() {
  local curves
  curves=$(awk -F, -v figure="$1" 'NR > 1 && $1 == figure && $4 != "" && !seen[$2]++ { print $2 }' \
    "$out/points.csv" | paste -sd ' ')
  if [[ -z $curves ]]; then
    echo "$1: no run has ended well: no picture" >&2
    rm -f "$out/$1.svg" "$out/$1.png"
    return
  fi
  awk -F, -v figure="$1" 'NR == 1 || $1 == figure' "$out/points.csv" >"$out/$1.csv"
  gnuplot -e "csv = '$out/$1.csv'; out = '$out/$1'; style = '$2'; heading = '$3'; \
    curves = '$curves'" "$here/curves.gp"
}
draw fig7 linespoints 'Random traffic'
draw fig8 linespoints 'Random traffic within quarters'
draw fig9 points 'Hot spot: 5 % of the packets to one node (three seeds)'
draw fig10 linespoints 'Mesh emulation'
draw fig11 linespoints 'Localized traffic'
draw fig12 linespoints 'DCE, 8 x 128: cross links that skip delta columns'

bash "$here/table1.sh" $quick >"$out/table1.csv"
for form in md csv; do
  awk -v form="$form" -f "$here/../csv.awk" -f "$here/claims.awk" "$out/points.csv" \
    >"$out/table.$form"
done
cat "$out/table.md"
