#!/usr/bin/env bash
# Runs that work, and runs that end early: exit status, summary and JSON.
source "$(dirname "$0")/lib.sh"

for config in xbar16 full16 xbar2d_16; do
  expect 0 "errors          0 data, 0 refused, 0 parity" $weft run $config --json $config.json
  is "$(field $config.json verified)" True
  is "$(field $config.json messages)" 240
  is "$(field $config.json flits)" 4080
  is "$(field $config.json bound_cycles)" 242
  is "$(field $config.json errors/data)" 0
done
# The busiest link of this all-to-all is a node's own: 15 messages of 16 flits and a header.
is "$(field xbar16.json max_link_load)" 255

# Start-up over the network is before the job, and the ratio is the job's.
is "$(field xbar16.json startup_cycles)" 0
expect 0 "start-up" $weft run xbar16 --set start=network --json started.json
is "$(field started.json config/start)" network
# A job to each node, and without barrier units a message from it and one back.
is "$(field started.json messages)" $((240 + 3 * 15))
is "$(python3 -c "print($(field started.json ratio) * 242 == \
  $(field started.json cycles) - $(field started.json startup_cycles))")" True

# A run of the resolved configuration is the same.
python3 -c 'import json
json.dump(json.load(open("xbar16.json"))["config"], open("again.json", "w"))'
expect 0 "digest          $(field xbar16.json digest)" $weft run again.json

# Standard output belongs to the JSON; --set after and before CONFIG.
$weft run --set processor=native --set workload.message_flits=1 xbar16 --json - >out.json ||
  fail "status of run --json -"
is "$(field out.json config/processor)" native
is "$(field out.json flits)" 480

# A file is replaced as a whole, also through a symbolic link; a device is written in place.
ln -s out.json link.json
expect 0 "cycles" $weft run full16 --json link.json
[ -L link.json ] || fail "the symbolic link is gone"
is "$(field out.json config/topology/kind)" full_crossbar
expect 0 "cycles" $weft run full16 --json /dev/null
[ -c /dev/null ] || fail "/dev/null is no device any more"

# max_cycles ends a run before its work is done: not verified, but reported.
expect 1 "ended at cycle 50 by max_cycles" $weft run xbar16 --set max_cycles=50 --json stopped.json
is "$(field stopped.json stopped)" True
is "$(field stopped.json verified)" False

# Traffic that max_cycles cuts: rates of the cycles that were run.
expect 1 "measured        500 cycles of 10000, the run was cut" \
  $weft run torus32_uniform --set "topology.dims=[4,4]" --set max_cycles=1500 --json cut.json
is "$(field cut.json cut)" True
is "$(field cut.json saturated)" False
is "$(python3 -c "print(abs($(field cut.json accepted_rate) - 0.1) < 0.02)")" True

# A parity fault is found.
expect 1 "0 data, 0 refused, 1 parity errors" timeout 60 $weft run xbar16 --json fault.json \
  --set 'faults=[{"node":5,"bit":7}]' --set max_cycles=5000 \
  --set 'workload={"transfers":[{"from":0,"to":5,"flits":20}]}'

# Transfers: seed 002's example meets at no link of the hierarchy, but does in fig. 9.
transfers='workload={"transfers":[{"from":0,"to":9,"flits":100},{"from":8,"to":11,"flits":100}]}'
$weft run xbar16 --set "$transfers" --json free.json >free.txt || fail "transfers on xbar16"
$weft run xbar2d_16 --set "$transfers" --json meet.json >meet.txt || fail "transfers on xbar2d_16"
is "$(field free.json bound_cycles)" 101
is "$(field meet.json bound_cycles)" 202
[ "$(field meet.json cycles)" -gt "$(field free.json cycles)" ] || fail "no conflict on xbar2d_16"
grep -q "^transfers       0 -> 9: cycle 0, last flit there" free.txt ||
  fail "no transfers in: $(cat free.txt)"

# Waiting for a start that is known is no deadlock, however late it is; a deadlock stays one.
late='{"transfers":[{"from":0,"to":1,"flits":1},{"from":2,"to":0,"flits":3,"start":5000}]}'
for engine in model rtl; do
  expect 0 "2 -> 0: cycle 5000, last flit there" timeout 120 $weft run full16 \
    --set topology.pes=4 --set "workload=$late" --set watchdog=100 --engine $engine
done
expect 0 "cycle 5000" $weft run torus_a2at --set topology.dims=[3,3] --set watchdog=100 \
  --set processor=null --set "workload=$late" --threads 2
stuck=$(python3 -c 'import json
ring = [{"from": i, "to": (i + 2) % 5, "flits": 100} for i in range(5)]
print(json.dumps({"transfers": ring + [{"from": 0, "to": 1, "flits": 1, "start": 10**12}]}))')
expect 3 "deadlock, channels wait in a cycle" timeout 60 $weft run torus_a2at \
  --set topology.dims=[5] --set router.vcs=1 --set router.vc_depth=4 --set deadlock_check=false \
  --set processor=null --set watchdog=1000 --set "workload=$stuck"

# The network as RTL: a file list that needs no other file, replaced by a second emit.
for time in first second; do
  expect 0 "weft_top.f" $weft emit xbar16 -o rtl_out
  is "$(cd rtl_out && LC_ALL=C ls | paste -sd ' ')" "Bender.yml Makefile rtl weft_lint.f \
weft_tb.json weft_tb.sv weft_tb_node.sv weft_top.core weft_top.f weft_top.sv" $time
done
while read -r line; do
  case $line in
    +incdir+*) [ -d "rtl_out/${line#+incdir+}" ] || fail "file list: $line" ;;
    *) [ -f "rtl_out/$line" ] || fail "file list: $line" ;;
  esac
