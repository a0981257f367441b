# results.csv of the sweep to the table of accepted over offered rate, flits per node and cycle: a
# line for each rate, a column for each way of arbitration and pacing; "nan" where there is none.

NR == 1 {
  csv_head($0, at)
  next
}

{
  csv($0, field)
  name = field[at["series"]]
  if (name !~ /^saturation /) next
  curve = substr(name, length("saturation ") + 1)
  x = field[at["workload.rate"]]
  if (!(curve in seen)) { seen[curve] = 1; curves[++n] = curve }
  if (!(x in known)) { known[x] = 1; xs[++m] = x }
  value[x, curve] = field[at["status"]] == 0 ? field[at["accepted_rate"]] : ""
}

END {
  line = "rate"
  for (i = 1; i <= n; i++) line = line "," curves[i]
  print line
  for (j = 1; j <= m; j++) {
    line = xs[j]
    for (i = 1; i <= n; i++) {
      cell = value[xs[j], curves[i]]
      line = line "," (cell == "" ? "nan" : sprintf("%.4f", cell))
    }
    print line
  }
}
