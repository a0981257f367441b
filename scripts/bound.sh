#!/usr/bin/env bash
# Rings of routers in which every packet arrives within a number of cycles, whatever is injected and
# when: search of all states (tests/formal/router/ring_bound.cpp). With a mutation of the RTL
# there must be no such number.
set -euo pipefail
if [[ ${1:-} == -h || $# == 0 ]]; then
  echo "usage: scripts/bound.sh [--changed] BUILD_DIR   status 1 if a bound is not as expected"
  echo "--changed: one of the rings, unless the router has changed since all were as expected."
  [[ ${1:-} == -h ]] && exit 0 || exit 2
fi
changed=
[[ $1 != --changed ]] || { changed=1; shift; }
build=$(cd "$1" && pwd)
source "$(dirname "${BASH_SOURCE[0]}")/rtl_checks.bash"
export build

# NODES REACH OWN_AFTER BOUND [GROUP/BLOCK MUTATION]; `none` for no bound.
bound_line() {
  local nodes reach own_after bound block mutation folder output start=$EPOCHREALTIME
  read -r nodes reach own_after bound block mutation <<< "$1"
  folder=$(mktemp -d "$tmp/ring.XXXX")
  cp -r "$rtl" "$folder/rtl"
  [[ -z $mutation ]] || mutate "$block" "$mutation" "$folder/rtl"
  cat > "$folder/ring.json" << JSON
{"topology": {"kind": "torus", "dims": [$nodes]},
 "router": {"vcs": 2, "vc_depth": 1, "own_after": $own_after}}
JSON
  "$build/weft" emit "$folder/ring.json" -o "$folder/emitted" > "$folder/log"
  cp "$folder/emitted/rtl/weft_tile_0.sv" "$folder/rtl/router"
  verilator --cc --exe --build -Wno-fatal --public-flat-rw --vpi --prefix Vtile \
    --top-module weft_tile_0 -I"$folder/rtl/include" --Mdir "$folder/build" -O3 \
    -CFLAGS "-O2 -std=c++20" -o ring_bound \
    $(sources "$folder/rtl" "$folder/rtl/router/weft_tile_0.sv") \
    "$formal/router/ring_bound.cpp" > "$folder/log" 2>&1 || { cat "$folder/log"; return 1; }
  output=$("$folder/build/ring_bound" "$nodes" "$reach" | tee "$folder/log" |
    tail -n 1) || true
  if [[ $bound == none && $output == 'no bound:'* || $output == "bound $bound cycles:"* ]]; then
    printf 'ok     %s (%.1f s): %s\n' "$1" "$(bc <<< "$EPOCHREALTIME - $start")" "$output"
  else
    echo "FAILED $1: $(cat "$folder/log")"
  fi
}

rings() {
  cat << 'LINES'
3 2 3 16
4 2 0 55
4 2 0 none router/route_torus never_crosses
3 2 3 none router/output_unit never_freed
4 2 0 none router/packet_order fixed_priority
LINES
}

# The files of the search, the mutated blocks, and what writes the tile.
search_files() {
  sources rtl rtl/router/weft_vc_router.sv rtl/router/weft_route_torus.sv
  ls tests/formal/router/{ring_bound.cpp,state_table.hpp} sim/emit/*tile.cpp scripts/bound.sh \
    tests/formal/router/{route_torus,output_unit,packet_order}.mutations
}

run_recorded bound rings search_files bound_line vc_router
