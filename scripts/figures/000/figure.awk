# points.csv to the table of one figure (-v figure=torus ...): a line for each value on the abscissa,
# a column for each curve, in the cells the ordinate at the curve's best variant, "nan" where there is
# none; last the bound itself, where the ordinate is cycles over bound.

NR == 1 {
  csv_head($0, at)
  next
}

{
  csv($0, field)
  if (field[at["figure"]] != figure) next
  curve = field[at["curve"]]
  x = field[at["x"]]
  if (!(curve in seen)) { seen[curve] = 1; curves[++n] = curve }
  if (!(x in known)) { known[x] = 1; xs[++m] = x }
  y = field[at["y"]]
  if (y != "" && (!((x, curve) in best) || y + 0 < best[x, curve] + 0)) best[x, curve] = y
}

END {
  line = figure == "buffers" ? "vc_depth" : figure == "waits" ? "k" : "message_flits"
  bound = figure != "waits"
  for (i = 1; i <= n; i++) line = line "," curves[i]
  print line (bound ? ",bound" : "")
  for (j = 1; j <= m; j++) {
    line = xs[j]
    for (i = 1; i <= n; i++) line = line "," ((xs[j], curves[i]) in best ? best[xs[j], curves[i]] : "nan")
    print line (bound ? ",1" : "")
  }
}
