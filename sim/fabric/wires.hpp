// The values on the links of a fabric between two cycles, and counts of the flits on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sim/fabric/digest.hpp"
#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Counts of one thread; their sums do not depend on the number of threads.
struct Counters {
  Digest digest;  ///< Of all flits on all links in all cycles.
  std::uint64_t flit_hops = 0;
  std::uint64_t flits = 0;    ///< Into the fabric.
  std::uint64_t packets = 0;  ///< Into the fabric.

  /// A flit has left a network interface.
  void entered(const Flit& flit) {
    ++flits;
    packets += flit.last;
  }

  Counters& operator+=(const Counters& other) {
    digest += other.digest;
    flit_hops += other.flit_hops;
    flits += other.flits;
    packets += other.packets;
    return *this;
  }
};

/// Values on all links in the present cycle: each is the output register of the block that drives
/// it. Flits are numbered by link (by receiving port), credits and Buffer-Full by the sender's
/// out-port, so that the values that a block reads are adjacent.
struct Wires {
  /// `fused`: there is a second set of values for the next cycle, and the credits and the flags of
  /// a router's ports are one word each (below).
  explicit Wires(const Graph& graph, bool fused = false)
      : flit(graph.links.size() + kPad),
        valid(graph.links.size() + kPad),
        full(graph.out_link.size() + kPad),
        credit_words(graph.has_routers() ? VcRouter::words(graph.num_vc) : 0),
        credit(fused ? graph.nodes * (graph.nic_links - std::size_t{1}) + graph.blocks.size()
                     : graph.out_link.size() * credit_words),
        load(graph.links.size()),
        interfaces_(graph.nodes * graph.nic_links) {
    for (std::uint32_t link = 0; link < graph.links.size(); ++link) slot.push_back(link);
    if (fused) fuse(graph);
  }

  /// Whether a flit is on a link.
  bool has_flit(std::uint32_t link) const { return valid[slot[link]] != 0; }
  /// That flit.
  Flit& on(std::uint32_t link) { return flit[slot[link]]; }
  const Flit& on(std::uint32_t link) const { return flit[slot[link]]; }

  /// Credit lines of VCs 0 to 63 of an out-port.
  std::uint64_t credits(std::uint32_t port) const {
    if (credit_byte.empty()) return credit[port * credit_words];
    return reinterpret_cast<const std::uint8_t*>(credit.data())[credit_byte[port]];
  }

  /// Fused: flits, flags and credits of the routers. Each router has eight flits, and for flags and
  /// credits one word each, whose byte p is port p.
  const Flit* router_flit() const { return flit.data() + router_slot(); }
  std::uint64_t* router_valid() {
    return reinterpret_cast<std::uint64_t*>(valid.data() + router_slot());
  }
  std::uint64_t* router_credit() { return credit.data() + interfaces_; }

  /// Fused: makes the next cycle the present one. The readers have cleared the present values, so
  /// the set for the cycle after is empty.
  void flip() {
    flit.swap(next_flit);
    valid.swap(next_valid);
    credit.swap(next_credit);
  }

  std::vector<Flit> flit;           ///< By `slot`; meaningful where `valid`.
  std::vector<std::uint8_t> valid;  ///< By `slot`.
  /// By link: its slot, which is its number. Fused: links into interfaces have the first slots, by
  /// number, then each router has eight slots.
  std::vector<std::uint32_t> slot;
  std::vector<std::uint8_t> full;  ///< By out-port: Buffer-Full (fabrics of crossbars).
  std::size_t credit_words;        ///< Words of `credit` for each out-port.
  /// By out-port: bit v % 64 of word v / 64 is the credit line of VC v (fabrics of routers).
  /// Fused: a word for each of an interface's out-ports, then one for each router, whose byte p is
  /// out-port p, lowest first. The reader of credits and flags clears them, so the block
  /// that drives them does not have to.
  std::vector<std::uint64_t> credit;
  std::vector<std::uint32_t> credit_byte;  ///< Fused: byte of each out-port in `credit`.
  std::vector<Flit> next_flit;             ///< Fused: of the next cycle, and so on.
  std::vector<std::uint8_t> next_valid;
  std::vector<std::uint64_t> next_credit;
  std::vector<std::uint64_t> load;  ///< By `slot`: flits so far.

