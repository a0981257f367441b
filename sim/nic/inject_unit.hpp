// Injection of one send controller's packets into a credit link, cycle model of
// rtl/nic/weft_inject_unit.sv (rtl/README.md, inject_unit; seed 004 fig. 1).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Allocates a VC to each packet, counts credits, and has the link register.
class InjectUnit {
 public:
  struct Config {
    unsigned num_vc = 2;   ///< Virtual channels, 1 to 65535.
    unsigned depth = 8;    ///< Receiver's buffer of each VC, flits, 1 to 65535.
    bool by_dest = false;  ///< A VC for each destination, by its rank; else round-robin.
    bool age = false;      ///< Flits carry the cycle of their packet's injection.
    std::vector<std::uint32_t> max_coords =
        {};  ///< With `by_dest`: maximum coordinate by dimension.
    bool in_order =
        false;  ///< VC 0, or the first of its class, for every packet; not with `by_dest`.
    bool classes = false;  ///< Odd tags take the upper half of the VCs, others the lower half.

    bool operator==(const Config&) const = default;
  };
  struct In {
    Flit offer;  ///< Flit offered, if `valid`.
    /// Credits on the wires: bit v % 64 of word v / 64 is for VC v; null: none.
    const std::uint64_t* credit = nullptr;
    std::uint32_t now = 0;  ///< Cycles since reset; used with `age` only.
  };

  /// Configuration of the RTL, which also has the width of a word.
  struct PortConfig : Config {
    bool parity = false;      ///< Flits carry parity.
    unsigned data_w = kHdrW;  ///< Width of a flit without parity, bits.
  };
  /// Values of the output ports.
  struct Out {
    Flit tx;             ///< `out()`.
    bool ready = false;  ///< `ready()`.
  };
  static constexpr auto ports();  // sim/nic/inject_unit_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit InjectUnit(const Config& config)
      : by_dest_(config.by_dest),
        age_(config.age),
        num_vc_(config.num_vc),
        classes_(config.classes),
        size_(config.classes ? config.num_vc / 2 : config.num_vc),
        turns_(config.in_order ? 1 : size_),
        words_((config.num_vc + 63) / 64),
        depth_(config.depth),
        credits_(config.num_vc),
        some_(words_) {
    check("num_vc", config.num_vc);
    check("depth", config.depth);
    if (config.in_order && by_dest_) throw ConfigError("inject_unit: in_order with by_dest");
    if (classes_ && (by_dest_ || num_vc_ % 2 != 0)) {
      throw ConfigError("inject_unit: classes, expected: an even num_vc, without by_dest");
    }
    if (by_dest_) add_dimensions(config.max_coords);
    reset();
  }

  void reset() {
    std::fill(credits_.begin(), credits_.end(), static_cast<std::uint16_t>(depth_));
    for (unsigned v = 0; v < num_vc_; ++v) some_[v / 64] |= std::uint64_t{1} << v % 64;
    body_ = false;
    next_[0] = 0;
    next_[1] = size_;
    vc_ = 0;
    stamp_ = 0;
    tx_ = {};
  }

  /// Link: the flit in the link register; all 0 if there is none.
  const Flit& out() const { return tx_; }

  /// Whether the offered flit moves in this cycle.
  bool ready(const In& in) const { return in.offer.valid && find(in.offer, in.credit) < num_vc_; }

  /// One clock edge; returns the link register after it.
  const Flit& step(const In& in) {
    step(in.offer, in.credit, in.now, tx_);
    return tx_;
  }

  /// The clock edge of a cycle in which no flit is offered and none is in the link register.
  void add(const std::uint64_t* credit) {
    if (credit == nullptr) return;
    for (unsigned w = 0; w < words_; ++w) {
      if (credit[w] != 0) add(w, credit[w]);
    }
  }

