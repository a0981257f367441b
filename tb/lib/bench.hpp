// Lockstep bench: the model and the Verilated RTL of one block get the same inputs, and every
// output is compared in every cycle.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/verilated/rtl_load.hpp"
#include "sim/verilated/rtl_ports.hpp"
#include "tb/lib/recorder.hpp"

namespace weft::tb {

/// Random idle and back-pressure: true with a probability that changes every 64 cycles or so, so
/// that a run has bursts, pauses and everything between.
class Pressure {
 public:
  bool next(RandomStream& random) {
    if (random.below(64) == 0) {
      constexpr double levels[] = {0.0, 0.05, 0.3, 0.5, 0.8, 0.95, 1.0, 1.0};
      level_ = levels[random.below(std::size(levels))];
    }
    return random.chance(level_);
  }

 private:
  double level_ = 0.5;
};

/// Random data of a flit of `words` words of 64 bits.
inline FlitData random_data(RandomStream& random, unsigned words) {
  FlitData data;
  for (unsigned w = 0; w < words; ++w) data.word[w] = random();
  return data;
}
/// Random data above the first word of a flit.
inline void random_upper(RandomStream& random, unsigned words, Flit& flit) {
  for (unsigned w = 1; w < words; ++w) flit.word(w) = random();
}

using Params = RtlParams;

/// What a bench does besides: `load`: at random it goes on with a new instance of the RTL that is
/// loaded with the state of the model. `fault`: in each of these one bit of the register of that
/// number is wrong, and only the first parameter point is run.
struct Loading {
  bool load = false;
  std::optional<std::size_t> fault = {};
  bool list = false;        ///< Ends at the first parameter point (`PointListed`).
  std::string record = {};  ///< File for the inputs of the first parameter point, then ends.
};
/// Thrown where a bench with a fault has run its point, in which no output differed.
struct FaultNotFound {};
/// Thrown where a bench has printed the first of its `points` parameter points.
struct PointListed {
  unsigned points;
};
/// Thrown where a bench that records has run its point.
struct PointRecorded {};

/// One bench: its parameter points share the cycles evenly.
class Bench {
 public:
  Bench(std::string block, std::uint64_t cycles, std::uint64_t seed, unsigned first,
        const Loading& loading = {})
      : random(seed),
        block_(std::move(block)),
        cycles_(cycles),
        seed_(seed),
        first_(first),
        loading_(loading) {}

  /// The parameter points in the order in which they run: from number `first` (1 the first) on,
  /// those before it last.
  template <class Points>
  auto order(const Points& points) const {
    std::vector<std::decay_t<decltype(*std::begin(points))>> all(std::begin(points),
                                                                 std::end(points));
    if (first_ <= all.size()) std::rotate(all.begin(), all.begin() + (first_ - 1), all.end());
    return all;
  }

  /// The registers of the points to come can be set, as `wind_counters` does.
  void open_registers() { open_ = true; }

  /// Begins the next of `points` parameter points: the RTL after reset, with its assertions unless
  /// the bench breaks what they assume, as errors on wires do.
  RtlInstance point(const Params& params, unsigned points, bool assertions = true) {
    if (in_point_ && loading_.fault) throw FaultNotFound{};
    if (recorder_) throw PointRecorded{};
    finish_point();
    params_.clear();
    for (const auto& [name, value] : params) params_ += fmt::format(" {}={}", name, value.text);
    if (loading_.list) {
      fmt::print("{}{}\n", block_, params_);
      throw PointListed{points};
    }
    share_ = loading_.fault || !loading_.record.empty() ? cycles_ : cycles_ / points;
    begin_share();
    in_point_ = true;
    spec_ = {rtl_module(block_),          params, assertions, {}, loading_.load || open_,
             assertions && !loading_.load};
    RtlInstance rtl(RtlLibrary::load(spec_));
    if (spec_.covered) rtl.record(seen_);
    if (!loading_.record.empty()) recorder_.emplace(loading_.record, spec_, rtl);
    return rtl;
  }

  /// The ports of this point's RTL by the table of the block's model.
  template <class Block, class Config>
  RtlPorts<Block> ports(const RtlInstance& rtl, const Config& config) const {
    return RtlPorts<Block>(rtl, block_, config);
  }

  /// Begins this point's share of the cycles: after runs of a fixed length, which do not count.
  void begin_share() { end_ = cycle_ + share_; }
  /// Limits the share, for a point whose cycles take far more time than others'.
  void shorten_share(std::uint64_t most) { end_ = std::min(end_, cycle_ + most); }

  /// True while cycles are left for this point; `next` ends a cycle.
  bool running() const { return cycle_ < end_; }
  void next() { ++cycle_; }
  std::uint64_t cycle() const { return cycle_; }

