#!/usr/bin/env bash
# From OUT/sweep/results.csv to the tables and pictures of seed 003 in OUT, and the tables on
# standard output. Called by scripts/figures.sh, with the command in WEFT. Exit status 1 where the
# order of dimensions by bandwidth is slower than the alphabetical one, or a step leaves other
# values than those of halving and doubling.
set -euo pipefail
out=$1
here=$(cd "$(dirname "$0")" && pwd)

awk -f "$here/../csv.awk" -f "$here/points.awk" "$out/sweep/results.csv" >"$out/points.csv"

# plot NAME HEADING ORDINATE [SETTINGS]
plot() {
  # Without a single value there is nothing to scale the axes by.
  if ! tail -n +2 "$out/$1.csv" | grep -q ',[0-9]'; then
    echo "$1: no run has ended well: no picture" >&2
    rm -f "$out/$1.svg" "$out/$1.png"
    return
  fi
  gnuplot -e "csv = '$out/$1.csv'; out = '$out/$1'; heading = '$2'; yname = '$3'; marks = ''; \
    ${4:-xname = 'bytes of an array'; log_axes = 'xy'; decades = 1}" "$here/../plot.gp"
}

# draw NAME FIGURE COLUMN HEADING ORDINATE: a figure over the size of the array; the heading goes on
# with the network.
draw() {
  local network
  network=$(awk -F, -v figure="$2" '$1 == figure { print $2; exit }' "$out/points.csv")
  [[ -n $network ]] || return 0
  awk -v figure="$2" -v value="$3" -f "$here/../csv.awk" -f "$here/figure.awk" \
    "$out/points.csv" >"$out/$1.csv"
  plot "$1" "$4, boards $network" "$5"
}
for large in '' _large; do
  draw "size$large" "size$large" cycles 'Allreduce' 'cycles'
  draw "moved$large" "size$large" moved 'Allreduce' 'bytes over all links'
  draw "busiest$large" "size$large" busiest 'Allreduce' 'bytes over the busiest link'
done

{
  echo network and bytes,alphabetical,bandwidth,ratio
  awk -f "$here/../csv.awk" -f "$here/orders.awk" "$out/points.csv" | LC_ALL=C sort -t, -k4,4n -k1,1
} >"$out/orders_sizes.csv"
awk -F, 'NR == 1 { print "network,bandwidth / alphabetical" } NR > 1 { print NR - 1 "," $4 }' \
  "$out/orders_sizes.csv" >"$out/orders.csv"
plot orders 'Dimensions by falling bandwidth' 'cycles / cycles in alphabetical order' \
  "xname = 'networks and sizes, sorted'"

for form in csv md; do
  for table in table steps link_time; do
    awk -v form="$form" -f "$here/../csv.awk" -f "$here/$table.awk" "$out/points.csv" \
      >"$out/$table.$form"
  done
done
status=0
awk -f "$here/orders_table.awk" "$out/orders_sizes.csv" >"$out/orders.md" || status=1
bash "$here/states.sh" "$out" || status=1
cat "$out/table.md" - "$out/link_time.md" - "$out/orders.md" - "$out/steps.md" <<<''
exit "$status"
