#!/usr/bin/env bash
# No node of a network starves, whatever is offered: rates and the least node's share.
source "$(dirname "$0")/lib.sh"

# node_rates TOPOLOGY RATE LEAST_ACCEPTED LEAST_NODE OPTIONS...: traffic of 4-flit packets; the
# least node in flits a cycle, or with a leading * as a part of the mean.
node_rates() {
  local topology=$1 rate=$2 accepted=$3 least=$4
  shift 4
  cat >c.json <<JSON
{"topology": $topology, "router": {"vcs": 2, "vc_depth": 8}, "seed": 1,
 "workload": {"traffic": "tornado", "rate": $rate, "packet_flits": 4, "warmup": 3000,
              "measure": 6000, "drain": 0}}
JSON
  $weft run c.json --json r.json --detail "$@" >/dev/null || fail "$topology $rate $*"
  python3 - "$accepted" "$least" <<'PY' || fail "$topology at $rate, $*"
import json, sys
result = json.load(open("r.json"))
accepted, least = float(sys.argv[1]), sys.argv[2]
nodes = [node["flits_sent"] / result["cycles"] for node in result["detail"]["nodes"]]
floor = float(least[1:]) * sum(nodes) / len(nodes) if least[0] == "*" else float(least)
print(f"accepted {result['accepted_rate']:.4f}, least node {min(nodes):.4f}, floor {floor:.4f}")
sys.exit(not (result["accepted_rate"] >= accepted and min(nodes) >= floor))
PY
}

ring='{"kind": "torus", "dims": [8]}'
# Three links for each packet: 0.333 is the most that the ring takes. With pipeline 3 a VC is idle
# for two cycles between two packets of 4 flits: 0.222.
for pipeline in 1 2; do
  node_rates "$ring" 0.3 0.27 0.2 --set router.pipeline=$pipeline
  node_rates "$ring" 1.0 0.27 '*0.2' --set router.pipeline=$pipeline
done
node_rates "$ring" 0.3 0.21 0.15 --set router.pipeline=3
node_rates "$ring" 1.0 0.21 '*0.2' --set router.pipeline=3
node_rates "$ring" 0.3 0.27 0.2 --set nic.controllers=2
node_rates '{"kind": "torus", "dims": [16]}' 0.2 0.199 0.15 --set router.pipeline=3 \
  --set workload.traffic=uniform
for kind in torus mesh; do
  for pipeline in 1 2 3; do
    node_rates "{\"kind\": \"$kind\", \"dims\": [8, 8]}" 1.0 0.3 '*0.2' \
      --set workload.traffic=uniform --set router.pipeline=$pipeline
  done
done
# Without the order of kinds a node starves: the test can fail.
cat >c.json <<JSON
{"topology": $ring, "workload": {"traffic": "tornado", "rate": 0.3, "packet_flits": 4,
 "warmup": 3000, "measure": 6000, "drain": 0}, "seed": 1}
JSON
$weft run c.json --json r.json --detail --set router.own_after=0 >/dev/null
python3 -c 'import json; n = [d["flits_sent"] for d in json.load(open("r.json"))["detail"]["nodes"]]
assert min(n) < 0.1 * max(n), n' || fail "own_after 0 starves nobody"
# The oldest goes first, whosever it is.
expect 2 '/router/own_after: value 5: expected: 3 with arbiter "age"' $weft run torus_a2at \
  --set router.arbiter=age --set router.own_after=5
expect 2 "/router/own_after" $weft run torus_a2at --set router.own_after=256

finish
