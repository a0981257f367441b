#!/usr/bin/env bash
# The waves open in GTKWave by their save file: named groups, decoded values.
source "$(dirname "$0")/lib.sh"

expect 0 "errors          0 data" $weft run xbar16 --set processor=native --trace waves.fst

# look NAME END SIGNAL...: NAME.log tells what GTKWave shows of NAME.fst by its save file: each
# value of the signals of PE 0 before time END, and all names.
look() {
  local name=$1 end=$2
  shift 2
  {
    echo "set end $end; set signals {$(printf '{%s} ' "$@")}"
    cat <<'T'
foreach signal $signals {
  set name weft.pe_0.$signal
  set seen {}
  for {set t 0} {$t < $end} {incr t 2} {
    gtkwave::setMarker $t
    set value [gtkwave::getTraceValueAtMarkerFromName $name]
    if {[lsearch $seen $value] < 0} {lappend seen $value}
  }
  puts "$name: [lsort $seen]"
}
for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} {
  puts "trace: [gtkwave::getTraceNameFromIndex $i]"
}
exit
T
  } >"$name.tcl"
  timeout 120 xvfb-run -a gtkwave -S "$name.tcl" "$name.gtkw" >"$name.log" 2>&1
  grep "^weft" "$name.log"
}

look waves 800 'cpu.state[1:0]' 'nic.tx.flit[2:0]' 'nic.rx.flit[2:0]'
# Every value that a decoded signal takes is shown by its name.
grep -qxF "weft.pe_0.cpu.state[1:0]: halt run sleep" waves.log || fail "state is not decoded"
for end in tx rx; do
  grep -qxF "weft.pe_0.nic.$end.flit[2:0]: body head idle tail" waves.log ||
    fail "$end flits are not decoded"
done
for name in "PE 15" "NIC 15" "crossbar xxb_3" "crossbar yxb_0"; do
  grep -qx "trace: $name" waves.log || fail "no group $name"
done

# It opens where the first packet moves: a header is on a link of PE 0 or another at the marker, and
# none before.
marker=$(sed -n 's/^\*[-0-9.]* \([0-9]*\).*/\1/p' waves.gtkw)
first=$(fst2vcd waves.fst | awk '
  /^#/ { time = substr($0, 2) }
  $1 == "$var" && $5 == "flit" { flit[$4] = 1 }
  /^b/ && ($2 in flit) && $1 ~ /1/ { print time; exit }')
[ "$marker" = "$first" ] || fail "the marker is at $marker, the first flit at $first"
[ "$first" -gt 0 ] || fail "no flit after the start"
grep -qx "\[timestart\] $((marker - 16))" waves.gtkw || grep -qx "\[timestart\] 0" waves.gtkw ||
  fail "the window opens elsewhere: $(grep timestart waves.gtkw)"

# Addresses of more than 16 bits.
echo '{"topology": {"kind": "mesh", "dims": [5, 5, 5, 5, 5, 3]}, "router": {"vcs": 1}, "workload":
       {"transfers": [{"from": 1, "to": 9, "flits": 9}]}}' >wide.json
expect 0 "0 data" $weft run wide.json --trace wide.fst
grep -qF ".dst[16:0]" wide.gtkw || fail "addresses of 17 bits are not shown"

# Barrier units: 12 nodes pass 4 barriers, and every link of the tree has a pulse for each.
expect 0 "barriers        4 by units, " $weft run torus_a2at --set topology.dims=[4,3] \
  --set processor=native --set 'workload={"collective":"hop_group","message_flits":8}' \
  --set barrier=hardware --trace tree.fst
look tree 200 'barrier.state[1:0]'
grep -qxF "weft.pe_0.barrier.state[1:0]: out waits" tree.log ||
  fail "the state of barrier units is not decoded"
for name in "barrier 0" "barrier 11" "enter_i" "up_i[1:0]" "up_o" "down_i" "down_o"; do
  grep -qxF "trace: $name" tree.log || fail "no $name"
done
# pulses NODE SIGNAL: its rising edges in the waves.
pulses() {
  fst2vcd tree.fst | awk -v pe="pe_$1" -v signal="$2" '
    $1 == "$scope" { path[++depth] = $3 }
    $1 == "$upscope" { --depth }
    $1 == "$var" && path[2] == pe && path[3] == "barrier" && $5 == signal { edge = "1" $4 }
    edge != "" && $0 == edge { ++count }
    END { print count + 0 }'
}
# Rank 0 is the root, rank 11 a leaf; the tree's wires have a pulse at both ends.
for signal in "0 enter_i 4" "0 up_o 0" "0 down_i 0" "0 down_o 4" "5 enter_i 4" "5 up_o 4" \
  "5 down_i 4" "11 enter_i 4" "11 up_o 4" "11 down_i 4"; do
  read -r node name expected <<<"$signal"
  got=$(pulses "$node" "$name")
  [ "$got" = "$expected" ] || fail "PE $node, $name: $got pulses instead of $expected"
done

# The combining tree: 16 words of every node go up, and the result comes down, along long edges too.
expect 0 "0 data" $weft run torus_a2at --set topology.dims=[4,3] --set processor=native \
  --set barrier=software --set combining=tree --set link.stages=2 \
  --set 'workload={"collective":"allreduce_tree","bytes":128}' \
  --trace tree.fst
grep -qF ".combine.up_word_o[63:0]" tree.gtkw || fail "words of the combining tree are not shown"
# high NODE SIGNAL: cycles in which it is 1.
high() {
  fst2vcd tree.fst | awk -v pe="pe_$1" -v signal="$2" '
    $1 == "$scope" { path[++depth] = $3 }
    $1 == "$upscope" { --depth }
    $1 == "$var" && path[2] == pe && path[3] == "combine" && $5 == signal { at = $4 }
    /^#/ { now = substr($1, 2) }
    at != "" && $0 == "1" at { from = now; up = 1 }
    at != "" && $0 == "0" at && up { sum += (now - from) / 2; up = 0 }
    END { print sum + 0 }'
}
for signal in "0 up_valid_o 0" "0 down_valid_o 16" "0 post_i 1" "11 up_valid_o 16" \
  "11 down_valid_i 16" "11 up_some_o 16"; do
  read -r node name expected <<<"$signal"
  is "$(high "$node" "$name")" "$expected" "PE $node, $name"
done

finish