  /// `step` with the caller's link register `tx`; returns whether the offered flit moved.
  [[gnu::always_inline]] bool step(const Flit& offer, const std::uint64_t* credit,
                                   std::uint32_t now, Flit& tx) {
    add(credit);
    // Credits on the wires count in the same cycle.
    const unsigned vc = offer.valid ? find(offer, nullptr) : num_vc_;
    if (vc >= num_vc_) {
      tx = {};
      return false;
    }
    if (!body_) begin(offer, vc, now);
    body_ = !offer.last;
    if (--credits_[vc] == 0) some_[vc / 64] &= ~(std::uint64_t{1} << vc % 64);
    tx = offer;
    tx.vc = static_cast<std::uint16_t>(vc);
    tx.stamp = stamp_;
    return true;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(body_, stamp_, vc_, next_, credits_, some_, tx_);
    for (unsigned v = 0; v < words_ * 64; ++v) {
      const unsigned credits = v < num_vc_ ? credits_[v] : 0;
      archive.require(credits <= depth_ && (some_[v / 64] >> v % 64 & 1) == (credits != 0));
    }
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  // One digit of an address.
  struct Dimension {
    unsigned lsb = 0;
    std::uint32_t mask = 0, step = 0;  // Ranks by which one step in the digit differs.
  };

  static void check(const char* name, unsigned value) {
    if (value < 1 || value > 65535) {
      throw ConfigError(fmt::format("inject_unit: {} is {}, expected: 1 to 65535", name, value));
    }
  }

  void add_dimensions(const std::vector<std::uint32_t>& max_coords) {
    unsigned lsb = 0;
    std::uint64_t nodes = 1;
    for (const std::uint32_t max_coord : max_coords) {
      const auto width = static_cast<unsigned>(std::bit_width(max_coord));
      if (lsb + width > kMaxAddrW)
        throw ConfigError("inject_unit: max_coords: too many bits of address");
      dims_.push_back(
          {lsb, static_cast<std::uint32_t>(low_mask(width)), static_cast<std::uint32_t>(nodes)});
      lsb += width;
      nodes *= std::uint64_t{max_coord} + 1;
    }
    if (max_coords.empty() || nodes > num_vc_) {
      throw ConfigError(fmt::format("inject_unit: {} VCs for {} destinations", num_vc_, nodes));
    }
  }

  // Adds credits of VCs 64 w to 64 w + 63; as in OutputUnit, none in excess of all slots.
  void add(unsigned w, std::uint64_t credit) {
    some_[w] |= credit;
    for (; credit != 0; credit &= credit - 1) {
      std::uint16_t& of_vc = credits_[w * 64 + static_cast<unsigned>(std::countr_zero(credit))];
      of_vc = static_cast<std::uint16_t>(of_vc + (of_vc != depth_));
    }
  }

  std::uint32_t rank(std::uint64_t header) const {
    const std::uint64_t dst = header >> kHdrDstLsb;
    std::uint32_t rank = 0;
    for (const Dimension& d : dims_) {
      rank += (static_cast<std::uint32_t>(dst >> d.lsb) & d.mask) * d.step;
    }
    return rank;
  }

  // The VC of a flit that has a credit; `num_vc_` or more if there is none.
  unsigned find(const Flit& offer, const std::uint64_t* credit) const {
    const auto some = [&](unsigned w) { return some_[w] | (credit != nullptr ? credit[w] : 0); };
    const auto only = [&](unsigned v) {
      return v < num_vc_ && (some(v / 64) >> v % 64 & 1) != 0 ? v : num_vc_;
    };
    if (body_) return only(vc_);
    if (by_dest_) return only(rank(offer.data));
    const unsigned cls = class_of(offer), first = cls * size_, end = first + size_;
    if (turns_ == 1) return only(first);
    // The first VC of the class with a credit from `next_` on, then from the first VC of the class
    // on.
    for (unsigned from : {next_[cls], first}) {
      for (unsigned w = from / 64; w < words_; ++w) {
        const std::uint64_t set = some(w) & ~std::uint64_t{0} << (w == from / 64 ? from % 64 : 0);
        if (set == 0) continue;
        const unsigned vc = w * 64 + static_cast<unsigned>(std::countr_zero(set));
        if (vc < end) return vc;
        break;
      }
    }
    return num_vc_;
  }

  unsigned class_of(const Flit& header) const {
    return classes_ ? header.data >> (kHdrTagLsb + kTagClass) & 1 : 0;
  }
  // Allocates VC `vc` to a header.
  void begin(const Flit& header, unsigned vc, std::uint32_t now) {
    const unsigned cls = class_of(header), first = cls * size_;
    vc_ = vc;
    next_[cls] = vc + 1 < first + size_ ? vc + 1 : first;
    if (age_) stamp_ = static_cast<std::uint16_t>(now);
  }

  bool by_dest_, age_;
  bool body_ = false;        // A packet is in progress: its header has moved.
  std::uint16_t stamp_ = 0;  // Stamp of the packet in progress.
  unsigned num_vc_;
  bool classes_;
  unsigned size_;   // VCs of a class.
  unsigned turns_;  // VCs of a class that are allocated round-robin.
  unsigned words_, depth_;
  unsigned vc_ = 0;                     // VC of the packet in progress.
  std::array<unsigned, 2> next_ = {};   // By class: round-robin pointer.
  std::vector<std::uint16_t> credits_;  // By VC: credits.
  std::vector<std::uint64_t> some_;     // VCs with a credit, 64 in a word.
  std::vector<Dimension> dims_;
  Flit tx_;
};

}  // namespace weft
