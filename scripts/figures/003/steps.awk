# points.csv to the table of what each step between boards moves (-v form=md or csv): the difference
# of two runs, of which one ends a step later, in bytes over the links of each dimension, headers
# and notes of readiness included; the same sent by one aggregation unit as a part of the array; and
# that part as figs 26 and 27 of the seed have it. Runs are in order of their steps.

NR == 1 {
  csv_head($0, at)
  row_head("network,collective,step,stage,W,X,Y,Z,sent / array,seed")
  next
}

function add(halving, dim, far, depth) {
  stage[++stages] = substr("WXYZ", dim, 1) " " (halving ? "halving" : "doubling") " " far
  along[stages] = dim
  hops[stages] = far
  parts[stages] = aggregators * 2 ^ depth
}

# The steps of a collective in alphabetical order, from the sizes of the dimensions. Partners of a
# step are 1, 2, 4 ... boards from each other.
function plan(collective, size,    dim, far, depth, first, i, n) {
  stages = n = 0
  for (dim = 1; dim <= 4; dim++) {
    depth = collective == "flat" ? 0 : n
    first = n
    for (far = 1; far < size[dim]; far *= 2) {
      n++
      depths[n] = ++depth
      dims[n] = dim
      fars[n] = far
      add(1, dim, far, depth)
    }
    if (collective != "flat") continue
    for (i = n; i > first; i--) add(0, dims[i], fars[i], depths[i])
  }
  if (collective != "flat") for (i = n; i > 0; i--) add(0, dims[i], fars[i], depths[i])
}

{
  csv($0, field)
  if (field[at["figure"]] !~ /^steps/) next
  network = field[at["network"]]
  collective = field[at["curve"]]
  k = field[at["steps"]]
  split(network, word, " ")
  split(word[1], size, "x")
  split(word[2], units, "+")
  aggregators = units[2]
  plan(collective, size)
  known = field[at["W"]] != ""
  line = network "," collective "," k "," stage[k]
  for (i = 1; i <= 4; i++) {
    flits = field[at[substr("WXYZ", i, 1)]]
    line = line "," (known && before ? sprintf("%.0f", 8 * (flits - last[i])) : "-")
    if (i == along[k]) moved = 8 * (flits - last[i])
    last[i] = flits
  }
  if (k > 0) {
    units_all = aggregators * size[1] * size[2] * size[3] * size[4]
    sent = known && before ? sprintf("%.5f", moved / hops[k] / units_all / field[at["bytes"]]) : "-"
    row(line "," sent ",1/" parts[k])
  }
  before = known
}
