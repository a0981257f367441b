#!/usr/bin/env bash
# Checkpoints: a run that is saved in the middle and resumed, on other numbers of threads too,
# equals the whole run in all of its result. What no checkpoint of the run is, is refused.
source "$(dirname "$0")/lib.sh"
source "$source_dir/tests/e2e/checkpoint_lib.sh"

# equal A B WHAT: two results but for wall time, max_cycles and the notes of checkpoints.
equal() {
  is "$(differences "$1" "$2" config/max_cycles stepped "notes/resumed from" \
    "notes/last checkpoint")" "" \
    "$3"
}

# resumes THREADS THREADS CYCLE OPTION...: stopped before a cycle on so many threads and resumed on
# so many others, the run is the whole one.
resumes() {
  local before=$1 after=$2 cycle=$3 got
  shift 3
  $weft run run.json "$@" --threads "$before" --set max_cycles="$cycle" --checkpoint run.ckpt \
    --every 1000000 >said 2>&1
  grep -q "last checkpoint: .*run.ckpt, cycle $cycle" said ||
    fail "no checkpoint in cycle $cycle of $*: $(<said)"
  $weft run run.json "$@" --threads "$after" --resume run.ckpt --json now.json >said 2>&1
  got=$?
  is "$got" "$status" "status of $* from cycle $cycle: $(<said)"
  grep -q "resumed from run.ckpt, cycle $cycle" said || fail "not resumed: $(<said)"
  equal whole.json now.json "$* from cycle $cycle, threads $before and $after"
}

# many OPTION...: the same at some cycles, and with checkpoints on the way, which change nothing.
# Packets that move as spans are resumed on the same number of threads.
many() {
  local cycles at to_two=2 to_one=1
  whole_run "$@"
  cycles=$(field whole.json cycles)
  if [[ $* == *"--engine model"* && $(field whole.json stepped) == "" ]]; then to_two=1 to_one=2; fi
  for at in "1 1 1" "1 $to_two $((cycles / 4))" "2 $to_one $((cycles / 2))" \
    "2 2 $((cycles * 3 / 4))" "1 1 $((cycles - 1))"; do
    # shellcheck disable=SC2086
    resumes $at "$@"
  done
  rm -f run.ckpt
  $weft run run.json "$@" --threads 2 --checkpoint run.ckpt --every $((cycles / 3)) \
    --json now.json >said 2>&1
  is "$?" "$status" "status with checkpoints of $*"
  equal whole.json now.json "$* with checkpoints"
  $weft run run.json "$@" --threads 2 --resume run.ckpt --json now.json >said 2>&1
  equal whole.json now.json "$* from the last checkpoint"
}

allreduce='{"collective": "allreduce_ring", "bytes": 256, "type": "fp32", "op": "sum"}'

for topology in "$torus" "$crossbars"; do
  for workload in "$allreduce" "$uniform" "$transfers"; do
    config "$topology" "$workload"
    many --engine flit
    many --engine model
  done
done

# Barrier units and software barriers, combine units, a start over the network, registers in links.
config "$torus" '{"collective": "a2a", "message_flits": 6, "sync": "barrier"}' \
  '"barrier": "hardware", "start": "network"'
many --engine flit
many --engine model
many --engine model --set barrier=software
config "$crossbars" '{"collective": "allreduce_tree", "bytes": 512, "type": "int64", "op": "sum"}' \
  '"combining": "tree"'
many --engine flit
many --engine model
config "$torus" "$uniform" '"link": {"stages": 4}'
many --engine flit
many --engine model

# States that are no others: an interface offers the next packet before the one in front has left.
config '{"kind": "torus", "dims": [3]}' "$uniform"
whole_run --engine model
resumes 3 3 253 --engine model
for at in 101 102 103 104; do
  resumes 1 1 "$at" --engine model
done

# Errors on wires that links repair; threads are free, since every flit is stepped.
config "$torus" "$uniform" '"link": {"protection": "retry"},
  "faults": [{"link": "all", "field": "any", "rate": 0.0005}]'
many --engine model
config "$crossbars" "$transfers" '"link": {"protection": "retry", "stages": 2},
  "faults": [{"link": "all", "field": "any", "rate": 0.0005}]'
many --engine flit

