// Crossbar, cycle model of rtl/crossbar/weft_crossbar.sv (rtl/README.md, crossbar; seed 002 figs 3
// and 6), built for speed.
//
// It is not composed of InputBuffer, SwitchUnit and OutputBuffer (tests/unit/crossbar_test.cpp
// composes them and compares). A fabric at full load steps hundreds of links in each cycle, so here
// 64 links share one word of a bit mask: the pipeline registers are valid bits of 64 inputs that
// move by a few logic operations, and buffer counts are bit-sliced. A word is copied only twice:
// into the ring of its input and from there into the ring of its output. Arbiters run only when a
// packet begins or ends.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/arbiter/rr_arbiter.hpp"
#include "sim/base/error.hpp"
#include "sim/buffer/input_buffer.hpp"
#include "sim/crossbar/crossbar_config.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// 64 counters side by side: `plane_[k]` has bit k of every count.
class CounterSlice {
 public:
  static constexpr unsigned kPlanes = 10;

  /// Adds 1 to the counters in `up` and subtracts 1 from those in `down`; no counter is in both.
  void count(std::uint64_t up, std::uint64_t down, unsigned planes) {
    for (unsigned k = 0; k < planes; ++k) {
      const std::uint64_t old = plane_[k];
      plane_[k] = old ^ (up | down);
      up &= old;
      down &= ~old;
    }
  }

  /// Counter `n`.
  unsigned value(unsigned n) const {
    unsigned sum = 0;
    for (unsigned k = 0; k < kPlanes; ++k) sum |= static_cast<unsigned>(plane_[k] >> n & 1) << k;
    return sum;
  }

  /// The counters that are not 0.
  std::uint64_t any(unsigned planes) const {
    std::uint64_t result = 0;
    for (unsigned k = 0; k < planes; ++k) result |= plane_[k];
    return result;
  }

  /// Whether all counters from `size` on are 0.
  bool fits(std::size_t size) const {
    for (const std::uint64_t& plane : plane_) {
      if (!weft::fits(&plane, 1, size)) return false;
    }
    return true;
  }

  /// The counters that are `limit` or more.
  std::uint64_t at_least(unsigned limit, unsigned planes) const {
    std::uint64_t result = ~std::uint64_t{0};
    for (unsigned k = 0; k < planes; ++k) {
      result = (limit >> k & 1) != 0 ? plane_[k] & result : plane_[k] | result;
    }
    return result;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(plane_);
  }

 private:
  std::array<std::uint64_t, kPlanes> plane_ = {};
};

/// The 2n-input n-output crossbar with n detours, and the one without detours.
///
/// Outgoing links are numbered outputs first, then detours. Bit masks hold link i in bit i % 64 of
/// word i / 64; bits after the last link are 0. Only words of valid links are read, and `tx_valid`
/// and `rx_full_changed` mark the outputs that a caller has to read, so that sparse traffic is
/// cheap on both sides.
class Crossbar {
 public:
  using Config = CrossbarConfig;
  struct In {
    const Flit* rx = nullptr;                 ///< Incoming links, `num_in`; read where valid.
    const std::uint64_t* rx_valid = nullptr;  ///< Mask of incoming links that carry a word.
    const std::uint64_t* tx_full = nullptr;   ///< Mask of outgoing links with Buffer-Full.
  };
  /// Views of the output registers; the pointers stay valid, the values change with each step.
  struct Out {
    const Flit* tx;                 ///< Outgoing links, `num_tx`; all 0 without a word.
    const std::uint64_t* tx_valid;  ///< Mask of outgoing links that carry a word.
    const std::uint64_t* rx_full;   ///< Mask of incoming links with Buffer-Full.
    const std::uint64_t*
        rx_full_changed;  ///< Mask of incoming links whose Buffer-Full the last step changed.
  };

  /// Configuration of the RTL, which also has the width of a word.
  struct PortConfig : Config {
    bool parity = false;  ///< Links carry parity.
  };
  /// Storage for the values of the ports: In and Out are views.
  struct Held {
    explicit Held(const Config& config)
        : rx(config.num_in),
          tx(config.num_tx()),
          rx_full((config.num_in + 63) / 64),
          tx_full((config.num_tx() + 63) / 64) {}
    std::vector<Flit> rx, tx;
    std::vector<std::uint64_t> rx_full, tx_full;
  };
  static constexpr auto ports();  // sim/crossbar/crossbar_ports.hpp

  /// Throws ConfigError for an invalid configuration.
  explicit Crossbar(const Config& config);

  const Config& config() const { return config_; }

  void reset();

  Out out() const {
    return {tx_.data(), tx_valid_.data(), rx_full_.data(), rx_full_changed_.data()};
  }

  /// One clock edge with the inputs of the cycle; returns the outputs after it. Errors on wires may
  /// bring words despite Buffer-Full, which are lost if they overflow an input buffer, and packets
  /// without a destination, which are discarded.
  Out step(const In& in);

