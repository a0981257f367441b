#!/usr/bin/env bash
# The figures of a seed, from simulation to picture: builds, runs the sweep of the seed, and writes
# CSV, SVG and PNG of each figure and a table.
# scripts/figures/README.md says what each figure is.
set -euo pipefail
cd "$(dirname "$0")/.."
usage='usage: scripts/figures.sh SEED [--quick] [--keep] [-j N]
  SEED     000, 001, 003 or 004; or collectives: every allreduce beside every other;
           or routing: routing algorithms; or matrix: every collective on every kind of network
  --quick  small networks only; results in build/figures/SEED/quick
  --cosim  matrix on the small networks, models against RTL; results in build/figures/matrix/cosim
  --keep   go on with older results; else those of another build or sweep are made anew
  -j N     runs at the same time (default: one for each core)
Results in build/figures/SEED. WEFT=FILE takes that command and builds nothing.'

stop() {
  echo "scripts/figures.sh: $*" >&2
  echo "$usage" >&2
  exit 2
}

seed='' quick='' cosim='' keep='' jobs=()
while (($#)); do
  case $1 in
    -h | --help)
      echo "$usage"
      exit 0
      ;;
    --quick) quick=yes ;;
    --cosim) cosim=yes ;;
    --keep) keep=yes ;;
    -j)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || stop "-j: value \"${2:-}\": expected: a number of runs"
      jobs=(-j "$2")
      shift
      ;;
    -*) stop "unknown option $1" ;;
    *)
      [[ -z $seed ]] || stop "one seed at a time"
      seed=$1
      ;;
  esac
  shift
done
here=scripts/figures
[[ -n $seed ]] || stop "no seed"
[[ $seed =~ ^([0-9]+|collectives|routing|matrix)$ && -f $here/$seed/full.json ]] ||
  stop "seed \"$seed\": expected: 000, 001, 003, 004, collectives, routing, matrix"

[[ -z $cosim || $seed == matrix && -z $quick ]] ||
  stop "--cosim: expected: with matrix, without --quick"

source scripts/packages.sh
if [[ -n ${WEFT:-} ]]; then
  weft=$WEFT
else
  weft_packages "${WEFT_RUN_PACKAGES[@]}" libjs-d3 python3-matplotlib
  weft_build weft
  weft=build/weft
fi
# Debian's own python3: another one, without its packages, may be first in PATH.
python=/usr/bin/python3
"$python" -c 'import matplotlib' 2>/dev/null ||
  { echo "matplotlib is missing: package python3-matplotlib" >&2 && exit 2; }

out=build/figures/$seed${quick:+/quick}${cosim:+/cosim}
figures() {
  PYTHONPATH=$here "$python" -B -m weft_figures "$seed" "$out" --weft "$weft" ${quick:+--quick}
}
# The matrix is no sweep: in most lines some networks are refused, and the table says why.
if [[ $seed == matrix ]]; then
  if [[ -n $cosim ]]; then
    # Blocks run for some thousand cycles only: most of the time is their compiler's.
    quick=yes
    export WEFT_VERILATED_OPT=${WEFT_VERILATED_OPT:--O0}
  fi
  figures && echo && echo "tables, figures $out"
  exit
fi
sweep=$here/$seed/$([[ -n $quick ]] && echo quick || echo full).json
mkdir -p "$out/sweep"
# A changed sweep has other points; the sweep itself notices another build of weft.
base=$(sed -n 's/^ *"base": "\([^"]*\)".*/\1/p' "$sweep")
made_by=$(cat "$sweep" "sim/cli/configs/$base.json" | cksum)
if [[ -z $keep && -e $out/sweep/made_by && $(<"$out/sweep/made_by") != "$made_by" ]]; then
  echo "the sweep has changed: all runs are made again (--keep keeps them)" >&2
  rm -f "$out/sweep/results.jsonl"
fi
echo "$made_by" >"$out/sweep/made_by"
# The sweep writes it at its end.
rm -f "$out/sweep/results.csv"
status=0
"$weft" sweep "$sweep" -o "$out/sweep" ${keep:+--keep-builds} ${jobs[@]+"${jobs[@]}"} || status=$?
[[ -e $out/sweep/results.csv ]] || exit "$status"
figures
echo
echo "tables, figures $out"
exit "$status"
