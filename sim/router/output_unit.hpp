// One out-port of a virtual-channel router or interface, cycle model of
// rtl/router/weft_output_unit.sv (rtl/router/README.md, output_unit; seed 004 [2.1]).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"
#include "sim/router/vc_alloc.hpp"

namespace weft {

/// The state of the link's VCs (idle or allocated), the credits for each, and the link register. In
/// each cycle call `eval` with the credits on the link, then read the outputs, then `tick`.
class OutputUnit {
 public:
  struct Config {
    unsigned num_vc = 2;  ///< VCs, 1 to 65535.
    unsigned depth = 8;   ///< Receiver's buffer of each VC, words, 1 or more.
  };

  /// Configuration of the RTL, which also has the width of a word.
  struct PortConfig : Config {
    bool parity = false;      ///< Words carry parity.
    unsigned data_w = kHdrW;  ///< Width of a flit without parity, bits.
  };
  /// The arguments of `eval` and `tick`.
  struct In {
    Flit word;
    const std::uint64_t* credit = nullptr;
  };
  static constexpr auto ports();  // sim/router/output_unit_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit OutputUnit(const Config& config) : depth_(config.depth), vcs_(config.num_vc) {
    if (config.num_vc < 1 || config.num_vc > 65535 || config.depth < 1) {
      throw ConfigError(
          fmt::format("output_unit: {} VCs of depth {}, expected: 1 to 65535 VCs, depth 1 or more",
                      config.num_vc, config.depth));
    }
    reset();
  }

  void reset() {
    std::fill(vcs_.begin(), vcs_.end(), VcAlloc::Vc{true, depth_});
    tx_ = {};
    load_ = used_ = 0;
  }

  /// Adds the credits on the link in this cycle: bit v % 64 of word v / 64 is for VC v. A credit in
  /// excess of all slots, which errors on wires can bring, is ignored. Need not be called in a
  /// cycle without credits.
  void eval(const std::uint64_t* credit) {
    for (std::size_t word = 0; word * 64 < vcs_.size(); ++word) {
      for (std::uint64_t left = credit[word]; left != 0; left &= left - 1) {
        VcAlloc::Vc& vc = vcs_[word * 64 + static_cast<unsigned>(std::countr_zero(left))];
        if (vc.credits == depth_) continue;
        ++vc.credits;
        --used_;
      }
    }
  }

  /// Whether the VC is idle.
  bool idle(unsigned vc) const { return vcs_[vc].idle; }
  /// Credits of the VC, including those of this cycle.
  std::uint32_t credits(unsigned vc) const { return vcs_[vc].credits; }
  /// State and credits of all VCs, in the form that VC allocation takes.
  const VcAlloc::Vc* vcs() const { return vcs_.data(); }
  /// Slots of the receiver in use, without the credits of this cycle.
  std::uint32_t load() const { return load_; }
  /// Link register: the word on the link; all 0 if there is none.
  const Flit& out() const { return tx_; }

  /// The clock edge: loads the word, if it is valid, into the link register. Its VC has a credit.
  /// Need not be called without a word, a word in the link register and credits in this cycle.
  void tick(const Flit& word) {
    if (!word.valid) {
      tx_ = {};
      load_ = used_;
      return;
    }
    load_ = ++used_;
    tx_ = word;
    VcAlloc::Vc& vc = vcs_[word.vc];
    --vc.credits;
    vc.idle = word.last;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(vcs_, used_, load_, tx_);
    for (const VcAlloc::Vc& vc : vcs_) archive.require(vc.credits <= depth_);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  std::uint32_t depth_;
  std::vector<VcAlloc::Vc> vcs_;
  std::uint32_t used_ = 0, load_ = 0;  // Slots in use with and without the credits of this cycle.
  Flit tx_;
};

}  // namespace weft
