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

# The least sizes of every kind: both engines give the same run, of each kind of two works.
least='[{"name": "a"}, {"name": "b"}], "nodes"'
echo "{\"routers\": $least: [\"a\", \"b\"], \"links\": [{\"from\": \"a\", \"to\": \"b\"},
  {\"from\": \"a\", \"to\": \"b\"}]}" >parallel.json
echo "{\"routers\": $least: [\"b\", \"b\"],
  \"links\": [{\"from\": \"a\", \"to\": \"b\"}]}" >at_one.json
echo "{\"routers\": $least: [\"a\", \"b\"], \"links\": [
  {\"from\": \"a\", \"to\": \"b\", \"one_way\": true},
  {\"from\": \"b\", \"to\": \"a\", \"one_way\": true}]}" >one_way.json
works=('"collective": "allreduce", "bytes": 64' '"collective": "barrier"' '"collective": "a2a"'
  '"traffic": "uniform", "rate": 0.3, "warmup": 0, "measure": 200')
kind=0
for topology in '"board", "dims": [1, 1, 1, 1], "mains": 1, "aggregators": 1' \
  '"board", "dims": [2, 1, 1, 1], "mains": 1, "aggregators": 1' '"crossbar_2d", "dims": [2, 2]' \
  '"dce", "n": 2, "y_bits": 1, "delta": 1' '"dragonfly", "p": 1, "a": 1, "h": 1' \
  '"fat_tree", "levels": 1' '"full_crossbar", "pes": 2' '"graph", "file": "parallel.json"' \
  '"graph", "file": "at_one.json"' '"graph", "file": "one_way.json"' \
  '"hier_crossbar", "dims": [2]' '"hier_crossbar", "dims": [1, 2]' '"hypercube", "dimensions": 1' \
  '"hyperx", "dims": [2]' '"mdce", "n": 2, "B": 1, "C": 0' '"mdce", "n": 2, "B": 0, "C": 1' \
  '"mesh", "dims": [2]' '"mesh", "dims": [1, 2]' '"omega", "levels": 1' '"ring", "nodes": 2' \
  '"ring", "nodes": 3' '"torus", "dims": [2, 2]' '"torus", "dims": [2, 1]' '"torus", "dims": [3]' \
  '"tree", "radix": 2, "levels": 2'; do
  kind=$((kind + 1))
  for work in "${works[kind % 2]}" "${works[2 + kind % 2]}"; do
    processor='"processor": "native",'
    [[ $work == *traffic* ]] && processor=
    echo "{\"topology\": {\"kind\": $topology}, $processor \"workload\": {$work}}" >least.json
    is "$(run_of least.json --engine flit)" "$(run_of least.json)" "flit, $work on $topology"
  done
done

# 64 nodes.
printf '{"topology": {"kind": "hypercube", "dimensions": 6},
  "workload": {"traffic": "uniform", "rate": 0.3, "warmup": 50, "measure": 200}}' >large.json
is "$(run_of large.json --engine rtl)" "$(run_of large.json)" "rtl of 64 nodes"

finish
