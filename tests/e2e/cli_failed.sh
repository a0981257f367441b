#!/usr/bin/env bash
# Dead links and routers: what `weft topo` and `weft run` say of them, refusals, the same run on all
# engines (rtl, cosim, rtl-top), and sweeps over draws.
source "$(dirname "$0")/lib.sh"

echo '{"topology": {"kind": "mesh", "dims": [3, 2], "failed": {"links": ["r_0 -> r_1"]}},
  "workload": {"traffic": "uniform", "rate": 0.2, "warmup": 0, "measure": 300}}' >failed.json

expect 0 "failed          2 of 14 links, 0 of 6 routers, with 0 nodes" $weft topo failed.json
expect 0 "cut off         no node" $weft topo failed.json
expect 0 "routes          shortest ways" $weft topo failed.json
expect 0 "diameter        5 links" $weft topo failed.json \
  --set 'topology.failed.links=["r_0 -> r_1", "r_4 -> r_5"]' --set router.routing=up_down
$weft topo failed.json --set 'topology.failed={"routers": ["r_4"], "share": 0}' \
  --json topo.json >topo.txt
is "$(field topo.json dead_links) $(field topo.json dead_routers) $(field topo.json dead_nodes)" \
  "6 1 1"
is "$(field topo.json pairs_cut_off)" 10
is "$(field topo.json routes_around)" "shortest ways"
is "$(field topo.json pairs)" 25

# Nodes that are cut off, by name.
cut='topology.failed={"routers": ["r_4"], "links": ["r_3 -> r_0"]}'
expect 0 "cut off         18 ordered pairs of nodes: 0 -> 3, 0 -> 4, 1 -> 3, ..." \
  $weft topo failed.json --set "$cut"
expect 0 "cut off are 18 ordered pairs of nodes: 0 -> 3, 0 -> 4, 1 -> 3, ..." \
  $weft run failed.json --set "$cut"
expect 0 "without part in the collective, whose ranks count the others: 3, 4" \
  $weft run failed.json --set "$cut" --set 'workload={"collective": "a2a"}' --set processor=native
expect 2 '/topology/failed/links/0: value "r_0 -> r_4": expected: a link between' \
  $weft run failed.json --set 'topology.failed.links=["r_0 -> r_4"]'
expect 2 "/topology/failed/share: value 2: expected: a number from 0 and up to 1" \
  $weft run failed.json --set topology.failed.share=2
expect 2 "a network without nodes that are cut off" $weft emit failed.json --set "$cut" -o rtl
[ ! -e rtl ] || fail "a folder of a network that is refused"

# All engines, with a router that is dead and one that several ways lead to.
for options in "topology.failed.share=0" "$cut"; do
  model=$(run_of failed.json --set "$options")
  for engine in flit rtl cosim rtl-top; do
    is "$(run_of failed.json --set "$options" --engine $engine)" "$model" "$engine: $options"
  done
done

# Of two routers with two nodes each and no link left, the other one has no node in a collective.
echo '{"topology": {"kind": "hyperx", "dims": [2], "nodes_per_router": 2, "failed": {"share": 1}},
  "processor": "native", "workload": {"collective": "a2a"}}' >shrunk.json
is "$(run_of shrunk.json --engine flit)" "$(run_of shrunk.json)" "flit: a router without nodes"

# The network again from its file, routes included.
expect 0 "net.json, with routes" $weft topo failed.json --export net.json
is "$(run_of failed.json --set 'topology={"kind": "graph", "file": "net.json"}')" \
  "$(run_of failed.json)" "exported"

# A sweep over draws.
echo '{"base": "failed.json", "axes": [{"topology.failed.share": [0, 0.3]},
  {"topology.failed.seed": [1, 2, 3]}]}' >draws.json
expect 0 "" $weft sweep draws.json -o draws
is "$(wc -l <draws/results.jsonl)" 6

finish
