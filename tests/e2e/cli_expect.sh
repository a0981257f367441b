#!/usr/bin/env bash
# workload.expect: words that a program of one's own must leave in memory.
source "$(dirname "$0")/lib.sh"

echo '#include "weft_hal.h"
int weft_main(void) {
  const struct weft_job *const job = weft_job();
  uint32_t *const mine = weft_mem(job->send_base);
  for (uint32_t i = 0; i < 4; ++i) mine[i] = 16 * weft_rank() + i;
  mine[4] = (uint32_t)-7;
  weft_send((weft_rank() + 1) % weft_nodes(), job->send_base, 2, 64, 1, 0);
  weft_wait_received(1, 1);
  return 0;
}' >own.c
$weft cc own.c -o own.elf && $weft cc --native own.c -o own.so || fail "own.c"
own() {  # OPTION...: a run with words.csv.
  $weft run full16 --set topology.pes=4 --program "${program:-own.elf}" \
    --set workload.expect=words.csv --json own.json "$@"
}
# line TEXT...: words.csv has these lines.
lines() { printf '%s\n' "$@" >words.csv; }

good=(node,address,value '# the send areas' 0,send+0x4,1 ' 1 , send+4 , 17 ' 2,send+4,0x21 ''
  3,send+0x10,-7 3,0x8014,0 '# what was received' 1,recv+64,0 0,recv+0x40,0x30 0,recv+68,49)
lines "${good[@]}"
for more in '' '--engine flit' '--threads 2' '--set processor=native'; do
  program=own.elf
  [[ $more != *native ]] || program=own.so
  expect 0 "8 words compared in the memories of 4 nodes, 0 differ" own $more
done
is "$(field own.json errors/data)" 0
program=own.elf
expect 0 "the program returned 0 on 4 nodes" own

# What differs: how many, on how many nodes, the first, and what wrote it last.
lines "${good[@]}" 2,recv+72,0x12 2,recv+76,18 3,send+0x10000,5
for more in '' '--engine flit' '--set processor=native'; do
  program=own.elf
  [[ $more != *native ]] || program=own.so
  expect 1 "2 data, 0 refused, 0 parity errors" own $more
  expect 1 "wrong data in 2 of 4 nodes; the first: node 2, address" own $more
  expect 1 "line 14 of workload.expect" own $more
  expect 1 "expected 18 (0x00000012), found 19 (0x00000013)" own $more
  expect 1 "by a message from node 1, tag 1, stored" own $more
done
is "$(field own.json wrong_data/in) $(field own.json wrong_data/index)" "expect 13"
is "$(field own.json wrong_data/memory_address)" "$((0x8000 + 65536 + 76))"
program=own.elf
lines 1,send+0x10,-8 1,send+0x14,1
expect 1 "expected -8 (0xfffffff8), found -7 (0xfffffff9)" own
expect 1 "by its own processor" own
is "$(field own.json errors/data) $(field own.json wrong_data/index)" "2 0"
lines 1,recv+0x8,1
expect 1 "nothing has written it" own

# Lines and files that cannot be read.
rm -f own.json
for wrong in 0,0x8000 0,0x8000,1,2 4,0x8000,1 -1,0x8000,1 0,0x8002,1 0,0x8000, ,0x8000,1 0,,1 \
  0,send+,1 0,send+2,1 0,sand+4,1 0,send-4,1 0,recv+65536,1 0,0xfffffffc,1 0,0x100000000,1 \
  0,0x8000,4294967296 0,0x8000,-2147483649 0,0x8000,0x 0,0x8000,1.5 0,0x8000,--1 0x,0x8000,1 \
  node,address,value 'a,b,c'; do
  lines '# three lines before it' '' 0,0x8000,0 "$wrong" 1,0x8000,0
  expect 2 "words.csv:4: value \"$wrong\": expected: node,address,value: node 0 to 3" own
done
lines 0,recv+0,1 1,0x8000,2 0,0x18000,1
expect 2 "words.csv:3: expected: one line for each word: line 1 is for this one, too" own
lines '# nothing'
expect 2 "node,address,value: it has no such line" own
rm words.csv
expect 2 "/workload/expect: value \"words.csv\": expected: the path of a file" own
mkdir words.csv
expect 2 "cannot be read: it is a folder" own
rmdir words.csv
mkfifo words.csv
weft="timeout 20 $weft" expect 2 "cannot be read: it is a pipe" own
rm words.csv
lines 0,0x8000,0
expect 2 "--json" own --json words.csv
expect 2 "/workload/expect" $weft run xbar16 --set workload.expect=words.csv
[ ! -e own.json ] || fail "a result was written without a run"

# A sweep makes a run again whose expected words have changed.
echo '{"base": {"topology": {"kind": "full_crossbar", "pes": 4}, "workload": {"collective":
  "program", "program": "own.elf", "expect": "words.csv"}}, "axes": [{"seed": [1]}]}' >again.json
$weft sweep again.json -o again >sweep.txt 2>&1 || fail "a sweep: $(<sweep.txt)"
lines 0,0x8000,1
expect 1 "1 runs made now, 0 found" $weft sweep again.json -o again

finish
