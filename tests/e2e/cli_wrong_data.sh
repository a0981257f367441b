#!/usr/bin/env bash
# Wrong data: the error and the result say where the first is, what it must be, how much there is,
# and what wrote it last. What must be said follows from the programs and from the hash of
# sim/base/random.hpp, computed here.
source "$(dirname "$0")/lib.sh"

build() {  # NAME SOURCE OPTION...
  riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -std=c11 -O2 -g0 -ffreestanding \
    --specs=picolibc.specs -nostartfiles -T "$source_dir/sw/runtime/weft.ld" \
    -Wl,-z,max-page-size=4 --param=min-pagesize=0 -I"$source_dir/sw/include" \
    "$source_dir/sw/runtime/crt0.S" "$source_dir/sw/runtime/boot.c" \
    "$source_dir/tests/e2e/programs/$2.c" "${@:3}" -o "$1.elf" || fail "$2.c does not compile"
}

# says FILE JSON: `wrong_data` of the result FILE is exactly JSON, in which word(src, dst, k) is the
# word that a workload sends, and cycle(from, to) is any cycle between the two.
says() {
  python3 - "$@" <<'END' || fail "wrong_data of $1"
import json, sys
M = 2**64 - 1
def word(src, dst, k):
    x = ((src << 42 ^ dst << 21 ^ k) + 1) & M
    x = x + 0x9e3779b97f4a7c15 & M
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & M
    x = (x ^ x >> 27) * 0x94d049bb133111eb & M
    return x ^ x >> 31
class Between:
    def __init__(self, least, most): self.range = range(least, most + 1)
    def __eq__(self, other): return other in self.range
    def __repr__(self): return str(self.range)
def values(expected, found, digits=16):
    return {"expected": str(expected), "found": str(found),
            "expected_hex": f"0x{expected:0{digits}x}", "found_hex": f"0x{found:0{digits}x}"}
got = json.load(open(sys.argv[1]))["wrong_data"]
want = eval(sys.argv[2], {"word": word, "cycle": Between, "values": values})
if got != want:
    sys.exit(f"{got}\ninstead of\n{want}")
END
}

# Four nodes, blocks of two words: the send area of 64 bytes at 0x8000, then the receive window.
four() {
  $weft run full16 --set topology.pes=4 --set link.parity=false --set workload.message_flits=2 "$@"
}
# fails NAME COMMAND...: the command ends with status 1; its errors are in NAME.err.
fails() {
  "${@:2}" --json $1.json 2>$1.err >$1.out
  is $? 1 "status of $1"
}
# text NAME LINE...: its errors are exactly these lines, with C for the cycle of the result.
text() {
  local cycle
  cycle=$(field $1.json wrong_data/last_writer/cycle 2>none.txt)
  is "$(sed "s/cycle ${cycle:-none} /cycle C /" $1.err)" "$(printf '%s\n' "${@:2}")" "$1"
}
hex() {  # NAME FIELD
  field $1.json wrong_data/$2_hex
}

