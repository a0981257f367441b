# points.csv to the table of who is fastest (-v form=md or csv): for each network and size hop_group,
# the cycles of each other collective over those of hop_group, each at its best variant, and the
# fastest of all.

NR == 1 {
  csv_head($0, at)
  next
}

{
  csv($0, field)
  figure = field[at["figure"]]
  if (figure !~ /^(torus|mesh)/ || field[at["cycles"]] == "") next
  place = figure SUBSEP field[at["x"]]
  curve = field[at["curve"]]
  if (!(place in network)) {
    places[++m] = place
    network[place] = field[at["network"]]
    size[place] = field[at["x"]]
    bound[place] = field[at["bound_cycles"]]
  }
  if (!(curve in seen)) { seen[curve] = 1; curves[++n] = curve }
  if (!((place, curve) in best) || field[at["cycles"]] + 0 < best[place, curve]) {
    best[place, curve] = field[at["cycles"]] + 0
    variant[place, curve] = field[at["variant"]]
  }
}

END {
  line = "network,flits,bound,hop_group,over bound"
  for (i = 1; i <= n; i++) if (curves[i] != "hop_group") line = line "," curves[i] " / hop_group"
  row_head(line ",fastest,at")
  for (j = 1; j <= m; j++) {
    place = places[j]
    own = best[place, "hop_group"]
    line = network[place] "," size[place] "," bound[place] "," own "," \
      sprintf("%.3f", own / bound[place])
    fastest = "hop_group"
    for (i = 1; i <= n; i++) {
      cycles = best[place, curves[i]]
      if (curves[i] != "hop_group") line = line "," (cycles ? sprintf("%.2f", cycles / own) : "-")
      if (cycles && cycles < best[place, fastest]) fastest = curves[i]
    }
    row(line "," fastest "," variant[place, fastest])
  }
}
