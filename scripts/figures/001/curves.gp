# One figure from its part of points.csv: latency over delivered packets, a curve for each network. Set with
# gnuplot -e: csv, out (path without ending), style (linespoints or points), heading, curves (names
# separated by blanks). Writes out.svg and out.png.
set datafile separator comma
set datafile missing ""
set title heading noenhanced
set xlabel "packets delivered in 10,000 cycles"
set ylabel "mean latency, cycles"
set key outside right top
set grid
set border 3
set tics nomirror
set logscale xy
chosen(i) = sprintf("< awk -F, 'NR > 1 && $2 == \"%s\" && $4 != \"\"' '%s'", word(curves, i), csv)
do for [format in "svg png"] {
  if (format eq "svg") {
    set terminal svg size 900, 500 font "sans,12" background rgb "white"
  } else {
    set terminal pngcairo size 900, 500 font "sans,10"
  }
  set output out . "." . format
  plot for [i = 1:words(curves)] chosen(i) using 4:5 with @style \
    title word(curves, i) noenhanced
}
set output
