# points.csv to both orders of the dimensions beside each other: a line for each network and size of
# the array with its cycles in alphabetical order, by falling bandwidth, and their quotient. Those of
# which a run failed are left out and named on standard error.

NR == 1 {
  csv_head($0, at)
  next
}

{
  csv($0, field)
  if (field[at["figure"]] != "orders") next
  name = field[at["network"]] " " field[at["bytes"]]
  if (!(name in known)) { known[name] = 1; names[++n] = name }
  cycles[name, field[at["order"]]] = field[at["cycles"]]
}

END {
  for (i = 1; i <= n; i++) {
    a = cycles[names[i], "alphabetical"]
    b = cycles[names[i], "bandwidth"]
    if (a == "" || b == "") print "orders: " names[i] ": a run has failed" >"/dev/stderr"
    else printf "%s,%d,%d,%.4f\n", names[i], a, b, b / a
  }
}
