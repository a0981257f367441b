#!/usr/bin/env bash
# Receive windows with keys: a message is stored in a window with its key or nowhere, and is counted
# where it is refused; alike on every engine.
source "$(dirname "$0")/lib.sh"

for width in 64 128; do
  $weft cc "$source_dir/tests/e2e/programs/keys.c" --width $width -o keys.w$width.elf ||
    fail "keys.c for $width bits"
done
$weft cc --native "$source_dir/tests/e2e/programs/keys.c" -o keys.so || fail "keys.c natively"

# of NETWORK WIDTH PROCESSOR PROGRAM ARGUMENT, into run.json.
of() {
  echo "{\"topology\": $1, \"link\": {\"width_bits\": $2}, \"processor\": \"$3\",
    \"barrier\": \"hardware\",
    \"workload\": {\"collective\": \"program\", \"program\": \"$4\", \"arguments\": [$5],
                   \"windows\": 3, \"key_bits\": 3}, \"watchdog\": 20000}" >run.json
}
torus='{"kind": "torus", "dims": [3, 2]}'
crossbars='{"kind": "hier_crossbar", "dims": [2, 2]}'
refused="node 1: 1 packets refused: with a key that no receive window has"

for network in "$torus" "$crossbars"; do
  of "$network" 64 rv32 keys.w64.elf 0
  for engine in model flit rtl cosim rtl-top; do
    $weft run run.json --engine $engine --json $engine.json >said 2>&1 ||
      fail "$engine on $network: $(<said)"
    is "$(field $engine.json /digest) $(field $engine.json /cycles)" \
      "$(field model.json /digest) $(field model.json /cycles)" "$engine on $network"
  done
  # Under another group's key, and under a key without a window.
  for argument in 1 2; do
    of "$network" 64 rv32 keys.w64.elf $argument
    for engine in model rtl; do expect 1 "$refused" $weft run run.json --engine $engine; done
  done
  of "$network" 64 native keys.so 0
  expect 0 "returned 0 on" $weft run run.json
done
of "$torus" 128 rv32 keys.w128.elf 0
expect 0 "returned 0 on" $weft run run.json --engine cosim

# What has no window, and settings that cannot be told apart.
of "$torus" 64 rv32 keys.w64.elf 0
expect 1 "RX_KEY: no such window (15:8), expected: below workload.windows" \
  $weft run run.json --set workload.windows=2
expect 1 "RX_KEY: more bits of key (7:0) than workload.key_bits" \
  $weft run run.json --set workload.key_bits=1 --set workload.windows=2
expect 2 "/workload/windows: value 3: expected: at most 2^key_bits, 1" \
  $weft run run.json --set workload.key_bits=0
expect 2 "/workload/windows" $weft run torus_a2at --set workload.windows=2

# The emitted network has the windows too.
for axi in "" --axi; do
  $weft emit run.json -o made$axi $axi >/dev/null || fail "weft emit $axi"
  for parameter in Windows KeyW; do
    grep -q "$parameter *(3)" made$axi/weft_top.sv || fail "no $parameter in the emitted network"
  done
  make -C made$axi icarus >said 2>&1 || fail "icarus: $(<said)"
  grep -q "^PASS" said || fail "the starter testbench $axi: $(<said)"
done
finish
