#!/usr/bin/env bash
# The keys of configurations: the list, the table in the documentation, and the JSON Schema, which
# takes what `weft` takes and refuses what it refuses.
source "$(dirname "$0")/lib.sh"

$weft list keys --markdown >table.md || fail "list keys --markdown"
sed -n '/^| key /,$p' "$source_dir/sim/config/README.md" >documented.md
diff table.md documented.md >diff.txt ||
  fail "sim/config/README.md: scripts/keys.sh writes its table anew: $(head -5 diff.txt)"
expect 2 "--schema: value topologies: expected: keys" $weft list topologies --schema
expect 0 "router.vcs" $weft list keys
$weft list keys --schema >schema.json || fail "list keys --schema"

if ! python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null; then
  source "$source_dir/scripts/packages.sh"
  (weft_packages python3-jsonschema) || fail "python3-jsonschema is not there"
fi
cat >check.py <<'END'
import json, subprocess, sys
from jsonschema import Draft202012Validator
weft, configs = sys.argv[1], sys.argv[2:]
schema = json.load(open("schema.json"))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
failures = 0

def fail(text):
    global failures
    failures += 1
    print("FAIL:", text)

for config in configs:
    for error in validator.iter_errors(json.load(open(config))):
        fail(f"{config}: {error.message[:200]}")

def both(document, right):
    """The schema and the command say the same of a document."""
    json.dump(document, open("document.json", "w"))
    status = subprocess.run([weft, "topo", "document.json"], capture_output=True).returncode
    if (status == 0) != right:
        fail(f"weft: status {status}: {json.dumps(document)}")
    if validator.is_valid(document) != right:
        fail(f"schema: {not right}: {json.dumps(document)}")

def changed(base, **sections):
    result = json.loads(json.dumps(base))
    for section, value in sections.items():
        if isinstance(value, dict) and section in result:
            result[section].update(value)
        else:
            result[section] = value
    return result

torus = {"topology": {"kind": "torus", "dims": [4, 2]}}
mesh = {"topology": {"kind": "mesh", "dims": [4, 2]}}
crossbar = {"topology": {"kind": "full_crossbar", "pes": 4}}
board = {"topology": {"kind": "board", "dims": [2, 1, 2, 1]}}
a2a = changed(torus, workload={"collective": "a2a"})
hops = changed(torus, workload={"collective": "hop_group"})
nested = changed(board, workload={"collective": "allreduce_nested", "bytes": 64})
ring = changed(board, workload={"collective": "allreduce_ring", "bytes": 64})
cast = changed(board, workload={"collective": "broadcast_nested", "bytes": 64})
uniform = changed(torus, workload={"traffic": "uniform"})
hotspot = changed(torus, workload={"traffic": "hotspot"})
moves = changed(torus, workload={"transfers": [{"from": 0, "to": 1, "flits": 2}]})
for right in (torus, mesh, crossbar, board, a2a, hops, nested, ring, cast, uniform, hotspot, moves,
              changed(torus, router={"dateline": "balanced"}),
              changed(torus, router={"dateline": "crossing"}),
              changed(torus, router={"vcs": "per_destination"}),
              changed(mesh, router={"arbiter": "age", "vc_depth": 4096}),
              changed(crossbar, router={"vcs": 1, "arbiter": "round_robin", "dateline": "fixed"}),
              changed(crossbar, link={"flow_control": "full", "parity": True}),
              changed(torus, link={"width_bits": 512}),
              changed(torus, link={"stages": 10}), changed(torus, link={"stages": [0, 3]}),
              changed(torus, nic={"controllers": 8, "gap": "none"}),
              changed(hops, nic={"gap": "sharers-1"}, barrier="software"),
              changed(hops, barrier="hardware"), changed(nested, barrier="software"),
              changed(nested, combining="none"),
              changed(a2a, nic={"gap": 3}, processor="native", start="network"),
              changed(nested, workload={"chunks": 4, "steps": "all", "order": "bandwidth"}),
              changed(nested, workload={"op": "mean", "type": "fp32", "steps": 2}),
              changed(cast, workload={"root": 3}),
              changed(hotspot, workload={"share": 0.5, "node": "middle"}),
              changed(uniform, workload={"traffic": [{"traffic": "uniform", "weight": 2},
                                                     {"traffic": "hotspot", "share": 0.5}]}),
              changed(uniform, partition=[1, 0],
                      workload={"regions": [{"traffic": [{"traffic": "tornado"}]}]}),
              changed(uniform, partition=[1, 0], workload={"regions": [{"rate": 0}]}),
              changed(uniform, nic={"gap": 1}),
              changed(uniform, workload={"packet_flits": [{"flits": 1, "weight": 3},
                                                          {"flits": 256}]}),
              changed(torus, link={"protection": "retry"}),
              changed(moves, faults=[{"link": "all", "field": "any", "rate": 0.5}]),
              changed(moves, faults=[{"node": 1, "cycle": 5, "bit": 3}], seed=7)):
    both(right, True)
