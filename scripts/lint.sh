#!/usr/bin/env bash
# Lint of every block: Verilator -Wall, Yosys and Icarus each read it at each of its parameter
# points, and each refuse it if one of its parameter checks (WEFT_PARAM) must stop them. Deep
# buffers are memories that a compiler maps to SRAMs.
set -euo pipefail
if [[ ${1:-} == -h ]]; then
  echo "usage: scripts/lint.sh [--changed] [BLOCK]...   status 1 on any finding"
  echo "All blocks or these; --changed: all points only of blocks changed since all passed."
  exit 0
fi
changed=
[[ ${1:-} != --changed ]] || { changed=1; shift; }
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

# The memories of 16 words or more that Yosys finds in a block must be these: each with one write
# port and one synchronous read port, without reset or bypass, as an SRAM has them.
memories() {  # line WIDTHxWORDS,... NAME=VALUE...
  local line=$1 expected=$2 log=$tmp/memories.$BASHPID found
  shift 2
  [[ $expected != none ]] || expected=
  if ! yosys -p "read_verilog -sv -I$rtl/include $(sources "$rtl" "$rtl"/*/"$block.sv")
      $(yosys_top "$block" "$@")
      proc; flatten; opt -full; memory -nomap
      dump -o $log.cells t:\$mem_v2" > "$log" 2>&1; then
    echo "FAILED memories $line: $(grep ERROR "$log" | tail -n 1)"
    return
  fi
  found=$(awk '/^ *cell / {reset = ""}
    $1 == "parameter" {value[substr($2, 2)] = $3}
    $1 == "connect" && $2 ~ /RD_[AS]RST$/ && $3 != "1'\''0" {reset = " with reset"}
    $1 == "end" && value["SIZE"] >= 16 {
      print value["WIDTH"] "x" value["SIZE"] \
        (value["RD_PORTS"] value["WR_PORTS"] == "11" ? "" : " with more ports") \
        (value["RD_CLK_ENABLE"] == "1'\''1" ? "" : " not synchronous") \
        (value["RD_TRANSPARENCY_MASK"] == "1'\''0" ? "" : " with bypass") reset
    }' "$log.cells" | sort | paste -s -d ,)
  [[ $found == "$expected" ]] && echo "ok     memories $line" ||
    echo "FAILED memories $line: found: ${found:-none}"
}

lint_point() {
  local words tool output status
  read -ra words <<< "$1"
  block=weft_$(basename "${words[0]}")
  if [[ ${words[1]:-} == refuse ]]; then
    refused "$1" "${words[@]:2}"
    return
  fi
  if [[ ${words[1]:-} == memory ]]; then
    memories "$1" "${words[@]:2}"
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
export -f with_verilator with_yosys with_icarus refused memories

lint_lines() {  # lint group/block
  local label
  { echo "$2"; check_lines lint "$2"; } | sort -u
  sed -n "s|^memory |$2 memory |p" "$formal/$2.checks"
  for label in $(sed -n 's/^ *`WEFT_PARAM(\(\w*\),.*/\1/p' "$rtl/$(source_of "$2")"); do
    # A check without a line gets one without parameters, which is accepted and so fails.
    sed -n "s|^refuse $label |$2 refuse $label |p" "$formal/$2.checks" | grep . ||
      echo "$2 refuse $label"
  done
}
lint_files() {  # group/block
  echo "$(sources rtl "rtl/$(source_of "$1")") rtl/lint/waivers.vlt"
}

run_recorded lint lint_lines lint_files lint_point "$@"
