#!/usr/bin/env bash
# Errors that take addresses, VC sets, credits and buffers beyond their range: on small rings every
# engine does the same, and what circles for ever is told by the watchdog.
source "$(dirname "$0")/lib.sh"
export WEFT_VERILATED_OPT=-O0

# A ring of NODES with buffers of DEPTH flits, and FAULTS; a collective or traffic.
ring() {  # NODES DEPTH WORK FAULTS
  local work='{"collective": "a2a", "message_flits": 20}'
  [[ $3 == a2a ]] || work='{"traffic": "uniform", "rate": 0.4, "packet_flits": 4, "warmup": 0,
    "measure": 150}'
  printf '{"topology": {"kind": "ring", "nodes": %s}, "router": {"vc_depth": %s}, "workload": %s,
    "faults": %s, "max_cycles": 6000, "watchdog": 1000, "seed": 8}' $1 $2 "$work" "$4" >ring.json
}
ends() {  # ENGINE: status, and the figures or the error
  rm -f ends.json
  "$weft" run ring.json --engine $1 --json ends.json >ends.txt 2>&1
  echo "status $?, $(head -n 1 ends.txt | grep weft:)"
  [ ! -f ends.json ] || python3 -c 'import json
r = json.load(open("ends.json"))
print(*[r.get(key) for key in ("cycles", "digest", "messages", "errors")])'
}
same() {  # as ring
  ring "$@"
  local model
  model=$(ends model)
  for engine in flit rtl; do is "$(ends $engine)" "$model" "$engine on $*"; done
  # Cosim has no other result when it finds no difference.
  is "$(ends cosim)" "$model" "cosim on $*"
}
# Credits too many, at every depth; with 3 and 1 the counter has no bit left for one more.
for depth in 1 2 3 4; do
  same 5 $depth a2a '[{"link": "r_4 out 1", "field": "credit", "effect": "set", "cycle": 5}]'
  same 5 $depth traffic \
    '[{"link": "r_3 out 1", "field": "credit", "effect": "set", "cycle": 58, "cycles": 16}]'
done
# Words too many for a buffer of a router, of an interface, and on a VC that does not exist.
for depth in 1 3 4; do
  same 5 $depth traffic '[{"link": "r_2 out 1", "field": "valid", "cycle": 9, "cycles": 5}]'
done
same 3 3 traffic '[{"node": 0, "field": "valid", "effect": "set", "cycle": 20, "cycles": 30}]'
# A body word as a header: addresses that no node has, a lost tail.
same 5 3 a2a '[{"link": "nic_0 out 0", "field": "last", "effect": "clear", "cycle": 5}]'
same 5 3 traffic '[{"link": "nic_4 out 0", "field": "last", "cycle": 45, "cycles": 2}]'
same 7 3 a2a \
  '[{"link": "nic_4 out 0", "field": "last", "effect": "set", "cycle": 55, "cycles": 16}]'
same 6 1 a2a '[{"link": "r_4 out 0", "field": "vc", "effect": "clear", "cycle": 27}]'

# A packet to a node that there is not: by a table whose entries name VCs, of which any is not one,
# it waits for ever; by the digits of a torus it goes round for ever, which does not hold off the
# watchdog.
away='[{"link": "nic_0 out 0", "field": "data", "bit": 2, "effect": "set", "cycle": 5}]'
for depth in 1 3 4 8; do same 5 $depth a2a "$away"; done
expect 3 "no progress: no flit moved and no program ended" "$weft" run ring.json
sed -i -e 's/"kind": "ring", "nodes": 5/"kind": "torus", "dims": [5]/' \
  -e 's/flits": 20/flits": 2/' ring.json
for engine in model flit rtl; do
  expect 3 "no progress: no flit entered or left an interface, though some move between routers, \
and no program ended in the 1000 cycles before" "$weft" run ring.json --engine $engine
done

# A crossbar discards what has no destination, and loses what comes against Buffer-Full.
crossbar() {
  cat >ring.json <<END
{"topology": {"kind": "full_crossbar", "pes": 5}, "max_cycles": 3000, "watchdog": 1000,
 "workload": {"traffic": "uniform", "rate": 0.8, "packet_flits": 5, "warmup": 0, "measure": 300},
 "faults": $1}
END
  local model
  model=$(ends model)
  for engine in flit rtl cosim; do is "$(ends $engine)" "$model" "$engine: crossbar, $1"; done
}
crossbar '[{"link": "all", "field": "data", "rate": 0.02}]'
crossbar '[{"link": "all", "field": "credit", "effect": "invert", "rate": 0.3}]'
crossbar '[{"link": "all", "field": "any", "rate": 0.05}]'

# Names of links: all from one block to another; names that mean other links are no classes.
for link in "r_0 -> r_1" "r_0 out 0" "r_1 -> r_2"; do
  ring 5 8 traffic "[{\"link\": \"$link\", \"field\": \"data\", \"bit\": 40, \"cycle\": 20,
    \"cycles\": 90}]"
  expect 1 "data, 0 refused, 0 parity errors" "$weft" run ring.json --json link.json
  digests+=("$(field link.json digest)")
done
is "${digests[0]}" "${digests[1]}" "r_0 -> r_1 is r_0 out 0"
[[ ${digests[0]} != "${digests[2]}" ]] || fail "r_1 -> r_2 is r_0 out 0"
expect 2 "/faults/0/link: value \"r_0 -> r_3\": expected: a link of this network, as" \
  "$weft" run ring.json --set 'faults=[{"link": "r_0 -> r_3"}]'
