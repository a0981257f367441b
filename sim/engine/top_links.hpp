// The links of the emitted top in whose wires faults can be injected, and what its blocks in links
// have counted.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/emit/link_chain.hpp"
#include "sim/fabric/link_paths.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft {

/// Has the interface of `LinkPaths`. Faults are masks of inverted bits on the inputs of the top.
class TopLinks final : public FaultyLinks {
 public:
  /// `rtl`: the top, written with `observe`.
  TopLinks(const Graph& graph, bool parity, RtlInstance& rtl);

  void begin_faults() override;
  Faulty faulty(std::uint32_t link) override {
    Point& point = points_[point_[link]];
    return {point.word, point.back};
  }
  void end_faults() override;

  /// To be called before the blocks in links are reset: keeps their counts.
  void restart() { before_ = counts(); }
  LinkCounts counts() const;
  std::vector<std::uint32_t> stuck() const;

 private:
  // A link with injection: the values that drive its wires, and the values after faults.
  struct Point {
    LinkWires wires;
    LinkWord driven, word;
    std::vector<std::uint64_t> driven_back, back;
  };
  // The ports of a signal of the injection points: masks, and the driving values.
  struct Signal {
    RtlPort mask, driven;
    unsigned width = 0;  // Bits of one point; 0: the points do not have the signal.
  };
  enum Which : std::uint8_t { kValid, kLast, kData, kVc, kStamp, kCheck, kBack, kWhich };

  void take(std::size_t point);
  void invert(std::size_t point);
  std::uint64_t read(Which which, std::size_t point, unsigned from, unsigned bits) const {
    const Signal& signal = signals_[which];
    return signal.width == 0 ? 0 : signal.driven.bits(point * signal.width + from, bits);
  }
  void invert(Which which, std::size_t point, unsigned from, unsigned bits, std::uint64_t mask) {
    Signal& signal = signals_[which];
    if (signal.width != 0) signal.mask.set_bits(point * signal.width + from, bits, mask);
  }
  std::uint64_t count(const RtlPort& counter) const;

  RtlInstance& rtl_;
  const bool protected_;
  const std::size_t links_;
  std::vector<std::uint32_t> point_;  // By link: index of its point.
  std::vector<Point> points_;
  std::array<Signal, kWhich> signals_;
  RtlPort errors_, retries_, lost_, stuck_;
  LinkCounts before_;  // Counted before the last restart.
};

}  // namespace weft
