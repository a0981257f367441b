#!/usr/bin/env bash
# The pickers alltoall and barrier: what they choose, that they leave alone what is given, and that
# the check of a barrier refuses programs which are none.
source "$(dirname "$0")/lib.sh"

work() {  # TOPOLOGY WORKLOAD: writes the configuration c.json
  echo "{\"topology\": $1, \"workload\": $2}" >c.json
}
picks() {  # PICK ARGUMENTS: the whole line
  local pick=$1
  shift
  $weft run c.json "$@" >run.txt 2>&1 || fail "$*: $(<run.txt)"
  grep -qx " *picked: $pick" run.txt || fail "not $pick alone: $(<run.txt)"
  $weft run c.json "$@" --json - | grep -q "\"picked\": \"${pick%%,*}\"" || fail "no $pick in JSON"
}
torus() { work '{"kind": "torus", "dims": '"$1"'}' '{"collective": "alltoall"}'; }

# Every kind of network: data are right, on both processors.
while IFS='|' read -r network native rv32; do
  work "$network" '{"collective": "alltoall"}'
  picks "$native" --set processor=native
  picks "$rv32"
  expect 0 "0 data" $weft run c.json
done <<'END'
{"kind": "torus", "dims": [4, 4]}|a2a_scheduled|a2a_scheduled
{"kind": "torus", "dims": [5, 5]}|a2a_scheduled|a2a_scheduled
{"kind": "torus", "dims": [8, 8]}|a2a_scheduled|a2a_scheduled
{"kind": "torus", "dims": [3, 2, 3]}|a2a_scheduled|a2a_scheduled
{"kind": "torus", "dims": [5, 1]}|a2a_scheduled|a2a_scheduled
{"kind": "mesh", "dims": [5, 3]}|a2a_scheduled|a2a_scheduled
{"kind": "full_crossbar", "pes": 13}|a2and|a2a_scheduled
{"kind": "hier_crossbar", "dims": [4, 4]}|a2and|a2a_scheduled
{"kind": "crossbar_2d", "dims": [3, 5]}|a2and|a2a_scheduled
{"kind": "fat_tree", "levels": 4}|a2and|a2a_scheduled
{"kind": "omega", "levels": 4}|a2and|a2a_scheduled
{"kind": "dce", "n": 3, "y_bits": 2, "delta": 1}|a2a_scheduled|a2a_scheduled
{"kind": "mdce", "n": 2, "B": 1, "C": 1, "P": 1}|a2a_scheduled|a2a_scheduled
{"kind": "board", "dims": [3, 1, 1, 1], "mains": 3, "aggregators": 2}|a2a_scheduled|a2a_scheduled
END

# What is given stays: then another algorithm may be the one.
torus '[5,5]'
picks "a2at_slots" --set workload.message_flits=1 --set processor=native
picks "a2at" --set workload.message_flits=1 --set processor=native --set nic.controllers=1
picks "a2at, sync local" --set workload.sync=local
picks "a2at, sync barrier" --set workload.sync=barrier
picks "a2at, sync local" --set nic.gap=3
picks 'hop_group, gap "sharers-1"' --set nic.gap=sharers-1
picks 'hop_group, gap 0' --set workload.areas=2
expect 2 '/workload/sync: value "local": expected: with alltoall: none or barrier' \
  $weft run c.json --set nic.gap=hops-1 --set workload.sync=local
picks 'a2at, sync local' --set start=network
torus '[8,8]'
picks 'a2a_scheduled' --set processor=native --set nic.gap=none

# The resolved configuration is one, and gives the same run.
for config in '[8,8]' '[5,5]' '[4,4]'; do
  torus "$config"
  for set in processor=native processor=rv32; do
    $weft run c.json --set $set --json first.json >/dev/null || fail "$config $set"
    python3 -c '
import json
json.dump(json.load(open("first.json"))["config"], open("again.json", "w"))'
    $weft run again.json --json second.json >/dev/null || fail "$config $set: its own configuration"
    python3 -c '
import json
a, b = (json.load(open(name)) for name in ("first.json", "second.json"))
assert a["config"] == b["config"] and a["digest"] == b["digest"]' || fail "$config $set: other runs"
  done
done

# A barrier: by units or by messages, whichever the configuration has.
work '{"kind": "torus", "dims": [3, 3]}' '{"collective": "barrier"}'
picks "barrier_tree" --set barrier=hardware
expect 0 "0 of them wrongly" $weft run c.json --set start=network --set barrier=hardware
picks "barrier_dissemination"
expect 0 "0 of them wrongly" $weft run c.json --set start=network
expect 2 '/barrier: value "software": expected: "hardware" with barrier_tree, which uses barrier' \
  $weft run c.json --set workload.collective=barrier_tree
expect 2 '/barrier: value "hardware": expected: "software" with barrier_dissemination, which is a' \
  $weft run c.json --set workload.collective=barrier_dissemination --set barrier=hardware
expect 0 "0 of them wrongly" $weft run c.json --set start=network --set barrier=hardware \
  --set workload.collective=barrier_dissemination
expect 2 "\"none\" with barrier, which does not use" $weft run c.json --set combining=tree
expect 2 '/workload/spread: value 0: expected: a whole number from 1 to' $weft run c.json \
  --set workload.spread=0

# Programs that are no barrier, each node the last one in some run.
for name in early hasty one_missing; do
  riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -std=c11 -O2 -g0 -ffreestanding \
    --specs=picolibc.specs -nostartfiles -T "$source_dir/sw/runtime/weft.ld" \
    -Wl,-z,max-page-size=4 --param=min-pagesize=0 -I"$source_dir" -I"$source_dir/sw/include" \
    "$source_dir/sw/runtime/crt0.S" "$source_dir/sw/runtime/boot.c" \
    "$source_dir/tests/e2e/programs/$name.c" -o $name.elf || fail "$name.c does not compile"
done
expect 1 "program early.elf, with the hardware of barrier_tree" $weft run c.json \
  --set barrier=hardware \
  --set workload.program=early.elf --json early.json
! grep -q '"picked"' early.json || fail "a program is no pick"
run() {
  $weft run c.json --set workload.program="$1" --set seed="$2" --set workload.spread=2000 \
    --set barrier=hardware
}
found=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
  expect 1 "could enter in" run early.elf $seed
  expect 1 "before its work was done in" run hasty.elf $seed
  # Wrong only where node 8 is the last.
  run one_missing.elf $seed >out 2>&1 || found=$((found + 1))
  $weft run c.json --set seed=$seed --set barrier=hardware >out 2>&1 || fail "seed $seed: $(<out)"
  $weft run c.json --set seed=$seed >out 2>&1 || fail "seed $seed: $(<out)"
done
((found > 0 && found < 24)) || fail "a node that nobody waits for is found in $found of 24 runs"

finish
