#!/usr/bin/env bash
# Routers of 2 and 3 stages: latency and the rate of a VC's buffer to the cycle, all engines agree
# on every kind of network, collectives' data are right, what holds a flit back is told.
source "$(dirname "$0")/lib.sh"

# Zero load: a packet takes longer by the stages of each router on its way, to the cycle.
one() {  # PIPELINE ENGINE
  $weft run torus32_uniform --engine $2 --set topology.dims=[4,4] --set processor=null \
    --set router.pipeline=$1 \
    --set 'workload={"transfers": [{"from": 0, "to": 6, "flits": 3}]}' --json one.json >one.txt ||
    fail "transfer with pipeline $1 on $2: $(<one.txt)"
}
one 1 flit
plain=$(field one.json transfers/0/end)
for pipeline in 2 3; do
  for engine in flit model rtl; do
    one $pipeline $engine
    # (0, 0) to (2, 1): four routers.
    is "$(field one.json transfers/0/end)" $((plain + 4 * (pipeline - 1))) "$pipeline, $engine"
    is $(($(field one.json cycles) >= $(field one.json bound_cycles))) 1 "bound, $pipeline"
  done
done
one 2 model
is "$(field one.json stepped)" "router.pipeline is 2"
grep -q "router.pipeline is 2" one.txt || fail "no word of stepping every flit: $(<one.txt)"

# One packet of 251 flits over one link of 10 registers: a slot is used again after 22 cycles, with
# a pipeline 23; the last flit is in a group of `depth`, before it are whole rounds.
ring() {  # PIPELINE DEPTH ENGINE
  $weft run torus32_uniform --engine $3 --set topology.dims=[3] --set link.stages=10 \
    --set router.pipeline=$1 --set router.vc_depth=$2 --set processor=null \
    --set nic.packet_flits=250 \
    --set 'workload={"transfers": [{"from": 0, "to": 1, "flits": 250}]}' --json ring.json
}
for pipeline in 1 2 3; do
  slots=$((pipeline == 1 ? 22 : 23))
  for depth in 6 11 22 23 30; do
    late=$((depth < slots ? slots - depth : 0))
    for engine in flit rtl; do
      [[ $engine == flit || $depth == 11 ]] || continue
      ring $pipeline $depth $engine >ring.txt || fail "transfer: $(<ring.txt)"
      is "$(field ring.json full_rate_depth)" $slots
      is "$(field ring.json transfers/0/end)" $((269 + 2 * (pipeline - 1) + 250 / depth * late)) \
        "pipeline $pipeline, depth $depth, $engine"
      if ((late > 0)); then
        told="too shallow: with $depth flits a VC keeps the longest link busy in $depth of $slots"
        grep -q "$told" ring.txt || fail "nothing of buffers of $depth flits: $(<ring.txt)"
      else
        grep -q "^buffers" ring.txt && fail "buffers of $depth flits are called too shallow"
      fi
    done
  done
done

# Collectives, on every kind of network with routers, model against RTL: on the first with 2 and 3
# stages, on the others with one of these.
stages="2 3"
for topology in '{"kind": "torus", "dims": [3, 2]}' '{"kind": "mesh", "dims": [3, 2]}' \
  '{"kind": "mdce", "n": 2, "B": 1, "C": 0}' '{"kind": "fat_tree", "levels": 2}' \
  '{"kind": "board", "dims": [2, 1, 1, 1], "mains": 2, "aggregators": 1}'; do
  for pipeline in $stages; do
    printf '{"topology": %s, "router": {"pipeline": %s}, "processor": "native",
      "workload": {"collective": "alltoall", "message_flits": 9}}' "$topology" $pipeline >all.json
    for engine in flit cosim; do
      $weft run all.json --engine $engine --json all.$engine.json >all.txt 2>&1 ||
        fail "$topology, $pipeline, $engine: $(<all.txt)"
    done
    is "$(field all.cosim.json cycles) $(field all.cosim.json digest)" \
      "$(field all.flit.json cycles) $(field all.flit.json digest)" "$topology, $pipeline"
    python3 -c 'import json; r = json.load(open("all.flit.json")); assert 1 <= r["ratio"]' ||
      fail "ratio on $topology, $pipeline"
    $weft run all.json --set 'workload={"collective": "allreduce", "bytes": 1000}' >all.txt 2>&1 ||
      fail "allreduce on $topology, $pipeline: $(<all.txt)"
  done
  [ "$stages" = 3 ] && stages=2 || stages=3
done

# Traffic near saturation: all of the allocation, and the whole network as one module.
for router in '"pipeline": 2, "hold": "flit"' '"pipeline": 3, "arbiter": "age", "vcs": 3' \
  '"pipeline": 3, "switching": "cut_through", "vc_depth": 4'; do
  printf '{"topology": {"kind": "torus", "dims": [3, 2]}, "router": {%s}, "workload": {"traffic":
    "uniform", "rate": 0.8, "packet_flits": 4, "warmup": 100, "measure": 400}}' "$router" >sat.json
  $weft run sat.json --json flit.json >sat.txt || fail "$router: $(<sat.txt)"
  for engine in cosim rtl-top; do
    [[ $engine == cosim || $router == *age* ]] || continue
    $weft run sat.json --engine $engine --json other.json >sat.txt 2>&1 ||
      fail "$router, $engine: $(<sat.txt)"
    is "$(field other.json cycles) $(field other.json digest)" \
      "$(field flit.json cycles) $(field flit.json digest)" "$router, $engine"
  done
done

# A link idles while its packet is in the router's pipeline; without one there is no such row.
$weft run torus32_uniform --set topology.dims=[3,3] --set router.pipeline=3 --losses \
  --events events.json --trace waves.fst --json losses.json >losses.txt 2>&1 ||
  fail "losses: $(<losses.txt)"
python3 - <<'END' || fail "losses of a pipeline"
import json
losses = json.load(open("losses.json"))["losses"]
causes = losses["link_cycles"]
assert causes["pipeline"] > causes["header"] > 0  # Two stages before each header moves.
assert sum(causes.values()) == losses["links"] * losses["cycles"]
ejection = losses["ejection"]
assert ejection["tail_stranded"]["pipeline"] > 0
assert sum(ejection["tail_stranded"].values()) + ejection["header"] + ejection["body"] + \
    ejection["no_packet"] == ejection["links"] * losses["cycles"]
END
$weft run torus32_uniform --set topology.dims=[3,3] --losses --json losses.json >losses.txt 2>&1
python3 -c 'import json; losses = json.load(open("losses.json"))["losses"]
assert "pipeline" not in losses["link_cycles"] | losses["ejection"]["tail_stranded"]' ||
  fail "stages of a router that has none"

# Clear errors.
expect 2 "/router/pipeline: value 4: expected: a whole number from 1 to 3" \
  $weft run torus32_uniform --set router.pipeline=4
expect 2 "/router/pipeline: value 0: expected: a whole number from 1 to 3" \
  $weft run torus32_uniform --set router.pipeline=0
expect 2 "/router/pipeline: value 2: expected: 1 on topology hier_crossbar" \
  $weft run xbar16 --set router.pipeline=2

finish
