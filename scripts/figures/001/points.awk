# results.csv of the sweep to one line per run: figure and curve, what was offered, the packets
# that arrived in 10,000 cycles (the paper's abscissa) and their latency in cycles. -v nodes=N. A
# run that failed has no figures; nor has one in which no measured packet arrived.

NR == 1 {
  csv_head($0, at)
  print "figure,curve,rate,packets,latency,p99,accepted,saturated"
  next
}

{
  csv($0, field)
  name = field[at["series"]]
  figure = name
  sub(/ .*/, "", figure)
  curve = substr(name, length(figure) + 2)
  packets = latency = p99 = accepted = saturated = ""
  if (field[at["status"]] == 0 && field[at["latency_mean"]] + 0 > 0) {
    accepted = field[at["accepted_rate"]]
    packets = sprintf("%.0f", accepted / field[at["workload.packet_flits"]] * nodes * 10000)
    latency = field[at["latency_mean"]]
    p99 = field[at["latency_p99"]]
    saturated = field[at["saturated"]]
  }
  rate = field[at["workload.rate"]]
  print figure "," curve "," rate "," packets "," latency "," p99 "," accepted "," saturated
}
