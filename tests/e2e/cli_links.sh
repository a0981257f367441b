#!/usr/bin/env bash
# Links of several cycles: all engines agree, a VC has its full rate with the depth that the result
# names and loses as predicted with less, collectives' data are right, bounds hold.
source "$(dirname "$0")/lib.sh"

# One message of 2,000 flits in packets of 250, 8 headers, over one link of 10 registers: one VC has
# a flit in depth of 22 cycles.
ring() {  # DEPTH ENGINE
  $weft run torus32_uniform --engine $2 --set topology.dims=[3] --set link.stages=10 \
    --set router.vc_depth=$1 --set processor=null --set nic.packet_flits=250 \
    --set 'workload={"transfers": [{"from": 0, "to": 1, "flits": 2000}]}' --json ring.json
}
for depth in 4 11 21 22 40; do
  ring $depth flit >ring.txt || fail "transfer with depth $depth"
  end=$(field ring.json transfers/0/end)
  is "$(field ring.json full_rate_depth)" 22
  # The last flit is in a group of `depth`; before it are whole rounds of 22 cycles.
  case $depth in
    22 | 40)
      want=2026
      grep -q "^buffers" ring.txt && fail "buffers of $depth flits are called too shallow"
      ;;
    *)
      want=$((2026 + 2007 / depth * (22 - depth)))
      grep -q "too shallow: with $depth flits a VC keeps the longest link busy in $depth of 22" \
        ring.txt || fail "nothing of buffers of $depth flits: $(<ring.txt)"
      ;;
  esac
  is "$end" $want "last flit with depth $depth"
  cycles=$(field ring.json cycles) digest=$(field ring.json digest)
  for engine in model cosim rtl rtl-top; do
    [[ $depth == 11 || $engine == model ]] || continue
    ring $depth $engine >ring.txt || fail "$engine with depth $depth"
    is "$(field ring.json cycles) $(field ring.json digest)" "$cycles $digest" "$engine, $depth"
    is "$(field ring.json transfers/0/end)" "$end"
    grep -q "flit stepped" ring.txt && fail "engine $engine steps every flit"
  done
done

# Zero load: a packet takes longer by the registers on its way, to the cycle.
one() {
  $weft run torus32_uniform --set topology.dims=[4,4] --set processor=null --set "link.stages=$1" \
    --set 'workload={"transfers": [{"from": 0, "to": 6, "flits": 3}]}' --json one.json >one.txt ||
    fail "transfer over stages $1"
  field one.json transfers/0/end
}
plain=$(one 0)  # (0, 0) to (2, 1): two hops and one.
is "$(one 3)" $((plain + 9))
is "$(one '[2, 7]')" $((plain + 11))
is "$(one 255)" $((plain + 765))

# Traffic and collectives, on every kind of network with routers, model against RTL.
for topology in '{"kind": "torus", "dims": [3, 2]}' '{"kind": "mesh", "dims": [3, 2]}' \
  '{"kind": "dce", "n": 3, "y_bits": 2, "delta": 1}' \
  '{"kind": "mdce", "n": 2, "B": 1, "C": 0}' '{"kind": "fat_tree", "levels": 2}' \
  '{"kind": "omega", "levels": 2}' \
  '{"kind": "board", "dims": [2, 1, 1, 1], "mains": 2, "aggregators": 1}'; do
  printf '{"topology": %s, "link": {"stages": 2}, "processor": "native",
    "workload": {"collective": "alltoall", "message_flits": 9}}' "$topology" >all.json
  for engine in flit cosim; do
    $weft run all.json --engine $engine --json all.$engine.json >all.txt 2>&1 ||
      fail "$topology, $engine: $(<all.txt)"
  done
  is "$(field all.cosim.json cycles) $(field all.cosim.json digest)" \
    "$(field all.flit.json cycles) $(field all.flit.json digest)" "$topology"
  python3 -c 'import json; r = json.load(open("all.flit.json")); assert 1 <= r["ratio"]' ||
    fail "ratio on $topology"
  for work in allreduce broadcast reduce allgather reduce_scatter; do
    $weft run all.json --set "workload={\"collective\": \"$work\", \"bytes\": 1000}" \
      >all.txt 2>&1 ||
      fail "$work on $topology: $(<all.txt)"
  done
done

# Flits by link and packets by latency: their sums are those of the result, on each engine the same.
for engine in model flit cosim; do
  $weft run torus32_uniform --engine $engine --set topology.dims=[3,2] --set 'link.stages=[3,1]' \
    --set workload.rate=0.3 --set workload.measure=400 --set workload.warmup=100 \
    --links links.$engine.csv --latencies times.$engine.csv --json sums.json >sums.txt ||
    fail "--links, --latencies: $(<sums.txt)"
  cmp -s links.$engine.csv links.model.csv || fail "links on $engine"
  cmp -s times.$engine.csv times.model.csv || fail "latencies on $engine"
done
python3 - <<'END' || fail "sums of links.csv and times.csv"
import csv, json
result = json.load(open("sums.json"))
links = list(csv.DictReader(open("links.flit.csv")))
flits = [int(link["flits"]) for link in links]
assert sum(flits) == result["flit_hops"] and max(flits) == result["max_link_load"]
into = [int(l["flits"]) for l in links if l["from"].startswith("nic")]
assert sum(into) == result["flits"] and len(into) == 6
assert {(l["class"], l["stages"]) for l in links} == {
    ("interface", "0"), ("dimension 0", "3"), ("dimension 1", "1")}
assert all(abs(float(l["flits_per_cycle"]) - int(l["flits"]) / result["cycles"]) < 1e-6
           for l in links)
times = [int(t["cycles"]) for t in csv.DictReader(open("times.flit.csv"))
         for _ in range(int(t["packets"]))]
latency = result["latency"]
assert len(times) == latency["packets"] > 50
assert abs(sum(times) / len(times) - latency["mean"]) < 1e-6 and times[-1] == latency["max"]
assert times[-(-len(times) // 2) - 1] == latency["p50"]
END
expect 2 "--latencies: value with {" $weft run torus_a2at --latencies times.csv

# Clear errors.
expect 2 "/link/stages: value -1: expected: 0 to 255, or a list of 1 to 20 numbers" \
  $weft run torus32_uniform --set link.stages=-1
expect 2 "/link/stages: value [1,2,3]: expected: one number, or a list of 2" \
  $weft run torus32_uniform --set 'link.stages=[1,2,3]'

# Links of crossbars: between credits and Buffer-Full at both ends.
for engine in flit cosim; do
  $weft run xbar16 --set topology.dims=[2,2] --set link.stages=3 --engine $engine \
    --json xbar.$engine.json >xbar.txt 2>&1 || fail "registers between crossbars: $(<xbar.txt)"
done
is "$(field xbar.cosim.json digest)" "$(field xbar.flit.json digest)" "registers between crossbars"

# What holds a flit back is still known: waves, losses and events run.
$weft run torus32_uniform --set topology.dims=[3,3] --set link.stages=3 --losses \
  --events events.json --trace waves.fst >losses.txt 2>&1 || fail "losses: $(<losses.txt)"

finish
