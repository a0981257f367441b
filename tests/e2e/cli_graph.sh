#!/usr/bin/env bash
# Networks of any graph: files that are refused, with the place in them; runs on both engines;
# exported networks, which must give the same run; kinds that route by tables.
source "$(dirname "$0")/lib.sh"

echo '{"topology": {"kind": "graph", "file": "net.json"},
  "workload": {"traffic": "uniform", "rate": 0.2, "measure": 500}}' >config.json

# refused POINTER TEXT CHANGE: the network with this change, Python on `net`, is refused there.
base='{"routers": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}, {"name": "hub"}],
 "nodes": ["a", "a", "b", "c", "d", "d"],
 "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c", "stages": 2, "class": "long"},
           {"from": "c", "to": "d"}, {"from": "d", "to": "a"}, {"from": "a", "to": "hub"},
           {"from": "hub", "to": "c"}, {"from": "c", "to": "d", "one_way": true}]}'
network() {
  BASE=$base python3 -c 'import json, os, sys
net = json.loads(os.environ["BASE"])
exec(sys.argv[1])
print(json.dumps(net))' "$1" >net.json
}
refused() {
  network "$3"
  expect 2 "net.json: $1: " $weft topo config.json
  expect 2 "$2" $weft topo config.json
}
refused /links/0/to "the name of one of the routers" 'net["links"][0]["to"] = "x"'
refused /links/1/to 'another router than "from"' 'net["links"][1]["to"] = "b"'
refused /links/0/stages "from 0 to 255" 'net["links"][0]["stages"] = -1'
refused /links/5/to_port "a port of c that no other link has" \
  'net["links"][2]["from_port"] = 3; net["links"][5]["to_port"] = 3'
refused /links/0/color "from, to, from_port" 'net["links"][0]["color"] = 1'
refused /nodes/2 "reached from node 0" 'net["links"] = []'
refused /nodes/2 "reached from node 0" 'del net["links"]'
refused /routers/4/name "a name that no other router has" 'net["routers"][4]["name"] = "a"'
refused /routers/0/name "letters, digits" 'net["routers"][0]["name"] = "a b"'
refused /routers/0/ports "3 or more" 'net["routers"][0]["ports"] = 2'
refused /routers/1 "coordinates of every router" 'net["routers"][0]["coordinates"] = [0, 1]'
refused /nodes/2 "the name of one of the routers" 'net["nodes"][2] = "x"'
refused /nodes/0 "the name of a router" 'net["nodes"][0] = 3'
refused /nodes "a list of 2 to" 'net["nodes"] = ["a"]'
refused /nodes/6 "reached from node 0" \
  'net["routers"].append({"name": "e"}); net["nodes"].append("e")'
refused /nodes/6 "that reaches node 0" 'net["routers"].append({"name": "e"})
net["nodes"].append("e"); net["links"].append({"from": "a", "to": "e", "one_way": True})'
refused /dims "together 6 nodes" 'net["dims"] = [2, 2]'
refused /vcs 'only beside "routes"' 'net["vcs"] = 2'
refused / "an object" 'net = [net]'
: >net.json
expect 2 "net.json: line 1, column 1: expected: more JSON" $weft topo config.json
rm net.json
expect 2 'config.json: /topology/file: value "net.json": expected: a file, by its path' \
  $weft topo config.json
network 'net["links"] *= 150000'
expect 2 'net.json: /links: expected: a list of up to 1048576 elements' \
  $weft topo config.json

network ''
expect 2 "/topology: missing: expected: a configuration, which names a file of routers" \
  $weft topo net.json

# Routes that do not arrive, by the file's own tables: a ring of three.
base='{"routers": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "nodes": ["a", "b", "c"],
 "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}, {"from": "c", "to": "a"}],
 "routes": [{"router": "a", "out": [null, 0, 1]}, {"router": "b", "out": [0, null, 1]},
            {"router": "c", "out": [1, 0, null]}]}'
refused /routes "one from node 0 to node 2 comes to b again" \
  'net["routes"][0]["out"][2] = 0; net["routes"][1]["out"][2] = 0'
refused /routes "leaves a by port 3, which leads nowhere" \
  'net["routers"][0]["ports"] = 4; net["routes"][0]["out"][1] = 3'
