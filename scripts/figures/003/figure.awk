# points.csv to the table of one figure over the size of the array: -v figure=size or size_large,
# -v value= the column that is the ordinate. A line for each size, a column for each curve, "nan"
# where there is no run; of cycles last the bound.

NR == 1 {
  csv_head($0, at)
  next
}

{
  csv($0, field)
  if (field[at["figure"]] != figure) next
  curve = field[at["curve"]]
  x = field[at["bytes"]]
  if (!(curve in seen)) { seen[curve] = 1; curves[++n] = curve }
  if (!(x in known)) { known[x] = 1; xs[++m] = x }
  if (field[at[value]] != "") y[x, curve] = field[at[value]]
  if (field[at["bound_cycles"]] != "") bound[x] = field[at["bound_cycles"]]
}

END {
  line = "bytes"
  for (i = 1; i <= n; i++) line = line "," curves[i]
  print line (value == "cycles" ? ",bound" : "")
  # Curves need not have the same sizes.
  for (j = 2; j <= m; j++)
    for (k = j; k > 1 && xs[k - 1] + 0 > xs[k] + 0; k--) { x = xs[k]; xs[k] = xs[k - 1]; xs[k - 1] = x }
  for (j = 1; j <= m; j++) {
    line = xs[j]
    for (i = 1; i <= n; i++) line = line "," ((xs[j], curves[i]) in y ? y[xs[j], curves[i]] : "nan")
    print line (value == "cycles" ? "," (xs[j] in bound ? bound[xs[j]] : "nan") : "")
  }
}
