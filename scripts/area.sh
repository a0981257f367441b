#!/usr/bin/env bash
# Area, flops and logic depth of blocks, mapped to the standard cells of Debian's qflow-tech-osu018
# (Yosys synth, abc): one line for each parameter point. rtl/AREA.md says what the figures mean.
# Points of a block are the lines `area` in its tests/formal/*.checks, else its defaults; points of
# a configuration are the distinct blocks that `weft emit` instantiates.
set -euo pipefail
usage='usage: scripts/area.sh [BLOCK|CONFIG]...
  BLOCK   a name of `weft list blocks`; CONFIG a name of `weft list configs`; default: all of both,
          and their tables replace those in rtl/AREA.md
Prints the tables; build/area/ has them as area.csv and area.json. WEFT=FILE takes that command and
builds nothing. Status 1 where a point could not be mapped.'
for argument in "$@"; do
  [[ $argument != -* ]] && continue
  echo "$usage"
  [[ $argument == -h || $argument == --help ]] && exit 0 || exit 2
done
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$scripts/rtl_checks.bash"
source "$scripts/packages.sh"
cd "$root"
liberty=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
nand_area=24  # area of the library's NAND2X1
export liberty nand_area
if [[ ! -f $liberty ]] || ! command -v yosys >/dev/null; then
  weft_packages bc qflow-tech-osu018 yosys
fi
grep -A1 'cell (NAND2X1)' "$liberty" | grep -q "area : $nand_area;" ||
  { echo "$liberty: the area of NAND2X1 is not $nand_area" >&2 && exit 2; }

# Prepared for mapping: flops in the library's kinds, with multiplexers for their enables. abc maps
# all between flops (depth first, then area where there is slack), counts the levels, and inserts
# buffers and sizes for the delay.
abc_script='+strash;ifraig;scorr;dc2;strash;&get,-n;&dch,-f;&nf;&put;topo;print_stats;'
abc_script+='buffer,-c;topo;upsize;dnsize;stime,-p'
export abc_script
map_block() {  # block NAME=VALUE...
  local block=$1
  shift
  yosys -p "read_verilog -sv -I$rtl/include $(sources "$rtl" "$rtl"/*/"weft_$block.sv")
    $(yosys_top "weft_$block" "$@")
    synth -flatten
    dfflibmap -prepare -liberty $liberty
    opt_clean
    abc -liberty $liberty -script $abc_script
    opt_clean
    dfflibmap -map-only -liberty $liberty
    stat -liberty $liberty"
}

area_line() {
  local words log=$tmp/log.$BASHPID start=$EPOCHREALTIME figures
  read -ra words <<< "$1"
  if ! map_block "${words[0]#*/}" "${words[@]:1}" > "$log" 2>&1; then
    echo "FAILED $1: $(grep ERROR "$log" | tail -n 1)"
    return
  fi
  # The last value of each: flops of the library, flops before mapping, area, levels, delay. All
  # flops must be mapped, no cell left over, no latch made.
  figures=$(awk '/Number of cells:/ {synth = ff; ff = 0; left = 0; latch = 0}
    /^ +\$_.*DFF/ {ff += $2} /^ +DFF/ {ff += $2} /^ +\$_/ {left += $2} /^ +LATCH/ {latch += $2}
    /^ABC: netlist/ {sub(/.*lev = */, ""); levels = $1 + 0}
    /^ABC: WireLoad/ {sub(/.*Delay = */, ""); delay = $1}
    /Chip area for module/ {area = $NF}
    END {if (left || latch || ff != synth) print "bad", left, latch, ff, synth
      else print ff, area, levels + 0, delay + 0}' "$log")
  if [[ $figures == bad* ]]; then
    echo "FAILED $1: cells not mapped, latches, flops, flops before mapping: ${figures#bad }"
    return
  fi
  printf '%s\t%s\n' "$1" "$figures" >> "$tmp/figures"
  printf 'ok     AREA %s (%.1f s)\n' "$1" "$(bc <<< "$EPOCHREALTIME - $start")"
}
export -f map_block

# List of what is measured: title (`-`, or the configuration), number of instances, group/block with
# parameters.
weft=${WEFT:-}
configs=()
if [[ $# == 0 ]] || grep -vqxF "$(blocks | sed 's|.*/||')" <(printf '%s\n' "$@"); then
  if [[ -z $weft ]]; then
    weft_packages "${WEFT_RUN_PACKAGES[@]}"
    weft_build weft
    weft=build/weft
  fi
  mapfile -t configs < <("$weft" list configs | awk '{print $1}')
fi
for argument in "$@"; do
  grep -qxF "$argument" <(blocks | sed 's|.*/||' && printf '%s\n' "${configs[@]}") ||
    { echo "scripts/area.sh: $argument: expected: a block or a named configuration" >&2 && exit 2; }
done
: > "$tmp/figures"
for block in $(blocks "$@"); do
  { sed -n "s|^area\b|$block|p" "$formal/$block.checks" | grep . || echo "$block"; } |
    sed 's|^|-\t1\t|'
done > "$tmp/points"
for config in "${configs[@]}"; do
  [[ $# == 0 || " $* " == *" $config "* ]] || continue
  echo "$config" >&2
  "$weft" emit "$config" -o "$tmp/emit" >/dev/null 2>"$tmp/emit.log" ||
    { cat "$tmp/emit.log" >&2 && exit 1; }
  python3 "$scripts/area_table.py" instances "$config" "$rtl" "$tmp/emit/weft_top.sv" \
    >> "$tmp/points"
  rm -rf "$tmp/emit"
done

status=0
grep -v '	too large$' "$tmp/points" | cut -f 3 | sort -u | run_jobs area area_line >&2 || status=1
mkdir -p build/area
python3 "$scripts/area_table.py" tables "$tmp/points" "$tmp/figures" "$nand_area" build/area \
  > "$tmp/tables"
cat "$tmp/tables"
if [[ $# == 0 && $status == 0 ]]; then
  { sed '/^<!-- tables/q' rtl/AREA.md && cat "$tmp/tables"; } > "$tmp/AREA.md"
  cp "$tmp/AREA.md" rtl/AREA.md
fi
exit $status
