// The values on the links of a fabric between two cycles, and counts of the flits on them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "sim/fabric/counters.hpp"
#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Values on all links in the present cycle: each is the output register of the block that drives
/// it. Flits are numbered by link (by receiving port), credits and Buffer-Full by the sender's
/// out-port, so that the values that a block reads are adjacent.
///
/// A link with blocks in it, or with faults, has two ends: there the values that the receiver or
/// the sender reads are those that leave the blocks. What enters the blocks is stored under numbers
/// after all others: their *places*.
struct Wires {
  explicit Wires(const Graph& graph)
      : flit_place(graph.links.size()),
        credit_place(graph.out_link.size()),
        credit_words(graph.has_routers() ? VcRouterConfig::words(graph.num_vc) : 0),
        num_vc(graph.num_vc),
        load(graph.links.size()),
        flit_words(graph.header.flit_words()) {
    std::iota(flit_place.begin(), flit_place.end(), 0u);
    std::iota(credit_place.begin(), credit_place.end(), 0u);
    auto flits = static_cast<std::uint32_t>(graph.links.size());
    auto credits = static_cast<std::uint32_t>(graph.out_link.size());
    for (std::uint32_t p = 0; p < graph.out_link.size(); ++p) {
      const std::uint32_t l = graph.out_link[p];
      if (l == kOpen || !graph.two_ends(graph.links[l])) continue;
      flit_place[l] = flits++;
      credit_place[p] = credits++;
    }
    flit.resize(flits + kPad);
    valid.resize(flits + kPad);
    full.resize(credits + kPad);
    credit.resize(credits * credit_words);
  }

  /// Takes everything off the links.
  void clear() {
    std::fill(valid.begin(), valid.end(), std::uint8_t{0});
    std::fill(full.begin(), full.end(), std::uint8_t{0});
    std::fill(credit.begin(), credit.end(), std::uint64_t{0});
  }

  /// Whether a flit is on a link, at the sender's end.
  bool has_flit(std::uint32_t link) const { return valid[flit_place[link]] != 0; }
  /// The flit on a link, at the sender's end.
  Flit& on(std::uint32_t link) { return flit[flit_place[link]]; }
  const Flit& on(std::uint32_t link) const { return flit[flit_place[link]]; }

  /// Whether a flit is at the receiver's end of a link.
  bool arrives(std::uint32_t link) const { return valid[link] != 0; }
  /// The flit at the receiver's end of a link.
  const Flit& arriving(std::uint32_t link) const { return flit[link]; }

  /// Credit lines of VCs 0 to 63 of an out-port.
  std::uint64_t credits(std::uint32_t port) const { return credit[port * credit_words]; }

  std::vector<std::uint32_t> flit_place;    ///< By link: place of what its sender drives.
  std::vector<std::uint32_t> credit_place;  ///< By out-port: place of what its link's receiver
                                            ///< returns.
  std::vector<Flit> flit;                   ///< By link, then places; meaningful where `valid`.
  std::vector<std::uint8_t> valid;          ///< By link, then places.
  std::vector<std::uint8_t> full;           ///< By out-port: Buffer-Full (fabrics of crossbars).
  std::size_t credit_words;                 ///< Words of `credit` for each out-port.
  std::uint32_t num_vc;                     ///< VCs of the network.
  /// By out-port, then places: bit v % 64 of word v / 64 is the credit line of VC v (fabrics of
  /// routers).
  std::vector<std::uint64_t> credit;
  std::vector<std::uint64_t> load;  ///< Flits so far, by link.
  unsigned flit_words;              ///< 64-bit words of a flit.

  /// Puts flits on links in one cycle and counts them. Faster than `Wires::put` for many flits,
  /// because it keeps pointers and counts in registers.
  class Writer {
   public:
    /// `cycle`: in which the flits are on the links.
    Writer(Wires& wires, std::uint64_t cycle)
        : place_(wires.flit_place.data()),
          flit_(wires.flit.data()),
          valid_(wires.valid.data()),
          load_(wires.load.data()),
          flit_words_(wires.flit_words),
          cycle_(cycle) {}

    [[gnu::always_inline]] void put(std::uint32_t link, const Flit& word) {
      flit_[place_[link]] = word;
      valid_[place_[link]] = 1;
      note(link, word);
    }
    /// Counts a flit that is on a link.
    [[gnu::always_inline]] void note(std::uint32_t link, const Flit& word) {
      ++load_[link];
      ++flit_hops_;
      digest_ += digest_term(digest_factor(link, word.vc), word, flit_words_);
    }
    /// The same of a flit given as its words and its sides (`sides_of`).
    [[gnu::always_inline]] void note(std::uint32_t link, const std::uint64_t* words,
                                     std::uint64_t sides) {
      ++load_[link];
      ++flit_hops_;
      const auto vc = static_cast<std::uint16_t>(sides >> FlitSides::kVc);
      digest_ += digest_term(digest_factor(link, vc),
                             fold_data(words[0], words + 1, flit_words_ - 1), sides);
    }
    /// Puts such a flit on a link without counting it.
    void show(std::uint32_t link, const std::uint64_t* words, std::uint64_t sides) {
      Flit& flit = flit_[place_[link]];
      flit.load(words, flit_words_);
      flit.last = (sides >> FlitSides::kLast & 1) != 0;
      flit.parity = (sides >> FlitSides::kParity & 1) != 0;
      flit.valid = true;
      flit.vc = static_cast<std::uint16_t>(sides >> FlitSides::kVc);
      flit.stamp = static_cast<std::uint16_t>(sides >> FlitSides::kStamp);
      valid_[place_[link]] = 1;
    }
    void clear(std::uint32_t link) { valid_[place_[link]] = 0; }

    /// Adds the flits that were put to `counters`.
    void count(Counters& counters) const {
      counters.flit_hops += flit_hops_;
      counters.digest.add(cycle_, digest_);
    }

   private:
    const std::uint32_t* place_;
    Flit* flit_;
    std::uint8_t* valid_;
    std::uint64_t* load_;
    unsigned flit_words_;
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

  /// Checkpoint state of the sender's end of a link: what the sender, with out-port `port`, puts on
  /// it and counts.
  template <class Archive>
  void archive_sent(Archive& archive, std::uint32_t link, std::uint32_t port) {
    const std::uint32_t place = flit_place[link];
    archive(load[link], flit[place], valid[place]);
    archive.require(valid[place] == 0 || flit[place].vc < std::max(num_vc, 1u));
    if (place == link) return;
    archive(flit[link], valid[link]);
    archive_back(archive, port);
  }
  /// Checkpoint state of the receiver's end of a link: what it returns to out-port `port`.
  template <class Archive>
  void archive_returned(Archive& archive, std::uint32_t port) {
    archive_back(archive, credit_place[port]);
  }

 private:
  static constexpr std::size_t kPad = 8;  // `gather` reads eight flags at a time.

  template <class Archive>
  void archive_back(Archive& archive, std::uint32_t place) {
    if (credit_words == 0) archive(full[place]);
    for (std::size_t w = 0; w < credit_words; ++w) archive(credit[place * credit_words + w]);
    archive.require(fits(credit.data() + place * credit_words, credit_words, num_vc));
  }
};

}  // namespace weft