done <rtl_out/weft_top.f

synthesizable() {  # folder
  expect 0 "" verilator --lint-only -Wall -F $1/weft_lint.f
  expect 0 "Found and reported 0 problems" yosys -p "read_verilog -sv -DSYNTHESIS \
    -I$1/rtl/include $1/rtl/weft_pkg.sv $1/rtl/*.sv $1/weft_top.sv; \
    hierarchy -check -top weft_top; proc; check -assert"
}
synthesizable rtl_out
for config in "mesh_a2at --set topology.dims=[3,2]" "torus_hop_group --set topology.dims=[2,2]" \
  "mdce_uniform --set topology.n=2" 'mdce_uniform --set topology={"kind":"fat_tree","levels":2}' \
  'mdce_uniform --set topology={"kind":"omega","levels":3}' \
  "board_uniform --set topology.dims=[2,1,1,1] --set topology.mains=2"; do
  expect 0 "" $weft emit $config -o routers_out
  synthesizable routers_out
done
touch rtl_out/mine.sv
expect 2 "rtl_out/mine.sv: not written by" $weft emit xbar16 -o rtl_out
[ -e rtl_out/mine.sv ] || fail "emit removed a file of the user's"

# Lists.
expect 0 "hier_crossbar" $weft list topologies
expect 0 "system boards" $weft list topologies
expect 0 "a2a " $weft list collectives
expect 0 "uniform" $weft list traffic
expect 0 "rr_arbiter      arbiter" $weft list blocks
expect 0 "rtl-top" $weft list engines
expect 0 'under synthetic traffic: {"dims":[32,32],"kind":"torus"}, uniform traffic' \
  $weft list configs
is "$($weft list configs | grep -c '^[a-z0-9_]*  *{')" 0 "configurations without a description"

# Configurations by the names of before: the same ones, with a note on standard error.
for renamed in seed000_3d:torus3d_hop_group seed000_torus:torus_hop_group \
  seed001_mdce:mdce_uniform seed003_board:board_uniform seed004_mesh:mesh_a2at \
  seed004_slots:torus_a2at_slots seed004_torus:torus_a2at; do
  before=${renamed%:*} now=${renamed#*:}
  is "$($weft topo $before 2>note.txt)" "$($weft topo $now)" "$before"
  is "$(cat note.txt)" "weft: $before is $now now"
done
expect 0 "router.vcs" $weft list keys
for kind in topologies collectives traffic blocks engines configs results keys; do
  $weft list $kind --json >list.json || fail "list $kind --json"
  [ -n "$(field list.json 0/name)" ] || fail "no names in list $kind --json"
done
expect 0 "Usage" $weft --help
expect 0 "Exit status: 0 done and verified; 1 a check failed" $weft run --help

# Every member of a result is listed, with those of the elements of lists.
$weft list results --json >results.json || fail "list results --json"
$weft run torus32_uniform --set "topology.dims=[4,4]" --set workload.measure=300 --losses \
  --set 'partition=[1]' --json traffic.json >traffic.txt || fail "traffic with losses"
for result in traffic.json xbar16.json free.json; do
  python3 - $result <<'END' || fail "list results against $result"
import json, sys
listed = {field["name"] for field in json.load(open("results.json"))}
def fields(value, path):
    if isinstance(value, dict) and path != "/config":
        return [name for key in value for name in fields(value[key], f"{path}/{key}")]
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [path[1:]] + [name for one in value for name in fields(one, path + "[]")]
    return [path[1:]]
found = set(fields(json.load(open(sys.argv[1])), ""))
assert len(found) > 15 and found <= listed, found - listed
END
done

# The keys are all those of a resolved configuration, with its defaults.
transfers='{"transfers": [{"from": 0, "to": 1, "flits": 1}]}'
for topology in '{"kind": "torus", "dims": [3]}' '{"kind": "full_crossbar", "pes": 3}'; do
  for workload in '{"collective": "a2a"}' '{"traffic": "hotspot"}' "$transfers"; do
    echo "{\"topology\": $topology, \"workload\": $workload}" >least.json
    $weft run least.json --json least.result.json >least.txt || fail "run of $(cat least.json)"
    python3 - <<'END' || fail "list keys against $(cat least.json)"
import json
config = json.load(open("least.result.json"))["config"]
minimal = json.load(open("least.json"))["workload"]
crossbars = config.pop("topology")["kind"] == "full_crossbar"
config["nic"]["controllers"] = "auto"
config["nic"]["in_order"] = "auto"
rows = json.load(open("list.json"))
for section, value in config.items():
    for name, part in value.items() if isinstance(value, dict) else [(None, value)]:
        path = f"{section}.{name}" if name else section
        defaults = [row.get("default") for row in rows if row["name"] == path]
        assert defaults, path
        if path == "router.vcs" and not crossbars:
            assert part == 2 and "what the routing needs, or 2" in defaults, defaults
        elif not (section == "workload" and name in minimal):
            assert part in defaults, (path, part, defaults)
END
  done
done
finish