# Links that die, one early and one late: before, between and behind both, the ways around them are
# those of the whole run.
config "$torus" "$allreduce" '"link": {"protection": "retry"},
  "nic": {"reliable": true, "timeout": 2000}, "watchdog": 20000,
  "faults": [{"link": "r_0 out 0", "cycle": 60, "field": "any", "rate": 1},
             {"link": "r_4 out 0", "cycle": 3000, "field": "any", "rate": 1}]'
many --engine flit
is "$(field whole.json /resends/dead)" "r_0 out 0 -> r_1 in 0; r_4 out 0 -> r_5 in 0" "dead links"
begin=$($weft run run.json --engine flit --json - --detail | python3 -c '
import json, sys
print(json.load(sys.stdin)["resends"]["restarts"])')
[ "$begin" -ge 2 ] || fail "$begin restarts"
# Every cycle around a restart.
for ((at = 60; at < 420; at += 23)); do
  resumes 1 2 "$at" --engine flit
done

# The digests of regions.
config '{"kind": "torus", "dims": [4, 4]}' "$uniform" '"partition": [1, 0], "router": {"vcs": 4}'
whole_run --engine model
resumes 1 1 200 --engine model
whole_run --engine flit
resumes 1 2 300 --engine flit

# Killed in the middle, a run goes on from its last checkpoint.
config '{"kind": "torus", "dims": [8, 8]}' \
  '{"traffic": "uniform", "rate": 0.3, "packet_flits": 4, "warmup": 100, "measure": 20000}'
whole_run --engine flit
rm -f run.ckpt
$weft run run.json --engine flit --checkpoint run.ckpt --every 500 --json now.json >said 2>&1 &
until_there run.ckpt
kill -KILL $!
wait $! 2>said
[ "$(find . -name '*.ckpt' | wc -l)" = 1 ] || fail "checkpoints: $(ls -a)"
$weft run run.json --engine flit --threads 2 --resume run.ckpt --json now.json >said 2>&1 ||
  fail "not resumed: $(<said)"
equal whole.json now.json "killed"
$weft run run.json --engine flit --resume run.ckpt --checkpoint run.ckpt --every 5000 >said 2>&1
grep -q "last checkpoint: .*run.ckpt, cycle 20000" said || fail "from and to one file: $(<said)"

# What cannot be.
config "$torus" "$uniform"
$weft run run.json --engine flit --checkpoint run.ckpt --every 100 >said 2>&1 || fail "$(<said)"
run="$weft run run.json --engine flit"
expect 2 "--every: value without --checkpoint: expected: --checkpoint FILE --every CYCLES" \
  $run --every 5
expect 2 "--checkpoint: value processor \"native\": expected: \"rv32\"" \
  $weft run xbar16 --set processor=native --checkpoint other.ckpt --every 5
expect 2 "--checkpoint: value with --trace: expected: a run that is not observed" \
  $run --checkpoint other.ckpt --every 5 --trace w.fst
for option in --losses "--events e.json"; do
  expect 2 "--resume: value with ${option%% *}: expected: a run that is not observed" \
    $run --resume run.ckpt $option
done
expect 2 "--checkpoint: value engine \"rtl\": expected: model, flit" \
  $weft run run.json --engine rtl --checkpoint other.ckpt --every 5
expect 2 "none.ckpt: cannot be read: No such file" $run --resume none.ckpt
expect 2 "run.json: it is no checkpoint: expected: a file of weft run --checkpoint" \
  $run --resume run.json
expect 2 "a checkpoint of engine \"flit\": expected: \"model\"" $weft run run.json --resume run.ckpt
expect 2 "a checkpoint of another configuration: /router/vcs was 2: expected: 4" \
  $run --resume run.ckpt --set router.vcs=4
head -c 3000 run.ckpt >cut.ckpt
expect 2 "cut.ckpt: a damaged file: it is cut off" $run --resume cut.ckpt
expect 2 "none/run.ckpt: cannot be written: No such file" \
  $run --checkpoint none/run.ckpt --every 100
expect 2 "run.json: expected: a file that this command does not read" \
  $run --checkpoint run.json --every 100
[ "$(id -u)" = 0 ] || {
  mkdir closed && chmod a-w closed
  expect 2 "closed/run.ckpt: cannot be written" $run --checkpoint closed/run.ckpt --every 100
}
expect 2 "full: cannot be written" bash -c "ulimit -f 1; exec $run --checkpoint full --every 100"

# Waves of a resumed run are those of the whole one from its cycle on, in models and in hardware.
config "$torus" "$uniform"
$weft run run.json --engine flit --trace whole.fst >said 2>&1 || fail "waves: $(<said)"
$weft run run.json --engine flit --set max_cycles=300 --checkpoint run.ckpt --every 1000000 \
  >said 2>&1
for engine in flit rtl; do
  $weft run run.json --engine $engine --resume run.ckpt --trace resumed.fst >said 2>&1 ||
    fail "waves of a resumed run: $(<said)"
  for waves in whole resumed; do fst2vcd $waves.fst >$waves.vcd; done
  is "$(python3 - <<'END'
def steps(file):
    """By time: the values of signals that are given then."""
    names, scope, now, all_steps = {}, [], None, {}
    for line in open(file):
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scope.append(words[2])
        elif words[0] == "$upscope":
            scope.pop()
        elif words[0] == "$var":
            names.setdefault(words[3], []).append(".".join(scope + [words[4]]))
        elif words[0][0] == "#":
            now = int(words[0][1:])
        elif words[0][0] in "01xzbrs" and now is not None:
            long = len(words) == 2
            value, code = (words[0][1:], words[1]) if long else (words[0][0], words[0][1:])
            for name in names[code]:
                all_steps.setdefault(now, {})[name] = value
    return all_steps


whole, resumed = steps("whole.vcd"), steps("resumed.vcd")
begin = min(resumed)
of_whole, of_resumed, compared, differ = {}, {}, 0, 0
for now in sorted(whole.keys() | resumed.keys()):
    changed = {**whole.get(now, {}), **resumed.get(now, {})}
    of_whole.update(whole.get(now, {}))
    of_resumed.update(resumed.get(now, {}))
    for name in of_resumed if now == begin else changed:
        # A packet that is under way when waves begin is shown as if it began there.
        field = name.split(".")[-1]
        if now < begin or field in ("dst", "src", "len", "tag", "flit"):
            continue
        # A link shows no VC before its first flit.
        if field == "vc" and name not in of_resumed:
            continue
        compared += 1
        differ += of_whole[name] != of_resumed.get(name)
print(begin > 0, max(whole) == max(resumed), differ, compared > 1000)
END
)" "True True 0 True" "waves from cycle 300 on, $engine"
done

