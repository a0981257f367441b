#!/usr/bin/env bash
# Programs that are damaged or misbehave: the right exit status, and a message that names node and
# cause.
source "$(dirname "$0")/lib.sh"

for name in loop lost overrun code nowhere stray; do
  $weft cc "$source_dir/tests/e2e/programs/$name.c" -o $name.elf --option=-g0 ||
    fail "$name.c does not compile"
done
run() {  # PROGRAM ARGUMENT...
  local program=$1
  shift
  $weft run xbar16 --set workload.program="\"$program\"" --set watchdog=20000 "$@"
}

for engine in model rtl; do
  expect 3 "no progress: no flit moved and no program ended in the 20000 cycles" \
    run loop.elf --engine $engine
  expect 3 "node 0: running at pc 0x" run loop.elf --engine $engine
  expect 3 "node 0: waiting at pc 0x" run lost.elf --engine $engine
  # Every packet is refused, none is written.
  expect 1 "node 5: 1 packets refused: beyond its receive window of 2048 bytes" \
    run overrun.elf --engine $engine
  expect 1 "node 0, cycle" run code.elf --engine $engine
  expect 1 "the program ended with code 7" run code.elf --engine $engine
  expect 3 "barrier 1: 15 of 16 nodes wait for those that have not entered it: 3" \
    run stray.elf --set barrier=hardware --engine $engine --set workload.sync=barrier
  # The start-up's own barrier is not counted.
  expect 3 "barrier 1: 15 of 16 nodes wait for those that have not entered it: 3" \
    run stray.elf --set barrier=hardware --engine $engine --set start=network
  expect 1 "posted a message to address 0xffff, which no node has" run nowhere.elf --engine $engine
done

# A program that posts for ever keeps flits moving, and ends by its number of messages.
echo '#include "weft_hal.h"
int weft_main(void) {
  const uint32_t from = weft_job()->send_base;
  while (weft_rank() == 2) weft_send(3, from, 1, 0, 0, 0);
  weft_wait_received(0, 1000000);
  return 0;
}' >posts.c
$weft cc posts.c -o posts.elf && $weft cc --native posts.c -o posts.so || fail posts.c
for engine in model flit rtl; do
  expect 1 "POST of a message after 300 of this node, which max_messages allows" \
    run posts.elf --set max_messages=300 --engine $engine
done
expect 1 "POST of a message after 300 of this node, which max_messages allows" \
  run posts.so --set processor=native --set max_messages=300
expect 2 "/max_messages: value 0: expected: a whole number from 1" \
  run posts.elf --set max_messages=0

# Neither does a message write program text.
echo '#include "weft_hal.h"
int weft_main(void) {
  weft_window(WEFT_PROGRAM_BASE, 64);
  return 0;
}' >text.c
$weft cc text.c -o text.elf || fail text.c
for engine in model rtl; do
  expect 1 "RX_SIZE: puts the receive window over the program's text" run text.elf --engine $engine
done

# Programs have barrier units whatever their collective does, if the configuration says so.
expect 3 "barrier 1: 15 of 16 nodes wait for those that have not entered it: 3" run stray.elf \
  --set barrier=hardware
expect 3 "barrier 1: 15 of 16 nodes wait" $weft run xbar16 --set barrier=hardware \
  --set watchdog=20000 --set 'workload={"collective": "broadcast", "bytes": 64}' \
  --set workload.program=stray.elf
for engine in model flit; do
  expect 1 "entered a hardware barrier, but there are no barrier units (barrier" run stray.elf \
    --engine $engine
done

# On several threads the first error is reported, of equals that of the lowest node.
for threads in 1 2 3; do
  torus() {
    $weft run torus_a2at --set topology.dims='[4,4]' --set processor=rv32 \
      --set workload.program="\"$1\"" --set watchdog=2000 --threads "$threads"
  }
  expect 1 "node 0, cycle 6: the program ended with code 7" torus code.elf
  expect 1 "node 0, cycle 8: posted a message to address 0xffff" torus nowhere.elf
  expect 3 "1 messages sent, 0 received" torus overrun.elf
done