  /// Puts flits on links in one cycle and counts them. Faster than `Wires::put` for many flits,
  /// because it keeps pointers and counts in registers.
  class Writer {
   public:
    /// `cycle`: that in which the flits are on the links. Fused: the next cycle.
    Writer(Wires& wires, std::uint64_t cycle)
        : flit_(wires.fused() ? wires.next_flit.data() : wires.flit.data()),
          valid_(wires.fused() ? wires.next_valid.data() : wires.valid.data()),
          slot_(wires.slot.data()),
          load_(wires.load.data()),
          cycle_(cycle) {}

    [[gnu::always_inline]] void put(std::uint32_t link, const Flit& word) {
      put(slot_[link], digest_factor(link, word.vc), word.data, sides_of(word));
    }
    /// The same, for a caller that knows the slot and the digest_factor of the link.
    [[gnu::always_inline]] void put(std::uint32_t slot, std::uint64_t factor, std::uint64_t data,
                                    std::uint64_t sides) {
      auto* const to = reinterpret_cast<std::byte*>(&flit_[slot]);
      std::memcpy(to, &data, 8);
      std::memcpy(to + 8, &sides, 8);
      valid_[slot] = 1;
      ++load_[slot];
      ++flit_hops_;
      digest_ += digest_term(factor, data, sides);
    }
    void clear(std::uint32_t link) { valid_[link] = 0; }

    /// Adds the flits that were put to `counters`.
    void count(Counters& counters) const {
      counters.flit_hops += flit_hops_;
      counters.digest.add(cycle_, digest_);
    }

   private:
    Flit* flit_;
    std::uint8_t* valid_;
    const std::uint32_t* slot_;
    std::uint64_t* load_;
    std::uint64_t cycle_, flit_hops_ = 0;
    unsigned __int128 digest_ = 0;
  };

  /// Puts one flit on a link and counts it.
  void put(std::uint32_t link, const Flit& word, std::uint64_t cycle, Counters& counters) {
    Writer writer(*this, cycle);
    writer.put(link, word);
    writer.count(counters);
  }

  /// Bit i of the result is `flags[i] != 0`, for `count` (1 to 64) flags of 0 or 1.
  static std::uint64_t gather(const std::uint8_t* flags, unsigned count) {
    std::uint64_t mask = 0;
    for (unsigned i = 0; i < count; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, flags + i, 8);
      // Moves the lowest bit of each byte into the top byte, in order.
      mask |= (eight * 0x0102040810204080u >> 56) << i;
    }
    return count < 64 ? mask & low_mask(count) : mask;
  }

  bool fused() const { return !next_valid.empty(); }

 private:
  std::uint32_t router_slot() const { return (interfaces_ + 7) / 8 * 8; }

  void fuse(const Graph& graph) {
    for (std::uint32_t port = 0; port < interfaces_; ++port) credit_byte.push_back(8 * port);
    for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
      const Block& block = graph.blocks[b];
      const std::uint32_t i = b - graph.nodes;
      for (std::uint32_t p = 0; p < block.num_out; ++p) {
        credit_byte.push_back(8 * (interfaces_ + i) + p);
      }
      for (std::uint32_t p = 0; p < block.num_in; ++p) {
        slot[block.first_in + p] = router_slot() + 8 * i + p;
      }
    }
    valid.assign(router_slot() + 8 * (graph.blocks.size() - graph.nodes), 0);
    flit.resize(valid.size());
    load.resize(valid.size());
    next_flit = flit;
    next_valid = valid;
    next_credit = credit;
  }

  std::uint32_t interfaces_;              // Links out of interfaces.
  static constexpr std::size_t kPad = 8;  // `gather` reads eight flags at a time.
};

}  // namespace weft