# Without --every the state is saved where the run is stopped, and only there. What was before the
# checkpoint is no part of the speed.
config "$torus" "$uniform"
for engine in model flit; do
  whole_run --engine $engine
  rm -f end.ckpt
  $weft run run.json --engine $engine --checkpoint end.ckpt >said 2>&1 || fail "$(<said)"
  [ ! -e end.ckpt ] || fail "a checkpoint of a run to its end"
  expect 1 "last checkpoint: $PWD/end.ckpt, cycle 200" $weft run run.json --engine $engine \
    --set max_cycles=200 --checkpoint end.ckpt --json before.json
  expect 0 "resumed from end.ckpt, cycle 200" $weft run run.json --engine $engine \
    --resume end.ckpt --json now.json
  equal whole.json now.json "saved where it was stopped, $engine"
  python3 - <<'END' || fail "the speed of a resumed run, $engine"
import json
before, now = json.load(open("before.json")), json.load(open("now.json"))
hops = now["flit_hops_per_s"] * now["wall_s"]
whole = now["flit_hops"] - before["flit_hops"]
# Flits that are under way may be counted on either side.
assert abs(hops - whole) < 0.1 * before["flit_hops"], (hops, whole)
END
  expect 2 "--set max_cycles=199: /max_cycles: value 199: expected: 0, or at least 200, the cycle \
of the checkpoint end.ckpt" $weft run run.json --engine $engine --resume end.ckpt \
    --set max_cycles=199
done

# A trace that has changed in the meantime.
printf '%s\n' 5,0,1,3 90,2,1,4 >trace.csv
config "$torus" '{"traffic": "trace", "file": "trace.csv"}'
$weft run run.json --checkpoint run.ckpt --every 60 >said 2>&1 || fail "$(<said)"
echo 200,3,1,4 >>trace.csv
expect 2 "a checkpoint of another content of trace.csv: expected: the same file" \
  $weft run run.json --resume run.ckpt
finish
