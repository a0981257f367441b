#!/usr/bin/env bash
# Packets that are acknowledged: a link that dies in mid-run is named, ways around it are computed,
# and what it has lost is sent again; what a link with parity loses comes again, too. Alike on every
# engine that restarts networks.
source "$(dirname "$0")/lib.sh"

config() {  # KIND LINK WORKLOAD, into run.json; the drivers of collectives are native
  local processor='"processor": "native", '
  [[ $3 == *collective* ]] || processor=
  echo "{$processor\"topology\": $1, \"link\": $2, \"nic\": {\"reliable\": true, \"timeout\": 2000},
    \"workload\": $3, \"watchdog\": 20000}" >run.json
}
a2a='{"collective": "a2a", "message_flits": 12}'
retry='{"protection": "retry"}'
dies='faults=[{"link": "r_0 out 0", "cycle": 60, "field": "any", "rate": 1}]'

# same OPTION...: flit, threads and engine cosim, which compares models with RTL, do the same; with
# `more=1` before it other engines, too. The result is in flit.json.
same() {
  local engine others=()
  [ -z "${more:-}" ] || others=(rtl rtl-top)
  for engine in flit "flit --threads 2" cosim "${others[@]}"; do
    # shellcheck disable=SC2086
    $weft run run.json --engine $engine "$@" --json now.json >said 2>&1 ||
      fail "$engine $*: $(<said)"
    [ "$engine" != flit ] || cp now.json flit.json
    is "$(field now.json /digest) $(field now.json /cycles)" \
      "$(field flit.json /digest) $(field flit.json /cycles)" "$engine $*"
  done
}

# A torus: without faults nothing is sent again; a dead link is given up in the middle of an
# all-to-all, whose data are all there in the end.
config '{"kind": "torus", "dims": [3, 2]}' "$retry" "$a2a"
same
is "$(field flit.json /resends/restarts) $(field flit.json /resends/resent)" "0 0" "without faults"
whole=$(field flit.json /cycles)
more=1 same --set "$dies"
is "$(field flit.json /resends/dead)" "r_0 out 0 -> r_1 in 0" "the dead link"
[ "$(field flit.json /resends/resent)" -gt 0 ] || fail "nothing was sent again"
[ "$(field flit.json /cycles)" -gt "$whole" ] || fail "a dead link costs nothing"
is "$(field flit.json /verified)" True "a dead link"

# Beside a link that was dead from the beginning.
expect 0 "link r_0 out 0 -> r_1 in 0 is dead: failed: 6 of 24 links" \
  $weft run run.json --set "$dies" --set 'topology.failed={"links": ["r_1 -> r_4"]}'

# The programs of RV32 processors, and a second link that dies later.
later=${dies%]}', {"link": "r_4 out 0", "cycle": 4000, "field": "any", "rate": 1}]'
expect 0 "link r_0 out 0 -> r_1 in 0 is dead" \
  $weft run run.json --engine flit --set processor=rv32 --set workload.message_flits=100 \
  --set "$later"

# A network that is cut in two, and an interface that is cut off.
config '{"kind": "mesh", "dims": [3]}' "$retry" "$a2a"
expect 3 "link r_0 out 0 -> r_1 in 0 is dead: cut off are 4 ordered pairs of nodes" \
  $weft run run.json --set "${dies/60/20}"
expect 3 "is dead, and no way leads around a link of an interface" \
  $weft run run.json --set 'faults=[{"node": 1, "cycle": 20, "field": "any", "rate": 1}]'

# Links with parity lose packets, which come again; reductions count them once.
config '{"kind": "torus", "dims": [3, 2]}' '{"protection": "parity"}' \
  '{"collective": "allreduce_ring", "bytes": 512, "type": "int32", "op": "sum"}'
more=1 same --set 'faults=[{"link": "all", "field": "any", "rate": 0.002}]'
[ "$(field flit.json /links/lost)" -gt 0 ] || fail "no packet was lost"
[ "$(field flit.json /resends/resent)" -gt 0 ] || fail "nothing was sent again"
is "$(field flit.json /verified)" True "lost packets"

