#!/usr/bin/env bash
# What is said of traffic holds: saturated, steady, the warm-up that is found, traces to their end.
source "$(dirname "$0")/lib.sh"

# state FILE: whether it is saturated, and steady.
state() {
  python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
print(r["saturated"], r.get("steady", "unknown"))' "$1"
}

# Just beyond what the network takes, about 0.815: 96 to 98 % of what is offered is accepted.
echo '{"topology": {"kind": "dragonfly", "p": 2, "a": 4, "h": 2}, "router": {"vcs": 4},
  "workload": {"traffic": "uniform", "rate": 0.84}}' >dragonfly.json
for measure in 10000 40000; do
  $weft run dragonfly.json --set workload.measure=$measure --json run.json >said 2>&1
  is "$(state run.json)" "True False" "beyond saturation, measured for $measure cycles"
  grep -q "accepted .*, saturated" said || fail "a saturated run does not say so: $(<said)"
done
for rate in 0.1 0.5 0.78; do
  $weft run dragonfly.json --set workload.rate=$rate --json run.json >said 2>&1
  is "$(state run.json)" "False True" "rate $rate"
done

# A network that is still filling up is not saturated, but what it shows is of no use.
echo '{"topology": {"kind": "mesh", "dims": [8, 8]}, "router": {"vcs": 4},
  "workload": {"traffic": "uniform", "rate": 0.46, "warmup": 0, "measure": 500}}' >mesh.json
for seed in 1 2 3; do
  $weft run mesh.json --set seed=$seed --json run.json >said 2>&1
  is "$(state run.json)" "False False" "no warm-up, seed $seed"
  grep -q "accepted .*, not steady" said || fail "nothing of a short warm-up: $(<said)"
  grep -Eq "the first [0-9]+ of 500 measured cycles are not like those after them: .* expected: \
warmup [0-9]+ or more" said || fail "no note of a short warm-up: $(<said)"
done

# The warm-up that is found is one that can be given.
load="--set workload.rate=0.4 --set workload.measure=5000"
$weft run mesh.json $load --set workload.warmup=auto --json auto.json >said 2>&1
is "$(state auto.json)" "False True" "the warm-up that is found"
grep -q "warmup [0-9]*: found by runs" said ||
  fail "nothing of how the warm-up was found: $(<said)"
warmup=$(field auto.json config/workload/warmup)
[ "$warmup" -ge 100 ] && [ "$warmup" -le 20000 ] || fail "a warm-up of $warmup cycles"
$weft run mesh.json $load --set workload.warmup="$warmup" --json run.json >said 2>&1
is "$(differences auto.json run.json "notes/warmup ")" "" "the same warm-up, given"
$weft run mesh.json $load --set workload.warmup=auto --threads 2 --engine flit --json run.json \
  >said 2>&1
is "$(field run.json config/workload/warmup) $(field run.json digest)" \
  "$warmup $(field auto.json digest)" "a warm-up on another engine"
# Also where the network takes less than is offered, and where hardly a packet comes.
$weft run mesh.json --set workload.warmup=auto --set workload.rate=0.9 --json run.json >said 2>&1 ||
  fail "$(<said)"
is "$(state run.json)" "True False" "far beyond saturation"
grep -q "warmup [0-9]*: found by runs" said || fail "the warm-up of a saturated network: $(<said)"
$weft run mesh.json --set workload.warmup=auto --set workload.rate=0.00001 --json run.json \
  >said 2>&1 || fail "$(<said)"
grep -q "warmup 1000, the default: too few packets to tell in runs" said ||
  fail "few packets: $(<said)"
# Other packets than those of the run: faults and seeds do not change what is found.
found=$(for seed in 1 2 3; do
  $weft run mesh.json $load --set workload.warmup=auto --set seed=$seed --json run.json \
    >said 2>&1 || fail "$(<said)"
  field run.json warmup
done)
for warmup in $found; do
  [ "$warmup" -ge 250 ] && [ "$warmup" -le 2500 ] || fail "warm-ups by seed: $found"
done
# In a sweep each point has its own, in a column.
echo '{"base": "mesh.json", "set": {"workload.warmup": "auto"},
  "axes": [{"workload.rate": [0.1, 0.4]}]}' >sweep.json
$weft sweep sweep.json -o swept >said 2>&1 || fail "$(<said)"
is "$(python3 -c 'import csv
print(all(int(row["warmup"]) >= 50 for row in csv.DictReader(open("swept/results.csv"))))')" True \
  "warm-ups of a sweep"

# Too little to tell: few packets, and a network that is hardly entered.
for cut in "max_cycles=30 --set workload.rate=0.05" "workload.measure=5" "workload.measure=20"; do
  $weft run mesh.json --set $cut --json run.json >said 2>&1
  is "$(field run.json saturated)" False "$cut"
done
# Few packets on long ways that fill up, and less than 95 % by chance.
echo '{"topology": {"kind": "torus", "dims": [1024]}, "router": {"vcs": 2},
  "workload": {"traffic": "uniform", "rate": 0.001, "warmup": 0, "measure": 2500}}' >ring.json
$weft run ring.json --json run.json >said 2>&1
is "$(field run.json saturated)" False "a ring that fills up"
# The whole is steady where all regions are.
for rate in 0.05 0.9; do
  expected=$([ $rate = 0.9 ] && echo True False || echo False True)
  $weft run mesh.json --set 'partition=[1]' --set workload.rate=0.05 --set workload.warmup=1000 \
    --set workload.measure=5000 --set "workload.regions=[{\"rate\": $rate}]" --json run.json \
    >said 2>&1
  is "$(state run.json)" "$expected" "region at $rate"
done

# A trace is played to its end, however late that is, and all of it is measured.
printf '0,0,5,4\n5000000,3,1,4\n' >packets.csv
printf '0,0,5,4\n500,3,1,4\n' >two.csv
echo '{"topology": {"kind": "torus", "dims": [3, 3]},
  "workload": {"traffic": "trace", "file": "packets.csv"}}' >trace.json
for engine in model flit; do
  $weft run trace.json --engine $engine --json $engine.json >said 2>&1 || fail "$(<said)"
  is "$(field $engine.json latency/packets) $(state $engine.json)" "2 False unknown" "$engine"
  [ "$(field $engine.json cycles)" -gt 5000000 ] || fail "a trace that is not played to its end"
done
is "$(field model.json digest) $(field model.json cycles)" \
  "$(field flit.json digest) $(field flit.json cycles)" "engines play a trace alike"
for key in warmup measure drain; do
  expect 2 "/workload/$key: value 100: expected: no such key with trace traffic" \
    $weft run trace.json --set workload.$key=100
done
# A packet that is lost is said, and the others come.
$weft run trace.json --set workload.file=two.csv --set link.protection=parity --json run.json \
  --set 'faults=[{"link": "all", "cycle": 1, "cycles": 60, "field": "data", "rate": 1}]' >said 2>&1
is "$? $(field run.json packets) $(field run.json latency/packets)" "1 2 1" \
  "a lost packet: $(<said)"
grep -q "1 of 2 measured packets had not arrived" said || fail "a lost packet: $(<said)"

finish
