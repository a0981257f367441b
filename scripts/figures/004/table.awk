# points.csv to the table of the paper's averages beside the measured ones: -v form=md or csv. A
# measured value is the mean over the sizes for which all its runs ended; in brackets how many.

NR == 1 {
  csv_head($0, at)
  next
}

{
  csv($0, field)
  name = field[at["series"]]
  k = field[at["k"]]
  depth = field[at["vc_depth"]]
  key = name == "fig6 none" || name == "fig6 local" ? name SUBSEP k SUBSEP depth : name SUBSEP k
  cycles[key] = field[at["cycles"]]
  over[key] = field[at["over_theory"]]
  if (!(k in known)) { known[k] = 1; ks[++nk] = k }
  if (name == "fig6 none") {
    if (!(depth in known_depth)) { known_depth[depth] = 1; depths[++nd] = depth }
    if (!(k in known6)) { known6[k] = 1; ks6[++nk6] = k }
  }
}

function start() { sum = 0; count = 0 }
function add(value) { sum += value; count++ }

function show(what, kind, paper,    measured, deviation) {
  measured = count ? sprintf("%.3f", sum / count) : "-"
  deviation = count && paper != "" ? sprintf("%+.1f", 100 * (sum / count / paper - 1)) : "-"
  if (form == "csv") {
    print "\"" what "\"," kind "," paper "," (count ? measured : "") "," \
      (deviation == "-" ? "" : deviation) "," count
  } else {
    printf "| %-58s | %-5s | %5s | %8s | %9s | %6d |\n", what, kind, paper, measured,
      deviation, count
  }
}

# Mean of time over theory.
function average(what, kind, paper, series,    i) {
  start()
  for (i = 1; i <= nk; i++) if (over[series, ks[i]] != "") add(over[series, ks[i]])
  show(what, kind, paper)
}

# Mean of the quotient of two times, for sizes below `below`.
function quotient(what, kind, paper, a, b, below,    i, x, y) {
  start()
  for (i = 1; i <= nk; i++) {
    x = cycles[a, ks[i]]
    y = cycles[b, ks[i]]
    if (x != "" && y != "" && ks[i] + 0 < below) add(x / y)
  }
  show(what, kind, paper)
}

# Mean over the buffer sizes of how far the slower of the two modes is behind the faster one.
function gap(what, paper, k,    i, x, y) {
  start()
  for (i = 1; i <= nd; i++) {
    x = cycles["fig6 local", k, depths[i]]
    y = cycles["fig6 none", k, depths[i]]
    if (x != "" && y != "") add(x + 0 > y + 0 ? x / y : y / x)
  }
  show(what, "torus", paper)
}

# First buffer size from which on no sync is the faster mode.
function crossing(what, k,    i, x, y, from) {
  start()
  from = ""
  for (i = nd; i >= 1; i--) {
    x = cycles["fig6 local", k, depths[i]]
    y = cycles["fig6 none", k, depths[i]]
    if (x == "" || y == "" || y + 0 >= x + 0) break
    from = depths[i]
  }
  if (from != "") add(from)
  show(what, "torus", 200)
}

END {
  if (form == "csv") {
    print "case,network,paper,measured,deviation_percent,sizes"
  } else {
    printf "| %-58s | %-5s | %5s | %8s | %9s | %6s |\n", "case (time / theory, mean over k)", "",
      "paper", "measured", "deviation", "values"
    print "|---|---|---|---|---|---|"
  }
  all = 1000000
  average("fig. 3: VC per destination, buffer 2, NCT 1, A2AT", "torus", 0.97, "fig3 torus a2at")
  average("fig. 3: VC per destination, buffer 2, NCT 1, A2AT", "mesh", 1.25, "fig3 mesh a2at")
  average("fig. 4: 2 VCs, buffer 20, NCT 1, no sync, A2AT", "torus", 1.19, "fig4 torus a2at")
  average("fig. 5: 2 VCs, buffer 20, NCT 1, local sync, A2AT", "torus", 1.11, "fig5 torus a2at")
  average("fig. 5: 2 VCs, buffer 20, NCT 1, local sync, A2AT", "mesh", 1.11, "fig5 mesh a2at")
  quotient("fig. 5: A2AND time / A2AT time", "torus", 1.67, "fig5 torus a2and", "fig5 torus a2at",
           all)
  quotient("fig. 5: A2AND time / A2AT time", "mesh", 1.18, "fig5 mesh a2and", "fig5 mesh a2at", all)
  for (i = 1; i <= nk6; i++) {
    crossing("fig. 6: k = " ks6[i] ": no sync is faster from buffer", ks6[i])
    paper = ks6[i] == 11 ? "1.10" : ks6[i] == 17 ? "1.20" : ""
    gap("fig. 6: k = " ks6[i] ": slower mode / faster mode, mean", paper, ks6[i])
  }
  average("fig. 7: buffer 200, NCT 2, no sync, A2AT", "torus", 1.28, "fig7 torus NCT2 none")
  average("fig. 7: buffer 200, NCT 2, no sync, A2AT", "mesh", 1.18, "fig7 mesh NCT2 none")
  average("fig. 7: buffer 200, NCT 2, local sync, A2AT", "torus", 1.23, "fig7 torus NCT2 local")
  average("fig. 7: buffer 200, NCT 2, local sync, A2AT", "mesh", 1.23, "fig7 mesh NCT2 local")
  quotient("fig. 7: NCT 1 time / NCT 2 time, local sync", "torus", 1.35,
           "buffer200 torus NCT1 local", "fig7 torus NCT2 local", all)
  quotient("fig. 7: NCT 1 time / NCT 2 time, local sync", "mesh", 1.13,
           "buffer200 mesh NCT1 local", "fig7 mesh NCT2 local", all)
  quotient("fig. 7: NCT 4 time / NCT 2 time, local sync", "torus", 0.93, "fig7 torus NCT4 local",
           "fig7 torus NCT2 local", all)
  quotient("fig. 7: NCT 2 time / NCT 4 time, local sync, k < 9", "torus", 1.06,
           "fig7 torus NCT2 local", "fig7 torus NCT4 local", 9)
  average("cure: NCT 4, slots, store-forward, RV32 (goal: 1.10)", "torus", "", "cure NCT 4 slots")
  average("before: NCT 4, A2AT, local sync, RV32", "torus", "", "cure NCT 4 a2at local")
  average("cure: NCT 1, A2AT, balanced, buffer 20, RV32", "torus", "",
          "cure NCT 1 a2at local balanced")
  average("cure: NCT 1, A2AT, balanced, buffer 30, RV32 (goal: 1.05)", "torus", "",
          "cure NCT 1 a2at local balanced buffer 30")
}
