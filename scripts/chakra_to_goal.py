#!/usr/bin/python3
"""Converts Chakra execution traces (MLCommons), one for each rank, to a dependency trace in GOAL.

usage: scripts/chakra_to_goal.py RANK0.et RANK1.et ... [--groups GROUPS.json] -o TRACE.goal

Needs Debian's python3-protobuf. Units of calc are nanoseconds. Nodes become operations: computing,
memory and storage nodes a calc of their duration, COMM_SEND_NODE and COMM_RECV_NODE a send and a
recv; control and data dependencies become `requires`. Collective nodes (COMM_COLL_NODE) do not say
which messages they consist of; they become those of chakra_collectives.py. Their group (pg_name) is
looked up in the file of --groups: {"NAME": [RANK, ...], ...}; without a name it is all ranks.
"""
import argparse
import json
import os
import sys
import tempfile

try:
    from google.protobuf import descriptor_pb2, descriptor_pool, message, message_factory
except ImportError:
    print("chakra_to_goal.py: google.protobuf is missing: package python3-protobuf",
          file=sys.stderr)
    sys.exit(2)

from chakra_collectives import COLLECTIVES, steps

# The parts of the published schema that are read: name, field number, type; lists end in "*".
ATTRIBUTE = [("name", 1, "STRING"), ("int32_val", 7, "INT32"), ("int64_val", 9, "INT64"),
             ("uint32_val", 11, "UINT32"), ("uint64_val", 13, "UINT64"),
             ("sint32_val", 15, "SINT32"), ("sint64_val", 17, "SINT64"),
             ("fixed32_val", 19, "FIXED32"), ("fixed64_val", 21, "FIXED64"),
             ("sfixed32_val", 23, "SFIXED32"), ("sfixed64_val", 25, "SFIXED64"),
             ("string_val", 29, "STRING")]
NODE = [("id", 1, "UINT64"), ("name", 2, "STRING"), ("type", 3, "INT32"),
        ("ctrl_deps", 4, "UINT64*"), ("data_deps", 5, "UINT64*"),
        ("duration_micros", 7, "UINT64"), ("attr", 10, "MESSAGE*")]
# First tag of the collectives' messages, above the tags of the traces, which count from 0.
FIRST_TAG = 1 << 24
# Types of nodes.
SEND, RECV, COLLECTIVE = 5, 6, 7
TIMED = {1: "METADATA_NODE", 2: "MEM_LOAD_NODE", 3: "MEM_STORE_NODE", 4: "COMP_NODE",
         8: "STORAGE_NODE", 9: "BATCH_NODE", 10: "CHECKPOINT_NODE"}


class Wrong(Exception):
    """A trace that cannot be converted."""


def node_class():
    """The class of a node's messages."""
    file = descriptor_pb2.FileDescriptorProto(name="chakra.proto", package="chakra",
                                              syntax="proto3")
    for name, fields in (("Attribute", ATTRIBUTE), ("Node", NODE)):
        described = file.message_type.add(name=name)
        for field, number, kind in fields:
            added = described.field.add(name=field, number=number)
            added.label = added.LABEL_REPEATED if kind.endswith("*") else added.LABEL_OPTIONAL
            added.type = getattr(added, "TYPE_" + kind.rstrip("*"))
            if added.type == added.TYPE_MESSAGE:
                added.type_name = ".chakra.Attribute"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.MessageFactory(pool).GetPrototype(
        pool.FindMessageTypeByName("chakra.Node"))


def messages(path):
    """The messages of a file, each with its length before it, as bytes."""
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        begin, length, shift = at, 0, 0
        while True:
            if at == len(data) or shift > 63:
                raise Wrong(f"{path}: byte {begin}: expected: the length of a message")
            length |= (data[at] & 0x7F) << shift
            shift += 7
            at += 1
            if data[at - 1] < 0x80:
                break
        if length > len(data) - at:
            raise Wrong(f"{path}: byte {begin}: a message of {length} bytes ends beyond the file")
        yield data[at:at + length]
        at += length


def attributes(where, node, *wanted):
    """The whole numbers and texts among a node's attributes, by name; the wanted are numbers."""
    values = {}
    for attribute in node.attr:
        for field, value in attribute.ListFields():
            if field.name != "name":
                values[attribute.name] = value
        values.setdefault(attribute.name, 0)  # Attributes that are 0 may be left out.
    for name in wanted:
        if not isinstance(values.get(name), int):
            raise Wrong(f"{where}: expected: the attribute {name}, a whole number")
    return values


def operation(where, node, ranks):
    """A node but a collective as an operation of GOAL."""
    if node.type in TIMED:
        return f"calc {1000 * node.duration_micros}"
    if node.type not in (SEND, RECV):
        raise Wrong(f"{where}: type {node.type}; expected: a type of node of Chakra, 1 to 10")
    peer = "comm_dst" if node.type == SEND else "comm_src"
    values = attributes(where, node, peer, "comm_size")
    if not 0 <= values[peer] < ranks:
        raise Wrong(f"{where}: {peer} {values[peer]}; expected: 0 to {ranks - 1}")
    tag = values.get("comm_tag", 0)
    if not 0 <= tag < FIRST_TAG:
        raise Wrong(f"{where}: comm_tag {tag}; expected: 0 to {FIRST_TAG - 1}: messages of "
                    "collectives have the tags above")
    words = ("send", "to") if node.type == SEND else ("recv", "from")
    size = max(1, values["comm_size"])  # GOAL has no message without a body here.
    return f"{words[0]} {size}b {words[1]} {values[peer]} tag {tag}"


