#!/usr/bin/env bash
# Lint of every block: Verilator -Wall, Yosys and Icarus each read it at each of its parameter
# points.
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
    $(params -G = "$@") "$rtl/lint/waivers.vlt" "$rtl/weft_pkg.sv" "$rtl"/*/*.sv
}
with_yosys() {
  yosys -q -p "read_verilog -sv -I$rtl/include $rtl/weft_pkg.sv $rtl/*/*.sv
    $(yosys_top "$block" "$@")
    proc; check -assert"
}
with_icarus() {
  # shellcheck disable=SC2046
  iverilog -g2012 -Wall -Wno-timescale -I"$tmp/icarus/include" -s "$block" \
    $(params "-P$block." = "$@") -o "$tmp/icarus.$BASHPID" \
    "$tmp/icarus/weft_pkg.sv" "$tmp"/icarus/*/*.sv
}

lint_point() {
  local words tool output status
  read -ra words <<< "$1"
  block=$(basename "${words[0]}")
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
export -f with_verilator with_yosys with_icarus

for block in $(blocks "$@"); do
  { echo "$block"; check_lines lint "$block"; } | sort -u
done | run_jobs lint lint_point