# Programs of RV32 processors, which registers wake.
same --set processor=rv32 --set 'workload={"collective": "a2a", "message_flits": 12}' \
  --set 'faults=[{"link": "all", "field": "any", "rate": 0.002}]'
[ "$(field flit.json /resends/resent)" -gt 0 ] || fail "nothing was sent again on RV32"

# What a receiver refuses is refused again.
config '{"kind": "torus", "dims": [3]}' '{"parity": true}' \
  '{"transfers": [{"from": 0, "to": 1, "flits": 4}]}'
expect 0 "packets sent again: 1, of which 0 had come before" \
  $weft run run.json --set 'faults=[{"node": 1, "field": "data", "bit": 40}]'
expect 3 "packets were sent again 32 times" \
  $weft run run.json --set 'faults=[{"node": 1, "field": "data", "bit": 40, "cycles": 900000}]'

# A program that returns while what it has sent is refused.
$weft cc "$source_dir/tests/e2e/programs/refused.c" -o refused.elf || fail refused.c
config '{"kind": "mesh", "dims": [3]}' '{"parity": true}' \
  '{"collective": "program", "program": "refused.elf", "key_bits": 3}'
expect 1 "1 of 1 messages (packets, where links have several VCs) were not stored" \
  $weft run run.json --set processor=rv32 --json refused.json
is "$(field refused.json /resends/missing) $(field refused.json /verified)" "1 False" "refused"

# Messages of several packets, of which some come twice: all are received, and it is known when.
ended() {  # of the transfers in FILE
  python3 -c 'import json, sys; print(sum(t["end"] is not None for t in
    json.load(open(sys.argv[1]))["transfers"]))' "$1"
}
config '{"kind": "torus", "dims": [5]}' "$retry" '{"transfers": [
  {"from": 0, "to": 1, "flits": 700}, {"from": 0, "to": 1, "flits": 0},
  {"from": 0, "to": 2, "flits": 700}, {"from": 1, "to": 2, "flits": 700},
  {"from": 4, "to": 1, "flits": 0}, {"from": 3, "to": 2, "flits": 700}]}'
same --set nic.outstanding=16 --set "${dies/60/200}"
[ "$(field flit.json /resends/repeated)" -gt 0 ] || fail "no packet came twice"
is "$(field flit.json /messages) $(ended flit.json)" "6 6" "packets that come twice"
config '{"kind": "torus", "dims": [3]}' '{"parity": true}' \
  '{"transfers": [{"from": 0, "to": 1, "flits": 300}]}'
same --set 'faults=[{"node": 1, "field": "data", "bit": 40}]'
is "$(field flit.json /errors/parity) $(ended flit.json)" "1 1" "a packet that was dropped once"

# A packet that an interface refused once, for a wrong offset.
config '{"kind": "torus", "dims": [3]}' '{"parity": false}' \
  '{"transfers": [{"from": 0, "to": 1, "flits": 300}]}'
for bit in 40 42 44 46; do
  same --set "faults=[{\"node\": 1, \"field\": \"data\", \"bit\": $bit}]"
  is "$(field flit.json /messages) $(ended flit.json)" "$(field flit.json /messages) 1" "bit $bit"
done
is "$(field flit.json /errors/order) $(field flit.json /messages)" "1 1" "a refused packet"

# A long message goes on for ever so many restarts. What ends while the network is waited for needs
# none.
config '{"kind": "torus", "dims": [3]}' '{"protection": "parity"}' \
  '{"transfers": [{"from": 0, "to": 1, "flits": 20000}]}'
$weft run run.json --engine flit --set nic.timeout=300 --json long.json \
  --set 'faults=[{"link": "all", "field": "any", "rate": 0.002}]' >said 2>&1 ||
  fail "a long message: $(<said)"
[ "$(field long.json /resends/restarts)" -gt 33 ] || fail "a long message has few restarts"