size=$(stat -c %s code.elf)
for bytes in 0 3 51 100 $((size - 1)); do
  head -c "$bytes" code.elf >cut.elf
  expect 2 "cut.elf" run cut.elf --json none.json
done
expect 2 "none.elf" run none.elf --json none.json
expect 2 "not an ELF file: expected: a program of weft cc, for processor rv32" \
  run "$source_dir/CMakeLists.txt" --json none.json
expect 2 "/bin/true" run /bin/true --json none.json
[ ! -e none.json ] || fail "a result was written without a run"

# The compiler's command line.
expect 2 "nix.c: expected: a C file that exists" $weft cc nix.c -o none.elf
echo 'int weft_main(void) { return x; }' >wrong.c
expect 2 "ended with status 1, and none.elf is not made" $weft cc wrong.c -o none.elf
[ ! -e none.elf ] || fail "a program was written without its source"
expect 2 "-o is required" $weft cc wrong.c

echo 'int other;' >empty.c
expect 2 "weft_main" $weft cc --native empty.c -o none.so
echo '#include "weft_hal.h"
int weft_main(void) { return missing(); }' >missing.c
for option in --native --width=128; do
  expect 2 "missing" $weft cc $option missing.c -o none.elf
done
[ ! -e none.elf ] && [ ! -e none.so ] || fail "a program was made without what it needs"
for set in workload.program=other.elf 'workload={"collective": "a2a"}'; do
  expect 2 "no other workload or program beside --program" \
    $weft run xbar16 --program code.elf --set "$set"
done
echo '#include "weft_hal.h"
int weft_main(void) {
  weft_result(0, 5);
  return 0;
}' >null.c
$weft cc --native null.c -o null.so || fail "null.c"
expect 1 "a text at address 0" $weft run xbar16 --set processor=native --program null.so

# What a program asks for wrongly ends the run with its cause, as a check of its own does.
echo '#include "weft_hal.h"
int weft_main(void) {
  const uint32_t what = weft_argument(0), from = weft_job()->send_base;
  if (what == 0) weft_send(weft_nodes() + 1, from, 1, 0, 0, 0);
  if (what == 1) weft_send(0, from, 1, 0, 0, 300);
  if (what == 4) weft_send(0, from, 1, 0, 8, 0);
  weft_check(what == 2, "arguments, expected 2:", what);
  return 0;
}' >checks.c
for width in 64 128; do
  $weft cc --checked --width $width checks.c -o checks.w$width.elf ||
    fail "checks.c for $width bits"
