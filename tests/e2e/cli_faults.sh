#!/usr/bin/env bash
# Faults on the wires of links: what each does by protection, on engines model, rtl and cosim; all
# engines agree, repair loses nothing on any kind of network, losses are counted exactly.
source "$(dirname "$0")/lib.sh"
scripts=$source_dir/scripts

# The table of all kinds of fault; the rows tell what they must show.
for engine in model rtl cosim; do
  "$scripts/fault_table.py" --engine $engine --weft $weft >table.$engine.txt ||
    fail "fault table on $engine: $(<table.$engine.txt)"
done
# Without protection a buffer that overflows has no defined contents.
for engine in rtl cosim; do
  diff <(cut -d'|' -f1,2,4- table.model.txt) <(cut -d'|' -f1,2,4- table.$engine.txt) >diff.txt ||
    fail "table on $engine: $(<diff.txt)"
done

# Collectives with one wrong word in a thousand.
"$scripts/retry_rates.py" --small --weft $weft >rates.txt || fail "rates: $(<rates.txt)"

# Random faults on all wires: every engine has the same cycles, digest and counts, for any number of
# threads; each kind of network, protected and with registers.
faulty() {  # NAME TOPOLOGY PROTECTION ENGINE [OPTION...]
  local name=$1 topology=$2 protection=$3 engine=$4
  shift 4
  printf '{"topology": %s, "link": {"protection": "%s", "parity": true},
    "faults": [{"link": "all", "field": "any", "rate": 0.002}], "max_cycles": 20000,
    "workload": {"transfers": [
      {"from": 0, "to": 3, "flits": 150}, {"from": 1, "to": 0, "flits": 90},
      {"from": 2, "to": 1, "flits": 40}, {"from": 3, "to": 2, "flits": 200}]}}' \
    "$topology" $protection >$name.json
  $weft run $name.json --engine $engine --json $name.out.json "$@" >$name.txt 2>&1
  local status=$?
  ((status < 2)) || fail "$topology, $protection, $engine: $(<$name.txt)"
  python3 - $name.out.json <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
print(r["cycles"], r["digest"], r["messages"], *r["errors"].values(), *r["faults"].values(),
      *r["links"].values())
END
}
for topology in '{"kind": "torus", "dims": [2, 2]}' '{"kind": "hier_crossbar", "dims": [2, 2]}'; do
  for protection in parity retry; do
    model=$(faulty one "$topology" $protection model)
    engines="cosim rtl"
    # The network as one module takes long to build.
    [[ $topology$protection == *torus*retry || $topology$protection == *crossbar*parity ]] &&
      engines+=" rtl-top"
    for engine in $engines; do
      is "$(faulty one "$topology" $protection $engine)" "$model" "$topology, $protection, $engine"
    done
    is "$(faulty one "$topology" $protection flit --threads 2)" "$model" "two threads"
    is "$(faulty one "$topology" $protection flit --set link.stages=2)" \
      "$(faulty one "$topology" $protection cosim --set link.stages=2)" "$topology with registers"
  done
done
for topology in '{"kind": "mesh", "dims": [2, 2]}' '{"kind": "mdce", "n": 2, "B": 1, "C": 0}' \
  '{"kind": "fat_tree", "levels": 2}' '{"kind": "omega", "levels": 2}' \
  '{"kind": "ring", "nodes": 5}' \
  '{"kind": "dragonfly", "p": 1, "a": 2, "h": 1}' '{"kind": "full_crossbar", "pes": 4}' \
  '{"kind": "board", "dims": [2, 1, 1, 1], "mains": 2, "aggregators": 1}' \
  '{"kind": "crossbar_2d", "dims": [2, 2]}'; do
  faulty kind "$topology" retry flit >/dev/null
  python3 - kind.out.json <<'END' || fail "retry on $topology: $(<kind.txt)"
import json, sys
r = json.load(open(sys.argv[1]))
f, l = r["faults"], r["links"]
assert r["errors"] == {"data": 0, "order": 0, "parity": 0} and l["lost"] == 0
assert f["hits"] > 0 and f["passed"] == 0 and f["seen"] == f["repaired"] == l["errors"]
END
done

