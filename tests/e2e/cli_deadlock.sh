#!/usr/bin/env bash
# Deadlock: refused before cycle 0, or, where that check is skipped, found and named; and why
# packets and links wait.
source "$(dirname "$0")/lib.sh"

ring="torus_a2at --set router.vcs=1 --set workload.collective=a2a"
expect 2 "weft: --set router.vcs=1: /router/vcs: value 1: expected: router.vcs of at least 2, or" \
  $weft run $ring
expect 2 "; with this 11 channels wait in a cycle: r_0 out 0 -> r_1 in 0 vc 0, waits for r_1 out" \
  $weft run $ring
expect 2 "waits for ... (4 more) ..., r_8 out 0 -> r_9 in 0 vc 0" \
  $weft run $ring --json refused.json --events refused.events.json
[ -e refused.json ] || [ -e refused.events.json ] && fail "a refused run wrote something"

# Classes of VCs: one fewer than the times round the ring need.
for network in '{"kind":"mdce","n":3,"B":1,"C":1}' '{"kind":"mdce","n":3,"B":0,"C":1}'; do
  expect 2 "router.vcs of at least 3, or deadlock_check false; with this" \
    $weft run mdce_uniform --set "topology=$network" --set router.vcs=2
done
expect 2 "router.vcs of at least 4, or deadlock_check false; with this" \
  $weft run mdce_uniform --set 'topology={"kind":"mdce","n":3,"B":2,"C":0}' --set router.vcs=3

# Boards: down to a main, up and down again on one VC.
for network in '{"kind":"board","dims":[2,2,2,2]}' '{"kind":"board","dims":[1,1,1,3],"mains":2}'; do
  expect 2 "router.vcs of at least 2, or deadlock_check false; with this" \
    $weft run board_uniform --set "topology=$network" --set router.vcs=1
done
expect 2 "r_8 in 1 vc 0, waits for r_8 out 3 -> r_3 in 0 vc 0, waits for r_3 out 4" \
  $weft run board_uniform --set router.vcs=1

stuck="$ring --set deadlock_check=false --set watchdog=2000 --set router.vc_depth=4"
expect 3 "deadlock, channels wait in a cycle:" $weft run $stuck
expect 3 "r_10 out 0 -> r_0 in 0 vc 0 (packet 10 -> 12), waits for" $weft run $stuck
expect 3 "no progress: no flit moved" $weft run $stuck --events stuck.json --losses
# The events of a failed run are a complete file, with the packets that still wait.
python3 - <<'END' || fail "the events of a deadlock are not as they must be"
import json
events = [e for e in json.load(open("stuck.json"))["traceEvents"] if e["ph"] == "X"]
last = max(e["ts"] + e["dur"] for e in events)
waiting = {e["name"] for e in events if e["ts"] + e["dur"] == last}
assert "10 -> 12" in waiting and len(waiting) >= 11, waiting
END
expect 0 "channel dependencies not checked (deadlock_check is false)" \
  $weft run torus_a2at --set "topology.dims=[4,4]" --set deadlock_check=false

# Losses: a table, and the same in the result.
small="torus_a2at --set topology.dims=[5,5]"
expect 0 "gap_upstream" $weft run $small --losses
expect 0 "tail stranded" $weft run $small --losses
$weft run $small --json without.json >summary || fail "run"
$weft run $small --losses --events events.json --threads 2 --json with.json >summary || fail "run"
python3 - <<'END' || fail "losses or events are not as they must be"
import json
result, plain = json.load(open("with.json")), json.load(open("without.json"))
assert "losses" not in plain and plain["digest"] == result["digest"]
losses = result["losses"]
assert losses["cycles"] == result["cycles"] and losses["links"] == 100
assert sum(losses["link_cycles"].values()) == losses["links"] * losses["cycles"]
# On a line of the picture one slice follows the other.
end = {}
for e in json.load(open("events.json"))["traceEvents"]:
    if e["ph"] == "X":
        line = e["pid"], e["tid"]
        assert e["dur"] > 0 and e["ts"] >= end.get(line, 0), e
        end[line] = e["ts"] + e["dur"]
        assert e["args"]["cause"] in ("credit", "vc", "hol_blocked", "gap_upstream", "link")
assert end and max(end.values()) <= result["cycles"]
END
[ -z "$(ls -A | grep '\.tmp$')" ] || fail "temporary files are left"

# Traffic has no program.
traffic="torus32_uniform --set topology.dims=[4,4] --set workload.measure=500"
expect 0 "nothing_source" $weft run $traffic --losses
$weft run $traffic --losses | grep -q "nothing_program\|nothing_end" && fail "a program of traffic"

# Refusals.
expect 2 '--losses: value engine "rtl": expected: model, flit, cosim' \
  $weft run $small --losses --engine rtl
expect 2 '--events: value engine "rtl-top": expected: model, flit, cosim' \
  $weft run $small --events e.json --engine rtl-top
expect 2 '--losses: value topology "full_crossbar": expected: a network of routers' \
  $weft run full16 --losses
expect 2 "nowhere/e.json: cannot be written" $weft run $small --events nowhere/e.json
[ -e e.json ] && fail "a refused run wrote events"
finish
