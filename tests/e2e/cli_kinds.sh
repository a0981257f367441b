#!/usr/bin/env bash
# Networks that route by tables, each kind and a graph from a file, model against RTL on every
# output: all-to-all, and traffic near saturation, where arbiters have something to decide. On one
# larger network of a kind the RTL gives the model's cycles and digest.
source "$(dirname "$0")/lib.sh"

echo '{"routers": [{"name": "a"}, {"name": "b"}, {"name": "hub"}], "nodes": ["a", "a", "b"],
  "links": [{"from": "a", "to": "b", "stages": 3, "class": "cable"}, {"from": "a", "to": "hub"},
            {"from": "hub", "to": "b"}]}' >net.json
for topology in '{"kind": "ring", "nodes": 5}' '{"kind": "hypercube", "dimensions": 3}' \
  '{"kind": "hyperx", "dims": [3, 2], "nodes_per_router": 2}' \
  '{"kind": "dragonfly", "p": 2, "a": 2, "h": 1}' '{"kind": "tree", "radix": 3, "levels": 2}' \
  '{"kind": "graph", "file": "net.json"}'; do
  printf '{"topology": %s, "processor": "native", "workload": {"collective": "a2a"}}' \
    "$topology" >all.json
  printf '{"topology": %s, "workload": {"traffic": "uniform", "rate": 0.7, "packet_flits": 3,
    "warmup": 100, "measure": 900}}' "$topology" >load.json
  for file in all.json load.json; do
    is "$(run_of $file --engine cosim)" "$(run_of $file)" "cosim, $file on $topology"
  done
done

echo '{"topology": {"kind": "dragonfly", "p": 2, "a": 2, "h": 1},
  "workload": {"traffic": "uniform", "rate": 0.3, "warmup": 50, "measure": 200}}' >top.json
is "$(run_of top.json --engine rtl-top)" "$(run_of top.json)" "rtl-top"

# 64 nodes.
printf '{"topology": {"kind": "hypercube", "dimensions": 6},
  "workload": {"traffic": "uniform", "rate": 0.3, "warmup": 50, "measure": 200}}' >large.json
is "$(run_of large.json --engine rtl)" "$(run_of large.json)" "rtl of 64 nodes"

finish
