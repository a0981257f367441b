// The reduction into memory of all links of an interface, cycle model of
// rtl/reduce/weft_reduce_lanes.sv (rtl/reduce/README.md, reduce_lanes).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"
#include "sim/reduce/accumulator.hpp"

namespace weft {

/// An accumulator for each link. Words of one address go to memory one after the other if at least
/// one of them is combined with what memory holds, so that none is lost.
class ReduceLanes {
 public:
  using Addresses = std::array<std::uint32_t, kMaxNicLinks>;

  struct Config {
    unsigned data_w = kHdrW;  ///< Width of a word, bits: a multiple of 64 up to kMaxFlitW.
    unsigned links = 1;       ///< Number of links, 1 to kMaxNicLinks.
    unsigned counts() const { return links * kNumRxCounts; }  ///< Number of counts by link and tag.
  };
  struct In {
    std::uint8_t mem_wen = 0;     ///< Links whose receive units write, a bit each.
    std::uint8_t mem_reduce = 0;  ///< Links whose word is of a message that is reduced, a bit each.
    Addresses mem_waddr = {};     ///< Write addresses by link, flits.
    std::array<FlitData, kMaxNicLinks> mem_wdata;
    std::array<FlitData, kMaxNicLinks> mem_rdata;  ///< Words read in the cycle before.
    std::array<std::uint32_t, kMaxNicLinks* kNumRxCounts> rx_count = {};
    Reduction reduction;
  };
  struct Shown {
    std::uint8_t mem_wready = 0;  ///< Links whose write is accepted, or that have none.
    std::uint8_t mem_ren = 0;
    Addresses mem_raddr = {};
    std::uint8_t mem_wen = 0;
    Addresses mem_waddr = {};
    std::array<FlitData, kMaxNicLinks> mem_wdata;
    std::array<std::uint32_t, kMaxNicLinks* kNumRxCounts> rx_count = {};
  };
  static constexpr auto ports();  // sim/reduce/reduce_lanes_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit ReduceLanes(const Config& config)
      : lanes_(config.links, Accumulator(Accumulator::Config{config.data_w, config.links})) {
    if (config.links < 1 || config.links > kMaxNicLinks) {
      throw ConfigError(
          fmt::format("reduce_lanes: links is {}, expected: 1 to {}", config.links, kMaxNicLinks));
    }
  }

  void reset() {
    for (Accumulator& lane : lanes_) lane.reset();
    first_ = 0;
  }

  const Accumulator& lane(unsigned link) const { return lanes_[link]; }

  /// Links whose word waits, of those that write in this cycle (`wen`, a bit each); `reduce`: links
  /// whose word is of a message that is reduced.
  unsigned waiting(unsigned wen, unsigned reduce, const Addresses& addr) const {
    const unsigned would_read = reads(wen, reduce);
    unsigned waits = 0;
    for (unsigned left = wen; left != 0; left &= left - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(left));
      if (waits_of(i, wen, would_read, addr)) waits |= 1u << i;
    }
    return waits;
  }

  /// Links in `wen` whose word would be read in memory; `reduce` as for `waiting`.
  unsigned reads(unsigned wen, unsigned reduce) const {
    unsigned reads = 0;
    for (unsigned i = 0; i < lanes_.size(); ++i) {
      reads |= unsigned{lanes_[i].reads((wen >> i & 1) != 0, (reduce >> i & 1) != 0)} << i;
    }
    return reads;
  }

  /// One clock edge of a link's accumulator; `in` has the write unless it waits. Links that are
  /// `Accumulator::idle` may be left out.
  const Accumulator::Out& step(unsigned link, const Accumulator::In& in) {
    return lanes_[link].step(in);
  }
  /// Ends a cycle, after all links are stepped: `waits` as returned by `waiting`.
  void move_first(unsigned waits) {
    if (waits != 0 && (waits >> first_ & 1) == 0) {
      first_ = first_ + 1 < lanes_.size() ? first_ + 1 : 0;
    }
  }

  /// One clock edge of all links.
  void step(const In& in) {
    const unsigned waits = waiting(in.mem_wen, in.mem_reduce, in.mem_waddr);
    for (unsigned i = 0; i < lanes_.size(); ++i) {
      Accumulator::In lane = {(in.mem_wen & ~waits & 1u << i) != 0,
                              (in.mem_reduce >> i & 1) != 0,
                              (in.mem_wen >> i & 1) != 0,
                              in.mem_waddr[i],
                              in.mem_wdata[i],
                              in.mem_rdata[i],
                              {},
                              in.reduction};
      std::copy_n(in.rx_count.begin() + i * kNumRxCounts, kNumRxCounts, lane.rx_count.begin());
      step(i, lane);
    }
    move_first(waits);
  }
  /// The outputs of the present cycle with these inputs.
  Shown shown(const In& in) const {
    const unsigned waits = waiting(in.mem_wen, in.mem_reduce, in.mem_waddr);
    Shown out;
    out.mem_wready = static_cast<std::uint8_t>(low_mask(lanes_.size()) & ~waits);
    out.mem_ren = static_cast<std::uint8_t>(reads(in.mem_wen & ~waits, in.mem_reduce));
    for (unsigned i = 0; i < lanes_.size(); ++i) {
      const Accumulator& lane = lanes_[i];
      out.mem_raddr[i] = (out.mem_ren >> i & 1) != 0 ? in.mem_waddr[i] : 0;
      if (lane.out().mem_wen) out.mem_wen |= static_cast<std::uint8_t>(1u << i);
      out.mem_waddr[i] = lane.out().mem_waddr;
      out.mem_wdata[i] = lane.out().mem_wdata;
      std::copy_n(lane.out().rx_count.begin(), kNumRxCounts,
                  out.rx_count.begin() + i * kNumRxCounts);
    }
    return out;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    for (Accumulator& lane : lanes_) archive(lane);
    archive(first_);
    archive.require(first_ < lanes_.size());
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  // Whether link `i` waits; `would_read`: links in `wen` whose word would be read.
  bool waits_of(unsigned i, unsigned wen, unsigned would_read, const Addresses& addr) const {
    const bool reads = (would_read >> i & 1) != 0;
    for (unsigned j = 0; j < lanes_.size(); ++j) {
      if (lanes_[j].in_flight(addr[i], !reads)) return true;
      if (j == i || (wen >> j & 1) == 0 || addr[j] != addr[i]) continue;
      if (!reads && (would_read >> j & 1) == 0) continue;
      if (rank(j) < rank(i)) return true;
    }
    return false;
  }
  // Rank of a link in the order: first `first_`, then from 0 up.
  unsigned rank(unsigned link) const { return link == first_ ? 0 : link + 1; }

  std::vector<Accumulator> lanes_;
  unsigned first_ = 0;
};

}  // namespace weft
