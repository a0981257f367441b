#!/usr/bin/env bash
# A checkpoint of engine `flit` goes on in engine `gates`, with packets in flight in routers,
# crossbars, interfaces and protected links, also after a restart around a dead link: the result is
# that of the whole run on `flit`, on threads, processes and with waves, too. The networks are those
# of cli_gates.sh.
source "$(dirname "$0")/lib.sh"
if ! command -v yosys >/dev/null; then
  echo "without Yosys there are no gates"
  finish
fi

# saved WHAT CONFIG CYCLE: a whole run of `flit`, in flit.json, and a checkpoint on its way.
saved() {
  echo "$2" >run.json
  $weft run run.json --engine flit --json flit.json >said 2>&1 || fail "$1: $(<said)"
  $weft run run.json --engine flit --checkpoint at.ckpt --json first.json \
    --set max_cycles="$3" >said 2>&1
  (($(field first.json messages) < $(field first.json packets))) ||
    fail "$1: no packets in flight in cycle $3: $(<said)"
}

# resumed WHAT OPTION...: the rest of the run as gates.
resumed() {
  local what=$1
  shift
  $weft run run.json --engine gates --resume at.ckpt --json gates.json "$@" >said 2>&1
  is $? 0 "status: $what: $(<said)"
  grep -q "resumed from at.ckpt, cycle .* of engine flit" said || fail "$what: $(<said)"
  is "$(differences flit.json gates.json engine "notes/resumed from")" "" "$what"
}
saturated='"workload": {"traffic": "uniform", "rate": 0.6, "warmup": 100, "measure": 400}'
torus='"topology": {"kind": "torus", "dims": [4, 3]}'

saved "a torus at saturation" "{$torus, $saturated}" 300
resumed "a torus at saturation"
resumed "on two threads" --threads 2
if start_mpi; then
  $mpi 2 $weft run run.json --engine gates --resume at.ckpt --json gates.json >said 2>&1 ||
    fail "two processes: $(<said)"
  is "$(differences flit.json gates.json engine "notes/resumed from")" "" "two processes"
fi
resumed "waves" --trace gates.fst
$weft run run.json --engine flit --resume at.ckpt --trace flit.fst >said 2>&1 || fail "$(<said)"
for engine in flit gates; do fst2vcd $engine.fst | sed '/\$date/,/\$end/d' >$engine.vcd; done
[ "$(grep -c '^#' flit.vcd)" -gt 200 ] || fail "waves of flit: $(head flit.vcd)"
cmp flit.vcd gates.vcd || fail "the waves of gates are not those of flit"

saved "words lost on protected links" "{$torus, $saturated,
  \"link\": {\"protection\": \"retry\"}, \"faults\": [
    {\"link\": \"all\", \"cycle\": 10, \"field\": \"any\", \"rate\": 0.001, \"cycles\": 3000}]}" 300
resumed "words lost on protected links"
saved "wide links with parity, the oldest packet first" "{$torus, $saturated,
  \"link\": {\"protection\": \"parity\", \"width_bits\": 128},
  \"router\": {\"arbiter\": \"age\"}}" 300
resumed "wide links with parity, the oldest packet first"
saved "crossbars" \
  "{\"topology\": {\"kind\": \"hier_crossbar\", \"dims\": [2, 2]}, $saturated}" 300
resumed "crossbars"
for barrier in software hardware; do
  saved "programs, barrier $barrier" "{$torus, \"barrier\": \"$barrier\", \"processor\": \"rv32\",
    \"workload\": {\"collective\": \"a2a\", \"sync\": \"barrier\"}}" 200
  resumed "programs, barrier $barrier"
done
saved "around a dead link" "{$torus, \"link\": {\"protection\": \"retry\"},
  \"nic\": {\"reliable\": true, \"timeout\": 2000}, \"watchdog\": 20000,
  \"workload\": {\"collective\": \"a2a\"}, \"faults\": [
    {\"link\": \"r_0 out 0\", \"cycle\": 60, \"field\": \"any\", \"rate\": 1},
    {\"link\": \"all\", \"cycle\": 10, \"field\": \"any\", \"rate\": 0.001, \"cycles\": 3000}]}" 500
grep -q "is dead: failed" said || fail "no restart before the checkpoint: $(<said)"
resumed "around a dead link"
saved "buffers in memories, replies" "{$torus, \"router\": {\"vc_depth\": 16},
  \"workload\": {\"traffic\": \"uniform\", \"rate\": 0.5, \"reply_flits\": 3, \"warmup\": 100,
  \"measure\": 300}}" 250
resumed "buffers in memories, replies"

expect 2 "--checkpoint: value engine \"gates\": expected: model, flit" \
  $weft run run.json --engine gates --checkpoint b.ckpt
finish
