// Registers of a long link, cycle model of rtl/link/weft_link_stage.sv (rtl/link/README.md).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// What enters at one end of a link leaves at the other some cycles later, in both directions.
class LinkStage {
 public:
  static constexpr unsigned kMostStages = 255;

  struct Config {
    unsigned stages = 1;      ///< Registers each way, cycles, 1 to kMostStages.
    bool parity = false;      ///< Words carry parity.
    unsigned num_vc = 1;      ///< VCs of the network.
    unsigned data_w = kHdrW;  ///< Width of a flit without parity, bits.
    unsigned check_w = 1;     ///< Width of number and check code of a word, bits, 1 to 32; 1:
                              ///< unprotected.
    unsigned back_w = 0;      ///< Lines that the receiver returns; 0: one for each VC.

    constexpr unsigned lines() const { return back_w == 0 ? num_vc : back_w; }
    constexpr bool checked() const { return check_w > 1; }
  };
  /// Inputs. `back`: a word for each 64 lines; null: all 0.
  struct In {
    Flit rx;                              ///< From the sender.
    const std::uint64_t* back = nullptr;  ///< From the receiver.
    std::uint32_t check = 0;              ///< From the sender; 0 on unprotected links.
  };
  struct Out {
    Flit tx;                              ///< To the receiver.
    const std::uint64_t* back = nullptr;  ///< To the sender.
    std::uint32_t check = 0;              ///< To the receiver.
  };
  /// Storage for the outputs: Out is a view.
  struct Held {
    explicit Held(const Config& config) : back(words(config)) {}
    Flit tx;
    std::vector<std::uint64_t> back;
    std::uint32_t check = 0;
  };

  static constexpr auto ports();  // sim/link/link_stage_ports.hpp

  /// Words of the lines back.
  static constexpr unsigned words(const Config& config) { return (config.lines() + 63) / 64; }

  /// Throws ConfigError if a value is out of range.
  explicit LinkStage(const Config& config) : words_(words(config)), lines_(config.lines()) {
    if (config.stages < 1 || config.stages > kMostStages || config.num_vc < 1 ||
        config.check_w < 1 || config.check_w > 32) {
      throw ConfigError(
          fmt::format("link_stage: {} stages, {} VCs, {} check bits, expected: 1 to {}, 1 or more, "
                      "1 to 32",
                      config.stages, config.num_vc, config.check_w, kMostStages));
    }
    checked_ = config.checked();
    flits_.resize(config.stages);
    checks_.resize(config.stages);
    back_.resize(std::size_t{config.stages} * words_);
  }

  void reset() {
    std::fill(flits_.begin(), flits_.end(), Flit{});
    std::fill(checks_.begin(), checks_.end(), 0);
    std::fill(back_.begin(), back_.end(), 0);
    next_ = busy_ = 0;
  }

  /// The oldest entries of the rings, which the next step replaces.
  Out out() const { return {flits_[next_], &back_[std::size_t{next_} * words_], checks_[next_]}; }

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
    checks_[next_] = in.check;
    // A protected word may have no flit and still not be 0.
    const bool word = in.rx.valid || (checked_ && (in.check != 0 || in.rx != Flit{}));
    if (++next_ == flits_.size()) next_ = 0;
    // Cycles until all that has come in will have left.
    busy_ = word || any != 0 ? flits_.size() : busy_ - (busy_ != 0);
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(flits_, checks_, back_, next_, busy_);
    archive.require(next_ < flits_.size() && busy_ <= flits_.size());
    for (std::size_t w = 0; w < back_.size(); w += words_) {
      archive.require(fits(&back_[w], words_, lines_));
    }
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  unsigned words_, lines_;  // Words and lines of what comes back.
  bool checked_ = false;
  std::vector<Flit> flits_;            // A ring.
  std::vector<std::uint32_t> checks_;  // A ring.
  std::vector<std::uint64_t> back_;    // A ring of `words_` words each.
  std::size_t next_ = 0, busy_ = 0;
};

}  // namespace weft
