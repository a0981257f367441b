#!/usr/bin/env bash
# What `weft emit` writes can be used as it is: its starter testbench passes in Icarus and in
# Verilator, in the cycles of the model, and fails with a fault in the RTL; nodes as modules
# (--tiles) are the same network; the lists of files agree.
source "$(dirname "$0")/lib.sh"

# emitted FOLDER ARGUMENT...
emitted() {
  expect 0 "$1/weft_top.f" $weft emit "${@:2}" -o "$1"
}
# bench SIMULATOR FOLDER SETTING...: the last line of the run.
bench() {
  make -s -C "$2" "$1" OPT=-O0 "${@:3}" >"$2.log" 2>&1 || echo "status $?"
  grep -o 'PASS: .*\|FAIL: .*' "$2.log" | head -n 1
}
# model FOLDER FLITS: the same from the model, with messages of that length.
model() {
  sed -i "s/\"flits\": [0-9]*/\"flits\": $2/" "$1/weft_tb.json"
  $weft run "$1/weft_tb.json" --json run.json >run.log 2>&1 || fail "model of $1: $(<run.log)"
  echo "PASS: $(field run.json messages) messages, $(field run.json cycles) cycles"
}

# Both simulators, and what they say as the model has it.
emitted torus torus_a2at --set topology.dims=[4,4]
passed=$(model torus 8)
is "$(bench icarus torus FLITS=8)" "$passed" "torus in Icarus"
is "$(bench verilator torus FLITS=8)" "$passed" "torus in Verilator"

# Registers are X at the start: from reset on no output of the network has a bit that is. The check
# sees a register of the outputs that is left out of the reset.
four_state() {  # folder
  local port checks= ports='s/^ *output .*[^a-z0-9_]\([a-z0-9_]*_o\),\{0,1\}$/\1/p'
  for port in $(sed -n "$ports" "$1/weft_top.sv"); do
    checks+="    if (^u_top.$port === 1'bx) \$fatal(1, \"FAIL: X on $port\");"$'\n'
  done
  [ "$(grep -c fatal <<<"$checks")" -ge 8 ] || fail "ports of $1/weft_top.sv: $checks"
  sed -i '$d' "$1/weft_tb.sv"  # Its last line, endmodule.
  printf '  always @(negedge clk) if (rst_n) begin\n%s  end\nendmodule\n' "$checks" \
    >>"$1/weft_tb.sv"
}
emitted known torus_a2at --set topology.dims=[2,2]
passed=$(bench icarus known FLITS=8)
four_state known
is "$(bench icarus known FLITS=8)" "$passed" "no X on an output"
is "${passed%%,*}" "PASS: 12 messages" "torus of 2 x 2"
sed -i "s/parity_q  <= '0;//" known/rtl/weft_recv_unit.sv
bench icarus known FLITS=8 >said
grep -q 'FAIL: X on rx_parity_o' known.log || fail "a register without reset: $(<said)"

# Networks with other interfaces: crossbars; a tree whose links have registers; dragonflies, of
# which two nodes share a router; boards that reduce, with wide flits; several links of an
# interface, whose packets overtake each other, beside a combining tree that stays idle. `tiled`:
# the same in modules of nodes.
passes() {  # name, messages, arguments of emit
  emitted "$1" "${@:3}"
  flat=$(bench icarus "$1" FLITS=8 MESSAGES=1)
  is "${flat%%,*}" "PASS: $2 messages" "$1"
}
tiled() {  # the same
  passes "$@"
  emitted "$1_tiles" "${@:3}" --tiles
  is "$(bench icarus "$1_tiles" FLITS=8 MESSAGES=1)" "$flat" "$1 in modules of nodes"
  grep -q "^  weft_nic" "$1_tiles/weft_top.sv" && fail "$1: interfaces beside the modules of nodes"
}
tiled xbar 4 xbar16 --set topology.dims=[2,2]
tiled dragonfly 12 torus_a2at --set 'topology={"kind": "dragonfly", "p": 2, "a": 2, "h": 1}'
expect 0 "" make -s -C dragonfly_tiles lint
passes tree 4 torus_a2at --set 'topology={"kind": "tree", "radix": 2, "levels": 2}' \
  --set link.stages=2
passes board 4 board_uniform --set topology.dims=[2,1,1,1] --set topology.mains=1 \
  --set topology.aggregators=1 --set link.width_bits=128 \
  --set 'workload={"collective": "allreduce_nested", "bytes": 64}'
passes combined 4 torus_a2at --set topology.dims=[2,2] --set nic.controllers=2 \
  --set router.vcs=4 --set combining=tree \
  --set 'workload={"collective": "allreduce_tree", "bytes": 64}'
grep -q "assign combine_post = '0;  // the combining tree has no orders" combined/weft_tb.sv ||
  fail "what the testbench leaves idle"
is "$(ls combined)" "$(ls board)"
[ -e board/weft_tb.json ] && fail "a run on another network: interfaces that do not reduce"

# Interfaces with AXI ports: the driver's accesses of their registers, and the memories behind AXI4,
# with messages that go beyond a page; several links of an interface; a crossbar and hardware
# barriers; nodes as modules.
axi() {  # name, messages, settings of the testbench, arguments of emit
  emitted "axi_$1" "${@:4}" --axi
  # shellcheck disable=SC2086
  passed=$(bench icarus "axi_$1" $3)
  is "${passed%%,*}" "PASS: $2 messages" "$1 with AXI"
}
axi torus 4 "FLITS=600 MESSAGES=1" torus_a2at --set topology.dims=[2,2]
is "$(bench verilator axi_torus FLITS=600 MESSAGES=1 CHECK=1)" "$passed" "AXI in Verilator"
[ -e axi_torus/weft_tb.json ] && fail "a run of the model, whose driver takes no cycles"
grep -q "^  weft_nic " axi_torus/weft_top.sv && fail "interfaces without AXI ports"
expect 0 "" make -s -C axi_torus lint
axi xbar 4 "FLITS=20 MESSAGES=1" xbar16 --set topology.dims=[2,2] --set workload.sync=barrier \
  --set barrier=hardware --tiles
