// Receiver's end of a link whose errors are contained, cycle model of rtl/link/weft_guard_rx.sv
// (rtl/link/README.md).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/link/credit_tx.hpp"
#include "sim/link/guard_form.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Ignores words with a wrong check code; ends packets that have lost flits by a tail with wrong
/// parity, discards the rest of them, and counts packets of which nothing is passed on.
class GuardRx {
 public:
  struct Config : GuardForm {
    std::vector<std::uint32_t> max_coords = {3, 3};  ///< Maximum coordinate by dimension.
    unsigned addr_w = kAddrW;                        ///< Width of an address, bits, up to 32.
  };
  struct In {
    Flit rx;                  ///< Flit of the forward word.
    std::uint32_t check = 0;  ///< Field `check` of the forward word.
    /// Credit lines from the receiver, in words of 64 lines; null: all 0.
    const std::uint64_t* credit = nullptr;
  };
  struct Out {
    const std::uint64_t* back = nullptr;  ///< The back word.
    Flit tx;                              ///< To the receiver.
    std::uint32_t lost = 0;               ///< Packets of which nothing went to the receiver.
    std::uint32_t errors = 0;             ///< Bad words, from the first good one on.
  };
  /// Storage for the outputs: Out is a view.
  struct Held {
    explicit Held(const Config& config) : back(config.back().words()) {}
    std::vector<std::uint64_t> back;
    Flit tx;
    std::uint32_t lost = 0, errors = 0;
  };

  static constexpr auto ports();  // sim/link/guard_rx_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit GuardRx(const Config& config)
      : form_((config.check("guard_rx"), config)),
        max_coords_(config.max_coords),
        address_((std::uint64_t{1} << config.addr_w) - 1),
        credit_tx_(config.back()),
        vcs_(config.num_vc) {
    const unsigned used = std::accumulate(
        max_coords_.begin(), max_coords_.end(), 0u,
        [](unsigned bits, std::uint32_t last) { return bits + std::bit_width(last); });
    if (max_coords_.empty() || config.addr_w < 1 || config.addr_w > 32 || used > config.addr_w) {
      throw ConfigError(
          fmt::format("guard_rx: {} dimensions, digits of {} bits in addresses of {}, expected: 1 "
                      "or more, digits within addresses of 1 to 32 bits",
                      max_coords_.size(), used, config.addr_w));
    }
  }

  void reset() {
    credit_tx_.reset();
    std::fill(vcs_.begin(), vcs_.end(), Vc{});
    tx_ = skid_ = {};
    lost_ = errors_ = 0;
    started_ = false;
  }

  Out out() const { return {credit_tx_.out().back, tx_, lost_, errors_}; }

  /// One clock edge.
  void step(const In& in) {
    CreditTx::In back{.credit = in.credit};
    Flit flit;  // Flit that is passed on, if valid.
    Flit tail;  // Tail that is made, if valid.
    const std::uint32_t numbers_w = form_.check_w() - GuardForm::kCodeW;
    const std::uint32_t numbers = in.check & static_cast<std::uint32_t>(low_mask(numbers_w));
    if (in.rx.vc < form_.num_vc && in.check == form_.check_of(in.rx, numbers)) {
      Vc& vc = vcs_[in.rx.vc];
      const std::uint32_t mask = form_.count_mask();
      const bool head = (numbers & 1) != 0;
      const std::uint32_t flits = numbers >> 1 & mask;
      const std::uint32_t packets = numbers >> (1 + form_.count_w());
      back.add_vc = in.rx.vc;
      back.add = (flits - vc.flits) & mask;
      lost_ += (packets - vc.packets) & mask;
      if (back.add != 0 && vc.open) {
        vc.open = false;
        tail.valid = tail.last = true;
        tail.vc = in.rx.vc;
        --back.add;
      }
      if (in.rx.valid) {
        const bool no_room = head && tail.valid && skid_.valid;
        const bool passes = head ? !no_room && exists(in.rx) && !parity_wrong(in.rx) : vc.open;
        if (passes) {
          flit = in.rx;
          vc.open = !in.rx.last;
        } else {
          back.add = (back.add + 1) & mask;
          lost_ += head;
        }
      }
      vc.flits = flits + in.rx.valid;
      vc.packets = packets + head;
      vc.flits &= mask;
      vc.packets &= mask;
      started_ = true;
    } else {
      errors_ += started_;
    }
    // A tail and a flit come in one cycle only past an empty skid register.
    if (skid_.valid) {
      tx_ = skid_;
      skid_ = flit.valid ? flit : tail;
    } else if (tail.valid) {
      tx_ = tail;
      skid_ = flit;
    } else {
      tx_ = flit;
    }
    credit_tx_.step(back);
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(credit_tx_, vcs_, tx_, skid_, lost_, errors_, started_);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  struct Vc {
    std::uint32_t flits = 0, packets = 0;  // Numbers that the next word should have.
    bool open = false;                     // A packet was passed on without its tail.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(flits, packets, open);
    }
  };

  bool exists(const Flit& flit) const {
    std::uint64_t dst = flit.data & address_;
    for (const std::uint32_t last : max_coords_) {
      const unsigned width = static_cast<unsigned>(std::bit_width(last));
      if ((dst & low_mask(width)) > last) return false;
      dst >>= width;
    }
    return dst == 0;
  }
  bool parity_wrong(const Flit& flit) const {
    return parity_of(flit, form_.data_w / 64) != flit.parity;
  }

  GuardForm form_;
  std::vector<std::uint32_t> max_coords_;
  std::uint64_t address_;  // Mask of an address.
  CreditTx credit_tx_;
  std::vector<Vc> vcs_;
  Flit tx_, skid_;
  std::uint32_t lost_ = 0, errors_ = 0;
  bool started_ = false;  // A good word has arrived.
};

}  // namespace weft
