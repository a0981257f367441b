// Sender's end of a link whose errors are contained, cycle model of rtl/link/weft_guard_tx.sv
// (rtl/link/README.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/link/credit_rx.hpp"
#include "sim/link/guard_form.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Numbers the flits and packets of each VC and adds a check code; receives the credits.
class GuardTx {
 public:
  using Config = GuardForm;
  struct In {
    Flit rx;                              ///< From the sender.
    const std::uint64_t* back = nullptr;  ///< The back word; null: all 0.
  };
  struct Out {
    const std::uint64_t* credit = nullptr;  ///< To the sender, in words of 64 lines.
    Flit tx;                                ///< Flit of the forward word.
    std::uint32_t check = 0;                ///< Field `check` of the forward word.
    std::uint32_t errors = 0;               ///< Bad back words.
  };
  /// Storage for the outputs: Out is a view.
  struct Held {
    explicit Held(const Config& config) : credit(config.back().credit_words()) {}
    std::vector<std::uint64_t> credit;
    Flit tx;
    std::uint32_t check = 0, errors = 0;
  };

  static constexpr auto ports();  // sim/link/guard_tx_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit GuardTx(const Config& config)
      : form_((config.check("guard_tx"), config)), credit_rx_(config.back()), vcs_(config.num_vc) {
    reset();
  }

  void reset() {
    credit_rx_.reset();
    std::fill(vcs_.begin(), vcs_.end(), Vc{});
    tx_ = {};
    ring_ = 0;
    check_ = form_.check_of({}, 0);
  }

  Out out() const { return {credit_rx_.credit(), tx_, check_, credit_rx_.errors()}; }

  /// One clock edge.
  void step(const In& in) {
    credit_rx_.step({in.back});
    tx_ = in.rx;
    if (!in.rx.valid) {
      tx_.vc = static_cast<std::uint16_t>(ring_);
      if (++ring_ == form_.num_vc) ring_ = 0;
    }
    Vc& vc = vcs_[tx_.vc];
    const bool head = in.rx.valid && !vc.begun;
    check_ = form_.check_of(tx_, form_.numbers(head, vc.flits, vc.packets));
    if (!in.rx.valid) return;
    vc.begun = !in.rx.last;
    ++vc.flits;
    vc.packets += head;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(credit_rx_, vcs_, tx_, check_, ring_);
    archive.require(ring_ < form_.num_vc);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  // Flits and heads so far; only the bits of a count are used.
  struct Vc {
    std::uint32_t flits = 0, packets = 0;
    bool begun = false;  // A packet has begun and not ended.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(flits, packets, begun);
    }
  };

  Config form_;
  CreditRx credit_rx_;
  std::vector<Vc> vcs_;
  Flit tx_;
  std::uint32_t check_ = 0;
  std::uint32_t ring_ = 0;  // VC of the next word without a flit.
};

}  // namespace weft
