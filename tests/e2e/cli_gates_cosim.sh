#!/usr/bin/env bash
# `cosim --gates`: model, Verilated RTL and what Yosys makes of it are equal in every cycle, for
# each kind of block, also with errors on links and after a resume; a gate that is wrong is found,
# with block, instance, cycle, port, register and net, and so is a model that is.
source "$(dirname "$0")/lib.sh"
export WEFT_VERILATED_OPT=-O0
if ! command -v yosys >/dev/null; then
  expect 2 "package yosys" $weft run xbar16 --engine cosim --gates
  finish
fi
expect 2 "--gates: value engine \"flit\": expected: cosim" $weft run xbar16 --engine flit --gates

# Two runs at a time: most of it builds kernels.
runs=()
# same NAME CONFIG CYCLES: the run is that of flit; so is what is left of it from cycle CYCLES on.
same() {
  local name=$1 flit
  mkdir "$name"
  echo "$2" >"$name.json"
  $weft run "$name.json" --engine flit --json "$name/flit.json" >"$name/flit.txt" 2>&1
  flit=$?
  $weft run "$name.json" --engine flit --checkpoint "$name/at.ckpt" --set max_cycles="$3" \
    >"$name/first.txt" 2>&1
  {
    $weft run "$name.json" --engine cosim --gates --json "$name/gates.json" >"$name/gates.txt" 2>&1
    echo $? >"$name/status"
    $weft run "$name.json" --engine cosim --gates --resume "$name/at.ckpt" \
      --json "$name/resumed.json" >"$name/resumed.txt" 2>&1
    echo $? >>"$name/status"
  } &
  runs+=("$name $flit")
  [ $((${#runs[@]} % 2)) = 1 ] || wait
}
traffic='"workload": {"traffic": "uniform", "rate": 0.4, "warmup": 100, "measure": 200}'
errors='"faults": [{"link": "all", "field": "any", "rate": 0.002}]'
ring='"topology": {"kind": "ring", "nodes": 2}, "router": {"vc_depth": 2}'

same combine "{$ring, \"combining\": \"tree\", \"processor\": \"rv32\",
  \"workload\": {\"collective\": \"allreduce_tree\", \"bytes\": 64}}" 9
same registers "{$ring, \"barrier\": \"hardware\", \"processor\": \"rv32\",
  \"link\": {\"stages\": 1}, \"workload\": {\"collective\": \"barrier\", \"spread\": 30}}" 20
same crossbars "{\"topology\": {\"kind\": \"hier_crossbar\", \"dims\": [2, 2]},
  \"router\": {\"vc_depth\": 3, \"output_depth\": 1}, \"link\": {\"protection\": \"retry\"},
  $traffic, $errors}" 150
same ugal "{\"topology\": {\"kind\": \"ring\", \"nodes\": 3},
  \"router\": {\"routing\": \"ugal\", \"vc_depth\": 2}, $traffic}" 150
same guards "{\"topology\": {\"kind\": \"ring\", \"nodes\": 2},
  \"router\": {\"vc_depth\": 2, \"arbiter\": \"age\"},
  \"link\": {\"protection\": \"parity\"}, $traffic, $errors}" 150
wait
for run in "${runs[@]}"; do
  read -r name flit <<<"$run"
  is "$(sort -u "$name/status")" "$flit" "status of $name: $(<"$name/gates.txt")"
  grep -q "RTL, gates and model equal on every output of" "$name/gates.txt" ||
    fail "$name: not compared: $(<"$name/gates.txt")"
  is "$(differences "$name/flit.json" "$name/gates.json" engine notes/RTL)" "" "$name"
  is "$(differences "$name/flit.json" "$name/resumed.json" engine notes/RTL notes/resumed)" "" \
    "$name, resumed"
done

# A netlist of which one gate is inverted: that which computes bit 0 of the counter of a buffer.
export WEFT_CACHE=$work/cache
echo "{$ring, $traffic}" >planted.json
$weft run planted.json --engine cosim --gates >said 2>&1 || fail "before the fault: $(<said)"
python3 - "$WEFT_CACHE"/weft_vc_router-gates-*/netlist <<'END' >gate || fail "no fault was planted"
import sys
path = sys.argv[1]
with open(path, encoding="utf-8") as file:
    lines = file.read().split("\n")[1:]
inputs, memory_nets = map(int, lines[0].split()[:2])
flops, gates = lines[1].split(), lines[3].split()
names = flops[1::3]
first_gate = 2 + inputs + len(names)
gate = int(flops[2 + 3 * names.index("gen_in[0].u_in.gen_vc[0].u_fifo.count_q[0]")]) - first_gate
assert 0 <= gate < int(gates[0])
gates[1 + 4 * gate] = str(255 - int(gates[1 + 4 * gate]))
lines[3] = " ".join(gates) + " "
text = "\n".join(lines)
sum_of_text = 0xcbf29ce484222325
for byte in text.encode():
    sum_of_text = (sum_of_text ^ byte) * 0x100000001b3 % (1 << 64)
with open(path, "w", encoding="utf-8") as file:
    file.write(f"{sum_of_text:016x}\n{text}")
print("gate", gate)
END
$weft run planted.json --engine cosim --gates >said 2>&1
is $? 1 "status with a wrong gate"
for text in "gates differ from RTL and model: cycle " ", instance r_" " weft_vc_router port " \
  "registers that differ first" "gen_in[0].u_in.gen_vc[0].u_fifo.count_q[0] (gates " \
  "the netlist has what the gates have" "one of these nets inverted explains it" "$(<gate) of " \
  "waves around it: difference.model.fst, difference.rtl.fst"; do
  grep -qF "$text" said || fail "no \"$text\" in: $(<said)"
done

# Other RTL, from which gates come, too: they are with it.
cp -r "$source_dir/rtl" rtl
sed -i 's/full_q <= held_d >= .*;/full_q <= held_d >= (CountW + 1)'"'"'(Depth);/' \
  rtl/buffer/weft_input_buffer.sv
echo "{\"topology\": {\"kind\": \"full_crossbar\", \"pes\": 2}, \"router\": {\"vc_depth\": 3},
  $traffic}" >other.json
WEFT_RTL_DIR=$work/rtl expect 1 "model differs from RTL and gates: cycle " \
  $weft run other.json --engine cosim --gates --set workload.rate=1

finish
