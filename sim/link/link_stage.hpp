// Registers of a long link, cycle model of rtl/link/weft_link_stage.sv (rtl/link/README.md).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

/// What enters at one end of a link leaves at the other some cycles later, in both directions.
class LinkStage {
 public:
  static constexpr unsigned kMostStages = 255;

  struct Config {
    unsigned stages = 1;      ///< Registers each way, cycles, 1 to kMostStages.
    bool parity = false;      ///< Words carry parity.
    unsigned num_vc = 1;      ///< VCs; lines that the receiver returns.
    unsigned data_w = kHdrW;  ///< Width of a flit without parity, bits.
  };
  /// Lines back take a word for each 64 of them; null: all 0.
  struct In {
    Flit rx;                              ///< From the sender.
    const std::uint64_t* back = nullptr;  ///< From the receiver.
  };
  struct Out {
    Flit tx;                              ///< To the receiver.
    const std::uint64_t* back = nullptr;  ///< To the sender.
  };
  /// Storage for the outputs: Out is a view.
  struct Held {
    explicit Held(const Config& config) : back(words(config)) {}
    Flit tx;
    std::vector<std::uint64_t> back;
  };

  static constexpr auto ports() {
    return port_table(input("rx_*_i", kFlitFields, &In::rx).link(),
                      output("rx_back_o", &Config::num_vc, &Out::back).held_in(&Held::back).link(),
                      output("tx_*_o", kFlitFields, &Out::tx).held_in(&Held::tx).link(),
                      input("tx_back_i", &Config::num_vc, &In::back).link());
  }

  /// Words of the lines back.
  static constexpr unsigned words(const Config& config) { return (config.num_vc + 63) / 64; }

  /// Throws ConfigError if a value is out of range.
  explicit LinkStage(const Config& config) : words_(words(config)) {
    if (config.stages < 1 || config.stages > kMostStages || config.num_vc < 1) {
      throw ConfigError(fmt::format("link_stage: {} stages, {} VCs, expected: 1 to {}, 1 or more",
                                    config.stages, config.num_vc, kMostStages));
    }
    flits_.resize(config.stages);
    back_.resize(std::size_t{config.stages} * words_);
  }

  void reset() {
    std::fill(flits_.begin(), flits_.end(), Flit{});
    std::fill(back_.begin(), back_.end(), 0);
    next_ = busy_ = 0;
  }

  /// The oldest entries of the rings, which the next step replaces.
  Out out() const { return {flits_[next_], &back_[std::size_t{next_} * words_]}; }

  /// Whether all registers are 0, so that a step with inputs of 0 changes nothing.
  bool quiet() const { return busy_ == 0; }

  /// One clock edge.
  void step(const In& in) {
    std::uint64_t any = 0;
    for (unsigned w = 0; w < words_; ++w) {
      const std::uint64_t lines = in.back == nullptr ? 0 : in.back[w];
      back_[std::size_t{next_} * words_ + w] = lines;
      any |= lines;
    }
    flits_[next_] = in.rx;
    if (++next_ == flits_.size()) next_ = 0;
    // Cycles until all that came in has left.
    busy_ = in.rx.valid || any != 0 ? flits_.size() : busy_ - (busy_ != 0);
  }

 private:
  unsigned words_;
  std::vector<Flit> flits_;          // A ring.
  std::vector<std::uint64_t> back_;  // A ring of `words_` words each.
  std::size_t next_ = 0, busy_ = 0;
};

}  // namespace weft
