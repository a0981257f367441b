#!/usr/bin/env bash
# From models to RTL in the middle of a run: what engine flit has saved, cosim and rtl go on with,
# up to the end of the whole run. A difference behind the switch is found there.
source "$(dirname "$0")/lib.sh"
# The runs in RTL are short; building it is what takes long.
export WEFT_VERILATED_OPT=-O0
mpi=
start_mpi || echo "on one process only"

# equal A B WHAT: two results but for what tells how they were made.
equal() {
  is "$(differences "$1" "$2" engine "notes/resumed from" "notes/last checkpoint" \
    "notes/RTL and model equal")" "" "$3"
}

# save CYCLE [MPI]: the state of run.json before a cycle, in run.ckpt.
save() {
  rm -f run.ckpt
  ${2:-} $weft run run.json --engine flit --set max_cycles="$1" --checkpoint run.ckpt --every "$1" \
    >said 2>&1
  grep -q "last checkpoint: .*run.ckpt, cycle $1" said || fail "no state of cycle $1: $(<said)"
}

# switches WHAT TOPOLOGY WORKLOAD [MORE]: the run goes on in RTL.
switches() {
  local what=$1 cycles engine
  echo "{\"topology\": $2, \"workload\": $3, \"seed\": 7 ${4:+, $4}}" >run.json
  $weft run run.json --engine flit --json whole.json >said 2>&1 || fail "$what: $(<said)"
  cycles=$(field whole.json cycles)
  [ "$cycles" -gt 5100 ] || fail "$what: over in cycle $cycles"
  save 5000
  for engine in cosim rtl; do
    $weft run run.json --engine $engine --resume run.ckpt --threads 2 --json now.json >said 2>&1 ||
      fail "$what, $engine: $(<said)"
    equal whole.json now.json "$what, $engine"
    grep -q "resumed from run.ckpt, cycle 5000 of engine flit" said || fail "$what: $(<said)"
    if [ $engine = cosim ]; then
      cp said cosim_said
      grep -q "blocks in each of $((cycles - 5000)) cycles" said || fail "$what: $(<said)"
    fi
  done
  [ -n "$mpi" ] || return
  save 5000 "$mpi 3"
  $mpi 2 $weft run run.json --engine cosim --resume run.ckpt --json now.json >said 2>&1 ||
    fail "$what, cosim on processes: $(<said)"
  equal whole.json now.json "$what, cosim on processes"
}

torus='{"kind": "torus", "dims": [3, 2]}'
crossbars='{"kind": "hier_crossbar", "dims": [4, 2]}'
uniform='{"traffic": "uniform", "rate": 0.85, "packet_flits": 4, "warmup": 100, "measure": 5400}'

switches "near saturation" "$torus" "$uniform"
# RV32 processors, with register blocks, and barrier units.
switches "all-to-all between crossbars" "$crossbars" \
  '{"collective": "a2a", "message_flits": 400, "sync": "barrier"}' '"barrier": "hardware"'
switches "allreduce" "$torus" \
  '{"collective": "allreduce_rings", "bytes": 512, "type": "int32", "op": "sum"}' \
  '"barrier": "hardware"'
grep -q "every output of 24 blocks" cosim_said || fail "other blocks: $(<cosim_said)"
switches "allreduce with combine units" "$torus" \
  '{"collective": "allreduce_tree", "bytes": 65536, "type": "int32", "op": "sum"}' \
  '"combining": "tree"'
switches "errors on protected links" "$torus" "$uniform" \
  '"link": {"protection": "retry"},
   "faults": [{"link": "all", "field": "any", "rate": 0.0005}]'
# From then on packets go around it. Ages count from the restart.
switches "a dead link" "$torus" \
  '{"collective": "allreduce_ring", "bytes": 8192, "type": "int32", "op": "sum"}' \
  '"link": {"protection": "retry"}, "nic": {"reliable": true, "timeout": 2000},
   "watchdog": 20000, "router": {"arbiter": "age"},
   "faults": [{"link": "r_0 out 0", "cycle": 60, "field": "any", "rate": 1}]'
