#!/usr/bin/env bash
# What engine `gates` builds and keeps: clear errors without Yosys, on RTL that Yosys cannot read
# and on a full disk, which leave nothing half-written; what is damaged, cut off or made from other
# RTL or by another Yosys is made anew, with equal results.
source "$(dirname "$0")/lib.sh"
command -v yosys >/dev/null || finish
export WEFT_CACHE=$work/cache WEFT_VERILATED_OPT=-O0 WEFT_LANES=64
echo '{"topology": {"kind": "full_crossbar", "pes": 2}, "router": {"vc_depth": 3},
  "link": {"width_bits": 64}, "nic": {"queue_depth": 1},
  "workload": {"traffic": "uniform", "packet_flits": 2, "rate": 0.5, "measure": 300}}' >run.json
# Entries of the cache.
entries() { find "$1" -mindepth 1 -maxdepth 1 ! -name '*.lock' -printf '%f\n' | sort; }
# gates OPTION...: engine gates, whose result is that of flit.
gates() {
  rm -f gates.json
  $weft run run.json --engine gates --json gates.json >said 2>&1 || fail "$*: $(<said)"
  is "$(differences flit.json gates.json engine)" "" "$*"
}
# refused TEXT COMMAND...: an error that leaves no result and nothing in the cache.
refused() {
  rm -rf "$WEFT_CACHE" gates.json
  expect 2 "$@" run run.json --engine gates --json gates.json
  [ ! -e gates.json ] || fail "a result in spite of: $1"
  [ ! -e "$WEFT_CACHE" ] || is "$(entries "$WEFT_CACHE")" "" "left in the cache by: $1"
}
$weft run run.json --engine flit --json flit.json >said 2>&1 || fail "$(<said)"

# No Yosys: programs by links to all others.
mkdir without
ln -s /usr/bin/* without/
rm without/yosys*
refused "install package yosys" env PATH="$work/without" "$weft"

# RTL that Yosys 0.23 cannot read: a variable of type string.
cp -r "$source_dir/rtl" rtl
sed -i 's/^endmodule/string unread;\nendmodule/' rtl/crossbar/weft_crossbar.sv
refused "Yosys cannot read weft_crossbar" env WEFT_RTL_DIR="$work/rtl" "$weft"

# A folder that cannot be written, and a full disk where one can be mounted.
WEFT_CACHE=/proc/weft refused "/proc/weft" "$weft"
mkdir disk
# What the cache has is seen while the disk is mounted.
full='mount -t tmpfs -o size=64k none disk && WEFT_CACHE=disk/cache "$@"
  status=$?
  find disk/cache -mindepth 1 ! -name "*.lock" >left
  exit $status'
if unshare -rm mount -t tmpfs none disk 2>/dev/null; then
  refused "No space left" unshare -rm sh -c "$full" sh "$weft"
  is "$(<left)" "" "left on the full disk"
else
  echo "no full disk: this system lets nobody mount one"
fi

gates "built"
built=$(entries "$WEFT_CACHE")
is "$(grep -c -e -gates- <<<"$built") $(grep -c -e -64lanes- <<<"$built")" "2 2" "$built"
stamp() { find "$WEFT_CACHE" -mindepth 2 -newer now -printf '%P\n' | sort; }
touch now
gates "from the cache"
is "$(stamp)" "" "built again"

# A netlist that is cut off, one in which a digit is another, and such kernels.
for file in "$WEFT_CACHE"/weft_crossbar-gates-*/netlist \
  "$WEFT_CACHE"/weft_nic-64lanes-*/kernel.so; do
  truncate -s -100 "$file"
  gates "cut off: ${file##*/}"
  python3 - "$file" <<'PY'
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(-2000, 2)
    byte = file.read(1)[0]
    file.seek(-2000, 2)
    file.write(bytes([byte ^ 1]))
PY
  gates "damaged: ${file##*/}"
  rm "${file%/*}"/*
  gates "missing: ${file##*/}"
done
is "$(entries "$WEFT_CACHE")" "$built" "entries after damage"

# Another Yosys, and other RTL, whose result is the same: entries of their own.
mkdir other
printf '#!/bin/sh\n[ "$1" = -V ] && echo "Yosys 9.99" && exit\nexec %s "$@"\n' \
  "$(command -v yosys)" >other/yosys
chmod +x other/yosys
PATH=$work/other:$PATH gates "another Yosys"
is "$(entries "$WEFT_CACHE" | grep -c -e -gates-)" 4 "netlists of two versions"
cp "$source_dir/rtl/crossbar/weft_crossbar.sv" rtl/crossbar/
echo "// Changed." >>rtl/crossbar/weft_crossbar.sv
WEFT_RTL_DIR=$work/rtl gates "other RTL"
is "$(entries "$WEFT_CACHE" | grep -c -e '^weft_crossbar-gates-')" 3 "netlists of other RTL"
finish
