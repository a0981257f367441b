# points.csv to the table of what the paper says of its figures and what was measured: -v form=md or
# csv. Runs of one curve and rate with several seeds count as their mean.

BEGIN {
  direct_n = split("(CB)^2 CCCB CB CCC 2DM 2DT 3DT", direct, " ")
  grid_n = split("2DM 2DT 3DT", grid, " ")
  flat_n = split("(CB)^2 CCCB CB CCC 2DM 2DT", flat, " ")
  all_n = split("(CB)^2 CCCB CB CCC 2DM 2DT 3DT FT MIN", all, " ")
  log_n = split("(CB)^2 CCCB CB CCC FT MIN", logarithmic, " ")
}

NR == 1 {
  csv_head($0, at)
  next
}

{
  csv($0, field)
  if (field[at["packets"]] == "") next
  key = field[at["figure"]] SUBSEP field[at["curve"]]
  rate = field[at["rate"]]
  if (!((key, rate) in place)) {
    place[key, rate] = ++points[key]
    rates[key, points[key]] = rate
  }
  i = place[key, rate]
  packets[key, i] += field[at["packets"]]
  latency[key, i] += field[at["latency"]]
  saturated[key] = field[at["saturated"]] == "true"
  runs[key, i]++
}

# Means over seeds, at the place of a curve.
function x(key, i) { return packets[key, i] / runs[key, i] }
function y(key, i) { return latency[key, i] / runs[key, i] }

function peak(figure, curve,    key, i, most) {
  key = figure SUBSEP curve
  most = 0
  for (i = 1; i <= points[key]; i++) if (x(key, i) > most) most = x(key, i)
  return most
}

# Latency at so many packets, between the two points around it; below the first point that of it.
function latency_at(figure, curve, wanted,    key, i) {
  key = figure SUBSEP curve
  for (i = 1; i <= points[key]; i++) {
    if (x(key, i) < wanted) continue
    if (i == 1 || x(key, i) == x(key, i - 1)) return y(key, i)
    return y(key, i - 1) + (y(key, i) - y(key, i - 1)) * (wanted - x(key, i - 1)) / \
      (x(key, i) - x(key, i - 1))
  }
  return ""
}

function latency_at_rate(figure, curve, rate,    key) {
  key = figure SUBSEP curve
  return (key, rate) in place ? y(key, place[key, rate]) : ""
}

# Names and values, the least (`down`: the greatest) first. Sets `ranked`.
function in_order(names, n, value, down,    i, j, t, text, format) {
  for (i = 1; i <= n; i++) ranked[i] = names[i]
  for (i = 2; i <= n; i++) {
    for (j = i; j > 1; j--) {
      if ((down ? -1 : 1) * (value[ranked[j]] - value[ranked[j - 1]]) >= 0) break
      t = ranked[j]; ranked[j] = ranked[j - 1]; ranked[j - 1] = t
    }
  }
  text = ""
  for (i = 1; i <= n; i++) {
    format = value[ranked[i]] >= 1000 ? "%s %.0f" : "%s %.1f"
    text = text (i > 1 ? "; " : "") sprintf(format, ranked[i], value[ranked[i]])
  }
  return text
}

function show(where, claim, measured, holds) {
  if (form == "csv") print where ",\"" claim "\",\"" measured "\"," holds
  else printf "| %s | %s | %s | %s |\n", where, claim, measured, holds
}

# Whether all names have a value; else the claim's row says so.
function known(where, claim, value, names, n,    i) {
  for (i = 1; i <= n; i++) {
    if (value[names[i]] != "" && value[names[i]] != 0) continue
    show(where, claim, "no value for " names[i], "-")
    return 0
  }
  return 1
}

# Curves that end before the network is full, in words.
function unfilled(figure, names, n,    i, text) {
  for (i = 1; i <= n; i++) if (!saturated[figure SUBSEP names[i]]) text = text " " names[i]
  return text == "" ? "" : " (not yet saturated:" text ")"
}

