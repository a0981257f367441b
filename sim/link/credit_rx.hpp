// Receiver of the back word of a protected link, cycle model of rtl/link/weft_credit_rx.sv
// (rtl/link/README.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/link/back_word.hpp"

namespace weft {

/// At the sender: returns the credits of good words, and those that are missing according to their
/// counts.
class CreditRx {
 public:
  using Config = BackForm;
  struct In {
    const std::uint64_t* back = nullptr;  ///< The word; null: all 0, which is not good.
  };
  /// Contents of a word, in the cycle in which it is there.
  struct Word {
    bool good = false;       ///< Its check code is right.
    std::uint64_t more = 0;  ///< Bits of another block, good or not; 0 without `more_w`.
  };
  struct Out : Word {
    const std::uint64_t* credit = nullptr;  ///< Credits, in words of 64 lines; from registers.
    std::uint32_t errors = 0;  ///< Bad words received after the first good one; registered.
  };
  /// Storage for the outputs: Out is a view.
  struct Held : Word {
    explicit Held(const Config& config) : credit(config.credit_words()) {}
    std::vector<std::uint64_t> credit;
    std::uint32_t errors = 0;
  };

  static constexpr auto ports();  // sim/link/credit_rx_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit CreditRx(const Config& config)
      : form_(config),
        told_(checked(config).num_vc),
        given_(config.num_vc),
        credit_(config.credit_words()),
        body_(config.words()) {}

  void reset() {
    std::fill(told_.begin(), told_.end(), 0);
    std::fill(given_.begin(), given_.end(), 0);
    std::fill(credit_.begin(), credit_.end(), 0);
    started_ = false;
    errors_ = 0;
  }

  /// Credits, from registers.
  const std::uint64_t* credit() const { return credit_.data(); }
  /// Bad words received after the first good one; registered.
  std::uint32_t errors() const { return errors_; }

  /// Contents of the word; combinational.
  Word eval(const std::uint64_t* back) {
    if (back == nullptr) return {};
    BitReader word(back);
    word.skip(form_.num_vc + form_.index_w() + form_.count_w());
    Word said;
    said.more = word.next(form_.more_w);
    said.good = word.next(form_.check_w()) == form_.check_of(back, body_.data());
    return said;
  }
  /// All outputs of a cycle.
  Out out(const In& in) {
    Out shown;
    static_cast<Word&>(shown) = eval(in.back);
    shown.credit = credit();
    shown.errors = errors_;
    return shown;
  }

  /// One clock edge; `good`: of this word, as returned by `eval`.
  void step(const In& in, bool good) {
    // Registers in the link show words of zeros after reset.
    errors_ += started_ && !good;
    started_ = started_ || good;
    const std::uint32_t mask = form_.count_mask();
    if (good) {
      for (unsigned v = 0; v < form_.num_vc; ++v) told_[v] += in.back[v / 64] >> v % 64 & 1;
      BitReader word(in.back);
      word.skip(form_.num_vc);
      const std::uint64_t vc = word.next(form_.index_w());
      if (vc < form_.num_vc) told_[vc] = static_cast<std::uint32_t>(word.next(form_.count_w()));
    }
    std::fill(credit_.begin(), credit_.end(), 0);
    for (unsigned v = 0; v < form_.num_vc; ++v) {
      if (((told_[v] ^ given_[v]) & mask) == 0) continue;
      ++given_[v];
      credit_[v / 64] |= std::uint64_t{1} << v % 64;
    }
  }
  void step(const In& in) { step(in, eval(in.back).good); }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(told_, given_, credit_, started_, errors_);
    archive.require(fits(credit_, form_.num_vc));
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  static const Config& checked(const Config& config) {
    config.check("credit_rx");
    return config;
  }

  Config form_;
  // By VC: credits that the receiver is known to have returned, and those that the sender got. Bits
  // above those of a count are not used.
  std::vector<std::uint32_t> told_, given_;
  std::vector<std::uint64_t> credit_;
  std::vector<std::uint64_t> body_;  // The word without its check code.
  bool started_ = false;             // There was a good word.
  std::uint32_t errors_ = 0;
};

}  // namespace weft
