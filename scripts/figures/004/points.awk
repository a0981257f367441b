# results.csv of the sweep to one line per point: what set it, its cycles, the theory of Table 1 in
# cycles, and the quotient. A point that failed has no cycles.

# Message times of A2AT by NCT (number of send controllers), Table 1 of the paper.
function message_times(kind, nct, k) {
  if (nct == 1) return k * (k + 1) * (k - 1) / 3
  if (nct == 2) return k * (k + 1) * (k - 1) / (kind == "mesh" ? 4 : 6)
  if (nct == 4 && kind == "torus") return k * (k + 1) * (k - 1) / 8
  return 0
}

NR == 1 {
  csv_head($0, at)
  print "series,k,vc_depth,cycles,theory_cycles,over_theory"
  next
}

{
  csv($0, field)
  if (field[at["series"]] ~ /^saturation /) next
  k = field[at["topology.dims"]]
  gsub(/[^0-9,]|,.*/, "", k)
  # A message is a packet of a header and 99 flits.
  theory = 100 * message_times(field[at["topology.kind"]], field[at["nic.controllers"]], k)
  cycles = field[at["status"]] == 0 ? field[at["cycles"]] : ""
  over = cycles != "" ? sprintf("%.4f", cycles / theory) : ""
  print field[at["series"]] "," k "," field[at["router.vc_depth"]] "," cycles "," theory "," over
}