function low_latency(figure,    i, least, value, text, claim) {
  claim = "below saturation MDCE have the least latency of the direct networks"
  least = 0
  for (i = 1; i <= direct_n; i++) {
    value[direct[i]] = peak(figure, direct[i])
    if (least == 0 || value[direct[i]] < least) least = value[direct[i]]
  }
  for (i = 1; i <= all_n; i++) value[all[i]] = latency_at(figure, all[i], least / 2)
  if (!known(figure, claim, value, all, all_n)) return
  text = in_order(direct, direct_n, value, 0)
  show(figure, claim, \
    sprintf("cycles at %.0f packets: %s (indirect: MIN %.1f; FT %.1f)", least / 2, text, \
      value["MIN"], value["FT"]), \
    (ranked[1] ranked[2]) ~ /^((\(CB\)\^2CCCB)|(CCCB\(CB\)\^2))$/ ? "yes" : "no")
}

function tolerance(figure,    i, value, text, claim) {
  claim = "indirect networks take more packets than MDCE"
  for (i = 1; i <= all_n; i++) value[all[i]] = peak(figure, all[i])
  if (!known(figure, claim, value, all, all_n)) return
  text = in_order(all, all_n, value, 1) unfilled(figure, all, all_n)
  show(figure, claim, "most packets: " text, \
    value["FT"] > value["CCCB"] && value["MIN"] > value["CCCB"] && \
    value["FT"] > value["(CB)^2"] && value["MIN"] > value["(CB)^2"] ? "yes" : "no")
}

function hot_spot(rate, times,    i, value, text, highest, least, claim) {
  claim = "at " times " times the hot spot's capacity mesh and tori have less latency than others"
  for (i = 1; i <= all_n; i++) value[all[i]] = latency_at_rate("fig9", all[i], rate)
  if (!known("fig9", claim, value, all, all_n)) return
  highest = 0
  for (i = 1; i <= grid_n; i++) if (value[grid[i]] > highest) highest = value[grid[i]]
  least = 0
  for (i = 1; i <= log_n; i++) {
    if (least == 0 || value[logarithmic[i]] < least) least = value[logarithmic[i]]
  }
  text = in_order(all, all_n, value, 0)
  show("fig9", claim, sprintf("cycles at %s flits offered: %s", rate, text), \
    highest < least ? "yes" : "no")
}

# The mesh shapes are the networks of 32 x 32.
function emulation(    i, value, text, claim) {
  claim = "MDCE are second to the mesh shapes only, DCE fall off"
  for (i = 1; i <= all_n; i++) value[all[i]] = peak("fig10", all[i])
  if (!known("fig10", claim, value, all, all_n)) return
  text = in_order(flat, flat_n, value, 1)
  show("fig10", claim, sprintf("most packets: %s (3DT %.0f; FT %.0f; MIN %.0f)", text, \
      value["3DT"], value["FT"], value["MIN"]), \
    ranked[1] ranked[2] ~ /^(2D[MT])+$/ && \
    ranked[3] ranked[4] ~ /^((\(CB\)\^2CCCB)|(CCCB\(CB\)\^2))$/ ? "yes" : "no")
}

function skipping(    key, parts, i, n, value, names, low, text, worst) {
  for (key in points) {
    split(key, parts, SUBSEP)
    if (parts[1] != "fig12") continue
    names[++n] = parts[2]
    value[parts[2]] = peak("fig12", parts[2])
    low[parts[2]] = y(key, 1)
  }
  if (!n) {
    show("fig12", "delta above 1 takes fewer packets than delta 1", "no value", "-")
    return
  }
  text = in_order(names, n, value, 1)
  worst = 1
  for (i = 1; i <= n; i++) {
    if (names[i] ~ /delta=[2-9]/ && value[names[i]] >= value["delta=1"]) worst = 0
  }
  show("fig12", "delta above 1 takes fewer packets than delta 1", "most packets: " text, \
    worst ? "yes" : "no")
  text = in_order(names, n, low, 0)
  show("fig12", "and has more latency at low load", "cycles: " text, \
    ranked[1] == "delta=1" ? "yes" : "no")
}

END {
  if (form == "csv") print "figure,claim,measured,holds"
  else print "| figure | the paper says | measured | holds |\n|---|---|---|---|"
  low_latency("fig7"); low_latency("fig8"); low_latency("fig11")
  tolerance("fig7"); tolerance("fig8"); tolerance("fig11")
  hot_spot("0.03", "1.5")
  hot_spot("0.06", "3")
  emulation()
  skipping()
}
