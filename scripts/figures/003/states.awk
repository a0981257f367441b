# Lines "steps,rank,element,value" to the arrays of all aggregation units after each step, printed
# as in figs 16 to 24 (-v form=md or csv): a value, or "-" where the unit has given that element
# away and not got it back. Exit status 1 where a unit does not hold as many results as it must.
#
# Unit 401 + b is on board b, whose bits are its coordinates in W, X, Y, Z, and begins with 16 times
# b + 1. A result after k steps of halving is the sum over the 2^k boards that differ in the first k
# bits alone; whatever was left from before is a sum over fewer, and less.

{ value[$1, ($2 - 1) / 2, $3 + 0] = $4 }

function result(k, b,    count, first) {
  count = k < 4 ? 2 ^ k : 16
  first = b - b % count
  return count * first + count * (count + 1) / 2
}

END {
  split("W X Y Z Z Y X W", along, " ")
  if (form == "csv") {
    line = "steps,figure,unit"
    for (e = 1; e <= 16; e++) line = line "," e
    print line
  }
  for (k = 0; k <= 8; k++) {
    if (form == "md") {
      stage = k == 0 ? "initial state" : along[k] (k > 4 ? " doubling" : " halving")
      print (k ? "\n" : "") "Fig. " 16 + k ", " stage ":\n"
    }
    for (b = 0; b < 16; b++) {
      line = form == "csv" ? k "," 16 + k "," 401 + b : "    " 401 + b " "
      held = 0
      for (e = 0; e < 16; e++) {
        now = value[k, b, e] == result(k, b)
        held += now
        line = line (form == "csv" ? "," : "") \
          sprintf(form == "csv" ? "%s" : "%4s", now ? value[k, b, e] : "-")
      }
      print line
      must = k < 4 ? 16 / 2 ^ k : 2 ^ (k - 4)
      if (held != must) {
        print "states: unit " 401 + b " after " k " steps: " held " results, not " must >"/dev/stderr"
        wrong = 1
      }
    }
  }
  exit wrong
}