refused /routes "has no out-port at b" 'net["routes"][1]["out"][0] = None'
refused /routes/0/out/1 "from 0 to 1" 'net["routes"][0]["out"][1] = 9'
refused /routes/0/out/0 "null: node 0 is at this router" 'net["routes"][0]["out"][0] = 0'
refused /routes/0/vcs "a VC from 0 to 7" 'net["routes"][0]["vcs"] = 8'
refused /routes/1 "each in-port and node of a router once" 'net["routes"][1] = net["routes"][0]'
refused /routes/0/nodes/0 "a node at this router" 'net["routes"][0]["nodes"] = [1]'
refused /vcs "3 to 64" 'net["routes"][0]["vcs"] = 2; net["vcs"] = 2'
network 'for i, out in enumerate([[None, 0, 0], [1, None, 1], [1, 1, None]]):
  net["routes"][i]["out"] = out'
expect 2 '/topology/file: value "net.json": expected: routes in this file without cyclic' \
  $weft run config.json
expect 2 'router.routing "shortest" in their place, or deadlock_check false; with this 3 channels' \
  $weft run config.json
expect 0 "deadlock-free   yes" $weft topo config.json --set router.routing=shortest
network 'net["routes"][0]["vcs"] = 2'
expect 2 "/router/vcs: value 2: expected: 3 or more: the network's routes name VC 2" \
  $weft topo config.json --set router.vcs=2
expect 0 "VCs needed      3" $weft topo config.json

# One router, with and without a list of links: all engines, and as one module.
echo '{"routers": [{"name": "hub"}], "nodes": ["hub", "hub", "hub"], "links": []}' >net.json
one=$(run_of config.json)
echo '{"routers": [{"name": "hub"}], "nodes": ["hub", "hub", "hub"]}' >net.json
is "$(run_of config.json)" "$one" "without a list of links"
is "$(run_of config.json --engine flit)" "$one" "model and flit: one router"
expect 0 "diameter        0" $weft topo config.json
expect 0 "weft_top.sv" $weft emit config.json -o one
expect 2 '/router/routing: value "ugal": expected: another routing: router hub has no links' \
  $weft run config.json --set router.routing=ugal
# As many nodes as there are addresses: it is the router that cannot be.
python3 -c 'import json
print(json.dumps({"routers": [{"name": "hub"}], "nodes": ["hub"] * 2**20}))' >net.json
expect 2 "routers of up to 64 ports (router hub has 1048576: 0 to neighbours, 1048576 to nodes)" \
  $weft topo config.json

# A random regular graph for which VCs do not suffice: up*/down* by itself, with a note.
python3 -c 'import json, random
random.seed(1)
ends = [r for r in range(500) for _ in range(5)]
random.shuffle(ends)
links = {tuple(sorted(ends[i:i + 2])) for i in range(0, len(ends), 2)}
print(json.dumps({"routers": [{"name": f"r{r}"} for r in range(500)],
                  "nodes": [f"r{r}" for r in range(500)],
                  "links": [{"from": f"r{a}", "to": f"r{b}"}
                            for a, b in links if a != b]}))' >net.json
expect 0 "up*/down*, for any VC: shortest ways need more than 8 VCs" $weft topo config.json
expect 0 "up*/down*, for any VC: shortest ways need more than 8 VCs" \
  $weft run config.json --set workload.measure=100 --set workload.warmup=0
expect 2 'up_down", or another network: shortest ways need more than 8 VCs' \
  $weft topo config.json --set router.routing=shortest
# 4,000 routers with four links each are decided in 20 s of CPU time, with as many to spare on a
# computer that others use, too: only then their links are known, and this one is none.
python3 -c 'import json, random
random.seed(1)
rings = [random.sample(range(4000), 4000) for _ in range(2)]
links = {tuple(sorted((ring[i - 1], r))) for ring in rings for i, r in enumerate(ring)}
print(json.dumps({"routers": [{"name": f"r{r}"} for r in range(4000)],
                  "nodes": [f"r{r}" for r in range(4000)],
                  "links": [{"from": f"r{a}", "to": f"r{b}"}
                            for a, b in sorted(links)]}))' >net.json
expect 2 '/faults/0/link: value "none"' bash -c 'ulimit -t 40
  exec "$0" topo config.json --set "faults=[{\"link\":\"none\",\"cycle\":1,\"bit\":0}]"' $weft

echo '{"topology": {"kind": "ring", "nodes": 8}, "workload": {"collective": "a2a"}}' >ring.json
expect 2 'value 2: expected: 4 or more: so many suffice for shortest ways' \
  $weft topo ring.json --set router.routing=ugal --set router.vcs=2

same_engines() {
  is "$(run_of "$@")" "$(run_of "$@" --engine flit)" "model and flit: $*"
}
same_engines config.json
expect 2 '"auto", "shortest"' $weft topo config.json --set router.routing=best