four --set processor=native --json right.json >right.txt || fail "a2a"
grep -q wrong_data right.json && fail "wrong data in a run without an error"
for mistake in wrong_word:1 twice:2 forgotten:3 own_store:4; do
  build ${mistake%:*} wrong_block -DMISTAKE=${mistake#*:}
done
build element wrong_element

for engine in model flit cosim; do
  program() {  # NAME
    fails $1.$engine four --engine $engine --set workload.program="\"$1.elf\""
  }
  name=wrong_word.$engine
  program wrong_word
  says $name.json '{
    "nodes": 1, "rank": 3, "address": 3, "memory_address": 0x8058, "in": "block", "owner": 1,
    "index": 1, "type": "uint64", **values(word(1, 3, 1), word(1, 3, 1) ^ 0x10000),
    "last_writer": {"by": "message", "cycle": cycle(20, 400), "source": 1, "tag": 0,
                    "kind": "stored"}}'
  text $name "weft: 1 data, 0 refused, 0 parity errors" \
    "  wrong data in 1 of 4 nodes; the first: node 3, address 0x3" \
    "  byte 0x8058 of its memory, word 1 of the block of node 1" \
    "  expected $(hex $name expected), found $(hex $name found)" \
    "  written last in cycle C by a message from node 1, tag 0, stored"

  # The message that came last, not the one that came first.
  name=twice.$engine
  program twice
  says $name.json '{
    "nodes": 1, "rank": 0, "address": 0, "memory_address": 0x8058, "in": "block", "owner": 1,
    "index": 1, "type": "uint64", **values(word(1, 0, 1), word(3, 0, 0)),
    "last_writer": {"by": "message", "cycle": cycle(500, 2000), "source": 3, "tag": 2,
                    "kind": "stored"}}'

  name=forgotten.$engine
  program forgotten
  says $name.json '{
    "nodes": 1, "rank": 1, "address": 1, "memory_address": 0x8060, "in": "block", "owner": 2,
    "index": 0, "type": "uint64", **values(word(2, 1, 0), 0), "last_writer": {"by": "nothing"}}'
  text $name "weft: 2 data, 0 refused, 0 parity errors" \
    "  wrong data in 1 of 4 nodes; the first: node 1, address 0x1" \
    "  byte 0x8060 of its memory, word 0 of the block of node 2" \
    "  expected $(hex $name expected), found 0x0000000000000000" \
    "  nothing has written it: no message, combining tree or store of its own processor"

  name=own_store.$engine
  program own_store
  read_in=$(($(hex $name found) >> 32))  # The program stores the cycle in which it read the clock.
  says $name.json '{
    "nodes": 1, "rank": 2, "address": 2, "memory_address": 0x8040, "in": "block", "owner": 0,
    "index": 0, "type": "uint64",
    **values(word(0, 2, 0), word(0, 2, 0) % 2**32 + ('$read_in' << 32)),
    "last_writer": {"by": "processor", "cycle": cycle('$((read_in + 1))', '$((read_in + 2))')}}'
  text $name "weft: 1 data, 0 refused, 0 parity errors" \
    "  wrong data in 1 of 4 nodes; the first: node 2, address 0x2" \
    "  byte 0x8040 of its memory, word 0 of the block of node 0" \
    "  expected $(hex $name expected), found $(hex $name found)" \
    "  written last in cycle C by its own processor"

  # Each member's elements are its number and 1: their sum is 10.
  name=element.$engine
  fails $name $weft run full16 --engine $engine --set topology.pes=4 --set combining=tree \
    --set 'workload={
    "collective": "allreduce_tree", "bytes": 24, "type": "int32", "op": "sum", "data": "member",
    "program": "element.elf"}'
  says $name.json '{
    "nodes": 4, "rank": 0, "address": 0, "memory_address": 0x880c, "in": "array", "index": 3,
    "type": "int32", **values(10, 11, 8),
    "last_writer": {"by": "combining tree", "cycle": cycle(20, 500)}}'
  text $name "weft: 4 data, 0 refused, 0 parity errors" \
    "  wrong data in 4 of 4 nodes; the first: node 0, address 0x0" \
    "  byte 0x880c of its memory, element 3 of the array, int32" \
    "  expected 10 (0x0000000a), found 11 (0x0000000b)" \
    "  written last in cycle C by the combining tree"

  # A flipped bit of the last word of a transfer, which a clean run says when it is on the link.
  # The first word of a packet is in memory three cycles after its tail was on the link.
  transfer() {
    $weft run full16 --engine $engine --set topology.pes=4 --set link.parity=false \
      --set processor=null --set 'workload={"transfers": [{"from": 2, "to": 1, "flits": 3}]}' "$@"
  }
  transfer --json clean.json >clean.txt || fail "transfer"
  end=$(field clean.json transfers/0/end)
  name=fault.$engine
  fails $name transfer --set "faults=[{\"node\": 1, \"cycle\": $end, \"bit\": 63}]"
  says $name.json '{
    "nodes": 1, "rank": 1, "address": 1, "memory_address": 0x8028, "in": "transfer", "transfer": 0,
    "owner": 2, "index": 2, "type": "uint64", **values(word(0, 0, 2), word(0, 0, 2) ^ 1 << 63),
    "last_writer": {"by": "message", "cycle": '$((end + 5))', "source": 2, "tag": 0,
                    "kind": "stored"}}'
  text $name "weft: 1 data, 0 refused, 0 parity errors" \
    "  wrong data in 1 of 4 nodes; the first: node 1, address 0x1" \
    "  byte 0x8028 of its memory, word 2 of transfer 0, from node 2" \
    "  expected $(hex $name expected), found $(hex $name found)" \
    "  written last in cycle C by a message from node 2, tag 0, stored"
done
# To the cycle, all engines say the same.
for result in wrong_word twice forgotten own_store element fault; do
  for engine in flit cosim; do
    is "$(field $result.$engine.json wrong_data)" "$(field $result.model.json wrong_data)" $result
  done
done
# Also on several threads, with several send controllers and a start-up over the network.
torus() {
  fails torus $weft run torus_a2at --set topology.dims=[4,2] --set workload.message_flits=2 \
    --set processor=rv32 --set workload.program='"wrong_word.elf"' "$@"
}
for how in "--set start=loaded" "--set start=network"; do
  torus $how
  is "$(field torus.json wrong_data/coordinates)" "(3, 0)"
  is "$(field torus.json wrong_data/last_writer/source)" 1
  model=$(field torus.json wrong_data)
  torus $how --threads 3
  is "$(field torus.json wrong_data)" "$model" "$how, three threads"
  torus $how --engine flit --threads 2
  is "$(field torus.json wrong_data)" "$model" "$how, engine flit on two threads"
done

# A job that does not arrive as node 0 sent it is found, and no driver computes with it.
# (Bit 34 of its header moves it to another place in the memory.)
for engine in model flit; do
  for processor in native rv32; do
    expect 1 "the job that node 0 sent over the network arrived with errors" \
      $weft run torus_a2at --set topology.dims=[4,2] --set workload.message_flits=2 \
      --set start=network --set processor=$processor --engine $engine \
      --set 'faults=[{"node":5,"bit":34}]'
  done
done

