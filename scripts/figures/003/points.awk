# results.csv of the sweep to one line per run: figure, network, curve, bytes of an array, what was
# varied besides (order of the dimensions, steps), cycles, the bound in cycles, bytes over all links
# and over the busiest one, headers included, and flits over the links of a dimension where they
# were counted. A run that failed has none of these.

NR == 1 {
  csv_head($0, at)
  print "figure,network,curve,bytes,order,steps,cycles,bound_cycles,moved,busiest,W,X,Y,Z"
  next
}

# A number or a text of `object`, JSON in the form in which results.csv has it.
function member(object, key,    value) {
  if (!match(object, "\"" key "\":(\"[^\"]*\"|\\[[^]]*\\]|[0-9]+)")) return ""
  value = substr(object, RSTART, RLENGTH)
  sub(/^"[^"]*":/, "", value)
  gsub(/"/, "", value)
  return value
}

# A value that an axis has set, or else the series' workload.
function work(key,    own) {
  own = (("workload." key) in at) ? field[at["workload." key]] : ""
  return own != "" ? own : member(field[at["workload"]], key)
}

# Flits as bytes; %d would end at 2^31.
function bytes(column) {
  return sprintf("%.0f", 8 * field[at[column]])
}

{
  csv($0, field)
  figure = curve = field[at["series"]]
  sub(/ .*/, "", figure)
  sub(/^[^ ]* ?/, "", curve)
  topology = field[at["topology"]]
  dims = member(topology, "dims")
  if (("topology.dims" in at) && field[at["topology.dims"]] != "") dims = field[at["topology.dims"]]
  gsub(/[][ ]/, "", dims)
  gsub(/,/, "x", dims)
  ended = field[at["status"]] == 0
  line = figure "," dims " " member(topology, "mains") "+" member(topology, "aggregators") "," curve \
    "," work("bytes") "," work("order") "," work("steps")
  line = line "," (ended ? field[at["cycles"]] : "") "," (ended ? field[at["bound_cycles"]] : "")
  line = line "," (ended ? bytes("flit_hops") : "")
  line = line "," (ended ? bytes("max_link_load") : "")
  for (i = 1; i <= 4; i++) {
    name = "link_flits_" substr("WXYZ", i, 1)
    line = line "," (ended && (name in at) ? field[at[name]] : "")
  }
  print line
}