base='{"routers": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}, {"name": "hub"}],
 "nodes": ["a", "a", "b", "c", "d", "d"],
 "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c", "stages": 2, "class": "long"},
           {"from": "c", "to": "d"}, {"from": "d", "to": "a"}, {"from": "a", "to": "hub"},
           {"from": "hub", "to": "c"}, {"from": "c", "to": "d", "one_way": true}]}'
network ''
for routing in shortest up_down; do same_engines config.json --set router.routing=$routing; done
same_engines config.json --set nic.controllers=3 --set router.vcs=4
expect 2 "a network with coordinates" $weft topo config.json --set router.routing=dimension_order
expect 2 'a network whose file has "routes"' $weft topo config.json --set router.routing=table
# Registers of the file, and those of the configuration in their place.
own=$(run_of config.json)
[ "$own" != "$(run_of config.json --set link.stages=0)" ] || fail "link.stages without effect"
is "$(run_of config.json --set link.stages=[0,2])" "$own" "registers by class"
expect 2 "one for each class of links: all, long" $weft topo config.json \
  --set link.stages=[1,2,3]
$weft run config.json --json run.json >run.log
is "$(field run.json config/link/stages)" file
for collective in a2a a2at allreduce_ring broadcast_tree hop_group; do
  combining=none
  [ $collective = broadcast_tree ] && combining=tree
  same_engines config.json --set combining=$combining \
    --set "workload={\"collective\":\"$collective\"$(
    [[ $collective == *_* && $collective != hop_group ]] && echo ',"bytes":96')}"
done

# Exported networks.
exported() {
  local routes=$1 topology=$2 options=("${@:3}")
  echo "{\"topology\": $topology,
    \"workload\": {\"traffic\": \"uniform\", \"rate\": 0.3, \"measure\": 500}}" >from.json
  expect 0 "$routes" $weft topo from.json "${options[@]}" --export net.json
  [ "$routes" = "net.json, with routes" ] || return
  is "$(run_of config.json --set workload.rate=0.3)" "$(run_of from.json "${options[@]}")" \
    "exported $topology"
}
with="net.json, with routes"
exported "$with" '{"kind": "torus", "dims": [5, 3]}'
exported "$with" '{"kind": "mesh", "dims": [3, 2, 2]}' --set link.stages=[0,1,2]
exported "$with" '{"kind": "dce", "n": 3, "y_bits": 3, "delta": 1}'
exported "$with" '{"kind": "mdce", "n": 2, "B": 1, "C": 1, "P": 2}'
exported "$with" '{"kind": "fat_tree", "levels": 3}'
exported "$with" '{"kind": "ring", "nodes": 9}' --set router.vcs=5
exported "$with" '{"kind": "hypercube", "dimensions": 3}'
exported "$with" '{"kind": "hyperx", "dims": [3, 2], "nodes_per_router": 2}' \
  --set router.routing=up_down --set router.vcs=2
exported "$with" '{"kind": "dragonfly", "p": 2, "a": 2, "h": 1}'
exported "$with" '{"kind": "tree", "radix": 2, "levels": 3}'
exported "without routes: at r_0 the way to nic_2 depends on more than the in-port" \
  '{"kind": "torus", "dims": [4, 4]}'
expect 0 "deadlock-free   yes" $weft topo config.json
exported "without routes: each destination has a VC of its own" '{"kind": "torus", "dims": [3]}' \
  --set 'router.vcs="per_destination"'
echo '{"topology": {"kind": "omega", "levels": 3}}' >from.json
expect 2 "nic_0 sends to s_0_0_0 and receives from s_0_2_0" \
  $weft topo from.json --export net.json
expect 2 "a network of routers" $weft topo xbar256 --export net.json
expect 2 "a file that this command does not read" $weft topo config.json --export net.json
echo '{"topology": {"kind": "torus", "dims": [5, 5]}}' >from.json
expect 2 'a file: --json writes to standard output' $weft topo from.json --export - --json -
links=$($weft topo from.json --export - |
  python3 -c 'import json, sys; print(len(json.load(sys.stdin)["links"]))')
is "$links" 100

# Kinds that route by tables.
for topology in '{"kind":"ring","nodes":7}' '{"kind":"hypercube","dimensions":3}' \
  '{"kind":"hyperx","dims":[3,3]}' '{"kind":"dragonfly","p":2,"a":2,"h":1}' \
  '{"kind":"tree","radix":2,"levels":3}'; do
  for collective in a2at a2a_scheduled hop_group; do
    same_engines config.json --set "topology=$topology" \
      --set "workload={\"collective\":\"$collective\"}"
  done
done

finish
