// The links of a network between two cycles, and what is counted on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sim/core/packet.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// What one thread counts; the sums over all threads do not depend on their number.
struct Counters {
  std::uint64_t digest = 0;
  std::uint64_t flit_hops = 0;
  std::uint64_t flits = 0;    ///< Into the network.
  std::uint64_t packets = 0;  ///< Into the network.

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

/// Hash of one flit on one link in one cycle. A run's digest is their sum: equal runs give equal
/// digests in whatever order the links are looked at.
inline std::uint64_t flit_hash(std::uint64_t cycle, std::uint32_t link, const Flit& flit) {
  // All of a flit but its data, and no padding: the byte after `valid` is that.
  static_assert(sizeof(Flit) == 16 && offsetof(Flit, valid) == 10 && offsetof(Flit, vc) == 12);
  std::uint64_t sides;
  std::memcpy(&sides, reinterpret_cast<const std::byte*>(&flit) + 8, 8);
  sides &= ~(std::uint64_t{0xff} << 24);
  const std::uint64_t when = cycle * 0x9e3779b97f4a7c15u;
  const std::uint64_t where = (link + std::uint64_t{1}) * 0xe7037ed1a0b428dbu;
  const auto product = static_cast<unsigned __int128>(flit.data ^ when) * (sides ^ where);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Values of all links in the present cycle: each is the output register of the block that drives
/// it. Forward values are numbered by link (by receiving port), what comes back by the sender's
/// out-port, so that a block finds what it reads side by side.
struct Wires {
  /// `packed`: credits stand packed (below).
  explicit Wires(const Graph& graph, bool packed = false)
      : flit(graph.links.size() + kPad),
        valid(graph.links.size() + kPad),
        full(graph.out_link.size() + kPad),
        credit_words(graph.has_routers() ? VcRouter::words(graph.num_vc) : 0),
        credit(packed ? graph.nodes * (graph.nic_links - std::size_t{1}) + graph.blocks.size()
                      : graph.out_link.size() * credit_words),
        load(graph.links.size()) {
    if (packed) place_credits(graph);
  }

  /// Whether the routers of a network let their credits be packed: a byte holds the VCs of a port,
  /// a word those of a router.
  static bool packs(const Graph& graph) {
    for (const auto& shape : graph.router_shapes) {
      if (shape.num_ports > 8 || shape.num_vc > 8) return false;
    }
    return graph.has_routers();
  }

  /// Credit lines of VCs 0 to 63 of an out-port.
  std::uint64_t credits(std::uint32_t port) const {
    if (credit_byte.empty()) return credit[port * credit_words];
    return reinterpret_cast<const std::uint8_t*>(credit.data())[credit_byte[port]];
  }

  std::vector<Flit> flit;           ///< By link; meaningful where `valid`.
  std::vector<std::uint8_t> valid;  ///< By link.
  std::vector<std::uint8_t> full;   ///< By out-port: Buffer-Full (networks of crossbars).
  std::size_t credit_words;         ///< Words of `credit` for each out-port.
  /// By out-port: bit v % 64 of word v / 64 is the credit line of VC v (networks of routers).
  /// Packed: a word for each of an interface's out-ports, then one for each router, whose byte p is
  /// out-port p, lowest first. Then who reads them sets them back to 0, so that who drives them has
  /// nothing to take away.
  std::vector<std::uint64_t> credit;
  std::vector<std::uint32_t> credit_byte;  ///< Packed: byte of each out-port in `credit`.
  std::vector<std::uint64_t> load;         ///< By link: flits so far.

  /// Puts flits on links in one cycle and counts them. For many at once: it keeps in registers what
  /// the wires would have to look up for each.
  class Writer {
   public:
    Writer(Wires& wires, std::uint64_t cycle)
        : flit_(wires.flit.data()),
          valid_(wires.valid.data()),
          load_(wires.load.data()),
          cycle_(cycle) {}

    [[gnu::always_inline]] void put(std::uint32_t link, const Flit& word) {
      std::memcpy(&flit_[link], &word, sizeof word);  // In one move, with its padding.
      valid_[link] = 1;
      ++load_[link];
      ++flit_hops_;
      digest_ += flit_hash(cycle_, link, word);
    }
    void clear(std::uint32_t link) { valid_[link] = 0; }

    /// Adds what was put.
    void count(Counters& counters) const {
      counters.flit_hops += flit_hops_;
      counters.digest += digest_;
    }

   private:
    Flit* flit_;
    std::uint8_t* valid_;
    std::uint64_t* load_;
    std::uint64_t cycle_, flit_hops_ = 0, digest_ = 0;
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

 private:
  void place_credits(const Graph& graph) {
    const std::uint32_t interfaces = graph.nodes * graph.nic_links;
    for (std::uint32_t port = 0; port < interfaces; ++port) credit_byte.push_back(8 * port);
    for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
      for (std::uint32_t p = 0; p < graph.blocks[b].num_out; ++p) {
        credit_byte.push_back(8 * (interfaces + b - graph.nodes) + p);
      }
    }
  }

  static constexpr std::size_t kPad = 8;  // `gather` reads eight flags at a time.
};

}  // namespace weft