expect 0 "" make -s -C axi_xbar lint
# Several lanes: the first word of a burst is on W while the burst before has its response on B.
axi lanes 12 "" torus_hop_group --set topology.dims=[2,2]
axi wide 4 "FLITS=300 MESSAGES=1" board_uniform --set topology.dims=[2,1,1,1] \
  --set topology.mains=1 --set topology.aggregators=1 --set link.width_bits=128
expect 2 '--axi: value true: expected: a workload that neither reduces nor combines' \
  $weft emit torus_a2at --set topology.dims=[2,2] -o new --axi --set combining=tree \
  --set 'workload={"collective": "allreduce_tree", "bytes": 64}'
[ -e new ] && fail "a folder of an emit that was refused"

# Faults in the RTL: wrong data, a word out of place, no progress.
fault() {  # folder, file, expression of sed, what the testbench says
  cp -r "$1" broken
  sed -i "$3" "broken/rtl/$2"
  cmp -s "broken/rtl/$2" "$1/rtl/$2" && fail "no change: $2 $3"
  bench icarus broken "FLITS=${flits:-8}" MESSAGES=1 "WATCHDOG=${watchdog:-100}" >said
  grep -q 'status' said && grep -qE "$4" said || fail "fault in $2: $(<said)"
  rm -r broken
}
fault xbar weft_recv_unit.sv "/assign mem_wdata_o/s/word/~word/" \
  'FAIL: node 0, word 0 \(of node 3\): expected [0-9a-f]{16}, got [0-9a-f]{16}$'
fault xbar weft_output_buffer.sv 's/valid_q <= valid_d;/valid_q <= 1'"'b0"';/' \
  'FAIL: no word was written to a memory in the 100 cycles before cycle 100'
watchdog=1000 fault axi_xbar weft_axi_write.sv '/assign w_data_o/s/w_data_q/~w_data_q/' \
  'FAIL: node [0-9], word 0 \(of node [0-9]\): expected [0-9a-f]{16}, got [0-9a-f]{16}$'
watchdog=1000 fault axi_xbar weft_axi_lite.sv "/assign b_resp_o/s/b_error_q/1'b1/" \
  'FAIL: an error of the access of register 030, or in it'
watchdog=1000 fault axi_xbar weft_axi_write.sv \
  's/((load && !last) ? gnt/(load ? gnt/;s/answered |/0 |/' \
  'FAIL: node [0-9], word 0'
flits=600 watchdog=2000 fault axi_torus weft_axi_write.sv 's/assign len *= .*/assign len = left;/' \
  'FAIL: .* leaves its page'
flits=600 watchdog=2000 fault axi_torus weft_axi_read.sv 's/else if (ar_ready_i)/else/' \
  'FAIL: .* before it was accepted'

# The lists name the same files, and these are all there are.
lists='import pathlib, sys, yaml
folder = pathlib.Path(sys.argv[1])
core = yaml.safe_load((folder / "weft_top.core").read_text().removeprefix("CAPI=2:\n"))
def of_core(name):
    return [file if isinstance(file, str) else next(iter(file))
            for file in core["filesets"][name]["files"]]
bender = yaml.safe_load((folder / "Bender.yml").read_text())
network, bench = bender["sources"]
listed = (folder / "weft_top.f").read_text().splitlines()
assert listed[0] == "+incdir+rtl/include" and network["include_dirs"] == ["rtl/include"]
assert listed[1:] == network["files"], "Bender.yml"
assert ["rtl/include/weft_assert.svh"] + listed[1:] == of_core("rtl"), "weft_top.core"
assert bench["files"] == of_core("bench") == ["weft_tb_node.sv", "weft_tb.sv"], "testbench"
assert (folder / "weft_lint.f").read_text() == "rtl/waivers.vlt\n-F weft_top.f\n"
written = {str(file.relative_to(folder)) for file in folder.rglob("*.sv*")}
assert written == set(of_core("rtl")) | set(of_core("bench")), written
for target in core["targets"].values():
    assert all(name in core["filesets"] for name in target["filesets"])'
if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
  for folder in torus xbar dragonfly_tiles; do
    expect 0 "" /usr/bin/python3 -c "$lists" $folder
  done
else
  echo "SKIPPED: no python3-yaml: the lists of files"
fi

# Options and errors. What the Makefile has made is replaced with the rest.
expect 2 "--observe: value true: expected: no --tiles" $weft emit xbar16 -o new --tiles --observe
[ -e new ] && fail "a folder of an emit that was refused"
expect 0 "weft run seen/weft_tb.json" $weft emit torus_a2at --set topology.dims=[2,2] -o seen \
  --observe
grep -q link_valid_o seen/weft_top.sv || fail "no links to observe"
grep -q link_valid_o torus/weft_top.sv && fail "links to observe without being asked"
[ -d xbar/build ] || fail "nothing was built"
emitted xbar xbar16 --set topology.dims=[2,2] --observe
[ -e xbar/build ] && fail "an old build beside a new network"
expect 0 "PASS: 12 messages" make -s -C xbar icarus FLITS=1
expect 2 "FAIL: 3 messages of 0 flits: expected: 1 or more" make -s -C xbar icarus FLITS=0
touch xbar/build.log
expect 2 "xbar/build.log: not written by" $weft emit xbar16 -o xbar

finish
