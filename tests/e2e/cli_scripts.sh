#!/usr/bin/env bash
# Every script that documents quote and no other test runs, each in a short form: that it works, not
# what it measures (tests/repo/scripts.sh checks that each is run somewhere). Then the commands of
# scripts/cluster/README.md without Slurm, which e2e.cli_cluster starts.
source "$(dirname "$0")/lib.sh"

weft=$(realpath "$weft")
export WEFT=$weft WEFT_VERILATED_OPT=-O0
scripts=$source_dir/scripts

# The main job, RTL against models.
expect 0 "waves           gtkwave build/run/waves.gtkw" "$scripts/run.sh"
is "$(field "$source_dir/build/run/result.json" verified)" True

# Speed of the engines, here on the smallest crossbars of the same kind.
expect 0 "equal cycles and digest" "$scripts/bench.sh" 1 --set topology.dims=[4,4]

# Registers; tests/repo/registers.sh looks whether they are current. In a copy the addresses that
# were changed by hand are written anew.
mkdir -p copy/{scripts,sim/packet,rtl/bus,sw/include}
for file in scripts/registers.py sim/packet/register_map.hpp rtl/bus/README.md rtl/weft_reg.sv \
  sw/include/weft_register_map.h; do
  cp "$source_dir/$file" "copy/$file"
done
sed -i "s/0x14$/0x18/" copy/sw/include/weft_register_map.h
expect 1 "FAIL: sw/include/weft_register_map.h is not what" copy/scripts/registers.py --check
expect 0 "" copy/scripts/registers.py
expect 0 "" copy/scripts/registers.py --check
expect 1 "usage: scripts/registers.py" "$scripts/registers.py" --short

# Every source for editors; tests/repo/listed.sh looks at the list.
expect 0 "" "$scripts/compile_commands.py" "$(dirname "$weft")"

# A cold build, of one library.
expect 0 "CPU-minutes" "$scripts/build_time.sh" weft_base

# Rows of the table of costs: 13, each with a figure.
"$scripts/bench_table.py" --short "$weft" >table.txt 2>&1 || fail "bench_table.py: $(<table.txt)"
is "$(wc -l <table.txt)" 13 "rows of bench_table.py"
is "$(grep -cE ' [0-9.]+ (instructions a flit hop \((slope|whole run)\)|s, .* GB)$' table.txt)" 10
expect 0 "usage: scripts/bench_table.py" "$scripts/bench_table.py" --short

CYCLES=100 "$scripts/bench_traffic.sh" 0.1 0.4 >traffic.txt 2>&1 ||
  fail "bench_traffic.sh: $(<traffic.txt)"
# Rate, what is accepted of it, flit hops, and two figures that are not 0.
awk 'NR > 1 { rows++; if ($2 <= 0 || $2 > $1 + 0.05 || $3 < 1000 || $4 < 10 || $5 < 1000) exit 1 }
     END { if (rows != 2) exit 1 }' traffic.txt || fail "bench_traffic.sh: $(<traffic.txt)"
WEFT=$weft RUNS=1 CYCLES=100 ENGINES="flit model" "$scripts/bench_engines.sh" "torus 17x17" \
  >engines.txt 2>&1 || fail "bench_engines.sh: $(<engines.txt)"
grep -qE "^torus 17x17 +[0-9,]+ \(1\.0\) +[0-9,]+ \([0-9.]+\)$" engines.txt ||
  fail "bench_engines.sh: $(<engines.txt)"
WEFT=$weft expect 2 "no network 'ring': expected: torus 32x32" "$scripts/bench_engines.sh" ring

if start_mpi; then
  "$scripts/scaling.sh" --short >scaling.txt 2>&1 || fail "scaling.sh: $(<scaling.txt)"
  is "$(grep -cE '^(torus|mdce) +[0-9]+ +[12] +' scaling.txt)" 4 "rows of scaling.sh"
  grep -q '^fitted: an exchange ' scaling.txt || fail "scaling.sh: $(<scaling.txt)"
fi

"$scripts/failed_links.sh" 2 >links.txt 2>&1 || fail "failed_links.sh: $(<links.txt)"
is "$(grep -cE '^(a2a|uniform): 4 runs verified, [0-4] of them on whole networks$' links.txt)" 2 \
  "$(<links.txt)"

