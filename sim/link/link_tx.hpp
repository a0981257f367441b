// Sender's end of a link that repairs errors, cycle model of rtl/link/weft_link_tx.sv
// (rtl/link/README.md).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/link/credit_rx.hpp"
#include "sim/link/link_form.hpp"

namespace weft {

/// Numbers flits, keeps them until the receiver has them, and sends them again from where the
/// receiver asks for it or is no longer heard of.
class LinkTx {
 public:
  static constexpr unsigned kMostTimeout = 65535;
  static constexpr unsigned kMostLimit = 255;

  struct Config : LinkForm {
    unsigned timeout = 64;  ///< Cycles without an acknowledgement, 1 to kMostTimeout.
    unsigned limit = 16;    ///< Retries after which the link is stuck, 1 to kMostLimit.
  };
  struct In {
    Flit rx;                              ///< From the sender.
    const std::uint64_t* back = nullptr;  ///< From the wires; null: all 0.
  };
  struct Out {
    const std::uint64_t* credit = nullptr;  ///< To the sender, in words of 64 lines.
    Flit tx;                                ///< Flit to the wires.
    std::uint32_t check = 0;                ///< Number and CRC to the wires.
    std::uint32_t errors = 0;               ///< Bad back words.
    std::uint32_t retries = 0;              ///< Retries that had flits to send again.
    bool stuck = false;                     ///< `limit` retries led to no acknowledgement.
  };
  /// Storage for the outputs: Out is a view.
  struct Held {
    explicit Held(const Config& config) : credit(config.back().credit_words()) {}
    std::vector<std::uint64_t> credit;
    Flit tx;
    std::uint32_t check = 0, errors = 0, retries = 0;
    bool stuck = false;
  };

  static constexpr auto ports();  // sim/link/link_tx_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit LinkTx(const Config& config)
      : form_(checked(config)),
        timeout_(config.timeout),
        limit_(config.limit),
        credits_(config.back()),
        kept_(config.replay()) {}

  void reset() {
    credits_.reset();
    tx_ = {};
    next_ = sent_ = acked_ = 0;
    check_ = timer_ = tries_ = retries_ = 0;
    request_ = false;
  }

  Out out() const {
    return {credits_.credit(), tx_, check_, credits_.errors(), retries_, tries_ == limit_};
  }

  /// Number of flits that are kept: a sender with credits may send while it is below `replay()`.
  std::uint64_t kept() const { return next_ - acked_; }

  /// One clock edge. A flit may come only while `kept()` is below `replay()`.
  void step(const In& in) {
    const CreditRx::Word word = credits_.eval(in.back);
    credits_.step({in.back}, word.good);
    bool back = false;
    std::uint64_t acked = acked_;
    if (word.good) {
      const bool request = (word.more >> form_.seq_w() & 1) != 0;
      back = request != request_;
      request_ = request;
      const auto expected = static_cast<std::uint32_t>(word.more);
      const std::uint32_t further =
          (expected - static_cast<std::uint32_t>(acked_)) & form_.seq_mask();
      if (further <= next_ - acked_) acked += further;
    }
    const bool advance = acked != acked_, pending = acked != next_;
    back |= pending && !advance && timer_ == timeout_;
    timer_ = !pending || advance || back ? 0 : timer_ + 1;
    if (advance) tries_ = 0;

    if (in.rx.valid) kept_[next_++ & (form_.replay() - 1)] = in.rx;
    if (back) {
      // Numbers are not wrapped: the later of two is the greater one.
      if (sent_ > acked) ++retries_;
      if (pending) tries_ += tries_ != limit_;
      sent_ = acked;
      tx_ = {};
      check_ = 0;
    } else if (sent_ != next_) {
      tx_ = kept_[sent_ & (form_.replay() - 1)];
      check_ = form_.check_of(tx_, static_cast<std::uint32_t>(sent_) & form_.seq_mask());
      ++sent_;
    } else {
      tx_ = {};
      check_ = 0;
    }
    if (sent_ < acked) sent_ = acked;
    acked_ = acked;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(credits_, kept_, tx_, check_, next_, sent_, acked_, timer_, tries_, retries_, request_);
    archive.require(acked_ <= sent_ && sent_ <= next_ && kept() <= form_.replay() &&
                    timer_ <= timeout_ && tries_ <= limit_);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  static const Config& checked(const Config& config) {
    config.check("link_tx");
    if (config.timeout < 1 || config.timeout > kMostTimeout || config.limit < 1 ||
        config.limit > kMostLimit) {
      throw ConfigError(
          fmt::format("link_tx: timeout {}, limit {}, expected: 1 to {} cycles, 1 to {}",
                      config.timeout, config.limit, kMostTimeout, kMostLimit));
    }
    return config;
  }

  LinkForm form_;
  unsigned timeout_, limit_;
  CreditRx credits_;
  std::vector<Flit> kept_;  // By number; the oldest that the receiver may lack is `acked_`.
  Flit tx_;
  std::uint32_t check_ = 0;
  // Numbers since reset: of the next flit to come, of the next to be sent, and of the first that
  // the receiver is not known to have.
  std::uint64_t next_ = 0, sent_ = 0, acked_ = 0;
  std::uint32_t timer_ = 0, tries_ = 0, retries_ = 0;
  bool request_ = false;  // Request bit of the last good word.
};

}  // namespace weft
