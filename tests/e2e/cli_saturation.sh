#!/usr/bin/env bash
# weft run --saturation: the rate, its interval and the runs, as text and as JSON.
source "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

# Seven of eight nodes and the hot one itself send to one interface: it is busy at 1/8.
echo '{"topology": {"kind": "torus", "dims": [4, 2]}, "workload": {"traffic": "hotspot", "share": 1,
       "node": 5, "warmup": 5000, "measure": 5000}}' >hot.json
$weft run hot.json --saturation 0.005 --json first.json >first.txt || fail "the search"
$weft run hot.json --saturation 0.005 --json second.json >second.txt || fail "a second"
grep -q "^saturation      0.12" first.txt || fail "no rate in: $(cat first.txt)"
grep -q "^rate 1 .*: not sustained$" first.txt || fail "no runs in: $(cat first.txt)"
diff first.json second.json || fail "two searches of one seed differ"
python3 - <<'END' || fail "the result of a search"
import json
found = json.load(open("first.json"))
low, high = found["interval"]
assert 0 < high - low <= 0.005 and found["saturation_rate"] == (low + high) / 2, found["interval"]
assert low < 0.125 * 1.03 and high > 0.125 * 0.97, (low, high)
assert found["config"]["workload"]["node"] == 5 and found["engine"] == "model"
rates = [run["rate"] for run in found["runs"]]
assert len(set(rates)) == len(rates) and rates[0] == 1
assert max(run["rate"] for run in found["runs"] if run["sustained"]) == low
assert min(run["rate"] for run in found["runs"] if not run["sustained"]) == high
for run in found["runs"]:
    assert abs(run["offered_rate"] - run["accepted_rate"] - run["shortfall"]) < 1e-9, run
    assert run["seeds"] >= 5 and run["shortfall_ci95"] > 0, run
    # No more than the interface takes, whatever is offered.
    assert run["accepted_rate"] <= 0.126, run
    if run["rate"] <= low:
        assert run["latency"] > 4, run
END
# Without a width, to 0.01.
$weft run hot.json --json coarse.json --saturation >coarse.txt || fail "without a width"
python3 -c 'import json; low, high = json.load(open("coarse.json"))["interval"]
assert 0.005 < high - low <= 0.01, (low, high)' || fail "the width by default"
# Progress only where it is asked for, and cleared.
$weft run hot.json --saturation 0.1 --progress 2>progress.txt >coarse.txt || fail "with progress"
grep -q "rate 1  run 5" progress.txt || fail "no progress: $(cat -v progress.txt)"
$weft run hot.json --saturation 0.1 2>quiet.txt >coarse.txt || fail "without progress"
[ -s coarse.txt ] && [ ! -s quiet.txt ] || fail "progress that nobody asked for"

expect 2 "/workload/traffic: value \"mesh_emulation\": expected: with --saturation a" \
  $weft run hot.json --saturation --set 'workload={"traffic":"mesh_emulation"}'
expect 2 "--saturation: value with" $weft run xbar16 --saturation
expect 2 "/max_cycles: value 10: expected: 0 with --saturation" \
  $weft run hot.json --saturation --set max_cycles=10
expect 2 "expected: a wider interval, or a longer workload.measure: at rate" \
  $weft run hot.json --saturation 0.0001 --set workload.measure=100
expect 2 "--saturation" $weft run hot.json --saturation --trace waves.fst
expect 2 "not in range" $weft run hot.json --saturation 0
expect 2 "hot.json: expected: a file that this command does not read" \
  $weft run hot.json --saturation --json hot.json

finish
