"""The messages of collectives: what chakra_to_goal.py makes of a collective node.

A trace does not say how a collective is carried out. These are the usual algorithms: rings for
all-reduce, all-gather and reduce-scatter, all pairs for all-to-all, binomial trees for broadcast
and reduce, the root and each other for gather and scatter, dissemination for a barrier. The
arithmetic of a reduction takes no time.
"""

# Values of comm_type.
COLLECTIVES = dict(enumerate((
    "ALL_REDUCE", "REDUCE", "ALL_GATHER", "GATHER", "SCATTER", "BROADCAST", "ALL_TO_ALL",
    "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER")))


def steps(kind, size, root, members, me):
    """The sends and receives of member `me`, each as ("send" or "recv", bytes, the other member,
    the numbers of those, from 1, which it follows); after none: at once. `kind`: a key of
    COLLECTIVES; `size`: the bytes that a member puts in; `root`: a member."""
    name = COLLECTIVES[kind]
    part = -(-size // members)
    if name == "ALL_REDUCE":
        return ring(part, members, me, 2 * (members - 1))
    if name in ("REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK"):
        return ring(part, members, me, members - 1)
    if name == "ALL_GATHER":
        return ring(size, members, me, members - 1)
    if name == "ALL_TO_ALL":
        return [step for away in range(1, members)
                for step in (("send", part, (me + away) % members, []),
                             ("recv", part, (me - away) % members, []))]
    if name in ("GATHER", "SCATTER"):
        word = "recv" if (name == "GATHER") == (me == root) else "send"
        others = [m for m in range(members) if m != root] if me == root else [root]
        return [(word, size if name == "GATHER" else part, other, []) for other in others]
    if name == "BARRIER":
        return dissemination(members, me)
    return tree(size, root, members, me, name == "BROADCAST")


def ring(part, members, me, rounds):
    """In each round a part goes to the next member: the one that came in the round before."""
    all_steps = []
    for turn in range(rounds):
        # Numbers of the receives: 2, 4, ...
        all_steps.append(("send", part, (me + 1) % members, [2 * turn] if turn else []))
        all_steps.append(("recv", part, (me - 1) % members, []))
    return all_steps


def dissemination(members, me):
    """In round r a byte goes to the member 2^r further, after those of the rounds before came."""
    all_steps, away = [], 1
    while away < members:
        before = [2 * turn for turn in range(1, len(all_steps) // 2 + 1)]
        all_steps.append(("send", 1, (me + away) % members, before))
        all_steps.append(("recv", 1, (me - away) % members, []))
        away *= 2
    return all_steps


def tree(size, root, members, me, down):
    """A binomial tree below the root: member m, counted from the root, is a child of m without its
    lowest bit."""
    mine = (me - root) % members
    low = mine & -mine if mine else 1 << members.bit_length()
    children = [mine + bit for bit in (1 << b for b in range(members.bit_length()))
                if bit < low and mine + bit < members]
    parent = (mine & (mine - 1)) + root
    place = lambda m: (m + root) % members
    if down:
        got = [("recv", size, parent % members, [])] if mine else []
        # The largest part of the tree first.
        return got + [("send", size, place(c), [1] if mine else []) for c in reversed(children)]
    got = [("recv", size, place(c), []) for c in children]
    last = [("send", size, parent % members, list(range(1, len(got) + 1)))] if mine else []
    return got + last