# One block and one network, mapped to gates.
expect 0 '| `link/link_stage` | defaults |' "$scripts/area.sh" link_stage

# One block's faults, upsets and unknown values. WEFT_CACHE and bench are those of the build.
build=$(dirname "$weft")
expect 0 '| `link/credit_gate` | FlitW=65 Depth=3 |' \
  "$scripts/grade.sh" --cycles 3000 --json grades.json "$build" credit_gate
is "$(python3 -c 'import json
(one,) = json.load(open("grades.json"))
sum = one["detected"] + one["redundant"] + one["missed"]
print(one["detected"] > 100, sum == one["faults"])')" \
  "True True"
expect 0 '| `link/credit_gate` | FlitW=65 Depth=3 |' \
  "$scripts/grade.sh" --upset --cycles 3000 "$build" credit_gate
expect 0 '| `link/credit_gate` | FlitW=65 Depth=3 |' \
  "$scripts/grade.sh" --x --cycles 3000 "$build" credit_gate@2
expect 2 "usage: scripts/grade.sh" "$scripts/grade.sh" --all
# The same of a network of two nodes.
expect 0 '| pair | ' "$scripts/grade.sh" --network --trials 600 --json upsets.json "$build" pair
is "$(python3 -c 'import json
(one,) = json.load(open("upsets.json"))
outcomes = "masked shifted alarm repaired told stalled counts words".split()
print(one["network"], sum(one[name] for name in outcomes), one["masked"] > 100, one["words"] > 0,
      sum(each["silent"] for each in one["registers"]) == one["silent"])')" \
  "pair 600 True True True"
expect 0 '| pair | ' "$scripts/grade.sh" --network --x "$build" pair
expect 2 "no network of tests/grade/networks.txt: nothing" \
  "$scripts/grade.sh" --network "$build" nothing

expect 0 "0 failures" "$scripts/fuzz.sh" config 1 4713 --count 1
expect 0 "0 failures" "$scripts/fuzz.sh" json 1 1 --count 1

# The studies that e2e.cli_figures and e2e.cli_matrix do not make.
for study in 004 routing; do
  expect 0 "tables, figures build/figures/$study/quick" \
    "$scripts/figures.sh" $study --quick -j 2
done

# The cluster's commands: on two processes in place of many, small files in that of CONFIG and
# SWEEP. What GNU parallel would do is done one after the other; what Slurm starts is left out.
mkdir cluster
cd cluster || exit 1
ln -s "$(dirname "$weft")" build
cat >config.json <<'END2'
{"topology": {"kind": "torus", "dims": [4, 4]}, "seed": 1,
 "workload": {"traffic": "uniform", "rate": 0.1, "warmup": 0, "measure": 500}}
END2
echo '{"base": "config.json", "axes": [{"seed": [1, 2, 3, 4, 5, 6]}]}' >sweep.json
parallel() { xargs -I{} "$@"; }
weft() { "$WEFT" "$@"; }
export JOB_COMPLETION_INDEX=1
ran=0
while IFS= read -r command; do
  [[ $command != *sbatch* ]] || continue
  if [[ $command == mpirun* ]]; then
    [ -n "${mpi:-}" ] || continue
    command="$mpi 2 ${command#mpirun -n * }"
  fi
  command=${command//CONFIG/config.json} command=${command//SWEEP/sweep.json}
  command=${command//100000/100} command=${command//'\|'/|} command=${command//0 19/0 1}
  command=${command//'/20'//2}
  eval "$command" >said 2>&1 </dev/null || fail "status $?: $command: $(<said)"
  ran=$((ran + 1))
  [[ $command != *"-o DIR"* ]] || { ls DIR/results*.jsonl >/dev/null && rm -r DIR; } ||
    fail "no results: $command"
done < <(sed -nE 's/^    (mpirun [^#]*).*/\1/p; s/^\| [^`]*\| `([^`]*)`.*/\1/p' \
  "$scripts/cluster/README.md")
is "$ran" $((${mpi:+3} + 2)) "commands of scripts/cluster/README.md"

finish
