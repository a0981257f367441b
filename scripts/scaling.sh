#!/usr/bin/env bash
# How time and memory of engine `model` grow with nodes and processes: tori of 64 to 2^20 nodes and
# an MDCE of 491,520 nodes under uniform traffic. Strong scaling: one network on more processes;
# weak scaling: the same number of nodes for each process. Also counts what each of up to 64
# processes sends, on any number of processors. Closes with a fitted cost model and what it predicts
# (sim/engine/README.md). Results in build/scaling/. MPIRUN: what starts processes, before -n.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  echo "usage: scripts/scaling.sh [--short] [PROCESSES...]    e.g. scripts/scaling.sh 1 2 4"
  echo "       MPIRUN='srun --mpi=pmix' scripts/scaling.sh 1 32 128"
  echo "--short: 32 and 64 nodes for 20 cycles, which measures nothing, in build/scaling/short."
  echo "WEFT=FILE takes that command in place of build/weft."
  exit 0
fi
short='' weft=${WEFT:-build/weft}
if [[ ${1:-} == --short ]]; then
  short=yes
  shift
fi
(($#)) || set -- 1 2
[[ -x /usr/bin/time ]] || { echo "scaling.sh: package time is missing" >&2; exit 2; }
if ((EUID == 0)); then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
out=build/scaling${short:+/short}
mkdir -p $out
rm -f $out/runs.jsonl $out/sent.jsonl

# measure NAME NODES CYCLES TOPOLOGY PROCESSES [FILE]: one run, and a line in runs.jsonl or FILE.
measure() {
  printf '{"topology": %s, "seed": 1, "max_cycles": %s,
    "workload": {"traffic": "uniform", "rate": 0.02, "warmup": 0, "measure": %s}}' \
    "$4" "$3" "$(($3 + 100))" >$out/run.json
  # The run ends at max_cycles, with status 1.
  rm -f $out/result.json
  # The memory is that of the largest process here.
  # shellcheck disable=SC2086
  /usr/bin/time -o $out/memory.txt -f %M ${MPIRUN:-mpirun --oversubscribe} -n "$5" \
    "$weft" run $out/run.json --json $out/result.json >$out/said.txt 2>$out/error.txt || true
  [[ -e $out/result.json ]] || { cat $out/error.txt >&2; exit 1; }
  python3 - "$1" "$2" "$5" "$(tail -n 1 $out/memory.txt)" $out "${6:-runs.jsonl}" <<'END'
import json
import re
import sys

name, nodes, processes, memory, out, to = sys.argv[1:]
result = json.load(open(out + "/result.json"))
sent = re.search(r"^processes .* (\d+) bytes a cycle", open(out + "/said.txt").read(), re.M)
line = {"network": name, "nodes": int(nodes), "processes": int(processes),
        "cycles": result["cycles"], "seconds": result["wall_s"], "hops": result["flit_hops"],
        "digest": result["digest"], "bytes": int(sent.group(1)) if sent else 0,
        "kilobytes": int(memory)}
print(json.dumps(line), flush=True)
with open(out + "/" + to, "a") as file:
    print(json.dumps(line), file=file)
END
}

if [[ -n $short ]]; then
  for processes in "$@"; do
    measure torus 64 20 '{"kind": "torus", "dims": [8, 8]}' "$processes"
    measure mdce 32 20 '{"kind": "mdce", "n": 2, "B": 1, "C": 1, "P": 1}' "$processes"
  done
  for processes in 2 3; do
    measure torus 64 20 '{"kind": "torus", "dims": [8, 8]}' $processes sent.jsonl
    measure mdce 32 20 '{"kind": "mdce", "n": 2, "B": 1, "C": 1, "P": 1}' $processes sent.jsonl
  done
  python3 scripts/scaling_table.py $out/runs.jsonl $out/sent.jsonl
  exit
fi
for processes in "$@"; do
  for bits in 6 8 10 12 14 16 17 18 20; do
    x=$((1 << (bits + 1) / 2)) y=$((1 << bits / 2)) nodes=$((1 << bits))
    cycles=$((200000000 / nodes))
    ((cycles <= 50000)) || cycles=50000
    measure torus $nodes $cycles "{\"kind\": \"torus\", \"dims\": [$x, $y]}" "$processes"
  done
  measure torus $((1 << 19)) 500 '{"kind": "torus", "dims": [1024, 512]}' "$processes"
  measure mdce 491520 500 '{"kind": "mdce", "n": 15, "B": 1, "C": 0, "P": 1}' "$processes"
done
# What a process sends when there are many.
for processes in 2 16 64; do
  measure torus $((1 << 15)) 600 '{"kind": "torus", "dims": [256, 128]}' $processes sent.jsonl
  measure mdce 10240 600 '{"kind": "mdce", "n": 10, "B": 1, "C": 0, "P": 1}' $processes sent.jsonl
done
python3 scripts/scaling_table.py $out/runs.jsonl $out/sent.jsonl