  /// Resets the RTL every 2000 cycles or so, and where it is `due`, for 0 to 3 edges, whatever its
  /// inputs are; true when it did. The caller then resets the model and the environment too, and
  /// compares all outputs before the next edge.
  bool reset_now(RtlInstance& rtl, bool due = false) {
    if (random.below(2000) != 0 && !due) return false;
    rtl.pulse_reset(static_cast<unsigned>(random.below(4)));
    return true;
  }

  /// With `Loading::load`, every 300 cycles or so: goes on with a new instance that is loaded with
  /// the state of the model; true when it did. Between two cycles: the inputs of the next one are
  /// not driven yet; `now` as load_registers has it. The caller binds other ports anew.
  template <class Block, class Config>
  bool load_now(RtlInstance& rtl, RtlPorts<Block>& ports, const Block& model, const Config& config,
                std::uint32_t now = 0) {
    if (!loading_.load || random.below(300) != 0) return false;
    rtl = RtlInstance(RtlLibrary::load(spec_));
    load_registers(rtl, model, config, now);
    plant_fault(rtl);
    ports = RtlPorts<Block>(rtl, block_, config);
    ++loads_;
    return true;
  }
  /// Every 300 cycles or so sets the counters of events of model and RTL (`rtl_counters`)
  /// so that one of the next counts carries far, which no run is long enough for; true when it
  /// did. Where `load_now` stands, after `open_registers`.
  template <class Block>
  bool wind_counters(RtlInstance& rtl, Block& model) {
    if (random.below(300) != 0) return false;
    wind(rtl, rtl_counters(model));
    return true;
  }
  /// The register of `Loading::fault`; empty if there are not so many.
  const std::string& faulty() const { return faulty_; }

  /// Counts work done, so that a bench in which nothing moved fails.
  void transferred(std::uint64_t count = 1) { transfers_ += count; }

  /// Compares one output; throws CheckError with seed, cycle, port and both values.
  void equal(const char* port, std::uint64_t rtl, std::uint64_t model) const {
    if (rtl == model) return;
    throw CheckError(fmt::format("{}{}: seed {} cycle {} port {}: RTL {:#x}, model {:#x}", block_,
                                 params_, seed_, cycle_, port, rtl, model));
  }

  /// Compares all outputs of a block.
  template <class Block, class Out>
  void equal(const RtlPorts<Block>& rtl, const Out& model) const {
    rtl.compare(model, [this](const PortDifference& what) {
      equal(what.shown.c_str(), what.rtl, what.model);
    });
  }

  /// Closes the bench; throws CheckError if a point transferred nothing.
  void finish() {
    finish_point();
    if (first_ > points_) throw ConfigError(fmt::format("--first: 1 to {}", points_));
    fmt::print(
        "{}: {} points, {} cycles, {} transfers, all outputs equal in every cycle (seed {}){}\n",
        block_, points_, cycle_, total_, seed_,
        loading_.load ? fmt::format(", loaded {} times", loads_) : "");
    if (loading_.load && loads_ == 0) throw CheckError(block_ + ": cannot be loaded");
  }
  /// Throws CheckError if the antecedent of a property in the block's own file was true at no
  /// point, whose property says nothing. After all points.
  void check_antecedents() const;

  RandomStream random;

 private:
  // Inverts a bit of the register that is to be wrong.
  void plant_fault(RtlInstance& rtl);
  void wind(RtlInstance& rtl, const std::vector<RtlCounter>& counters);

  void finish_point() {
    if (in_point_ && transfers_ == 0) {
      throw CheckError(fmt::format("{}{}: nothing was transferred", block_, params_));
    }
    if (in_point_) ++points_;
    total_ += transfers_;
    transfers_ = 0;
    in_point_ = false;
  }

  std::string block_, params_;
  std::uint64_t cycles_, seed_;
  unsigned first_;
  std::uint64_t cycle_ = 0, share_ = 0, end_ = 0, transfers_ = 0, total_ = 0;
  unsigned points_ = 0;
  bool in_point_ = false, open_ = false;
  Loading loading_;
  RtlSpec spec_;
  std::uint64_t loads_ = 0;
  std::string faulty_;
  std::optional<InputRecorder> recorder_;
  std::map<std::string, bool> seen_;  // Which antecedents were true, by record.
};

/// `main` of a bench: options `--cycles` (all points together), `--seed` and `--first` (the point
/// to begin with), `--points` to list them, `--record` for the inputs of one point; status 1 on a
/// difference. `cycles` is the default: with fewer, antecedents are not checked.
int bench_main(int argc, char** argv, const std::string& block,
               const std::function<void(Bench&)>& body, std::uint64_t cycles = 1'000'000);

}  // namespace weft::tb
