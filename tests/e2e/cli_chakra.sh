#!/usr/bin/env bash
# Chakra execution traces become dependency traces that run: the fields of the wire format are
# written here by hand, not by the converter's library.
source "$(dirname "$0")/lib.sh"

if ! /usr/bin/python3 -c 'import google.protobuf' 2>/dev/null; then
  source "$source_dir/scripts/packages.sh"
  (weft_packages python3-protobuf) || fail "python3-protobuf is not there"
fi
cat >write.py <<'END'
def varint(n):
    out = b""
    while n > 0x7F:
        out, n = out + bytes([n & 0x7F | 0x80]), n >> 7
    return out + bytes([n])

def number(field, n):
    return varint(field << 3) + varint(n)

def piece(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data

def node(id, type, deps=b"", micros=0, more=b"", **attributes):
    all = number(1, id) + piece(2, f"node {id}") + number(3, type) + deps + number(7, micros) + more
    # Values of int64 and of uint64.
    for i, (name, value) in enumerate(attributes.items()):
        all += piece(10, piece(1, name) + number(9 if i % 2 else 13, value))
    return all

def write(name, *nodes):
    with open(name, "wb") as file:
        for data in (piece(1, "0.0.4"), *nodes):
            file.write(varint(len(data)) + data)

# Rank 0 computes and sends 300 bytes; dependencies once packed, once not. Rank 1 computes when it
# has received. Inputs (field 8) are not read.
write("0.et", node(7, 4, micros=3),
      node(900, 5, piece(5, varint(7)), comm_size=300, comm_dst=1, comm_tag=4))
write("1.et", node(1, 6, comm_size=300, comm_src=0, comm_tag=4), node(2, 1, micros=0),
      node(3, 4, number(4, 1) + number(5, 2) + number(5, 1), 2, piece(8, piece(1, "x"))))
write("collective.et", node(1, 7, comm_size=8))
write("alone.et", node(1, 4, number(4, 5)))
write("nowhere.et", node(1, 5, comm_size=8, comm_dst=2))
write("nobody.et", node(1, 5, comm_size=8))
write("twice.et", node(1, 4), node(1, 4))
open("cut.et", "wb").write(open("0.et", "rb").read()[:-1])
END
python3 write.py || fail "write.py"
convert=$source_dir/scripts/chakra_to_goal.py

expect 0 "" "$convert" 0.et 1.et -o two.goal
cat >expected.goal <<'END'
num_ranks 2
rank 0 {
  n7: calc 3000
  n900: send 300b to 1 tag 4
  n900 requires n7
}
rank 1 {
  n1: recv 300b from 0 tag 4
  n2: calc 0
  n3: calc 2000
  n3 requires n1
  n3 requires n2
}
END
diff expected.goal two.goal >diff.txt || fail "two.goal: $(<diff.txt)"
echo '{"topology": {"kind": "ring", "nodes": 2}, "processor": "native",
  "workload": {"collective": "goal", "file": "two.goal"}}' >two.json
expect 0 "38 words compared" $weft run two.json --json run.json
cycles=$(field run.json cycles)
[[ $cycles -gt 5038 && $cycles -lt 5100 ]] || fail "$cycles cycles"

rm two.goal
expect 2 "collective.et: node 1: a collective node" "$convert" 0.et collective.et -o two.goal
expect 2 "alone.et: node 1: depends on 5" "$convert" alone.et 1.et -o two.goal
expect 2 "nowhere.et: node 1: comm_dst 2; expected: 0 to 1" "$convert" 0.et nowhere.et -o two.goal
expect 2 "nobody.et: node 1: expected: the attribute comm_dst" "$convert" nobody.et 1.et -o two.goal
expect 2 "twice.et: expected: an id of its own" "$convert" twice.et -o two.goal
expect 2 "cut.et: byte 23: a message of 64 bytes ends beyond the file" \
  "$convert" cut.et 1.et -o two.goal
: >empty.et
expect 2 "empty.et: empty; expected: metadata" "$convert" 0.et empty.et -o two.goal
mkdir -p none/google && : >none/google/__init__.py
expect 2 "google.protobuf is missing: package python3-protobuf" \
  env PYTHONPATH=none "$convert" 0.et 1.et -o two.goal
expect 2 "No such file" "$convert" none.et -o two.goal
[[ ! -e two.goal && -z $(ls tmp* 2>/dev/null) ]] || fail "a trace was written of files with errors"

finish