done
$weft cc --checked --native checks.c -o checks.so || fail "checks.c natively"
for made in "rv32 w64.elf" "native so"; do
  checks() {  # ARGUMENT
    $weft run xbar16 --set processor=${made% *} --program checks.${made#* } \
      --set workload.arguments="[$1]"
  }
  expect 1 "weft_send, expected a rank below weft_nodes(): 17" checks 0
  expect 1 "weft_order, expected a gap of 0 to 255: 300" checks 1
  expect 0 "returned 0 on 16 nodes" checks 2
  expect 1 "arguments, expected 2: 3" checks 3
  expect 1 "weft_order, expected a tag of 0 to 7: 8" checks 4
done

# A rank that does not exist is refused without these checks, too, with nothing sent.
echo '#include "weft_hal.h"
int weft_main(void) {
  const uint32_t what = weft_argument(0), to = weft_nodes() + 3;
  if (weft_rank() != 2) return 0;
  if (what == 0) weft_send(to, weft_job()->send_base, 1, 0, 0, 0);
  if (what == 1) weft_send(weft_rank() - 3, weft_job()->send_base, 1, 0, 0, 0);
  return what == 2 ? (int)weft_address(to) : 0;
}' >nobody.c
$weft cc nobody.c -o nobody.elf && $weft cc --native nobody.c -o nobody.so || fail nobody.c
nobody() {  # ARGUMENT
  $weft run torus_a2at --set topology.dims=[3,4] --set processor=${made% *} \
    --program nobody.${made#* } --set workload.arguments="[$1]"
}
for made in "rv32 elf" "native so"; do
  expect 1 "weft: node 2, cycle" nobody 0
  expect 1 "weft_send, expected a rank below weft_nodes(): 15" nobody 0
  expect 1 "weft_send, expected a rank below weft_nodes(): 4294967295" nobody 1
  expect 1 "weft_address, expected a rank below weft_nodes(): 15" nobody 2
done

# A program is compiled for one width of flits, and not run on another.
$weft cc --width 256 nobody.c -o nobody.w256.elf --option=-g0 || fail "nobody.c for 256 bits"
refused_width() {  # PROGRAM WIDTH OF-PROGRAM OPTION...
  local program=$1 width=$2 is=$3
  shift 3
  expect 2 "/workload/program: value \"$program\": expected: a program for flits of $width bits, \
as link.width_bits is (weft cc --width $width); this one is for $is bits" \
    $weft run xbar16 --set link.width_bits=$width --program $program --json none.json "$@"
}
refused_width nobody.elf 256 64
refused_width nobody.elf 128 64 --engine rtl
refused_width nobody.w256.elf 64 256
refused_width nobody.w256.elf 512 256 --set start=network
[ ! -e none.json ] || fail "a result of a program for another width"
expect 0 "returned 0 on 16 nodes" $weft run xbar16 --set link.width_bits=256 \
  --program nobody.w256.elf --set workload.arguments=[3]

# Nodes that still wait when the run ends have not returned; a refused packet is called that.
echo '#include "weft_hal.h"
int weft_main(void) {
  const struct weft_job* job = weft_job();
  if (job->rank == 0) weft_send(5, job->send_base, 2, job->recv_bytes - WEFT_FLIT_BYTES, 0, 0);
  if (job->rank == 5 || (weft_argument(0) != 0 && job->rank != 0)) weft_wait_received(0, 1);
  return 0;
}' >waits.c
$weft cc waits.c -o waits.elf && $weft cc --native waits.c -o waits.so || fail waits.c
for made in "rv32 elf model" "rv32 elf flit" "native so model"; do
  read -r processor kind engine <<<"$made"
  waits() {  # ARGUMENT
    $weft run xbar16 --set processor=$processor --program waits.$kind --engine $engine \
      --set workload.arguments="[$1]" --json waits.json
  }
  expect 1 "the program returned 0 on 15 of 16 nodes; still waiting: node 5; what it left" waits 0
  expect 1 "weft: 0 data, 1 refused, 0 parity errors" waits 0
  is "$(field waits.json failure)" "0 data, 1 refused, 0 parity errors" "failure, $made"
  expect 1 "the program returned 0 on 1 of 16 nodes; still waiting: nodes 1, 2, 3, 4, 5, 6, 7, 8 \
and 7 more; what" waits 1
done

# A copy of a collective takes as long as the collective; with checks longer.
cp "$source_dir/sw/collectives/a2a.c" copied.c
echo '{"topology": {"kind": "torus", "dims": [4, 4]},
  "workload": {"collective": "a2a"}}' >first.json
built_in=$(run_of first.json)
$weft cc copied.c -o copied.elf && $weft cc --checked copied.c -o checked.elf || fail copied.c
is "$(run_of first.json --set workload.program=copied.elf)" "$built_in" "a copy of a2a.c"
[ "$(run_of first.json --set workload.program=checked.elf)" != "$built_in" ] || fail "--checked"

# A sweep makes a run again whose program has changed.
echo '{"base": "xbar16", "set": {"workload": {"collective": "program", "program": "again.elf"}},
  "axes": [{"workload.arguments": [1, 2]}]}' >again.json
for code in 0 1; do
  echo "#include \"weft_hal.h\"
int weft_main(void) { return $code * (int)weft_argument(0); }" >again.c
  $weft cc again.c -o again.elf || fail again.c
  $weft sweep again.json -o again >sweep.txt 2>&1
  is "$? $(grep -c '2 runs made now, 0 found' sweep.txt)" "$code 1" "a sweep, program $code"
  $weft sweep again.json -o again >sweep.txt 2>&1
  grep -q '2 found' sweep.txt || fail "a sweep again: $(<sweep.txt)"
  cp again.elf again$code.elf
