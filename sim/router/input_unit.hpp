// One in-port of a virtual-channel router, cycle model of rtl/router/weft_input_unit.sv
// (rtl/router/README.md, input_unit; seed 004 [2.1]).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"
#include "sim/router/route/route.hpp"

namespace weft {

/// For each VC a buffer, flow-through with bypass, and the route of the packet in front of it. In
/// each cycle call `eval` with the word on the link, then read the outputs, then `pop` the words
/// that leave, then `tick`.
class InputUnit {
 public:
  struct Config {
    unsigned num_vc = 2;    ///< VCs, 1 to 65535.
    unsigned depth = 8;     ///< Buffer of each VC, words, 1 or more.
    bool bypass = true;     ///< A word may leave in the cycle of its arrival; else in the next.
    bool adaptive = false;  ///< Headers have further routes.
  };

  /// Configuration of the RTL, which also has widths.
  struct PortConfig : Config {
    bool parity = false;      ///< Words carry parity.
    unsigned num_ports = 5;   ///< Out-ports of the router.
    unsigned data_w = kHdrW;  ///< Width of a flit without parity, bits.
  };
  /// The arguments of `eval` and `pop`.
  struct In {
    Flit rx;
    RouteOut way;
    std::uint64_t pops = 0;                ///< VCs whose word leaves.
    const std::uint32_t* given = nullptr;  ///< By VC: VC allocated on the next link.
    std::uint64_t minimal = 0;             ///< Further routes: out-ports, one bit each.
    const std::uint32_t* to = nullptr;     ///< By VC: out-port allocated; with `adaptive`.
  };
  static constexpr auto ports();  // sim/router/input_unit_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit InputUnit(const Config& config)
      : depth_(config.depth),
        bypass_(config.bypass),
        adaptive_(config.adaptive),
        vcs_(config.num_vc),
        slots_(std::size_t{config.num_vc} * depth_) {
    if (config.num_vc < 1 || config.num_vc > 65535 || config.depth < 1) {
      throw ConfigError(
          fmt::format("input_unit: {} VCs of depth {}, expected: 1 to 65535 VCs, depth 1 or more",
                      config.num_vc, config.depth));
    }
    valid_.resize((config.num_vc + 63) / 64);
    credit_.resize(valid_.size());
    next_credit_.resize(valid_.size());
  }

  void reset() {
    std::fill(vcs_.begin(), vcs_.end(), Vc{});
    std::fill(valid_.begin(), valid_.end(), 0);
    std::fill(credit_.begin(), credit_.end(), 0);
    std::fill(next_credit_.begin(), next_credit_.end(), 0);
    arrived_ = kNone;
  }

  /// Stores the word on the link in this cycle, if it is valid, with its route and its further
  /// routes (out-ports, one bit each; both meaningful for a header). Faults on the wires can bring
  /// a word for a VC that does not exist, or that holds `depth` words: it is lost.
  void eval(const Flit& rx, const RouteOut& way, std::uint64_t minimal = 0) {
    if (!rx.valid || rx.vc >= vcs_.size()) return;
    Vc& vc = vcs_[rx.vc];
    if (vc.count >= depth_) return;
    std::uint32_t slot = vc.oldest + vc.count;
    if (slot >= depth_) slot -= depth_;
    slots_[std::size_t{rx.vc} * depth_ + slot] = {rx, way, adaptive_ ? minimal : 0};
    vc.expects_head = rx.last;
    arrived_ = rx.vc;
    arrived_last_ = rx.last;
    if (bypass_) show_arrived();
  }
  /// Whether the next word that arrives on the VC is a header; false if there is no such VC.
  bool expects_head(unsigned vc) const { return vc < vcs_.size() && vcs_[vc].expects_head; }

  /// Calls `visit` with each VC that is `valid`, the lowest first.
  template <class Visit>
  void for_each_valid(Visit visit) const {
    for (unsigned word = 0; word < valid_.size(); ++word) {
      for (std::uint64_t left = valid_[word]; left != 0; left &= left - 1) {
        visit(word * 64 + static_cast<unsigned>(std::countr_zero(left)));
      }
    }
  }
  /// Whether the VC has a word: buffered, or with bypass arriving in this cycle. The functions
  /// below need one.
  bool valid(unsigned vc) const { return vcs_[vc].count != 0; }
  /// The oldest word; its `vc` is the one on which it arrived.
  const Flit& word(unsigned vc) const { return oldest(vc).flit; }
  /// Whether the oldest word of a VC is a header.
  bool head(unsigned vc) const { return vcs_[vc].head; }
  /// Whether the whole packet of the oldest word is buffered (store and forward).
  bool whole(unsigned vc) const { return vcs_[vc].tails != 0; }
  /// Out-port of the oldest word's packet: by its route, or after the header the allocated one.
  std::uint32_t port(unsigned vc) const { return head(vc) ? oldest(vc).way.port : vcs_[vc].port; }
  /// VC set of the oldest word, from route computation.
  VcSet set(unsigned vc) const { return oldest(vc).way.set; }
  /// Further routes stored with the oldest word: out-ports.
  std::uint64_t minimal(unsigned vc) const { return oldest(vc).minimal; }
  /// VC allocated to the oldest word's packet on the next link; 0 for a header.
  std::uint32_t given_vc(unsigned vc) const { return head(vc) ? 0 : vcs_[vc].given; }

