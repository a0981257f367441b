#!/usr/bin/env bash
# Flits of 128 to 512 bits (link.width_bits): models against RTL in every cycle, networks as one
# module, all collectives' data, both processors, faults above bit 63.
source "$(dirname "$0")/lib.sh"

# of NETWORK WIDTH WORKLOAD [MORE MEMBERS]: writes run.json.
of() {
  printf '{"topology": %s, "link": {"width_bits": %s%s}, "workload": %s%s}' \
    "${!1}" "$2" "${5:-}" "$3" "${4:-}" >run.json
}
# on ENGINE: the run's cycles and digest.
on() {
  $weft run run.json --engine "$1" --json "$1.json" >"$1.txt" 2>&1 ||
    fail "$1 of $(<run.json): $(tail -n 3 "$1.txt")"
  echo "$(field "$1.json" cycles) $(field "$1.json" digest)"
}
# same ENGINE: as engine flit.
same() { is "$(on "$1")" "$(on flit)" "$1 of $(<run.json)"; }

torus='{"kind": "torus", "dims": [3, 3]}'
mesh='{"kind": "mesh", "dims": [2, 2]}'
mesh64='{"kind": "mesh", "dims": [8, 8]}'
crossbars='{"kind": "hier_crossbar", "dims": [2, 3]}'
dragonfly='{"kind": "dragonfly", "p": 1, "a": 2, "h": 1}'
hyperx='{"kind": "hyperx", "dims": [3, 3]}'
tree='{"kind": "fat_tree", "levels": 3}'
board='{"kind": "board", "dims": [2, 1, 2, 1], "mains": 8, "aggregators": 4}'
native=', "processor": "native"'
by_tree=', "combining": "tree"'
traffic='{"traffic": "uniform", "rate": 0.6, "packet_flits": 4, "warmup": 50, "measure": 250}'
sums='{"collective": "allreduce_ring", "bytes": 1000, "type": "fp32"}'

# Every block of the RTL: routers and crossbars, reduction, combining tree, registers of links.
of torus 128 "$sums" "$native" ', "stages": 2, "parity": true'
same cosim
of crossbars 512 '{"collective": "a2a", "message_flits": 5}'
same cosim
of torus 256 '{"collective": "allreduce_tree", "bytes": 1000, "op": "mean"}' "$native$by_tree"
same cosim
of dragonfly 128 "$traffic"
same cosim
of hyperx 512 "$traffic" ', "router": {"routing": "ugal", "vcs": 2}'
same cosim
of mesh64 128 "$traffic"
same rtl
of mesh 256 '{"collective": "allreduce_tree", "bytes": 200}' "$native$by_tree"
same rtl-top

# All collectives on several networks: memories are compared word by word.
for network in torus crossbars dragonfly hyperx tree board; do
  for width in 128 512; do
    for collective in $($weft list collectives | sed -n 's/^\([a-z0-9_]*\) .*/\1/p'); do
      case $collective in
        alltoall | a2a* | hop_*) work='"message_flits": 5' ;;
        *barrier*) continue ;;
        *) work='"bytes": 3000' ;;
      esac
      hardware=
      [[ $collective == *_tree* ]] && hardware=$by_tree
      of $network $width "{\"collective\": \"$collective\", $work}" "$native$hardware"
      $weft run run.json --json run.out >run.txt 2>&1
      status=$?
      # A network that the collective is not for, said as such.
      [[ $status == 0 || ($status == 2 && $(<run.txt) == *expected:*) ]] ||
        fail "$collective on $network, $width bits: status $status: $(tail -n 4 run.txt)"
      ran=$((${ran:-0} + (status == 0)))
    done
  done
done
[[ $ran -ge 300 ]] || fail "only $ran collectives ran"

# A program of RV32 processors is compiled for the width; the start over the network knows it.
for width in 128 256 512; do
  for more in '' ', "start": "network"'; do
    of torus $width '{"collective": "a2a", "message_flits": 3}' "$more"
    same model
  done
  of board $width '{"collective": "allreduce", "bytes": 3000}' ', "processor": "rv32"'
  same model
done
# An array of several receive windows.
of mesh 512 '{"collective": "allreduce_ring", "bytes": 34000000}' "$native"
on model >/dev/null

# Faults above bit 63: noticed by the data, or by the parity bit, which has number WIDTH.
for engine in model flit cosim; do
  of torus 128 '{"collective": "a2a", "message_flits": 3}' \
    "$native, \"faults\": [{\"node\": 1, \"cycle\": 15, \"bit\": 101}]"
  expect 1 "data" $weft run run.json --engine $engine
  of torus 128 '{"transfers": [{"from": 0, "to": 1, "flits": 9}]}' \
    ', "faults": [{"node": 1, "cycle": 10, "bit": 128}]' ', "parity": true'
  expect 1 "1 parity" $weft run run.json --engine $engine
done
of torus 128 "$traffic" ', "faults": [{"node": 1, "bit": 128}]'
expect 2 "/faults/0/bit: value 128: expected: below 128, the width of this field" $weft run run.json
of torus 32 "$traffic"
expect 2 "/link/width_bits: value 32: expected: a power of two from 64 to 512" $weft run run.json

# Waves have the whole width.
of mesh 128 '{"transfers": [{"from": 0, "to": 3, "flits": 4}]}'
$weft run run.json --trace wide.fst >/dev/null || fail "waves"
fst2vcd wide.fst 2>/dev/null >wide.vcd
grep -q 'var wire 128 .* data' wide.vcd || fail "no data of 128 bits in the waves"
grep -qE '^b1[01]{100,} ' wide.vcd || fail "no data above bit 63 in the waves"

finish
