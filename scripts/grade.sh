#!/usr/bin/env bash
# Every gate and flop of a block stuck at 0 and at 1: which faults the inputs of the block's own
# bench show, which are proved redundant, which are missed (tests/grade/README.md).
set -euo pipefail
usage() {
  echo "usage: scripts/grade.sh [--upset | --x] [--json FILE] [--cycles N] [--seconds S]"
  echo "                        BUILD_DIR BLOCK[@POINT]... | all"
  echo "       scripts/grade.sh --network [--x] [--json FILE] [--trials N] BUILD_DIR NAME... | all"
  echo "--upset: each flop inverted once; --x: other values in all that has no reset. Prints a"
  echo "table, then the faults missed; with 'all' it replaces that of tests/grade/README.md. FILE"
  echo "gets all of it. N cycles of the bench's point (100000), S seconds of proofs (300) a block."
  echo "--network: N upsets (20440) in whole networks of tests/grade/networks.txt, or --x of these."
}
what=stuck json= cycles=100000 seconds=300 network= trials=20440
while [[ ${1:-} == -* ]]; do
  case $1 in
    --upset | --x) what=${1#--} ;;
    --network) network=1 ;;
    --trials) trials=$2 && shift ;;
    --json) json=$(realpath "$2") && shift ;;
    --cycles) cycles=$2 && shift ;;
    --seconds) seconds=$2 && shift ;;
    -h) usage && exit 0 ;;
    *) usage && exit 2 ;;
  esac
  shift
done
[[ $# -ge 2 ]] || { usage; exit 2; }
build=$(cd "$1" && pwd)
shift
source "$(dirname "${BASH_SOURCE[0]}")/rtl_checks.bash"
[[ -z $network || $what == x ]] || what=upset
export build what cycles seconds trials
mkdir -p "$tmp/found"

# group/block@point: the point of the bench named, that of the line `grade` in its checks, or 1.
grade_line() {
  local block=${1%@*} point=${1#*@} name start=$EPOCHREALTIME
  name=${block#*/}
  # What is verilated runs for seconds; most of the time goes into the gates.
  WEFT_VERILATED_OPT=-O0 "$build/tb/${name}_tb" --first "$point" --cycles "$cycles" \
    --record "$tmp/$name.inputs" || return 1
  "$build/tests/gate_grade" "$tmp/$name.inputs" --what "$what" --seconds "$seconds" \
    --json "$tmp/found/${block/\//+}@$point.json" || return 1
  rm "$tmp/$name.inputs"
  printf 'ok     %s %s (%.1f s)\n' "$what" "$1" "$(bc <<< "$EPOCHREALTIME - $start")"
}

# NAME setting...: a network of tests/grade/networks.txt.
network_line() {
  local start=$EPOCHREALTIME setting sets=()
  for setting in "${@:2}"; do sets+=(--set "$setting"); done
  "$build/tests/gate_network" "$root/tests/grade/network.json" "${sets[@]}" --what "$what" \
    --trials "$trials" --json "$tmp/found/$1.json" < /dev/null || return 1
  printf 'ok     %s %s (%.1f s)\n' "$what" "$1" "$(bc <<< "$EPOCHREALTIME - $start")"
}

if [[ -n $network ]]; then
  while read -r kind name sets; do
    if [[ $kind != '#' && ($* == all && $kind == "$what" || " $* " == *" $name "*) ]]; then
      echo "$name $sets"
    fi
  done < "$root/tests/grade/networks.txt" > "$tmp/jobs"
  status=0
  [[ -s $tmp/jobs ]] || { echo "no network of tests/grade/networks.txt: $*" >&2; exit 2; }
  while read -r -a words; do network_line "${words[@]}" || status=1; done < "$tmp/jobs" >&2
  table=network_$what
else
  named=()
  [[ $* == all ]] || named=("$@")
  for block in $(blocks "${named[@]%@*}"); do
    point=$(sed -n 's/^grade //p' "$formal/$block.checks" 2> "$tmp/missing")
    for word in "${named[@]}"; do
      [[ $word != "${block#*/}@"* ]] || point=${word#*@}
    done
    echo "$block@${point:-1}"
  done > "$tmp/jobs"
  status=0
  run_jobs grade grade_line < "$tmp/jobs" >&2 || status=1
  table=$what
fi
python3 -B "$root/scripts/grade_table.py" "$table" "$tmp/found" ${json:+"$json"} > "$tmp/table"
cat "$tmp/table"
if [[ $* == all && $status == 0 ]]; then
  python3 -B "$root/scripts/grade_table.py" --into "$root/tests/grade/README.md" "$table" \
    "$tmp/table"
fi
exit $status
