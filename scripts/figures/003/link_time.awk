# points.csv to the table of the nested and the conventional schedule against their own link time
# (-v form=md or csv): what a schedule would take if each of its phases kept its links busy at full
# rate, one phase after the other; headers of messages included, no latency, no wait for readiness.
#
# Phases: on a board every main unit sends each aggregation unit its part, over a link of their own,
# in as many pieces as main units. A step of halving or doubling moves what all aggregation units of
# a board send over all links that lead from it along the dimension, and along X, Y and Z before
# that over the links to its main units; partners several boards apart share links. At the end each
# part goes to every main unit, over the same links.

NR == 1 {
  csv_head($0, at)
  row_head("network,bytes,order or steps,link time,cycles,cycles / link time,bound,cycles / bound," \
    "in 4 chunks / link time,in 8 chunks / link time")
  next
}

# A piece with its headers, over `lanes` side by side: messages about as long as the root of their
# number, 8 to 32 flits (sw/README.md).
function wire(flits, lanes,    lane, length_) {
  if (flits > int(flits)) flits = int(flits) + 1
  lane = int((flits + lanes - 1) / lanes)
  length_ = 8
  while (length_ * length_ < lane) length_ *= 2
  if (length_ > lane) length_ = lane
  if (length_ > 32) length_ = 32
  return flits + int((flits + length_ - 1) / length_)
}

# Most partners' ways that share a link in a step over `far` boards of a ring of n.
function shared(far, n) {
  return far == 1 ? 1 : 2 * far == n ? far / 2 : far
}

# The step that exchanges `flits` of each aggregation unit.
function step(dim, far, flits,    lanes, sent, between, within) {
  lanes = mains < 8 ? mains : 8
  if (size[dim] == 2 && 2 * flits > 8 * lanes) lanes *= 2
  sent = wire(flits, lanes)
  between = aggregators * sent * shared(far, size[dim]) / links[dim]
  within = dim == 1 ? 0 : sent / mains
  return between > within ? between : within
}

function link_time(flat,    part, d, far, i, depth, time, order, n) {
  part = bytes / 8 / aggregators
  time = mains * wire(part / mains, 1) + wire(part, 1)
  for (d = 1; d <= 4; d++) {
    links[d] = (d == 1 ? aggregators : mains) * (size[d] == 2 ? 2 : 1)
    for (i = n++; i > 0 && by_bandwidth && wider(d, order[i]); i--) order[i + 1] = order[i]
    order[i + 1] = d
  }
  for (i = 1; i <= 4; i++) {
    if (flat) depth = 0
    for (far = 1; far < size[order[i]]; far *= 2)
      time += 2 * step(order[i], far, part / 2 ^ ++depth)
  }
  return time
}

function wider(a, b) {
  return links[a] > links[b] || (links[a] == links[b] && size[a] < size[b])
}

{
  csv($0, field)
  if (field[at["figure"]] !~ /^size/ || field[at["cycles"]] == "") next
  place = field[at["network"]] SUBSEP field[at["bytes"]]
  curve = field[at["curve"]]
  time[place, curve] = field[at["cycles"]]
  bound[place] = field[at["bound_cycles"]]
  if (!(place in known) && curve ~ /^(nested|flat)/) { known[place] = 1; places[++m] = place }
}

function quotient(place, curve, of) {
  return (place, curve) in time ? sprintf("%.3f", time[place, curve] / of) : "-"
}

END {
  split("nested alphabetical,nested bandwidth,flat", curves, ",")
  for (c = 1; c <= 3; c++)
    for (j = 1; j <= m; j++) {
      if (!((places[j], curves[c]) in time)) continue
      split(places[j], part, SUBSEP)
      split(part[1], word, " ")
      split(word[1], size, "x")
      split(word[2], units, "+")
      mains = units[1]
      aggregators = units[2]
      bytes = part[2]
      # Below a word for each piece the schedule is made of headers and notes.
      if (bytes < 8 * mains * aggregators) continue
      by_bandwidth = curves[c] ~ /bandwidth/
      all = link_time(curves[c] == "flat")
      row(part[1] "," bytes "," curves[c] "," sprintf("%.0f", all) "," time[places[j], curves[c]] \
        "," quotient(places[j], curves[c], all) "," bound[places[j]] "," \
        quotient(places[j], curves[c], bound[places[j]]) "," \
        quotient(places[j], curves[c] " chunks 4", all) "," \
        quotient(places[j], curves[c] " chunks 8", all))
    }
}
