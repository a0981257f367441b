#!/usr/bin/env bash
# Proofs by temporal induction (Yosys sat) of the properties in the RTL and in tests/formal; each
# proof must also fail, with a trace from reset, under mutations of the RTL named for it.
set -euo pipefail
if [[ ${1:-} == -h ]]; then
  echo "usage: scripts/prove.sh [--changed] [BLOCK]...   status 1 if a proof fails"
  echo "All blocks or these; --changed: all proofs only of blocks changed since all passed."
  exit 0
fi
changed=
[[ ${1:-} != --changed ]] || { changed=1; shift; }
source "$(dirname "${BASH_SOURCE[0]}")/rtl_checks.bash"

# Makes the proof's circuit: all flat, memories as registers, asynchronous reset as a multiplexer.
# An assumption of a block inside the proved one becomes an assertion.
# `without=BLOCK,...` leaves out these inner blocks' own assertions, which their own proofs cover
# with more invariants; `opaque=BLOCK,...` leaves out the blocks themselves: their outputs are free.
circuit() {  # rtl-folder group/block top NAME=VALUE...
  local folder=$1 block=weft_${2#*/} top=$3 word inner
  [[ weft_$top != "$block" ]] || top=$block
  shift 3
  local more=
  [[ $top == "$block" ]] || more=$proof
  more="$(sources "$folder" "$folder"/*/"$block.sv" $more) $more"
  echo "read_verilog -sv -formal -DWEFT_FORMAL -I$folder/include $more"
  echo "$(yosys_top "$top" "$@")
    proc
    memory -nomap
    memory_map
    select -set outer A:top *\\$block *\\$block\\*
    chformal -assume -assume2assert * @outer %d"
  opaque delete "$@"
  for word in "$@"; do
    [[ $word == without=* ]] || continue
    inner=${word#without=}
    for inner in ${inner//,/ }; do
      echo "chformal -assert -remove *\\weft_$inner *\\weft_$inner\\*"
    done
  done
  echo "flatten
    opt -fast
    async2sync
    opt_clean"
}

# Reset in the first step, then anything. A mutation needs the base case alone.
prove() {  # tempinduct|tempinduct-baseonly circuit's-arguments
  local how=$1
  shift
  yosys -p "$(circuit "$@")
    sat -$how -prove-asserts -set-assumes -set-at 1 rst_ni 0 -seq 1 -maxsteps 16" 2>&1 || true
}

prove_line() {
  local words block top proof log=$tmp/log.$BASHPID mutant folder start=$EPOCHREALTIME depth
  read -ra words <<< "$1"
  if [[ ${#words[@]} == 1 ]]; then
    echo "FAILED $1: tests/formal/$1.checks has no line 'prove'"
    return
  fi
  block=${words[0]} top=${words[1]}
  proof=$formal/${block%/*}/$top.sv
  folder=$(mktemp -d "$tmp/rtl.XXXX")
  copy_rtl "$folder" "${words[@]:3}"
  prove tempinduct "$folder" "$block" "$top" "${words[@]:3}" > "$log"
  if ! grep -q '^Induction step proven: SUCCESS' "$log"; then
    echo "FAILED $block $top ${words[*]:3}: $(grep -E 'FAIL|ERROR|Reached' "$log" | tail -n 1)"
    return
  fi
  depth=$(grep -c '^\*\* Trying induction' "$log")
  for mutant in ${words[2]//,/ }; do
    folder=$(mktemp -d "$tmp/rtl.XXXX")
    copy_rtl "$folder" "${words[@]:3}"
    mutate "$block" "$mutant" "$folder"
    prove tempinduct-baseonly "$folder" "$block" "$top" "${words[@]:3}" > "$log"
    if ! grep -q 'model found for base case: FAIL' "$log"; then
      echo "FAILED $block $top ${words[*]:3}: no trace from reset shows the mutation $mutant"
      return
    fi
  done
  printf 'ok     PROVED %s %s %s (depth %d, %.1f s; fails with %s)\n' \
    "$block" "$top" "${words[*]:3}" "$depth" "$(bc <<< "$EPOCHREALTIME - $start")" "${words[2]}"
}
export -f circuit prove

# The block's modules, and the modules around it with what they name.
proof_files() {  # group/block
  local top around=()
  for top in $(check_lines prove "$1" | cut -d' ' -f2 | sort -u); do
    [[ ! -f $formal/${1%/*}/$top.sv ]] || around+=("tests/formal/${1%/*}/$top.sv")
  done
  sources rtl "rtl/$(source_of "$1")" "${around[@]}"
}

run_recorded prove check_lines proof_files prove_line "$@"