done
# Also where it becomes what it was: the last line of a point is its result, in reports, too.
cp again0.elf again.elf
expect 0 "2 runs made now, 0 found" $weft sweep again.json -o again
is "$(tail -2 again/results.jsonl | grep -c '"status":0')" 2 "the last runs of a sweep"

# Values as columns of the table: means over the nodes, empty where a run has none.
echo '#include "weft_hal.h"
int weft_main(void) {
  if (weft_argument(0) == 0) return 0;
  weft_result("product", weft_rank() * weft_argument(0));
  weft_result("one, quoted", 1);
  return 0;
}' >columns.c
$weft cc columns.c -o columns.elf || fail columns.c
echo '{"base": "xbar16", "set": {"workload": {"collective": "program", "program": "columns.elf"}},
  "axes": [{"workload.arguments": [1, 3, 0]}]}' >columns.json
column() {  # NAME: its three values.
  python3 -c 'import csv, sys; print(*(r[sys.argv[1]] for r in csv.DictReader(open(sys.argv[2]))),
    sep=";")' "$1" columns/results.csv
}
for again in no yes; do
  $weft sweep columns.json -o columns >sweep.txt 2>&1 || fail "a sweep with values: $(<sweep.txt)"
  is "$(column values.product)" "7.5;22.5;" "means of ranks 0 to 15, found again: $again"
  is "$(column 'values.one, quoted')" "1.0;1.0;" "a name with a comma, found again: $again"
  rm columns/results.csv
done

# Programs that nothing is known of: the examples, on every engine and processor.
for name in ping_pong ring_allgather stencil; do
  $weft cc "$source_dir/sw/examples/$name.c" -o $name.elf || fail "$name.c"
  $weft cc --native "$source_dir/sw/examples/$name.c" -o $name.so || fail "$name.c, native"
  $weft cc --width 256 "$source_dir/sw/examples/$name.c" -o $name.w256.elf || fail "$name.c, 256"
done
example() {  # NAME OPTION...: runs it on a torus, result in own.json
  local name=$1
  shift
  $weft run torus_a2at --set topology.dims=[4,3] --set processor=rv32 --program $name \
    --json own.json "$@" >own.txt 2>own.err || fail "$name $*: $(<own.err)"
}
values() {  # The values of a name in own.json: node and value of each.
  python3 - "$1" <<'END'
import json, sys
print(*(f"{v['node']}:{v['value']}" for v in json.load(open("own.json"))["values"]
        if v["name"] == sys.argv[1]))
END
}
for name in ping_pong ring_allgather stencil; do
  example $name.elf
  cycles=$(field own.json cycles) own=$(field own.json values) digest=$(field own.json digest)
  for engine in flit cosim; do
    example $name.elf --engine $engine
    is "$(field own.json cycles) $(field own.json digest) $(field own.json values)" \
      "$cycles $digest $own" "$name, $engine"
  done
  example $name.elf --set start=network
  example $name.w256.elf --set link.width_bits=256
  example $name.so --set processor=native
done
example ping_pong.elf
is "$(values hops)" "0:1 0:2 0:1 0:1 0:2 0:3 0:2 0:1 0:2 0:3 0:2" "hops on a torus of 4 x 3"
is "$(field own.json bound_cycles)" 0 "a bound of what is not known"
grep -q "returned 0 on 12 nodes; what it left in memory is not compared" own.txt || fail "no word"
grep -q "^node 0, cycle [0-9]*: ping-pong with all, nodes 12$" own.err || fail "$(<own.err)"
grep -q "^values *hops 1: node 0, cycle" own.txt || fail "no values: $(<own.txt)"
# As far away, as long: by the round trip of each distance.
is "$(values round_trip | tr ' ' '\n' | sort -u | wc -l)" 3 "round trips of three distances"
example stencil.elf --set workload.arguments=[40]
heat=$(values heat | tr ' ' '\n' | sed 's/.*://' | paste -sd+)
is $((heat)) 66000 "heat is neither made nor lost"
expect 1 "the program ended with code 1" $weft run torus_a2at --set topology.dims=[4,3] \
  --set processor=rv32 --program ring_allgather.elf --set workload.recv_bytes=128
expect 2 "/workload/recv_bytes: value 100: expected: a multiple of 8, the bytes of a flit" \
  $weft run xbar16 --program stencil.elf --set workload.recv_bytes=100