# Losses are counted from cycle 1 on, whatever is restarted, and the waits are written.
config '{"kind": "torus", "dims": [3, 2]}' "$retry" "$a2a"
expect 0 "link r_0 out 0 -> r_1 in 0 is dead" $weft run run.json --engine flit --set "$dies" \
  --losses --events waits.json --json losses.json
python3 - <<'PY' || fail "losses or waits over a restart"
import json
result = json.load(open("losses.json"))
losses, ejection = result["losses"], result["losses"]["ejection"]
assert sum(losses["link_cycles"].values()) == losses["links"] * result["cycles"], "cycles"
moved = sum(part[kind] for part in (losses["link_cycles"], ejection) for kind in ("header", "body"))
assert moved + result["flits"] == result["flit_hops"], "flits"
waits = [e for e in json.load(open("waits.json"))["traceEvents"] if e["ph"] == "X"]
assert min(e["ts"] for e in waits) < 60, "no wait before the restart"
PY

# A watchdog does not end what a restart will repair, though nothing moves for that time.
config '{"kind": "torus", "dims": [3]}' '{"protection": "parity"}' \
  '{"transfers": [{"from": 0, "to": 1, "flits": 300}]}'
expect 0 "packets sent again: 1," $weft run run.json --set nic.timeout=100 --set watchdog=1 \
  --set link.stages=30 --set 'faults=[{"node": 1, "field": "data", "bit": 40}]'

# Settings without effect, and what has no meaning.
expect 2 "/nic/outstanding: value 8: expected: 4 without nic.reliable" \
  $weft run torus_a2at --set nic.outstanding=8
expect 2 "/nic/timeout" $weft run torus_a2at --set nic.timeout=5
expect 2 "/nic/reliable: value true: expected: false with messages that have a start" \
  $weft run run.json --set 'workload.transfers=[{"from": 0, "to": 1, "flits": 4, "at": 50}]'

# The emitted network has ports for a manager of one's own; the starter testbench needs none.
config '{"kind": "mesh", "dims": [3]}' "$retry" '{"transfers": [{"from": 0, "to": 1, "flits": 4}]}'
passed() {  # GOAL ARGUMENT...: the cycles of the starter testbench
  make -C made "$@" >said 2>&1 || fail "make $*: $(<said)"
  sed -n 's/^PASS: .* messages, \(.*\) cycles/\1/p' said
}
for option in "" --tiles --axi "--axi --tiles"; do
  # shellcheck disable=SC2086
  $weft emit run.json -o made $option >/dev/null || fail "weft emit $option"
  for port in hold_i restart_i overdue_o network_rst_ni r_2_table_i; do
    grep -q " $port" made/weft_top.sv || fail "no $port in the emitted network"
  done
  # It loses what is in the network, and sends it again.
  whole=$(passed icarus) at=40
  [[ $option != *axi* ]] || at=400  # Held back before, so that no burst is read then.
  [ "$(passed icarus RESTART=$at)" -gt "$whole" ] || fail "a restart costs nothing"
  expect 0 "" make -C made lint
  # Ids take 4 bits of an offset.
  expect 2 "FAIL: 1 messages of 65537 flits: expected: 1 or more, in all at most 65536 flits" \
    make -s -C made icarus MESSAGES=1 FLITS=65537
  expect 2 "FAIL: all messages had arrived before the restart in cycle 9000" \
    make -C made icarus RESTART=9000
done
# So do interfaces with several lanes to a memory behind AXI.
$weft emit torus_hop_group --set topology.dims=[2,2] --set nic.reliable=true \
  --set link.protection=retry --axi -o made >/dev/null || fail "weft emit torus_hop_group"
whole=$(passed icarus RESTART=40)  # Before the first packet: nothing is lost.
[ "$(passed icarus RESTART=400)" -gt "$whole" ] || fail "a restart of several lanes costs nothing"
$weft emit torus_a2at -o plain >/dev/null || fail "weft emit torus_a2at"
expect 2 "RESTART is for networks with nic.reliable" make -C plain icarus RESTART=4
finish
