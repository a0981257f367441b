#!/usr/bin/env bash
# The waves open in GTKWave by their save file: named groups, decoded values.
source "$(dirname "$0")/lib.sh"

expect 0 "errors          0 data" $weft run xbar16 --set processor=native --trace waves.fst
cat >look.tcl <<'T'
foreach signal {{cpu.state[1:0]} {nic.tx.flit[2:0]} {nic.rx.flit[2:0]}} {
  set name weft.pe_0.$signal
  set seen {}
  for {set t 0} {$t < 800} {incr t 2} {
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
timeout 120 xvfb-run -a gtkwave -S look.tcl waves.gtkw >look.log 2>&1
grep "^weft" look.log
# Every value that a decoded signal takes is shown by its name.
grep -qxF "weft.pe_0.cpu.state[1:0]: halt run sleep" look.log || fail "state is not decoded"
for end in tx rx; do
  grep -qxF "weft.pe_0.nic.$end.flit[2:0]: body head idle tail" look.log ||
    fail "$end flits are not decoded"
done
for name in "PE 15" "NIC 15" "crossbar xxb_3" "crossbar yxb_0"; do
  grep -qx "trace: $name" look.log || fail "no group $name"
done

finish
