# points.csv to the table of one figure (-v figure=fig3 ...): a line for each value on the abscissa,
# a column for each curve, time over theory in the cells; "nan" where there is none.

NR == 1 {
  csv_head($0, at)
  next
}

{
  csv($0, field)
  name = field[at["series"]]
  if (name !~ ("^" figure " ")) next
  curve = substr(name, length(figure) + 2)
  x = field[at["k"]]
  if (figure == "fig6") {
    curve = "k = " x " " curve
    x = field[at["vc_depth"]]
  }
  if (!(curve in seen)) { seen[curve] = 1; curves[++n] = curve }
  if (!(x in known)) { known[x] = 1; xs[++m] = x }
  value[x, curve] = field[at["over_theory"]]
}

END {
  line = figure == "fig6" ? "vc_depth" : "k"
  for (i = 1; i <= n; i++) line = line "," curves[i]
  print line
  for (j = 1; j <= m; j++) {
    line = xs[j]
    for (i = 1; i <= n; i++) {
      cell = value[xs[j], curves[i]]
      line = line "," (cell == "" ? "nan" : cell)
    }
    print line
  }
}
