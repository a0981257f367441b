#!/usr/bin/env bash
# Cycles in which nothing happens: models jump to the next event, and results are those of a run
# that takes every cycle, as engine flit does while it writes waves.
source "$(dirname "$0")/lib.sh"
torus='"topology": {"kind": "torus", "dims": [4, 4]}'

# quick SECONDS COMMAND...: its time on processors.
quick() {
  local most=$1 used
  shift
  used=$({ TIMEFORMAT='%U %S'; time "$@" >said 2>&1; } 2>&1 | awk '{print $1 + $2}')
  awk "BEGIN {exit !($used <= $most)}" || fail "$used s instead of $most: $*"
}

# steps_too CONFIG [MORE...]: the same on models, several threads and processes as cycle by cycle,
# which waves ask for.
steps_too() {
  local config=$1 how
  shift
  $weft run "$config" "$@" --engine flit --trace every.fst --json every.json >said 2>&1 ||
    fail "$config $*: $(<said)"
  for how in "model" "flit" "model --threads 2" "flit --threads 2"; do
    $weft run "$config" "$@" --engine $how --json now.json >said 2>&1 || fail "$how: $(<said)"
    is "$(differences every.json now.json engine stepped)" "" "$config $* on $how"
  done
  [ -n "$mpi" ] || return
  for how in model flit; do
    $mpi 3 $weft run "$config" "$@" --engine $how --json now.json >said 2>&1 ||
      fail "$how on processes: $(<said)"
    is "$(differences every.json now.json engine stepped)" "" \
      "$config $* on $how on processes"
  done
}
mpi=
start_mpi || echo "on one process only"

# Rank 0 computes, then sends to rank 5, which computes before it answers.
goal() {  # UNITS
  cat >"$1.goal" <<END
num_ranks 16
rank 0 {
  c: calc $1
  s: send 800b to 5 tag 1
  r: recv 80b from 5 tag 2
  s requires c
}
rank 5 {
  r: recv 800b from 0 tag 1
  c: calc $1
  s: send 80b to 0 tag 2
  c requires r
  s requires c
}
END
  echo "{$torus, \"processor\": \"native\", \"workload\": {\"collective\": \"goal\",
    \"file\": \"$1.goal\"}}" >"$1.json"
}
goal 1000
goal 100000000
steps_too 1000.json
for engine in model flit; do
  $weft run 1000.json --engine $engine --json short.json >said 2>&1 || fail "$(<said)"
  # It took 4 to 17 s for each 100,000,000 cycles.
  quick 1 $weft run 100000000.json --engine $engine --json long.json
  is $(($(field long.json cycles) - $(field short.json cycles))) $((2 * (100000000 - 1000))) \
    "cycles on $engine"
done
# Links with registers, adaptive ways, a pipeline of three stages, several controllers, crossbars.
for more in link.stages=9 router.routing=minimal_adaptive router.pipeline=3 nic.controllers=4; do
  steps_too 1000.json --set $more
done
sed 's/"kind": "torus"/"kind": "hier_crossbar"/' 1000.json >crossbars.json
steps_too crossbars.json

# Messages that are posted late, and what ends a run in between.
echo "{$torus, \"workload\": {\"transfers\": [
  {\"from\": 0, \"to\": 5, \"flits\": 10, \"start\": 9000},
  {\"from\": 7, \"to\": 0, \"flits\": 100, \"start\": 70007}]}}" >late.json
steps_too late.json
$weft run late.json --set max_cycles=50000 --json cut.json >said 2>&1
is "$(field cut.json cycles)" 50000 "max_cycles"

# Few packets, over a time limit and after a drain; with hardware barriers and combining trees.
echo "{$torus, \"workload\": {\"traffic\": \"uniform\", \"rate\": 0.0002, \"packet_flits\": 4,
  \"warmup\": 2000, \"measure\": 20000}}" >few.json
steps_too few.json
steps_too few.json --set link.stages=40 --set workload.drain=0
for sync in '"barrier": "hardware",
    "workload": {"collective": "a2a", "message_flits": 9, "sync": "barrier"}' \
  '"combining": "tree",
    "workload": {"collective": "allreduce_tree", "bytes": 512, "type": "int32", "op": "sum"}'; do
  echo "{$torus, $sync}" >sync.json
  steps_too sync.json
done

# States are saved in their cycles, and runs resumed from them.
for engine in model flit; do
  $weft run few.json --engine $engine --json whole.json >said 2>&1 || fail "$(<said)"
  $weft run few.json --engine $engine --set max_cycles=11111 --checkpoint few.ckpt --every 777 \
    >said 2>&1
  grep -q "few.ckpt, cycle 11111" said || fail "no state: $(<said)"
  $weft run few.json --engine $engine --resume few.ckpt --json now.json >said 2>&1 ||
    fail "$(<said)"
  is "$(differences whole.json now.json "notes/resumed from")" "" "resumed on $engine"
done

# A standstill is found in the same cycle: a ring whose packets wait for each other.
echo '{"topology": {"kind": "torus", "dims": [8]}, "router": {"vcs": 1, "vc_depth": 3},
  "deadlock_check": false, "workload": {"traffic": "uniform", "rate": 1, "packet_flits": 12,
  "warmup": 0, "measure": 20000}}' >still.json
stands_still() {  # CYCLES MORE...
  local cycles=$1
  shift
  $weft run still.json "$@" --engine flit --trace every.fst >said 2>&1
  is "$?" 3 "status of a standstill: $(<said)"
  grep "no progress" said >every
  grep -qF "in the $cycles cycles before" every || fail "not after $cycles cycles: $(<said)"
  for engine in model flit; do
    $weft run still.json "$@" --engine $engine 2>&1 | grep "no progress" >now
    cmp -s every now || fail "$(<now) instead of $(<every): $engine"
  done
}
stands_still 3000 --set watchdog=3000
# The watchdog's time is longer than the run.
last=$($weft run still.json --set watchdog=3000 2>&1 | sed -n 's/.*before cycle \([0-9]*\)$/\1/p')
stands_still $((20000 - last + 3000))
# A run that ends sooner was none.
expect 0 "saturated" $weft run still.json --set workload.measure=$((last - 3000 + 1999))
# Packets that wait for a slow link are no standstill.
expect 0 "0 data" $weft run few.json --set link.stages=250 --set workload.drain=0

finish
