// Sender of the back word of a protected link, cycle model of rtl/link/weft_credit_tx.sv
// (rtl/link/README.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/link/back_word.hpp"

namespace weft {

/// At the receiver: tells the sender repeatedly which slots have become free.
class CreditTx {
 public:
  using Config = BackForm;
  struct In {
    /// Credit lines, in words of 64; null: all 0.
    const std::uint64_t* credit = nullptr;
    std::uint32_t add_vc = 0;  ///< VC of the further slots that have become free.
    std::uint32_t add = 0;     ///< Number of further slots that have become free, of as many bits
                               ///< as a count.
    std::uint64_t more = 0;    ///< Bits of another block; ignored without `more_w`.
  };
  struct Out {
    const std::uint64_t* back = nullptr;  ///< The word.
  };
  /// Storage for the outputs: Out is a view.
  struct Held {
    explicit Held(const Config& config) : back(config.words()) {}
    std::vector<std::uint64_t> back;
  };

  static constexpr auto ports();  // sim/link/credit_tx_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit CreditTx(const Config& config)
      : form_(config), counts_(checked(config).num_vc), back_(config.words()) {}

  void reset() {
    std::fill(counts_.begin(), counts_.end(), 0);
    std::fill(back_.begin(), back_.end(), 0);
    vc_ = 0;
  }

  Out out() const { return {back_.data()}; }

  /// One clock edge.
  void step(const In& in) {
    std::fill(back_.begin(), back_.end(), 0);
    BitWriter word(back_.data());
    unsigned left = form_.num_vc;
    for (unsigned w = 0; w < form_.credit_words(); ++w, left -= 64) {
      const std::uint64_t lines = in.credit == nullptr ? 0 : in.credit[w];
      word.add(lines, std::min(left, 64u));
      for (std::uint64_t more = lines; more != 0; more &= more - 1) {
        ++counts_[w * 64 + static_cast<unsigned>(std::countr_zero(more))];
      }
    }
    if (in.add_vc < form_.num_vc) counts_[in.add_vc] += in.add;
    word.add(vc_, form_.index_w());
    word.add(counts_[vc_] & form_.count_mask(), form_.count_w());
    word.add(form_.more_w == 0 ? 0 : in.more, form_.more_w);
    form_.seal(back_.data());
    if (++vc_ == form_.num_vc) vc_ = 0;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(counts_, back_, vc_);
    archive.require(vc_ < form_.num_vc);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  static const Config& checked(const Config& config) {
    config.check("credit_tx");
    return config;
  }

  Config form_;
  std::vector<std::uint32_t> counts_;  // Slots that have become free, by VC, modulo 2^32.
  std::vector<std::uint64_t> back_;
  std::uint32_t vc_ = 0;  // VC whose count is sent next.
};

}  // namespace weft