class Groups:
    """The groups of collectives, and what their members have called so far."""

    def __init__(self, path, ranks):
        self.ranks, self.path, self.members = ranks, path, {}
        self.called = {}  # Calls by group and rank.
        self.calls = {}  # Calls by group and number.
        if path is None:
            return
        try:
            with open(path, encoding="utf-8") as file:
                self.members = json.load(file)
        except ValueError as error:
            raise Wrong(f"{path}: {error}") from None
        if not isinstance(self.members, dict):
            raise Wrong(f'{path}: expected: {{"NAME": [RANK, ...], ...}}')
        for name, members in self.members.items():
            good = isinstance(members, list) and members and len(set(members)) == len(members)
            if not good or not all(type(m) is int and 0 <= m < ranks for m in members):
                raise Wrong(f"{path}: group {name}: expected: a list of different ranks, 0 to "
                            f"{ranks - 1}")

    def find(self, where, name):
        """The ranks of a group."""
        if name in ("", 0):
            return list(range(self.ranks))
        if name not in self.members:
            raise Wrong(f'{where}: pg_name "{name}"; expected: a group of '
                        f"{self.path or 'the file of --groups, which is not given'}")
        return self.members[name]

    def call(self, where, rank, name, what):
        """The tag of the messages of a rank's next call in a group: that of the others' call of the
        same number, which must be of the same collective, size and root."""
        number = self.called[name, rank] = self.called.get((name, rank), 0) + 1
        call = self.calls.setdefault((name, number),
                                     {"tag": FIRST_TAG + len(self.calls), "where": where,
                                      "what": what, "ranks": set()})
        if call["what"] != what:
            raise Wrong(f"{where}: {say(what)}; expected: {say(call['what'])}, as "
                        f"{call['where']} has it: call {number} of the group")
        call["ranks"].add(rank)
        return call["tag"]

    def check(self):
        """Each call must be one of all members."""
        for (name, _), call in self.calls.items():
            for member in self.find("", name):
                if member not in call["ranks"]:
                    raise Wrong(f"{call['where']}: {say(call['what'])}; expected: the same call of "
                                f"rank {member}")


def say(what):
    """A call in words."""
    return f"{COLLECTIVES[what[0]]} of {what[1]} bytes from member {what[2]}"


def collective_lines(where, node, rank, groups):
    """The lines of a collective node: its messages between a first and a last operation."""
    values = attributes(where, node, "comm_type", "comm_size")
    if values["comm_type"] not in COLLECTIVES:
        raise Wrong(f"{where}: comm_type {values['comm_type']}; expected: 0 to "
                    f"{len(COLLECTIVES) - 1}")
    name = values.get("pg_name", "")
    members = groups.find(where, name)
    if rank not in members:
        raise Wrong(f'{where}: pg_name "{name}"; expected: a group with rank {rank}')
    what = (values["comm_type"], max(1, values["comm_size"]), values.get("root", 0))
    if not 0 <= what[2] < len(members):
        raise Wrong(f"{where}: root {what[2]}; expected: 0 to {len(members) - 1}")
    tag = groups.call(where, rank, name, what)
    yield f"  n{node.id}_0: calc 0"
    messages_of_rank = steps(*what, len(members), members.index(rank))
    for number, (word, size, peer, after) in enumerate(messages_of_rank, 1):
        way = "to" if word == "send" else "from"
        yield f"  n{node.id}_{number}: {word} {size}b {way} {members[peer]} tag {tag}"
        for other in after or [0]:
            yield f"  n{node.id}_{number} requires n{node.id}_{other}"
    yield f"  n{node.id}: calc 0"
    for other in range(len(messages_of_rank) + 1):
        yield f"  n{node.id} requires n{node.id}_{other}"


def rank_lines(path, rank, groups, node_type):
    """The lines of a rank, from its file: metadata, then nodes."""
    nodes, number = [], None
    for number, data in enumerate(messages(path)):
        if number == 0:
            continue
        try:
            nodes.append(node_type.FromString(data))
        except message.DecodeError:
            raise Wrong(f"{path}: message {number}: expected: a node of Chakra") from None
    if number is None:
        raise Wrong(f"{path}: empty; expected: metadata, then nodes")
    known = {node.id for node in nodes}
    if len(known) != len(nodes):
        raise Wrong(f"{path}: expected: an id of its own for each node")
    for node in nodes:
        where = f"{path}: node {node.id}"
        first = f"n{node.id}"
        if node.type == COLLECTIVE:
            yield from collective_lines(where, node, rank, groups)
            first += "_0"
        else:
            yield f"  {first}: {operation(where, node, groups.ranks)}"
        for other in dict.fromkeys([*node.ctrl_deps, *node.data_deps]):
            if other not in known:
                raise Wrong(f"{where}: depends on {other}; expected: the id of a node of the file")
            yield f"  {first} requires n{other}"


def main():
    """Converts; nothing is written if a file cannot be."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("traces", nargs="+", metavar="RANK.et", help="rank by rank")
    parser.add_argument("--groups", metavar="GROUPS.json", help="ranks of the groups, by pg_name")
    parser.add_argument("-o", dest="out", required=True, metavar="TRACE.goal")
    arguments = parser.parse_args()
    node_type = node_class()
    ranks = len(arguments.traces)
    folder = os.path.dirname(os.path.abspath(arguments.out))
    try:
        groups = Groups(arguments.groups, ranks)
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as out:
            try:
                out.write(f"num_ranks {ranks}\n")
                for rank, path in enumerate(arguments.traces):
                    out.write(f"rank {rank} {{\n")
                    lines = rank_lines(path, rank, groups, node_type)
                    out.writelines(line + "\n" for line in lines)
                    out.write("}\n")
                groups.check()
            except BaseException:
                os.unlink(out.name)
                raise
        os.chmod(out.name, 0o644)
        os.replace(out.name, arguments.out)
    except (Wrong, OSError) as error:
        print(f"chakra_to_goal.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
