# points.csv to the table of who is fastest at which size (-v form=md or csv): for each network and
# size the fastest, its cycles, the same over the bound, and the cycles of each curve over these.

NR == 1 {
  csv_head($0, at)
  next
}

{
  csv($0, field)
  if (field[at["figure"]] !~ /^size/ || field[at["cycles"]] == "") next
  place = field[at["network"]] SUBSEP field[at["bytes"]]
  curve = field[at["curve"]]
  cycles = field[at["cycles"]] + 0
  if (!(place in bound)) {
    places[++m] = place
    bound[place] = field[at["bound_cycles"]]
  }
  if (!(curve in seen)) { seen[curve] = 1; curves[++n] = curve }
  time[place, curve] = cycles
  if (!(place in best) || cycles < time[place, best[place]]) best[place] = curve
}

END {
  line = "network,bytes,fastest,cycles,over bound"
  for (i = 1; i <= n; i++) line = line "," curves[i]
  row_head(line)
  for (j = 1; j <= m; j++) {
    place = places[j]
    split(place, part, SUBSEP)
    least = time[place, best[place]]
    line = part[1] "," part[2] "," best[place] "," least "," sprintf("%.2f", least / bound[place])
    for (i = 1; i <= n; i++)
      line = line "," ((place, curves[i]) in time ? sprintf("%.2f", time[place, curves[i]] / least) : "-")
    row(line)
  }
}
