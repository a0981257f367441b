// The links of a network between two cycles, and what is counted on them.
#pragma once

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
  const std::uint64_t place =
      (cycle << 24 ^ std::uint64_t{link} << 2 ^ std::uint64_t{flit.last} << 1 ^ flit.parity) *
      0x9e3779b97f4a7c15u;
  const auto product =
      static_cast<unsigned __int128>(flit.data ^ place) * (place ^ 0xe7037ed1a0b428dbu);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Values of all links in the present cycle: each is the output register of the block that drives
/// it. Forward values are numbered by link (by receiving port), Buffer-Full by the sender's
/// out-port, so that a block finds what it reads side by side.
struct Wires {
  explicit Wires(const Graph& graph)
      : flit(graph.links.size() + kPad),
        valid(graph.links.size() + kPad),
        full(graph.links.size() + kPad),
        load(graph.links.size()) {}

  std::vector<Flit> flit;           ///< By link; meaningful where `valid`.
  std::vector<std::uint8_t> valid;  ///< By link.
  std::vector<std::uint8_t> full;   ///< By out-port.
  std::vector<std::uint64_t> load;  ///< By link: flits so far.

  /// Puts flits on links in one cycle and counts them. For many at once: it keeps in registers what
  /// the wires would have to look up for each.
  class Writer {
   public:
    Writer(Wires& wires, std::uint64_t cycle)
        : flit_(wires.flit.data()),
          valid_(wires.valid.data()),
          load_(wires.load.data()),
          cycle_(cycle) {}

    void put(std::uint32_t link, const Flit& word) {
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
  static constexpr std::size_t kPad = 8;  // `gather` reads eight flags at a time.
};

}  // namespace weft