expect 2 "/workload/program: missing: expected: the path of a program" \
  $weft run xbar16 --set 'workload={"collective": "program"}'
expect 2 "expected: a program of weft cc --native, for processor native" \
  $weft run xbar16 --program stencil.elf --set processor=native
expect 2 "stencil.so" $weft run xbar16 --program stencil.so
# A run that is repeated, to find who wrote wrong data, prints once.
$weft run xbar16 --set workload.program=ping_pong.elf >own.txt 2>own.err &&
  fail "a ping-pong passed as an all-to-all"
is "$(grep -c 'ping-pong with all' own.err)" 1 "lines printed"
echo '#include "weft_hal.h"
int weft_main(void) {
  weft_reduce(WEFT_OP_SUM, WEFT_TYPE_INT64, 0);
  return 0;
}' >reduces.c
$weft cc reduces.c -o reduces.elf || fail "reduces.c"
expect 1 "this interface has no reduction" $weft run xbar16 --program reduces.elf
expect 0 "errors          0 data" $weft run xbar16 --program reduces.elf --set workload.reduces=true
expect 0 "program       " $weft list collectives

# How a program ends: with messages on their way, with values though it fails, with a full stack.
echo '#include "weft_hal.h"
static int deep(volatile int *at) {
  volatile int more[64];
  more[0] = *at + 1;
  return weft_rank() == 3 ? deep(more) + more[0] : 0;
}
int weft_main(void) {
  const uint32_t what = weft_argument(0), from = weft_job()->send_base;
  volatile int first = 0;
  weft_result("what", what);
  if (what < 2) weft_send((weft_rank() + 1) % weft_nodes(), from, 200, 0, 0, 0);
  if (what == 1) weft_wait_received(0, weft_argument(1));
  if (what == 2) weft_check(weft_rank() != 3, "checked by", weft_rank());
  if (what == 3) return 7;
  if (what == 4) weft_wait_received(0, 1);
  for (uint32_t i = 0; what == 5 && i < 10100; ++i) weft_print("line", i);
  return what == 6 ? deep(&first) : 0;
}' >ends.c
$weft cc ends.c -o ends.elf && $weft cc --native ends.c -o ends.so || fail ends.c
for made in "rv32 elf" "native so"; do
  ends() {  # ARGUMENTS OPTION...: its result in own.json.
    local arguments=$1
    shift
    rm -f own.json
    $weft run torus_a2at --set topology.dims=[2,2] --set processor=${made% *} \
      --program ends.${made#* } --set workload.arguments="[$arguments]" --set watchdog=3000 \
      --json own.json "$@" 2>own.err >own.txt
  }
  for engine in model flit; do
    ends 0 --engine $engine || fail "$made 0: $(<own.err)"
    grep -q "^ *12 of 12 messages (packets, where .*) were not stored when the last" own.txt ||
      fail "no word of messages on their way: $(<own.txt)"
    ends 1,3 --engine $engine || fail "$made 1: $(<own.err)"
    grep -q "were not stored" own.txt && fail "messages on their way that were waited for"
  done
  for ended in "2 1 checked by 3" "3 1 the program ended with code 7" "4 3 no progress"; do
    read -r what status text <<<"$ended"
    ends "$what"
    is "$?" "$status" "$made $ended: $(<own.err)"
    grep -q "$text" own.err || fail "$made $ended: $(<own.err)"
    is "$(field own.json values/3/value) $(field own.json engine)" "$what model" "values, $ended"
    [[ $(field own.json failure) == *"$text"* ]] || fail "$made: failure in $(<own.json)"
  done
  ends 5 --set watchdog=1000000 || fail "$made 5: $(tail -n 1 own.err)"
  is "$(wc -l <own.err)" 40004 "lines of four nodes that print too many"
  is "$(grep -c 'more than 10000 lines; the others are left out' own.err)" 4 "the last of them"
done
for threads in 1 2; do
  ends 6 --threads $threads
  is "$? $(tr -s ' ' <own.err)" "1 weft: node 3: the stack of its native program (64 KiB) is full" \
    "a full stack, $threads threads"
done

finish
