#!/usr/bin/env bash
# From OUT/sweep/results.csv to the tables and pictures of seed 000 in OUT, and the table of who is
# fastest on standard output. Called by scripts/figures.sh.
set -euo pipefail
out=$1
here=$(cd "$(dirname "$0")" && pwd)

awk -f "$here/../csv.awk" -f "$here/points.awk" "$out/sweep/results.csv" >"$out/points.csv"

# draw FIGURE HEADING [ABSCISSA [ORDINATE]]: the heading goes on with the network. Axes are
# logarithmic but for an ordinate of its own.
draw() {
  local network axes="log_axes = 'xy'"
  [[ -z ${4:-} ]] || axes=''
  network=$(awk -F, -v figure="$1" '$1 == figure {print $2; exit}' "$out/points.csv")
  awk -v figure="$1" -f "$here/../csv.awk" -f "$here/figure.awk" "$out/points.csv" >"$out/$1.csv"
  # Without a single value there is nothing to draw but the bound.
  if ! tail -n +2 "$out/$1.csv" | grep -q ',[0-9.]*,'; then
    echo "$1: no run has ended well: no picture" >&2
    rm -f "$out/$1.svg" "$out/$1.png"
    return
  fi
  gnuplot -e "csv = '$out/$1.csv'; out = '$out/$1'; heading = '$2, $network'; \
    xname = '${3:-flits of a block}'; yname = '${4:-time / bound}'; marks = ''; $axes" \
    "$here/../plot.gp"
}
for figure in torus torus_odd mesh torus3d torus3d_large; do
  draw "$figure" 'All-to-all, each collective at its best'
done
draw pacing 'Pacing under round robin'
draw pacing3d 'Pacing under round robin'
draw barrier 'Barrier between steps'
draw rv32 'Native and RV32 processors'
draw rv32_3d 'Native and RV32 processors'
draw waits 'Store and forward, packets of 100 flits' k 'cycles waited per packet'
draw buffers 'Blocks of 252 flits, round robin' 'flits of buffer per VC'

for form in md csv; do
  awk -v form="$form" -f "$here/../csv.awk" -f "$here/table.awk" "$out/points.csv" \
    >"$out/table.$form"
done
cat "$out/table.md"
