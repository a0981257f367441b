#!/usr/bin/env bash
# Lint of every block: Verilator -Wall, Yosys and Icarus each read it at each of its parameter
# points, and each refuse it where one of its parameter checks (WEFT_PARAM) must stop them.
set -euo pipefail
if [[ ${1:-} == -h ]]; then
  echo "usage: scripts/lint.sh [BLOCK]...   lint all blocks, or these; status 1 on any finding"
  exit 0
fi
source "$(dirname "${BASH_SOURCE[0]}")/rtl_checks.bash"

# Icarus 11 knows `parameter int` but not `parameter int unsigned`; it reads a copy.
mkdir "$tmp/icarus"
cp -r "$rtl"/. "$tmp/icarus"
find "$tmp/icarus" -name '*.sv' \
  -exec sed -i -E 's/\b((local)?param(eter)?) int unsigned\b/\1 bit [31:0]/' {} +

with_verilator() {
  # shellcheck disable=SC2046
  verilator --lint-only -Wall -DWEFT_CHECKED -I"$rtl/include" --top-module "$block" \
    $(params -G = "$@") "$rtl/lint/waivers.vlt" $(sources "$rtl" "$rtl"/*/"$block.sv")
}
with_yosys() {
  yosys -q -p "read_verilog -sv -I$rtl/include $(sources "$rtl" "$rtl"/*/"$block.sv")
    $(yosys_top "$block" "$@")
    proc; check -assert"
}
with_icarus() {
  # shellcheck disable=SC2046
  iverilog -g2012 -Wall -Wno-timescale -I"$tmp/icarus/include" -s "$block" \
    $(params "-P$block." = "$@") -o "$tmp/icarus.$BASHPID" \
    $(sources "$tmp/icarus" "$tmp"/icarus/*/"$block.sv")
}

lint_point() {
  local words tool output status
  read -ra words <<< "$1"
  block=weft_$(basename "${words[0]}")
  if [[ ${words[1]:-} == refuse ]]; then
    refused "$1" "${words[@]:2}"
    return
  fi
  for tool in verilator yosys icarus; do
    status=0
    output=$("with_$tool" "${words[@]:1}" 2>&1) || status=$?
    if [[ $status == 0 && -z $output ]]; then
      echo "ok     $tool $1"
    else
      echo "FAILED $tool $1"$'\n'"$output"
    fi
  done
}
# All tools refuse it, at least one of them for the check; Yosys tells which check. (Some parameters
# out of range stop a tool before it reaches the checks.)
refused() {  # line label NAME=VALUE...
  local line=$1 label=$2 tool output named=0
  shift 2
  for tool in verilator yosys icarus; do
    if output=$("with_$tool" "$@" 2>&1); then
      echo "FAILED $tool $line: accepted"
      return
    fi
    [[ $output == *weft_parameter_out_of_range* ]] || continue
    named=1
    if [[ $tool == yosys && $output != *"\\$label.u_stop"* ]]; then
      echo "FAILED $tool $line: refused, but not by $label"$'\n'"$output"
      return
    fi
  done
  [[ $named == 1 ]] && echo "ok     $line" || echo "FAILED $line: refused, but by no check"
}
export -f with_verilator with_yosys with_icarus refused

for block in $(blocks "$@"); do
  { echo "$block"; check_lines lint "$block"; } | sort -u
  for label in $(sed -n 's/^ *`WEFT_PARAM(\(\w*\),.*/\1/p' "$rtl/$(source_of "$block")"); do
    # A check without a line gets one without parameters, which is accepted and so fails.
    sed -n "s|^refuse $label |$block refuse $label |p" "$formal/$block.checks" | grep . ||
      echo "$block refuse $label"
  done
done | run_jobs lint lint_point
