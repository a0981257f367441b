#!/usr/bin/env bash
# Engine `gates`: what Yosys makes of the interfaces, routers and crossbars, all stepped at once,
# gives the whole result of `flit`: on networks with edges, with traffic that saturates them, wide
# links, protected links that lose words, restarts around dead links, reductions in interfaces,
# tables, threads, processes and trees.
source "$(dirname "$0")/lib.sh"
if ! command -v yosys >/dev/null; then
  expect 2 "package yosys" $weft run torus32_uniform --engine gates
  finish
fi

# same WHAT CONFIG OPTION...
same() {
  local what=$1
  echo "$2" >run.json
  shift 2
  $weft run run.json --engine flit --json flit.json >flit.txt 2>&1
  is $? $(($(field flit.json cycles) == 0)) "status of flit: $what: $(<flit.txt)"
  $weft run run.json --engine gates --json gates.json "$@" >gates.txt 2>&1
  is $? 0 "status of gates: $what: $(<gates.txt)"
  is "$(differences flit.json gates.json engine)" "" "$what"
}
saturated='"workload": {"traffic": "uniform", "rate": 0.6, "warmup": 100, "measure": 400}'
torus='"topology": {"kind": "torus", "dims": [4, 3]}'

same "a torus at saturation" "{$torus, $saturated}"
same "on two threads" "{$torus, $saturated}" --threads 2
WEFT_LANES=64 same "in 64 lanes" "{$torus, $saturated}"
same "wide links with parity, the oldest packet first" "{$torus, $saturated,
  \"link\": {\"protection\": \"parity\", \"width_bits\": 128}, \"router\": {\"arbiter\": \"age\"}}"
same "buffers in memories, replies" "{$torus, \"router\": {\"vc_depth\": 16},
  \"workload\": {\"traffic\": \"uniform\", \"rate\": 0.5, \"reply_flits\": 3, \"warmup\": 100,
  \"measure\": 300}}"
same "an allreduce whose interfaces reduce, two controllers" "{$torus, \"processor\": \"native\",
  \"nic\": {\"controllers\": 2}, \"workload\": {\"collective\": \"allreduce\", \"bytes\": 256}}"
same "waves" "{$torus, $saturated}" --trace gates.fst
same "programs, with a pause in which nothing moves" \
  "{$torus, \"workload\": {\"collective\": \"a2a\", \"sync\": \"barrier\"}}"
same "trees" "{$torus, \"combining\": \"tree\", \"barrier\": \"hardware\",
  \"processor\": \"native\", \"workload\": {\"collective\": \"allreduce\", \"bytes\": 64}}"
same "transfers far apart" "{$torus, \"workload\": {\"transfers\": [
  {\"from\": 0, \"to\": 5, \"flits\": 30},
  {\"from\": 5, \"to\": 1, \"flits\": 3, \"start\": 90000}]}}"
same "words lost on protected links, a link that dies" "{$torus,
  \"link\": {\"protection\": \"retry\"},
  \"nic\": {\"reliable\": true, \"timeout\": 2000}, \"watchdog\": 20000,
  \"workload\": {\"collective\": \"a2a\"}, \"processor\": \"native\", \"faults\": [
    {\"link\": \"r_0 out 0\", \"cycle\": 60, \"field\": \"any\", \"rate\": 1},
    {\"link\": \"all\", \"cycle\": 10, \"field\": \"any\", \"rate\": 0.001, \"cycles\": 3000}]}"
same "a mesh, pipeline of 3 cycles, two classes of messages" "{\"topology\": {\"kind\": \"mesh\",
  \"dims\": [3, 2]}, \"router\": {\"pipeline\": 3, \"message_classes\": 2, \"vcs\": 4},
  \"workload\": {\"traffic\": \"uniform\", \"rate\": 0.3, \"reply_flits\": 3, \"warmup\": 100,
  \"measure\": 400}}"
same "tables beside the routers, one of whose links dies" "{
  \"topology\": {\"kind\": \"dragonfly\", \"p\": 1, \"a\": 2, \"h\": 1},
  \"link\": {\"protection\": \"retry\"}, \"watchdog\": 20000,
  \"nic\": {\"reliable\": true, \"timeout\": 2000}, \"processor\": \"native\",
  \"workload\": {\"collective\": \"a2a\", \"message_flits\": 16}, \"faults\": [
    {\"link\": \"r_0 -> r_1\", \"cycle\": 60, \"field\": \"any\", \"rate\": 1}]}"
echo '{"topology": {"kind": "dragonfly", "p": 3, "a": 6, "h": 3}}' >run.json
expect 2 "routers with 6589 entries of tables" $weft run run.json --engine gates \
  --set router.routing=valiant --set workload.traffic=uniform
echo '{"topology": {"kind": "hier_crossbar", "dims": [64, 4]}}' >run.json
expect 2 "crossbars of 128 x 64 ports and 64 bits, which are 524288 selectors" \
  $weft run run.json --engine gates --set workload.traffic=uniform
same "crossbars" "{\"topology\": {\"kind\": \"hier_crossbar\", \"dims\": [2, 2]}, $saturated}"
if start_mpi; then
  echo "{$torus, $saturated}" >run.json
  $mpi 2 $weft run run.json --engine gates --json many.json >said 2>&1 || fail "$(<said)"
  $weft run run.json --engine gates --json one.json >said 2>&1 || fail "$(<said)"
  is "$(differences one.json many.json)" "" "two processes"
fi
finish