  /// Number of words held in a VC. For diagnosis.
  unsigned occupancy(unsigned vc) const { return vcs_[vc].count; }
  /// Whether a word is in its slot and not counted yet.
  bool arrives() const { return arrived_ != kNone; }
  const Flit& held(unsigned vc, unsigned i) const {
    return slots_[std::size_t{vc} * depth_ + (vcs_[vc].oldest + i) % depth_].flit;
  }

  /// Removes the oldest word of `vc` at the end of this cycle; a header was allocated VC `given` of
  /// out-port `to` (without `adaptive`, the out-port of its route). At most once per cycle for each
  /// `valid` VC, after the outputs of that VC were read.
  void pop(unsigned vc, std::uint32_t given, std::uint32_t to) {
    const Slot& left = oldest(vc);
    Vc& state = vcs_[vc];
    if (state.head) {
      state.port = adaptive_ ? to : left.way.port;
      state.given = static_cast<std::uint16_t>(given);
    }
    state.head = left.flit.last;
    if (left.flit.last) --state.tails;
    if (++state.oldest == depth_) state.oldest = 0;
    if (--state.count == 0) valid_[vc / 64] &= ~(std::uint64_t{1} << vc % 64);
    next_credit_[vc / 64] |= std::uint64_t{1} << vc % 64;
  }

  /// The clock edge. Need not be called in a cycle without a word on the link and without `pop`, if
  /// the cycle before had none either.
  void tick() {
    show_arrived();
    credit_.swap(next_credit_);
    std::fill(next_credit_.begin(), next_credit_.end(), 0);
  }

  /// Credits on the link: VCs from which a word left in the cycle before; bit v % 64 of word v / 64
  /// is for VC v.
  const std::uint64_t* credit() const { return credit_.data(); }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(arrived_, arrived_last_, vcs_, slots_, valid_, credit_, next_credit_);
    archive.require(consistent());
  }

  /// Whether `good(port, set, vc)` is true for the routes of all words that may be headers, each on
  /// its VC `vc`, and `good_body(port, given)` for the VCs whose packet's header has left.
  template <class Good, class GoodBody>
  bool all_ways(Good good, GoodBody good_body) const {
    for (unsigned v = 0; v < vcs_.size(); ++v) {
      if (!vcs_[v].head && !good_body(vcs_[v].port, vcs_[v].given)) return false;
      for (std::uint32_t i = 0; i < depth_; ++i) {
        const RouteOut& way = slots_[std::size_t{v} * depth_ + i].way;
        if (!good(way.port, way.set, v)) return false;
      }
    }
    return true;
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  struct Slot {
    Flit flit;
    RouteOut way;
    std::uint64_t minimal = 0;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(flit, way, minimal);
    }
  };
  struct Vc {
    std::uint32_t oldest = 0, count = 0;  // First word, and number of words, in the ring of
                                          // `depth_` slots.
    std::uint32_t tails = 0;              // Buffered tails.
    std::uint32_t port = 0;               // Out-port of the packet whose header has left.
    std::uint16_t given = 0;
    bool head = true;          // The oldest word is a header, or the next one if there is none.
    bool expects_head = true;  // The next word to arrive is a header.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(oldest, count, tails, port, given, head, expects_head);
    }
  };

  // Whether no step leaves the rings and the sets of VCs.
  bool consistent() const {
    if (arrived_ != kNone && arrived_ >= vcs_.size()) return false;
    for (unsigned v = 0; v < vcs_.size(); ++v) {
      const Vc& vc = vcs_[v];
      if (vc.oldest >= depth_ || vc.count + (arrived_ == v ? 1u : 0u) > depth_) return false;
      if ((valid_[v / 64] >> v % 64 & 1) != (vc.count != 0)) return false;
    }
    const std::size_t size = vcs_.size();
    return fits(valid_, size) && fits(credit_, size) && fits(next_credit_, size);
  }
  const Slot& oldest(unsigned vc) const {
    return slots_[std::size_t{vc} * depth_ + vcs_[vc].oldest];
  }

  // Makes the word of this cycle visible to the functions that ask for words.
  void show_arrived() {
    if (arrived_ == kNone) return;
    ++vcs_[arrived_].count;
    if (arrived_last_) ++vcs_[arrived_].tails;
    valid_[arrived_ / 64] |= std::uint64_t{1} << arrived_ % 64;
    arrived_ = kNone;
  }

  static constexpr std::uint32_t kNone = ~0u;

  std::uint32_t depth_;
  bool bypass_;
  bool adaptive_;
  std::uint32_t arrived_ = kNone;  // VC of a word that is in its slot and not counted yet.
  bool arrived_last_ = false;
  std::vector<Vc> vcs_;
  std::vector<Slot> slots_;           // `depth_` for each VC
  std::vector<std::uint64_t> valid_;  // VCs with a word.
  std::vector<std::uint64_t> credit_, next_credit_;
};

}  // namespace weft
