"""Loads of the busiest link under oblivious routing, by counting packets on their ways: the part of
the offered traffic that a network can accept at most. Written from the definitions of networks,
patterns and ways; it knows nothing of Weft's tables and route units."""

import collections
import itertools


class Grid:
    """A mesh or torus. A way is a list of ((node, dimension, direction), share) of its links."""

    def __init__(self, sizes, wraps):
        self.sizes, self.wraps = sizes, wraps
        self.nodes = list(itertools.product(*map(range, sizes)))

    def line(self, node, dimension, to):
        """From `node` along a dimension; where both directions are equally long, half in each."""
        size, at = self.sizes[dimension], node[dimension]
        ahead = (to - at) % size
        if not self.wraps:
            directions = [(1 if to > at else -1, abs(to - at), 1.0)]
        elif 2 * ahead == size:
            directions = [(1, ahead, 0.5), (-1, ahead, 0.5)]
        else:
            directions = [(1, ahead, 1.0) if 2 * ahead < size else (-1, size - ahead, 1.0)]
        for direction, steps, share in directions:
            for step in range(steps):
                here = list(node)
                here[dimension] = (at + direction * step) % size
                yield (tuple(here), dimension, direction), share

    def way(self, src, dst, order):
        here = list(src)
        for dimension in order:
            yield from self.line(tuple(here), dimension, dst[dimension])
            here[dimension] = dst[dimension]

    def direct(self, src, dst):
        yield from self.way(src, dst, range(len(self.sizes)))

    def reverse(self, src, dst):
        yield from self.way(src, dst, reversed(range(len(self.sizes))))


class Dragonfly:
    """p nodes at each of the a routers of a group, h links from each to other groups; node
    (n, router, group). Link number i of a group leads to group i, itself left out."""

    def __init__(self, p, a, h):
        self.h = h
        self.groups = a * h + 1
        self.nodes = list(itertools.product(range(p), range(a), range(self.groups)))

    def end(self, group, other):
        """The router of `group` that has the link to the group `other`."""
        return (other if other < group else other - 1) // self.h

    def direct(self, src, dst):
        _, router, group = src
        _, last, other = dst
        if group != other:
            out, arrival = self.end(group, other), self.end(other, group)
            if router != out:
                yield (group, router, out), 1.0
            yield (group, other), 1.0
            router, group = arrival, other
        if router != last:
            yield (group, router, last), 1.0


def destinations(pattern, network):
    """For each node the destinations of its packets, all equally often."""
    nodes = network.nodes
    if pattern == "uniform":
        return {node: [other for other in nodes if other != node] for node in nodes}
    if pattern == "next_group":
        return {node: [other for other in nodes if other[-1] == (node[-1] + 1) % network.groups]
                for node in nodes}
    to = {"transpose": lambda node: tuple(reversed(node)),
          "tornado": lambda node: tuple((x + (k + 1) // 2 - 1) % k
                                        for x, k in zip(node, network.sizes)),
          "bit_complement": lambda node: tuple(k - 1 - x for x, k in zip(node, network.sizes)),
          }[pattern]
    return {node: [to(node)] for node in nodes}


def ideal(network, pattern, routing):
    """The largest rate, flits a node and cycle, at which no link has more than one flit a cycle."""
    load, arriving = collections.Counter(), collections.Counter()
    nodes = network.nodes

    def add(way, share):
        for link, part in way:
            load[link] += part * share

    for src, targets in destinations(pattern, network).items():
        share = 1 / len(targets)
        if routing == "valiant":
            # To a node that is drawn evenly, and from it.
            for waypoint in nodes:
                add(network.direct(src, waypoint), 1 / len(nodes))
        for dst in targets:
            if routing == "valiant":
                arriving[dst] += share
            elif routing == "o1turn":
                add(network.direct(src, dst), share / 2)
                add(network.reverse(src, dst), share / 2)
            else:
                add(network.direct(src, dst), share)
    for dst, rate in arriving.items():
        for waypoint in nodes:
            add(network.direct(waypoint, dst), rate / len(nodes))
    return 1 / max(load.values())
