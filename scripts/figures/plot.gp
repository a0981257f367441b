# One figure from a CSV file: the first column is the abscissa, every other column a curve named by
# its head. Set with gnuplot -e: csv, out (path without ending), heading, xname, yname, marks
# (values that the paper states, separated by blanks; may be empty); log_axes ("x", "y" or "xy")
# may be left out, and so may decades = 1 (logarithmic axes over many decades, the abscissa in bytes).
# Writes out.svg and out.png.
set datafile separator comma
set datafile missing "nan"
set title heading noenhanced
set xlabel xname
set ylabel yname
set key outside right top
set grid ytics
set border 3
set tics nomirror
stats csv using 1 skip 1 nooutput
margin = 0.04 * (STATS_max - STATS_min)
set xrange [STATS_min - margin : STATS_max + margin]
if (STATS_max < 20) set xtics STATS_min, 2
columns = int(system("head -n 1 '" . csv . "' | tr -cd , | wc -c")) + 1
top = words(marks) > 0 ? 1.0 : 0
do for [i = 1:words(marks)] {
  mark = real(word(marks, i))
  top = mark > top ? mark : top
  set arrow i from graph 0, first mark to graph 1, first mark nohead dashtype 2 \
    linecolor rgb "#888888"
  set label i "paper " . word(marks, i) at graph 0.01, first mark offset 0, 0.4 \
    textcolor rgb "#666666" font ",9"
}
top = top * 1.1
set yrange [0:top<*]
if (!exists("log_axes")) log_axes = ""
if (strlen(log_axes)) {
  set logscale @log_axes
  set grid xtics
  if (strstrt(log_axes, "x")) { set xrange [STATS_min / 1.3 : STATS_max * 1.3]; set xtics auto }
  if (strstrt(log_axes, "y")) { set yrange [0.9:*]; set ytics (1, 1.5, 2, 3, 5, 10, 20, 50, 100) }
  set autoscale yfixmax
  if (exists("decades")) {
    set yrange [*:*]
    set ytics auto
    set logscale x 2
    set xtics STATS_min, 4
    set format x "%.0b %BB"
    set format y "10^{%L}"
  }
}
do for [format in "svg png"] {
  if (format eq "svg") {
    set terminal svg size 900, 500 font "sans,12" background rgb "white"
  } else {
    set terminal pngcairo size 900, 500 font "sans,10"
  }
  set output out . "." . format
  plot for [i = 2:columns] csv using 1:i with linespoints linewidth 1.5 \
    title columnheader(i) noenhanced
}
set output