echo '{"topology": {"kind": "graph", "file": "net.json"}}' >graph.json
for name in all interface "a out 0" "a -> b" "a out 0 -> b in 0"; do
  printf '{"routers": [{"name": "a"}, {"name": "b"}], "nodes": ["a", "b"],
    "links": [{"from": "a", "to": "b", "class": "%s"}]}' "$name" >net.json
  expect 2 "/links/0/class: value \"$name\": expected: another name" \
    "$weft" topo graph.json
done

# Bursts of wrong bits: a CRC finds any two; parity passes some wide ones.
cat >burst.json <<'END'
{"topology": {"kind": "ring", "nodes": 4}, "link": {"protection": "retry", "parity": true},
 "workload": {"traffic": "uniform", "rate": 0.2, "packet_flits": 4, "warmup": 0, "measure": 20000},
 "faults": [{"link": "all", "field": "any", "rate": 0.02, "burst": 2}]}
END
"$weft" run burst.json --json burst.out.json >/dev/null ||
  fail "two bits: $(tail -1 burst.out.json)"
is "$(field burst.out.json faults/passed)" 0 "two neighbouring bits"
"$weft" run burst.json --set link.protection=parity --set max_cycles=4000 \
  --set 'faults=[{"link": "all", "field": "data", "rate": 0.02, "burst": 65}]' \
  --json burst.out.json >burst.txt 2>&1
(($(field burst.out.json faults/passed) > 0)) || fail "parity passes none of wide bursts"
# In `check` it passes some of 8 neighbouring wires, too. A wrong number of packets counts as many
# lost as it can tell: here 16 for each of 8 words, though there is only one packet.
expect 1 "1 parity, 128 lost errors; 9 wrong words passed the checks of links" \
  "$weft" run burst.json --set link.protection=parity --set seed=774 \
  --set 'workload={"transfers": [{"from": 0, "to": 3, "flits": 100, "gap": 2}]}' \
  --set 'faults=[{"link": "all", "field": "check", "rate": 0.01, "burst": 8}]'
# Wrong credits that pass a check break what the blocks assume of links; both still do the same.
for engine in model cosim; do
  "$weft" run burst.json --engine $engine --set link.protection=parity --set seed=1 \
    --set 'workload={"transfers": [{"from": 0, "to": 3, "flits": 100, "gap": 2}]}' \
    --set 'faults=[{"link": "all", "field": "credit", "rate": 0.02, "burst": 16}]' \
    --json $engine.json >said 2>&1 ||
    fail "wrong credits, $engine: $(tail -n 1 said)"
done
is "$(field cosim.json digest)" "$(field model.json digest)" "wrong credits"
expect 2 "/faults/0/burst: value 3: expected: 0 without rate" \
  "$weft" run burst.json --set 'faults=[{"link": "r_0 out 0", "burst": 3}]'

# Hits of the first and of the last cycle have passed no check.
for cycle in 0 1; do
  "$weft" run burst.json --json burst.out.json \
    --set faults="[{\"link\": \"all\", \"field\": \"any\",
    \"rate\": 1, \"cycle\": $cycle, \"cycles\": 1}]" >/dev/null || fail "hits of cycle $cycle"
  is "$(field burst.out.json faults/passed)" 0 "hits of cycle $cycle"
done

# A protected link into an interface keeps up: a word in each cycle, as without protection.
for protection in none parity retry; do
  cat >full.json <<END
{"topology": {"kind": "ring", "nodes": 2}, "router": {"vc_depth": 20},
 "link": {"protection": "$protection", "parity": true},
 "workload": {"transfers": [{"from": 0, "to": 1, "flits": 2000}]}}
END
  "$weft" run full.json --json full.out.json >/dev/null || fail "full.json"
  cycles=$(field full.out.json cycles)
  [[ $protection != none ]] || plain=$cycles
  # 16 packets of 128 flits and their headers; the rest is latency, of protection 6 cycles.
  ((plain > 2016 && plain < 2016 + 160 && cycles >= plain && cycles < plain + 12)) ||
    fail "$protection: $cycles cycles for 2000 flits, $plain without protection"
done

# A tail that is lost on the way to a router: its next word is a header that leads to no link. What
# waits for what is still told, without one that it could wait for.
cat >away.json <<'END'
{"topology": {"kind": "ring", "nodes": 2}, "max_cycles": 6000, "watchdog": 2000, "seed": 453,
 "workload": {"transfers": [{"from": 1, "to": 0, "flits": 100}]},
 "faults": [{"link": "interface", "field": "last", "rate": 0.01}]}
END
for engine in model flit cosim; do
  expect 3 "no progress: no flit moved and no program ended" "$weft" run away.json --engine $engine
done

# A credit too many that parity passes: the blocks of the link ignore it, and assume that there is
# none.
cat >credits.json <<'END'
{"topology": {"kind": "crossbar_2d", "dims": [2, 2]}, "link": {"protection": "parity"},
 "watchdog": 20000, "seed": 579,
 "workload": {"transfers": [{"from": 3, "to": 1, "flits": 2}]},
 "faults": [{"node": 1}, {"link": "interface", "field": "check", "rate": 0.002},
            {"link": "xxb_0 out 0"}, {"link": "all", "rate": 0.0005}]}
END
"$weft" run credits.json --json model.json >said 2>&1
status=$?
[ -s model.json ] || fail "no result: $(<said)"
for engine in flit cosim; do
  "$weft" run credits.json --engine $engine --json $engine.json >said 2>&1
  is $? $status "status of $engine: $(<said)"
  is "$(field $engine.json digest)" "$(field model.json digest)" "digest of $engine"
done
finish
