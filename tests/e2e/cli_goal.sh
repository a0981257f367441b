#!/usr/bin/env bash
# Replay of dependency traces (GOAL): networks, processors and engines, times that are known without
# a simulation, wrong data, and errors of a trace with their lines.
source "$(dirname "$0")/lib.sh"

goal() {  # TOPOLOGY FILE [MORE]: writes goal.json
  printf '{"topology": %s, "processor": "native",
    "workload": {"collective": "goal", "file": "%s"}%s}' "$1" "$2" "${3:-}" >goal.json
}
torus='{"kind": "torus", "dims": [4, 4]}'
halo=$source_dir/sw/examples/halo.goal

# The example on three networks and both processors.
for network in "$torus" '{"kind": "hypercube", "dimensions": 4}' \
  '{"kind": "hier_crossbar", "dims": [4, 4]}'; do
  goal "$network" "$halo"
  for processor in native rv32; do
    expect 0 "2048 words compared in the memories of 16 nodes, 0 differ" \
      $weft run goal.json --set processor=$processor --json run.json
    cycles=$(field run.json cycles)
    [[ $cycles -ge $(field run.json bound_cycles) && $cycles -ge 141 ]] ||
      fail "$network, $processor: $cycles cycles, bound $(field run.json bound_cycles)"
    is "$(field run.json messages)" 32 "messages, $processor"
  done
done

# On the crossbars model and RTL.
expect 0 "RTL and model equal on every output" $weft run goal.json --engine cosim --json cosim.json
expect 0 "0 differ" $weft run goal.json --engine flit --json flit.json
expect 0 "0 differ" $weft run goal.json --json model.json
for engine in cosim flit; do
  is "$(field $engine.json digest)" "$(field model.json digest)" "digest, $engine"
done

# A unit of calc is as many cycles as compute_factor says. Its 140 on the way of every rank come on
# top of nothing else, where computing takes longer than all messages.
for factor in 10 20; do
  $weft run goal.json --set workload.compute_factor=$factor --json $factor.json >run.txt 2>&1 ||
    fail "compute_factor $factor: $(<run.txt)"
done
is $(($(field 20.json cycles) - $(field 10.json cycles))) 1400 "140 units, 10 cycles each"
is "$(field 20.json bound_cycles)" 2800 "bound"
is "$(field 20.json config/workload/compute_factor)" 20.0

# 64 ranks in a ring of steps, on a torus of 8 x 8: each step waits for the one before it.
python3 - >steps.goal <<'END'
ranks, steps = 64, 20
print(f"num_ranks {ranks}")
for r in range(ranks):
    print(f"rank {r} {{")
    for s in range(steps):
        print(f"c{s}: calc {10 + r % 3} s{s}: send 64b to {(r + 1) % ranks} "
              f"r{s}: recv 64b from {(r - 1) % ranks} s{s} requires c{s}")
        if s:
            print(f"c{s} requires r{s - 1}")
    print("}")
END
goal '{"kind": "torus", "dims": [8, 8]}' steps.goal
expect 0 "trace steps.goal: 3840 operations, 1280 messages" $weft run goal.json --json run.json
is "$(field run.json messages)" 1280
# No step takes less than its calc and a message of 9 flits over one hop.
[[ $(field run.json cycles) -ge $((20 * (10 + 9))) ]] || fail "cycles: $(field run.json cycles)"

# A bit that is inverted on the way is found in its message.
echo 'num_ranks 16 rank 1 { send 24b to 0 } rank 0 { recv 24b from 1 }' >one.goal
goal "$torus" one.goal ', "faults": [{"node": 0, "cycle": 0, "bit": 5}]'
python3 - <<'END'
import json
config = json.load(open("goal.json"))
for cycle in range(40):
    config["faults"] = [{"node": 0, "cycle": cycle, "bit": 5}]
    json.dump(config, open(f"fault{cycle}.json", "w"))
END
found=0
for cycle in 10 11 12 13 14; do
  $weft run fault$cycle.json >run.txt 2>&1 && continue
  grep -q 'word [012] of message 0 from node 1' run.txt && found=$((found + 1))
done
[[ $found -ge 1 ]] || fail "no inverted bit was found in a message: $(<run.txt)"

# A sweep makes a run again whose trace has changed.
goal "$torus" again.goal
echo '{"base": "goal.json", "axes": [{"workload.compute_factor": [1, 2]}]}' >again.json
for calc in 50 60 60; do
  echo "num_ranks 16 rank 3 { calc $calc }" >again.goal
  $weft sweep again.json -o again >sweep.txt 2>&1 || fail "sweep: $(<sweep.txt)"
done
grep -q '2 found' sweep.txt || fail "a sweep again: $(<sweep.txt)"
is "$(cut -d, -f1 again/results.csv | wc -l)" 3 "lines of the table"

# What is wrong with a trace, or with a configuration of one.
trace() {  # STATUS TEXT TRACE...: a trace of these lines
  local status=$1 text=$2
  shift 2
  printf '%s\n' "$@" >wrong.goal
  expect "$status" "$text" $weft run goal.json --set workload.file=wrong.goal
}
trace 2 'wrong.goal:2: value "wait": expected: calc N, send Nb to R' \
  "num_ranks 16 rank 0 {" "a: wait 3 }"
trace 2 'wrong.goal:1: value "s": expected: as many recv as send' \
  "num_ranks 16 rank 0 { s: send 8b to 1 }"
trace 2 "a of rank 0, which waits for b of rank 0, which waits for a of rank 0" \
  "num_ranks 16 rank 0 { a: calc 1 b: calc 1 a requires b b requires a }"
trace 2 'wrong.goal:2: value "4": expected: 16, the nodes of the network' "// few" "num_ranks 4"
trace 0 "a rank has one processor for all its cpus" "num_ranks 16 rank 0 { calc 1 cpu 1 }"
expect 2 "none.goal: cannot be read: No such file" $weft run goal.json --set workload.file=none.goal
expect 2 "/workload/file: missing: expected: the path of a dependency trace" \
  $weft run goal.json --set workload.file=null
expect 2 "/workload/compute_factor: value 0: expected: a number above 0" \
  $weft run goal.json --set workload.compute_factor=0
expect 2 "/workload/phases" $weft run goal.json --set workload.phases=all
expect 2 "/workload/message_flits" $weft run goal.json --set workload.message_flits=4
expect 2 "/start" $weft run goal.json --set start=network
expect 0 "replays a dependency trace" $weft list collectives
expect 0 "workload.compute_factor" $weft list keys

finish