# Without errors a protected link is a delay of two cycles each way: that of two registers more.
for protection in parity retry; do
  clean='{"topology": {"kind": "torus", "dims": [4]}, "router": {"vc_depth": 20},
    "link": {"parity": true},
    "workload": {"transfers": [{"from": 0, "to": 2, "flits": 500}]}}'
  echo "$clean" >clean.json
  $weft run clean.json --json plain.json >/dev/null
  $weft run clean.json --set link.protection=$protection --json clean.$protection.json >/dev/null
  # Four links. None slows flits down: buffers cover the round trip, an interface's FIFO too.
  first=$(field plain.json cycles) second=$(field clean.$protection.json cycles)
  is $((second - first)) 8 "$protection: $second cycles, $first without"
done
is "$(field clean.retry.json digest)" "$(field clean.parity.json digest)" "parity and retry"

# A link of a word that is wrong in every cycle is named.
expect 3 "dead: link r_0 out 0 -> r_1 in 0: what its sender repeats is not acknowledged" \
  $weft run clean.json --set link.protection=retry --set watchdog=3000 \
  --set 'faults=[{"link": "r_0 out 0", "field": "check", "rate": 1}]'

# What is observed of packets holds also where an error has made headers of other words.
cat >spoilt.json <<'END'
{"topology": {"kind": "fat_tree", "levels": 3, "failed": {"share": 0.1, "seed": 8}},
 "max_cycles": 20000, "workload": {"transfers": [
   {"from": 4, "to": 0, "flits": 3000}, {"from": 4, "to": 7, "flits": 3000},
   {"from": 0, "to": 3, "flits": 3000}, {"from": 7, "to": 0, "flits": 700}]},
 "faults": [{"link": "all", "field": "last", "rate": 0.01}]}
END
for seed in 1 2 3 4 5 6; do
  $weft run spoilt.json --engine flit --set seed=$seed --losses --events waits.json >said 2>&1
  [ $? -lt 4 ] || fail "observed with seed $seed: $(tail -n 1 said)"
done

# Points of injection of an emitted network, at rest in its testbench.
$weft emit clean.json --set topology.dims=[3] --set link.protection=retry --faults -o emitted \
  >emit.txt 2>&1 || fail "emit --faults: $(<emit.txt)"
expect 0 "" make -C emitted lint
grep -q "input  logic \[12\*65-1:0\] fault_data_i" emitted/weft_top.sv || fail "no fault_data_i"
make -C emitted icarus >icarus.txt 2>&1 || fail "icarus: $(tail -5 icarus.txt)"
grep -q "^PASS" icarus.txt || fail "icarus: $(tail -5 icarus.txt)"

# An error in an address leads a packet out at the edge of a mesh: from node 0 of 3 to node 3.
for engine in model flit cosim; do
  expect 3 'no progress' $weft run clean.json --engine $engine --set topology.kind=mesh \
    --set topology.dims=[3] --set watchdog=500 \
    --set 'workload={"transfers": [{"from": 0, "to": 1, "flits": 3}]}' \
    --set 'faults=[{"link": "nic_0 out 0", "bit": 1}]'
done

# Clear errors.
expect 2 '/faults/0/link: value "r_0 out 9": expected: a link of this network, as "r_0 out' \
  $weft run clean.json --set 'faults=[{"link": "r_0 out 9"}]'
expect 2 '/faults/0/link: value "all": expected: one link' \
  $weft run clean.json --set 'faults=[{"link": "all"}]'
expect 2 '/faults/0/link: missing: expected: the name of a link, or node' \
  $weft run clean.json --set 'faults=[{}]'
expect 2 '/faults/0/node: value 1: expected: no node beside link' \
  $weft run clean.json --set 'faults=[{"link": "r_0 out 0", "node": 1}]'
expect 2 '/faults/0/bit: value 3: expected: below 1, the width of this field' \
  $weft run clean.json --set 'faults=[{"node": 1, "field": "vc", "bit": 3}]'
expect 2 '/faults/0/field: value "check": expected: another field: this link has no such wires' \
  $weft run clean.json --set 'faults=[{"node": 1, "field": "check"}]'
expect 2 '/faults/0/field: value "any": expected: a field of its own without rate' \
  $weft run clean.json --set 'faults=[{"node": 1, "field": "any"}]'
expect 2 '/faults/0/bit: value 2: expected: 0 with rate' \
  $weft run clean.json --set 'faults=[{"node": 1, "rate": 0.5, "bit": 2}]'
expect 2 '/link/parity: value false: expected: true with protection "parity"' \
  $weft run clean.json --set link.protection=parity --set link.parity=false

finish
