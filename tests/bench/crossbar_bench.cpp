// Speed of the crossbar model: cycles a second with 128 inputs and with 4, under uniform packets of
// 17 flits.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/crossbar/crossbar.hpp"

namespace weft {
namespace {

constexpr unsigned kPacketFlits = 17;

/// A sender on each link that begins a packet with the given probability in each cycle; outputs are
/// chosen uniformly, and half of the packets that can do so take the detour.
class Load {
 public:
  Load(const Crossbar::Config& config, double start, std::uint64_t seed)
      : config_(config), rx_(config.num_in), left_(config.num_in), place_(config.num_in) {
    RandomStream random(seed);
    for (unsigned i = 0; i < config.num_in * kPackets; ++i) {
      const bool detour = config.detour && i / kPackets < config.num_out && random.chance(0.5);
      headers_.push_back(random.below(config.num_out) | std::uint64_t{detour} << config.digit_w);
      pauses_.push_back(0);
      while (start < 1 && !random.chance(start)) ++pauses_.back();
    }
    for (unsigned i = 0; i < config.num_in; ++i) left_[i] = pauses_[i * kPackets] + kPacketFlits;
  }

  const Flit* rx() const { return rx_.data(); }

  /// Links that carry a word in the next cycle, for 64 links from `slice` * 64.
  std::uint64_t next(std::size_t slice, std::uint64_t full) {
    const std::size_t begin = slice * 64, end = std::min<std::size_t>(begin + 64, rx_.size());
    std::uint64_t valid = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (left_[i] > kPacketFlits) {
        --left_[i];
      } else if ((full >> i % 64 & 1) == 0) {
        const std::size_t packet = i * kPackets + place_[i];
        rx_[i].data = headers_[packet];
        rx_[i].last = --left_[i] == 0;
        rx_[i].valid = true;
        valid |= std::uint64_t{1} << i % 64;
        if (left_[i] == 0) {
          place_[i] = (place_[i] + 1) % kPackets;
          left_[i] = pauses_[i * kPackets + place_[i]] + kPacketFlits;
        }
      }
    }
    return valid;
  }

 private:
  static constexpr unsigned kPackets = 256;

  Crossbar::Config config_;
  std::vector<Flit> rx_;
  std::vector<std::uint64_t> headers_;
  std::vector<std::uint32_t> pauses_, left_, place_;
};

// The senders run once and their words are kept; what is timed is the crossbar with these words.
void run(benchmark::State& state, const Crossbar::Config& config, double start) {
  constexpr std::size_t kCycles = 4096;
  Crossbar crossbar(config);
  Load load(config, start, 1);
  const std::size_t slices = (config.num_in + 63) / 64;
  const std::vector<std::uint64_t> tx_full(32, 0);
  std::vector<std::uint64_t> valid(kCycles * slices);
  std::vector<Flit> words(kCycles * config.num_in);
  for (std::size_t c = 0; c < kCycles; ++c) {
    for (std::size_t s = 0; s < slices; ++s) {
      valid[c * slices + s] = load.next(s, crossbar.out().rx_full[s]);
    }
    std::copy(load.rx(), load.rx() + config.num_in, &words[c * config.num_in]);
    crossbar.step({&words[c * config.num_in], &valid[c * slices], tx_full.data()});
  }
  const auto step = [&](std::size_t c) {
    return crossbar.step({&words[c * config.num_in], &valid[c * slices], tx_full.data()});
  };
  std::uint64_t cycles = 0, moved = 0;
  for (auto _ : state) {
    crossbar.reset();
    for (std::size_t c = 0; c < kCycles; ++c) benchmark::DoNotOptimize(step(c));
    cycles += kCycles;
  }
  crossbar.reset();
  for (std::size_t c = 0; c < kCycles; ++c) {
    const Crossbar::Out out = step(c);
    for (std::size_t w = 0; w * 64 < config.num_tx(); ++w) {
      moved += static_cast<std::uint64_t>(std::popcount(out.tx_valid[w]));
    }
  }
  state.counters["cycles/s"] =
      benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
  state.counters["words/cycle"] = static_cast<double>(moved) / kCycles;
}

const Crossbar::Config kBig = {64, true, 128, 32, 8, 4, Route::kDigit, 0, 6, 0};
const Crossbar::Config kSmall = {4, false, 4, 4, 8, 4, Route::kDigit, 0, 2, 0};

void big_full(benchmark::State& state) {
  run(state, kBig, 1.0);
}
void big_one_percent(benchmark::State& state) {
  run(state, kBig, 0.01 / kPacketFlits);
}
void small_full(benchmark::State& state) {
  run(state, kSmall, 1.0);
}
void small_one_percent(benchmark::State& state) {
  run(state, kSmall, 0.01 / kPacketFlits);
}

BENCHMARK(big_full);
BENCHMARK(big_one_percent);
BENCHMARK(small_full);
BENCHMARK(small_one_percent);

}  // namespace
}  // namespace weft

BENCHMARK_MAIN();