grep -q "link r_0 out 0 -> r_1 in 0 is dead" said || fail "no dead link: $(<said)"

# What stepped every flit as model is a state of blocks, too; packets that moved as spans leave
# none.
echo "{\"topology\": $torus, \"workload\": $uniform, \"seed\": 7}" >run.json
expect 1 "other.ckpt, cycle 5000" $weft run run.json --set router.hold=flit \
  --set max_cycles=5000 --checkpoint other.ckpt --every 5000
expect 0 "resumed from other.ckpt, cycle 5000 of engine model" $weft run run.json --engine flit \
  --set router.hold=flit --resume other.ckpt
expect 1 "other.ckpt, cycle 5000" $weft run run.json --set max_cycles=5000 \
  --checkpoint other.ckpt --every 5000
expect 2 "a checkpoint of engine \"model\", in which packets moved as spans and blocks \
have no state: expected: one that was written with --engine flit" \
  $weft run run.json --engine cosim --resume other.ckpt
save 5000
expect 2 "--resume: value engine \"rtl-top\": expected: model, flit, rtl, gates, cosim" \
  $weft run run.json --engine rtl-top --resume run.ckpt
expect 2 "--checkpoint: value engine \"cosim\": expected: model, flit" \
  $weft run run.json --engine cosim --resume run.ckpt --checkpoint other.ckpt --every 100

# An interface that counts wrong from some message on, late in the run.
cp -r "$source_dir/rtl" rtl
export WEFT_RTL_DIR=$work/rtl WEFT_CACHE=$work/cache
counts_wrong() {  # MESSAGES
  sed "s/assign tx_count_o = tx_count_q;/assign tx_count_o = tx_count_q >= $1 ? '1 : tx_count_q;/" \
    "$source_dir/rtl/nic/weft_nic.sv" >rtl/nic/weft_nic.sv
  cmp -s rtl/nic/weft_nic.sv "$source_dir/rtl/nic/weft_nic.sv" && fail "the RTL was not changed"
  rm -rf difference.*
}
counts_wrong 1100
$weft run run.json --engine cosim --resume run.ckpt >said 2>&1
is "$?" 1 "status of a difference: $(<said)"
differs='RTL and model differ: cycle [0-9]*, instance nic_[0-9]*, port tx_count_o'
found=$(grep -o "$differs" said)
cycle=$(cut -d " " -f 6 <<<"${found%%,*}")
[ "${cycle:-0}" -gt 5000 ] || fail "no late difference: $(<said)"
for engine in model rtl; do
  [ -s difference.$engine.fst ] || fail "no waves of $engine: $(<said)"
done
# On several processes it is the same, and so it is without the switch.
if [ -n "$mpi" ]; then
  rm -rf difference.*
  $mpi 2 $weft run run.json --engine cosim --resume run.ckpt >said 2>&1
  is "$?" 1 "status of a difference on processes: $(<said)"
  is "$(grep -o "$differs" said)" "$found" "on processes"
  [ -s difference.rtl.fst ] || fail "no waves: $(<said)"
fi
is "$($weft run run.json --engine cosim 2>&1 | grep -o "$differs")" "$found" "from cycle 0"
# What differs as soon as it is loaded.
counts_wrong 20
expect 1 "RTL and model differ: cycle 5000, instance nic_0, port tx_count_o" \
  $weft run run.json --engine cosim --resume run.ckpt
[ -z "$mpi" ] || expect 1 "RTL and model differ: cycle 5000, instance nic_0, port tx_count_o" \
  $mpi 2 $weft run run.json --engine cosim --resume run.ckpt
# Its waves begin with the cycle of the state, not 200 cycles before the difference; a cycle is 2.
for engine in model rtl; do
  is "$(fst2vcd difference.$engine.fst | grep -m 1 '^#')" "#10000" "the first cycle of $engine"
done

finish
