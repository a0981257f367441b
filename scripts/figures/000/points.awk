# results.csv of the sweep to one line per run: figure, network, curve, what varies besides
# ("variant"), abscissa, cycles, bound in cycles, the ordinate: their quotient, of "waits" the cycles
# that packets waited, per packet. A run that failed has no cycles.

NR == 1 {
  csv_head($0, at)
  print "figure,network,curve,variant,x,cycles,bound_cycles,y"
  next
}

{
  csv($0, field)
  figure = field[at["series"]]
  sub(/ .*/, "", figure)
  collective = field[at["workload.collective"]]
  dims = field[at["topology.dims"]]
  gsub(/[][ ]/, "", dims)
  gsub(/,/, " x ", dims)
  gap = field[at["nic.gap"]] == "none" ? "no gap" : "gap " field[at["nic.gap"]]
  curve = collective
  variant = collective ~ /^hop_/ ? gap : "sync " field[at["workload.sync"]]
  if (figure ~ /^pacing/) {
    curve = collective " " gap
    variant = ""
  } else if (figure == "barrier") {
    curve = collective " " field[at["barrier"]]
    variant = ""
  } else if (figure ~ /^rv32/) {
    curve = collective " " field[at["processor"]]
  }
  x = field[at[figure == "buffers" ? "router.vc_depth" : "workload.message_flits"]]
  ended = field[at["status"]] == 0
  y = field[at["ratio"]]
  if (figure == "waits") {
    curve = collective " " gap " " field[at["processor"]]
    variant = ""
    x = dims
    sub(/ .*/, "", x)
    dims = "k x k"
    waits = field[at["waits_link"]] + field[at["waits_vc"]] + field[at["waits_credit"]] + \
      field[at["waits_behind"]]
    if (ended) y = waits / field[at["packets"]]
  }
  printf "%s,%s %s,%s,%s,%s,%s,%s,%s\n", figure, field[at["topology.kind"]], dims, curve, variant,
    x, ended ? field[at["cycles"]] : "", ended ? field[at["bound_cycles"]] : "",
    ended ? sprintf("%.4f", y) : ""
}
