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
        all += piece(10, piece(1, name) + (piece(29, value) if isinstance(value, str)
                                           else number(9 if i % 2 else 13, value)))
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
# Two collectives of all, with computing between, and one of ranks 0 and 2.
for rank in range(4):
    write(f"all{rank}.et", node(1, 7, comm_type=0, comm_size=800),
          node(2, 4, piece(5, varint(1)), 1),
          node(3, 7, piece(5, varint(2)), comm_size=80, comm_type=5, root=2),
          *[node(4, 7, comm_type=6, comm_size=64, pg_name="even")][rank % 2:])
write("kindless.et", node(1, 7, comm_size=8))
write("unknown.et", node(1, 7, comm_size=8, comm_type=10))
write("group.et", node(1, 7, comm_size=8, comm_type=0, pg_name="odd"))
write("root.et", node(1, 7, comm_size=8, comm_type=5, root=2))
write("reduce.et", node(1, 7, comm_size=8, comm_type=1))
write("gather.et", node(1, 7, comm_size=8, comm_type=2))
write("alone.et", node(1, 4, number(4, 5)))
write("nowhere.et", node(1, 5, comm_size=8, comm_dst=2))
write("nobody.et", node(1, 5, comm_size=8))
write("high.et", node(1, 5, comm_size=8, comm_dst=0, comm_tag=1 << 24))
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

# Collectives: an all-reduce of 100 words as 24 messages of 25, a broadcast of 10 as 3, and an
# all-to-all of two ranks as 2 of 4 words.
echo '{"even": [0, 2], "odd": [1]}' >groups.json
expect 0 "" "$convert" all{0,1,2,3}.et --groups groups.json -o four.goal
sed 's/two.goal/four.goal/; s/"nodes": 2/"nodes": 4/' two.json >four.json
expect 0 "638 words compared" $weft run four.json --json run.json
is "$(field run.json messages)" 29 "messages of the collectives"
[[ $(field run.json cycles) -gt 1000 ]] || fail "the computing between: $(field run.json cycles)"
# Every algorithm, for 1 to 9 members: what a member knows follows its messages.
cat >knows.py <<'END'
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from chakra_collectives import COLLECTIVES, steps

def run(kind, root, n):
    todo = [dict(enumerate(steps(kind, 9 * n, root, n, m), 1)) for m in range(n)]
    knows, ways, ended, moved = [{m} for m in range(n)], {}, [set() for _ in range(n)], 0
    order = {(m, k): [s[::2] for s in todo[m].values()][:k - 1].count(s[::2])
             for m in range(n) for k, s in todo[m].items()}
    while any(todo):
        before = sum(map(len, todo))
        for m in range(n):
            for k, (word, size, peer, after) in list(todo[m].items()):
                if not ended[m].issuperset(after):
                    continue
                number = order[m, k]
                if word == "send":
                    ways[m, peer, number] = size, set(knows[m])
                    moved += size
                elif (peer, m, number) not in ways:
                    continue
                else:
                    sent, known = ways.pop((peer, m, number))
                    assert sent == size
                    knows[m] |= known
                ended[m].add(k)
                del todo[m][k]
        assert sum(map(len, todo)) < before, "a circle"
    assert not ways
    return knows, moved

for n in range(1, 10):
    for kind, name in COLLECTIVES.items():
        for root in range(n):
            knows, moved = run(kind, root, n)
            of = [root] if name in ("REDUCE", "GATHER") else range(n)
            what = {root} if name in ("BROADCAST", "SCATTER") else set(range(n))
            assert all(knows[m] >= what for m in of), (name, n, root)
            pairs, size = n * (n - 1), 9 * n
            best = {"ALL_REDUCE": 2 * 9 * pairs, "ALL_GATHER": pairs * size,
                    "ALL_TO_ALL": 9 * pairs, "REDUCE_SCATTER": 9 * pairs,
                    "REDUCE_SCATTER_BLOCK": 9 * pairs,
                    "SCATTER": 9 * (n - 1), "BARRIER": moved}.get(name, (n - 1) * size)
            assert moved == best, (name, n, root, moved, best)
END
expect 0 "" /usr/bin/python3 knows.py "$source_dir/scripts"

rm two.goal
echo '{"odd": [1]}' >one.json
expect 2 "kindless.et: node 1: expected: the attribute comm_type" \
  "$convert" 0.et kindless.et -o two.goal
expect 2 "unknown.et: node 1: comm_type 10; expected: 0 to 9" "$convert" 0.et unknown.et -o two.goal
expect 2 'group.et: node 1: pg_name "odd"; expected: a group of the file of --groups, which' \
  "$convert" group.et 1.et -o two.goal
expect 2 'group.et: node 1: pg_name "odd"; expected: a group with rank 0' \
  "$convert" group.et 1.et --groups one.json -o two.goal
expect 2 "root.et: node 1: root 2; expected: 0 to 1" "$convert" root.et 1.et -o two.goal
expect 2 "gather.et: node 1: ALL_GATHER of 8 bytes from member 0; expected: REDUCE of 8 bytes from \
member 0, as reduce.et: node 1 has it: call 1 of the group" \
  "$convert" reduce.et gather.et -o two.goal
expect 2 "reduce.et: node 1: REDUCE of 8 bytes from member 0; expected: the same call of rank 1" \
  "$convert" reduce.et 1.et -o two.goal
echo '{"odd": [1, 2]}' >groups.wrong
expect 2 "groups.wrong: group odd: expected: a list of different ranks, 0 to 1" \
  "$convert" group.et 1.et --groups groups.wrong -o two.goal
expect 2 "alone.et: node 1: depends on 5" "$convert" alone.et 1.et -o two.goal
expect 2 "nowhere.et: node 1: comm_dst 2; expected: 0 to 1" "$convert" 0.et nowhere.et -o two.goal
expect 2 "nobody.et: node 1: expected: the attribute comm_dst" "$convert" nobody.et 1.et -o two.goal
expect 2 "high.et: node 1: comm_tag 16777216; expected: 0 to 16777215" \
  "$convert" high.et 1.et -o two.goal
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
