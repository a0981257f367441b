#!/usr/bin/env bash
# `--liberty FILE`: netlists mapped to the cells of a library give the whole result of `flit`, in
# engine `gates` and beside RTL and model, and after a resume; a cell whose function in the file is
# not that for which it was taken is found; what is wrong with a file is said.
source "$(dirname "$0")/lib.sh"
export WEFT_VERILATED_OPT=-O0
library=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
expect 2 'value engine "flit": expected: gates, or cosim with --gates' \
  $weft run xbar16 --engine flit --liberty cells.lib
expect 2 'value engine "cosim": expected: gates, or cosim with --gates' \
  $weft run xbar16 --engine cosim --liberty cells.lib
if ! command -v yosys >/dev/null; then
  echo "no package yosys: mapping is not tried"
  finish
fi

rest='"router": {"vc_depth": 2},
  "workload": {"traffic": "uniform", "rate": 0.4, "warmup": 100, "measure": 200}'
echo "{\"topology\": {\"kind\": \"torus\", \"dims\": [2, 2]}, $rest}" >torus.json
echo "{\"topology\": {\"kind\": \"ring\", \"nodes\": 2}, $rest}" >ring.json

# Files that are no library, or not enough of one.
gates="$weft run ring.json --engine gates --liberty"
export WEFT_CACHE=off
expect 2 "none.lib: cannot be read" $gates none.lib
expect 2 ".: cannot be read" $gates .
echo "a text" >text.lib
expect 2 "text.lib: is no liberty file: expected: a group \`library\`" $gates text.lib
echo "about a library" >about.lib
expect 2 "about.lib: Yosys cannot read it as a liberty file:" $gates about.lib
expect 2 "Syntax error in liberty file on line 1" $gates about.lib
echo "library (own) { }" >empty.lib
expect 2 "empty.lib: has no cells with a function: expected: a liberty file of standard cells" \
  $gates empty.lib
# cell NAME INPUTS FUNCTION: a cell with output Y; no line of a function if that is empty.
cell() {
  local input
  echo "cell ($1) { area: 1;"
  for input in $2; do echo "pin ($input) { direction: input; }"; done
  echo "pin (Y) { direction: output; ${3:+function: \"$3\";} } }"
}
# flop NAME GROUP [INPUTS]: a flop; GROUP: what its group `ff` has.
flop() {
  local input
  echo "cell ($1) { area: 9; ff (IQ, IQN) { $2 }"
  for input in D CK $3; do echo "pin ($input) { direction: input; }"; done
  echo 'pin (Q) { direction: output; function: "IQ"; } }'
}
dff='next_state: "D"; clocked_on: "CK";'
# library FILE: of the cells that come on standard input.
library() {
  { echo "library (own) {" && cat && echo "}"; } >"$1"
}
{ cell INV A && cell NAND2 "A B" "!(A B)" && flop DFF "$dff"; } | library no_inverter.lib
expect 2 "no_inverter.lib: has no inverter; without a function in it: INV: expected:" \
  $gates no_inverter.lib
{ cell INV A "!A" && cell NAND2 "A B" "" && flop DFF "$dff"; } | library no_gate.lib
expect 2 "no_gate.lib: has no gate; without a function in it: NAND2: expected:" $gates no_gate.lib
{ cell INV A "!A" && cell NAND2 "A B" "!(A B)" && flop DFF "$dff"; } | library no_buffer.lib
expect 2 "expected: an inverter, a buffer, and a NAND, AND, NOR or OR of two inputs" \
  $gates no_buffer.lib
{ cell INV A "!A" && cell NAND2 "A B" "!(A B)"; } | library no_flop.lib
expect 2 "no_flop.lib: has no flip-flop: expected: cells with a group \`ff\`" $gates no_flop.lib
{
  cell INV A "!A" && cell BUF A A && cell NAND2 "A B" "!(A B)" && flop DFF "$dff"
} | library no_reset.lib
expect 2 "expected: a flip-flop of the rising edge, and one with an asynchronous clear or preset" \
  $gates no_reset.lib

export WEFT_CACHE=$work/cache
for net in torus ring; do
  $weft run $net.json --engine flit --json $net.flit >said 2>&1 || fail "$(<said)"
  $weft run $net.json --engine flit --checkpoint $net.ckpt --set max_cycles=150 >said 2>&1
done

# same NAME NETWORK OPTION...: the run is that of flit; a line for each difference.
same() {
  local name=$1 net=$2
  shift 2
  if ! $weft run "$net.json" --json "$name.json" "$@" >"$name.txt" 2>&1; then
    echo "status of $name: $(<"$name.txt")"
    return
  fi
  differences "$net.flit" "$name.json" engine notes/RTL notes/resumed
}
# Few gates, and a flop that is cleared while its input is 1, only: inverters stand round flops
# with a preset, and drive the resets of all.
{
  cell INV A "!A" && cell BUF A A && cell NAND2 "A B" "!(A B)" && flop DFF "$dff" && flop \
    DFFC "$dff clear: \"R\";" R
} | library few.lib
few() {
  same few ring --engine gates --liberty few.lib
  same few_resumed ring --engine gates --liberty few.lib --resume ring.ckpt
}
if [ ! -e "$library" ]; then
  echo "no package qflow-tech-osu018: its cells are not tried"
  is "$(few)" ""
  finish
fi

# A file in which AND2X1 is an OR. Mapped for it, a netlist is the same in the end: what a cell is
# taken for is what it computes. Hence a Yosys that maps for the file as it was.
cp "$library" cells.lib
wrong() {  # FILE FUNCTION
  python3 -c 'import re, sys
text = open("cells.lib").read()
new = re.sub(r"(cell \(AND2X1\) \{.*?)function : \"[^\"]*\";", r"\1" + sys.argv[2], text, count=1,
             flags=re.S)
assert new != text
open(sys.argv[1], "w").write(new)' "$@"
}
wrong wrong.lib 'function : "(A+B)";'
wrong none.lib ''
mkdir bin
cat >bin/yosys <<END
#!/bin/sh
sed -i "s|-liberty cells.lib|-liberty $work/cells.lib|" script.ys
exec $(command -v yosys) "\$@"
END
chmod +x bin/yosys

# Two at a time: most of it builds kernels.
{
  few
  same gates torus --engine gates --liberty cells.lib
  same gates_resumed torus --engine gates --liberty cells.lib --resume torus.ckpt
} >gates.differ 2>&1 &
same cosim torus --engine cosim --gates --liberty cells.lib >cosim.differ 2>&1
mkdir wrong
(cd wrong && PATH=$work/bin:$PATH exec $weft run ../ring.json --engine cosim --gates \
  --liberty ../wrong.lib) >said 2>&1
is $? 1 "status with a wrong cell"
for text in "gates differ from RTL and model: " ", instance nic_0, weft_nic port " \
  "the netlist has what the gates have" "cells do not compute what they were taken for" \
  "one of these nets inverted explains it"; do
  grep -qF "$text" said || fail "no \"$text\" in: $(<said)"
done
PATH=$work/bin:$PATH expect 2 "cell AND2X1: the liberty file does not say its function" \
  $weft run ring.json --engine gates --liberty none.lib
wait
is "$(<gates.differ)" "" "engine gates"
is "$(<cosim.differ)" "" "cosim"
grep -q "RTL, gates and model equal on every output of" cosim.txt ||
  fail "not compared: $(<cosim.txt)"
finish