# All fields are listed.
$weft list results --json >listed.json || fail "list results"
python3 - *.model.json torus.json <<'END' || fail "fields of wrong_data in weft list results"
import json, sys
listed = {field["name"] for field in json.load(open("listed.json"))}
def names(value, path):
    if not isinstance(value, dict): return {path}
    return set().union(*(names(part, f"{path}/{key}") for key, part in value.items()))
found = set().union(*(names(json.load(open(f))["wrong_data"], "wrong_data") for f in sys.argv[1:]))
assert len(found) > 18 and found <= listed, found - listed
END

# Reduced data: members 1, 2, 4 and 8 from the root send it their sums in that order. A bit is
# flipped of the last flit into the root, the number 4 of rank 3: the sum of 1 to 9 becomes 46.
cat >reduce.json <<'END'
{"topology": {"kind": "torus", "dims": [3, 3]}, "processor": "native", "nic": {"controllers": 1},
 "workload": {"collective": "reduce_binomial", "bytes": 4, "type": "int32", "op": "sum",
              "data": "member", "root": 4}}
END
$weft run reduce.json --json clean.json >clean.txt || fail "reduce_binomial"
put=0
for ((cycle = $(field clean.json cycles); put == 0 && cycle > 0; --cycle)); do
  $weft run reduce.json --set "faults=[{\"node\": 4, \"cycle\": $cycle, \"bit\": 0}]" \
    --json reduced.json >reduced.out 2>reduced.err
  put=$(field reduced.json faults/put)
done
says reduced.json '{
  "nodes": 1, "rank": 4, "address": 5, "coordinates": "(1, 1)", "memory_address": 0x8800,
  "in": "array", "index": 0, "type": "int32", **values(45, 46, 8),
  "last_writer": {"by": "message", "cycle": cycle('$cycle', '$((cycle + 20))'), "source": 3,
                  "tag": 3, "kind": "reduced"}}'
text reduced "weft: 1 data, 0 refused, 0 parity errors" \
  "  wrong data in 1 of 9 nodes; the first: node 4, address 0x5, coordinates (1, 1)" \
  "  byte 0x8800 of its memory, element 0 of the array, int32" \
  "  expected 45 (0x0000002d), found 46 (0x0000002e)" \
  "  written last in cycle C by a message from node 3, tag 3, reduced"

# A block of an allgather that never arrives: its owner is named. Rank 3 has the fourth of four
# blocks of a word, two elements each. Where the contract leaves words open, a member's array begins
# with the complement of what the member would contribute, for rank 0 that of 1.
cat >gather.json <<'END'
{"topology": {"kind": "full_crossbar", "pes": 4}, "link": {"parity": false},
 "workload": {"collective": "allgather_ring", "bytes": 32, "type": "fp32", "data": "member",
              "program": "idle.elf"}}
END
build idle idle
fails idle $weft run gather.json
says idle.json '{
  "nodes": 4, "rank": 0, "address": 0, "memory_address": 0x8808, "in": "array", "owner": 1,
  "index": 2, "type": "fp32", "expected": "2", "expected_hex": "0x40000000", "found": "-3.9999998",
  "found_hex": "0xc07fffff", "last_writer": {"by": "nothing"}}'
text idle "weft: 12 data, 0 refused, 0 parity errors" \
  "  wrong data in 4 of 4 nodes; the first: node 0, address 0x0" \
  "  byte 0x8808 of its memory, element 2 of the array, fp32, in the block of node 1" \
  "  expected 2 (0x40000000), found -3.9999998 (0xc07fffff)" \
  "  nothing has written it: no message, combining tree or store of its own processor"

# A store beyond the receive window of 2^19 words and the mailboxes, on the broadcast's root. On
# engine model processors run ahead where no message can reach; not in the search for the writer.
build far_store far_store
for engine in model flit; do
  fails far_store.$engine $weft run full16 --engine $engine --set topology.pes=2 --set 'workload={
    "collective": "broadcast_binomial", "bytes": 4194312, "type": "int64", "data": "member",
    "program": "far_store.elf"}'
done
is "$(field far_store.model.json wrong_data)" "$(field far_store.flit.json wrong_data)"
is "$(field far_store.model.json wrong_data/rank)" 0
is "$(field far_store.model.json wrong_data/index)" $((1 << 19))
is "$(field far_store.model.json wrong_data/found)" $((1 + (19 << 32)))
is "$(field far_store.model.json wrong_data/last_writer/by)" processor

# A header that an error on the link into the interface has changed: what the interface reads
# counts, not what was sent.
cat >header.json <<'END'
{"topology": {"kind": "torus", "dims": [4]}, "seed": 217, "faults": [{"node": 0, "bit": 34}],
 "workload": {"transfers": [{"from": 1, "to": 0, "flits": 100, "start": 330, "gap": 2},
                            {"from": 3, "to": 0, "flits": 20, "at": 105}]}}
END
for engine in model flit; do fails header.$engine $weft run header.json --engine $engine; done
is "$(field header.model.json wrong_data)" "$(field header.flit.json wrong_data)"
is "$(field header.flit.json wrong_data/last_writer/source)" 3

finish
