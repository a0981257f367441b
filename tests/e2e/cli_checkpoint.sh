#!/usr/bin/env bash
# Checkpoints: a run that is saved in the middle and resumed, on other numbers of threads too, equals
# the whole run in all of its result. What no checkpoint of the run is, is refused.
source "$(dirname "$0")/lib.sh"

# equal A B WHAT: two results but for wall time, max_cycles and the notes of checkpoints.
equal() {
  python3 - "$1" "$2" <<'END' >difference || fail "$3: $(<difference)"
import json, sys
def result(file):
    all = json.load(open(file))
    for key in ("wall_s", "flit_hops_per_s"):
        all.pop(key, None)
    all["config"].pop("max_cycles", None)
    notes = all.get("notes", [])
    all["notes"] = [n for n in notes if not n.startswith(("resumed from", "last checkpoint"))]
    return all
a, b = result(sys.argv[1]), result(sys.argv[2])
for key in sorted(set(a) | set(b)):
    if a.get(key) != b.get(key):
        print(f"{key}: {str(a.get(key))[:300]} and {str(b.get(key))[:300]}")
sys.exit(a != b)
END
}

# whole OPTION...: the run without checkpoints, in whole.json.
whole() {
  $weft run run.json "$@" --json whole.json >said 2>&1
  status=$?
  [ -s whole.json ] || fail "no result of $*: $(<said)"
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
# Packets that move as runs are resumed on the same number of threads.
many() {
  local cycles at to_two=2 to_one=1
  whole "$@"
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

config() {  # TOPOLOGY WORKLOAD [MORE], into run.json
  echo "{\"topology\": $1, \"workload\": $2, \"seed\": 7 ${3:+, $3}}" >run.json
}
torus='{"kind": "torus", "dims": [4, 3]}'
crossbars='{"kind": "hier_crossbar", "dims": [4, 2]}'
allreduce='{"collective": "allreduce_ring", "bytes": 512, "type": "fp32", "op": "sum"}'
uniform='{"traffic": "uniform", "rate": 0.3, "packet_flits": 4, "warmup": 200, "measure": 600}'
transfers='{"transfers": [{"from": 0, "to": 5, "flits": 300, "start": 10},
  {"from": 1, "to": 5, "flits": 200, "start": 300}, {"from": 5, "to": 0, "flits": 100}]}'

for topology in "$torus" "$crossbars"; do
  for workload in "$allreduce" "$uniform" "$transfers"; do
    config "$topology" "$workload"
    many --engine flit
    many --engine model
  done
done
finish