for wrong in ({}, {"topology": 5}, {"topology": {"kind": "ring"}}, {"topology": {"kind": "mesh"}},
              changed(torus, topology={"pes": 4}), changed(torus, topology={"dims": []}),
              changed(torus, topology={"dims": [4, 0]}), changed(crossbar, topology={"pes": 1}),
              changed(board, topology={"dims": [2, 2]}), changed(board, topology={"mains": 0}),
              changed(torus, rooter={}), changed(torus, router={"vc": 2}),
              changed(torus, router={"vcs": 65}), changed(torus, router={"vcs": "all"}),
              changed(torus, router={"vc_depth": 0}), changed(crossbar, router={"vc_depth": 2}),
              changed(crossbar, router={"vcs": 2}), changed(crossbar, router={"arbiter": "age"}),
              changed(mesh, router={"dateline": "crossing"}),
              changed(torus, router={"output_depth": 9}),
              changed(torus, link={"flow_control": "full"}), changed(torus, link={"parity": 1}),
              changed(crossbar, link={"width_bits": 96}), changed(torus, link={"stages": -1}),
              changed(torus, link={"stages": 256}), changed(torus, link={"stages": []}),
              changed(crossbar, link={"protection": "crc"}),
              changed(torus, link={"stages": [1, "2"]}),
              changed(crossbar, nic={"controllers": 5}), changed(torus, nic={"gap": 256}),
              changed(a2a, nic={"gap": "hops-1"}), changed(moves, nic={"gap": 1}),
              changed(nested, nic={"gap": 1}), changed(uniform, nic={"packet_flits": 9}),
              changed(uniform, processor="native"), changed(moves, processor="rv32"),
              changed(moves, barrier="hardware"), changed(uniform, barrier="hardware"),
              changed(nested, start="network"), changed(moves, combining="tree"),
              changed(a2a, combining="chain"), changed(a2a, barrier="none"),
              changed(uniform, start="loaded"), changed(a2a, partition=[1]),
              changed(a2a, processor="arm"), changed(a2a, workload={"sync": "global"}),
              changed(a2a, workload={"areas": 2}), changed(a2a, workload={"rate": 0.1}),
              changed(a2a, workload={"bytes": 64}), changed(a2a, workload={"collective": "a2b"}),
              changed(a2a, workload={"message_flits": 0}),
              changed(a2a, workload={"traffic": "uniform"}),
              changed(ring, workload={"chunks": 2}), changed(ring, workload={"root": 1}),
              changed(ring, workload={"transit": "store_and_forward"}),
              changed(ring, workload={"order": "bandwidth"}),
              changed(cast, workload={"op": "sum"}), changed(cast, workload={"bytes": 2}),
              changed(nested, workload={"message_flits": 4}),
              changed(torus, workload={"collective": "allreduce_ring"}),
              changed(uniform, workload={"share": 0.1}), changed(uniform, workload={"rate": 2}),
              changed(uniform, workload={"rate": 0}), changed(hotspot, workload={"share": 0}),
              changed(torus, workload={"traffic": "trace"}),
              changed(torus, workload={"traffic": []}), changed(torus, workload={"traffic": [{}]}),
              changed(torus, workload={"traffic": [{"traffic": "trace", "file": "a.csv"}]}),
              changed(torus, workload={"traffic": [{"traffic": "uniform", "share": 0.5}]}),
              changed(torus, workload={"traffic": [{"traffic": "uniform"}], "share": 0.5}),
              changed(torus, workload={"traffic": [{"traffic": "uniform", "weight": 0}]}),
              changed(uniform, workload={"packet_flits": []}),
              changed(uniform, workload={"packet_flits": [{"flits": 0}]}),
              changed(uniform, workload={"packet_flits": [{"weight": 1}]}),
              changed(uniform, workload={"packet_flits": [{"flits": 1, "weight": 0}]}),
              changed(torus, workload={}), changed(torus, workload={"transfers": []}),
              changed(torus, workload={"transfers": [{"from": 0, "to": 1}]}),
              changed(moves, faults=[{"node": 1, "effect": "lose"}]),
              changed(moves, faults=[{"node": 1, "bit": 513}]),
              changed(torus, seed=-1), changed(torus, seed="1"), changed(torus, watchdog=0),
              changed(torus, deadlock_check="no")):
    both(wrong, False)
sys.exit(failures > 0)
END
python3 check.py "$weft" "$source_dir"/sim/cli/configs/*.json || fail "the schema"

# Each key of the list is in the schema.
$weft list keys --json >list.json || fail "list keys --json"
python3 - <<'END' || fail "keys of the list that the schema does not know"
import json
known = set()

def collect(schema):
    if isinstance(schema, dict):
        known.update(schema.get("properties", {}))
        schema = schema.values()
    if not isinstance(schema, (str, int, float, type(None))):
        for part in schema:
            collect(part)

collect(json.load(open("schema.json")))
for row in json.load(open("list.json")):
    assert row["name"].replace("[]", "").split(".")[-1] in known, row
END

finish
