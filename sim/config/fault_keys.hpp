// The description of the keys of an element of `faults`.
#pragma once

#include "sim/config/config.hpp"
#include "sim/config/key_row.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Wires of the longest burst: more than any link's word has.
inline constexpr std::uint64_t kMostBurst = 1024;
inline constexpr std::uint64_t kLastRank = (1u << kMaxAddrW) - 1;
inline constexpr Word kNoNode[] = {{"none", Fault::kNoNode}};

inline constexpr Key kFaultKeys[] = {
    key<&Fault::link>({.name = "link",
                       .expected = "a link as `weft run --detail` names it, \"router_0 out 1 -> "
                                   "router_1 in 0\" or the part before \" ->\", those between two "
                                   "blocks, \"router_0 -> router_1\", a class of links, "
                                   "\"interface\" or \"all\"",
                       .initial = "none",
                       .omit_empty = true,
                       .help = "the link, or with a rate the links"}),
    key<&Fault::node>({.name = "node",
                       .most = kLastRank,
                       .words = kNoNode,
                       .help = "in place of link: the link into the interface of this rank"}),
    key<&Fault::port>({.name = "port",
                       .most = kMaxNicLinks - 1,
                       .help = "of that interface: which of its links"}),
    key<&Fault::cycle>({.name = "cycle",
                        .unit = "cycles",
                        .help = "the fault begins in the first cycle from then on in which it "
                                "changes something; inverted fields of flits wait for a flit"}),
    key<&Fault::cycles>({.name = "cycles",
                         .unit = "cycles",
                         .help = "length of the fault; 0: one, or with a rate to the end of the "
                                 "run"}),
    key<&Fault::field>({.name = "field",
                        .help = "wires of the link; credit: what the receiver returns; check: of a "
                                "protected link; any: with a rate, each of all wires alike"}),
    key<&Fault::bit>({.name = "bit",
                      .most = kMaxFlitW,
                      .expected = "a bit of the field: of the data below link.width_bits, or equal "
                                  "to it (the parity bit) where link.parity is true",
                      .help = "bit of the field; of credit: the VC"}),
    key<&Fault::effect>({.name = "effect", .help = "what becomes of it"}),
    key<&Fault::rate>({.name = "rate",
                       .initial = "none",
                       .omit_empty = true,
                       .help = "chance of an inverted bit in a cycle of each link"}),
    key<&Fault::burst>({.name = "burst",
                        .most = kMostBurst,
                        .initial = "none",
                        .omit_empty = true,
                        .unit = "wires",
                        .help =
                            "with a rate: that many wires from the bit on, of which each further "
                            "one is inverted with chance 1/2"}),
};

}  // namespace weft
