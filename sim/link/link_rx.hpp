// Receiver's end of a link that repairs errors, cycle model of rtl/link/weft_link_rx.sv
// (rtl/link/README.md).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/link/credit_tx.hpp"
#include "sim/link/link_form.hpp"

namespace weft {

/// Passes on the flits of good words in the order of their numbers, each once, and tells the sender
/// which one it expects next.
class LinkRx {
 public:
  using Config = LinkForm;
  struct In {
    Flit rx;                                ///< Flit from the wires.
    std::uint32_t check = 0;                ///< Number and CRC from the wires.
    const std::uint64_t* credit = nullptr;  ///< Credit lines from the receiver, in words of 64;
                                            ///< null: all 0.
  };
  struct Out {
    Flit tx;                              ///< To the receiver.
    const std::uint64_t* back = nullptr;  ///< To the wires.
    std::uint32_t errors = 0;             ///< Bad words.
  };
  /// Storage for the outputs: Out is a view.
  struct Held {
    explicit Held(const Config& config) : back(config.back().words()) {}
    Flit tx;
    std::vector<std::uint64_t> back;
    std::uint32_t errors = 0;
  };

  static constexpr auto ports();  // sim/link/link_rx_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit LinkRx(const Config& config) : form_(checked(config)), credits_(config.back()) {}

  void reset() {
    credits_.reset();
    tx_ = {};
    expected_ = errors_ = 0;
    request_ = asked_ = false;
  }

  Out out() const { return {tx_, credits_.out().back, errors_}; }

  /// One clock edge.
  void step(const In& in) {
    const std::uint32_t seq = in.check & form_.seq_mask();
    tx_ = {};
    if (in.check >> form_.seq_w() != form_.crc(in.rx, seq)) {
      ++errors_;
      request_ = !request_;
      asked_ = true;
    } else if (in.rx.valid) {
      const std::uint32_t ahead = (seq - expected_) & form_.seq_mask();
      if (ahead == 0) {
        tx_ = in.rx;
        expected_ = (expected_ + 1) & form_.seq_mask();
        asked_ = false;
      } else if (ahead < form_.replay() && !asked_) {
        request_ = !request_;
        asked_ = true;
      }
    }
    const std::uint64_t more = expected_ | std::uint64_t{request_} << form_.seq_w();
    credits_.step({.credit = in.credit, .more = more});
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(credits_, tx_, expected_, errors_, request_, asked_);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  static const Config& checked(const Config& config) {
    config.check("link_rx");
    return config;
  }

  Config form_;
  CreditTx credits_;
  Flit tx_;
  std::uint32_t expected_ = 0;  // Number of the next flit.
  std::uint32_t errors_ = 0;
  bool request_ = false;
  bool asked_ = false;  // `request_` has changed since the last flit in sequence.
};

}  // namespace weft