  /// Whether no word is buffered or on an outgoing link: a step in which no word arrives would
  /// change nothing, whatever `tx_full`. Exact.
  bool quiet() const { return words_ == 0 && !sending_; }
  /// Whether an input holds no word and its Buffer-Full is down.
  bool empty(unsigned input) const {
    const InSlice& slice = in_slices_[input / 64];
    const std::uint64_t some = slice.held.any(CounterSlice::kPlanes) | slice.input_reg |
                               slice.read_reg | slice.out_reg | rx_full_[input / 64] |
                               rx_full_changed_[input / 64];
    return (some >> input % 64 & 1) == 0;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(words_, sending_, in_, out_, in_slices_, out_slices_, first_, second_, words_in_,
            words_out_, tx_, tx_valid_, tx_before_, rx_full_, rx_full_changed_);
    archive.require(consistent());
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  static constexpr std::uint8_t kNone = 0xff;

  /// An input: its ring in `words_in_`, and the destination of its packet.
  struct Input {
    std::uint32_t read = 0, write = 0;     // `read`: the word in the output register, if any
    std::uint32_t end = 0;                 // End of the ring.
    std::uint16_t dest = 0;                // Destination of the packet in the output register; n:
                                           // the detour.
    std::uint8_t first = 0, position = 0;  // first-stage switch, and its input there

    template <class Archive>
    void serialize(Archive& archive) {
      archive(read, write, end, dest, first, position);
    }
  };
  /// An output: its ring in `words_out_`.
  struct Output {
    std::uint32_t read = 0, write = 0, end = 0;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(read, write, end);
    }
  };
  /// Priority control of one switch; `waiting`: request flags, except that of the granted one.
  struct Priority {
    std::uint64_t waiting = 0;
    RoundRobin round_robin;
    std::uint8_t granted = kNone;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(waiting, round_robin, granted);
    }
  };
  /// Bits of 64 inputs.
  struct InSlice {
    std::uint64_t input_reg = 0;  // Valid bits of the pipeline: input register.
    std::uint64_t read_reg = 0;   // Valid bits of the pipeline: read register.
    std::uint64_t out_reg = 0;    // Valid bits of the pipeline: output register.
    std::uint64_t taken = 0;      // The word in the output register is taken in this cycle.
    std::uint64_t head = ~std::uint64_t{0};  // The output register's next word is a header.
    std::uint64_t detours = 0;               // The packet in the output register takes the detour.
    std::uint64_t nowhere = 0;               // The packet's destination does not exist: words are
                                             // discarded.
    std::uint64_t connected = 0;             // Granted by both switches.
    std::uint64_t connects = 0;              // Connected from the next cycle on.
    std::uint64_t asks = 0;          // The line to the first switch has risen in this cycle.
    std::uint64_t asked = 0;         // Request flag at the first switch in this cycle.
    std::uint64_t wins = 0;          // Granted by the first switch from the next cycle on.
    std::uint64_t won = 0;           // Granted by the first switch: the line to the second has
                                     // risen in this cycle.
    std::uint64_t asked_second = 0;  // Request flag at the second switch in this cycle.
    CounterSlice held;               // Words in input register and transfer buffer.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(input_reg, read_reg, out_reg, taken, head, detours, nowhere, connected, connects,
              asks, asked, wins, won, asked_second, held);
    }
  };
  /// Bits of the buffers of 64 outputs.
  struct OutSlice {
    std::uint64_t full = 0, waiting = 0;  // waiting: not empty
    std::uint64_t pushed = 0;             // takes a word in this cycle
    CounterSlice held;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(full, waiting, pushed, held);
    }
  };

  bool consistent() const;
  bool requests_agree() const;
  void transfer(const std::uint64_t* tx_full);
  void take_detours(std::size_t slice, std::uint64_t which);
  void end_packet(std::size_t input);
  void choose_first(std::size_t output, std::size_t first);
  void choose_second(std::size_t output);
  void arbitrate();
  void send(const std::uint64_t* tx_full);
  void advance(const In& in);
  void lose(std::size_t slice, std::uint64_t which);
  void load_headers(std::size_t slice, std::uint64_t which);
  void discard(std::size_t slice, std::uint64_t which);

  Config config_;
  DestinationDecoder decoder_;
  unsigned num_first_, in_planes_, out_planes_;
  std::uint32_t in_ring_, out_ring_;  // slots in the ring of one input or output
  std::uint64_t words_ = 0;           // buffered, without those on outgoing links
  bool sending_ = false;              // an outgoing link carries a word
  std::vector<Input> in_;
  std::vector<Output> out_;
  std::vector<InSlice> in_slices_;
  std::vector<OutSlice> out_slices_;
  std::vector<Priority> first_, second_;  // first_: output by output
  std::vector<Flit> words_in_, words_out_, tx_;
  std::vector<std::uint64_t> tx_valid_, tx_before_, rx_full_, rx_full_changed_;
};

}  // namespace weft
