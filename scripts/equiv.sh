#!/usr/bin/env bash
# Each block's RTL against its synthesised netlist (Yosys synth, abc gates): every register and
# every output is proved equal by temporal induction from reset. A netlist of mutated RTL must be
# told apart. `opaque=BLOCK,...` leaves out what is inside these blocks, which are direct
# instances in the compared one and have lines of their own.
set -euo pipefail
if [[ ${1:-} == -h ]]; then
  echo "usage: scripts/equiv.sh [--changed] [BLOCK]...   status 1 on a difference"
  echo "All blocks or these; --changed: all points only of blocks changed since all were equal."
  exit 0
fi
changed=
[[ ${1:-} != --changed ]] || { changed=1; shift; }
source "$(dirname "${BASH_SOURCE[0]}")/rtl_checks.bash"

# Only registers and ports are compared: nets between them may differ where their value does not
# matter. A mutation is told apart by the base case alone.
# `how`: tempinduct or tempinduct-baseonly.
compare() {  # how RTL-folder folder-of-the-netlist's-RTL block NAME=VALUE...
  local how=$1 original=$2 folder=$3 block=$4 choose_top reset=
  shift 4
  # A block without registers has no reset.
  grep -qw rst_ni "$original"/*/"weft_$block.sv" && reset='-set-at 1 rst_ni 0'
  # What goes into an opaque block is an output, what comes out an input.
  choose_top="$(yosys_top "weft_$block" "$@")
    $(opaque 'expose -evert' "$@")"
  yosys -p "read_verilog -sv -I$folder/include $(sources "$folder" "$folder"/*/"weft_$block.sv")
    $choose_top
    synth -flatten
    rename -top gate
    async2sync
    opt_clean
    design -stash gate
    read_verilog -sv -I$original/include $(sources "$original" "$original"/*/"weft_$block.sv")
    $choose_top
    proc
    memory -nomap
    memory_map
    flatten
    rename -top gold
    opt -fast
    select -set state t:*dff* %x1:+[Q] w:* %i i:* o:* %u %u
    rename -hide w:* @state %d
    async2sync
    opt_clean
    design -stash gold
    read_verilog -sv -formal -icells $formal/equal.sv
    proc
    design -stash equal
    design -copy-from gold -as gold gold
    design -copy-from gate -as gate gate
    equiv_make gold gate equiv
    hierarchy -top equiv
    techmap -map %equal
    opt_clean
    sat -$how -prove-asserts -set-assumes $reset -seq 1 -maxsteps 8"
}

equiv_line() {
  local words block original folder log=$tmp/log.$BASHPID start=$EPOCHREALTIME sizes
  read -ra words <<< "$1"
  if [[ ${#words[@]} == 1 ]]; then
    echo "FAILED $1: tests/formal/$1.checks has no line 'equiv'"
    return
  fi
  block=${words[0]#*/}
  original=$(mktemp -d "$tmp/rtl.XXXX")
  copy_rtl "$original" "${words[@]:2}"
  compare tempinduct "$original" "$original" "$block" "${words[@]:2}" > "$log" 2>&1 || true
  if ! grep -q '^Induction step proven: SUCCESS' "$log"; then
    echo "FAILED $1: $(grep -E 'FAIL|ERROR|maximum' "$log" | tail -n 1)"
    return
  fi
  sizes=$(awk '/Number of cells:/ {cells = $4; ff = 0} /^ +\$_[A-Z]*DFF/ {ff += $2}
    END {print cells " cells, " ff " of them registers"}' "$log")
  folder=$(mktemp -d "$tmp/rtl.XXXX")
  cp -r "$original"/. "$folder"
  mutate "${words[0]}" "${words[1]}" "$folder"
  compare tempinduct-baseonly "$original" "$folder" "$block" "${words[@]:2}" > "$log" 2>&1 || true
  if ! grep -q 'model found for base case: FAIL' "$log"; then
    echo "FAILED $1: the netlist of the mutation ${words[1]} is not told apart"
    return
  fi
  printf 'ok     EQUAL %s %s (%s, %.1f s; differs from %s)\n' "${words[0]}" \
    "${words[*]:2}" "$sizes" "$(bc <<< "$EPOCHREALTIME - $start")" "${words[1]}"
}
export -f compare

module_files() {  # group/block
  sources rtl "rtl/$(source_of "$1")"
  echo tests/formal/equal.sv
}

run_recorded equiv check_lines module_files equiv_line "$@"
