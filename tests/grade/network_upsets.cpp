// Single upsets of flops in a whole network, and unknown values of one.
#include "tests/grade/network_upsets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"

namespace weft::grade {
namespace {

constexpr std::uint32_t kMostCycles = 100000;

}  // namespace

const char* name_of(Outcome outcome) {
  constexpr std::array<const char*, kOutcomes> kNames = {"masked", "shifted", "alarm",  "repaired",
                                                         "told",   "stalled", "counts", "words"};
  return kNames[static_cast<std::size_t>(outcome)];
}

NetworkUpsets::NetworkUpsets(NetworkLanes& network, std::uint32_t patience)
    : network_(network), patience_(patience) {
  network_.reset();
  while (network_.lane(0).left != 0 && network_.cycle() < kMostCycles) {
    network_.outputs();
    network_.step();
  }
  cycles_ = network_.lane(0).ended;
  times_ = network_.lane(0).times;
  network_.outputs();
  if (network_.lane(0).left != 0 || outcome(0) != Outcome::kMasked) {
    throw CheckError(fmt::format(
        "the network without upsets: {} waits of nodes, {} wrong words, {} in cycle {}",
        network_.lane(0).left, network_.wrong_words(0),
        network_.lane(0).left != 0 ? "stalled" : name_of(outcome(0)), network_.cycle()));
  }
}

Outcome NetworkUpsets::outcome(std::uint32_t l) const {
  const NetworkLanes::Lane& lane = network_.lane(l);
  const bool loss = network_.reports(l, Report::kLoss);
  if (lane.left != 0) return loss ? Outcome::kTold : Outcome::kStalled;
  const bool words = lane.wrong != 0 || network_.wrong_words(l) != 0;
  if (words || network_.wrong_counts(l)) {
    return loss ? Outcome::kTold : words ? Outcome::kWords : Outcome::kCounts;
  }
  const bool told = loss || network_.reports(l, Report::kRepair);
  if (lane.times == times_) return told ? Outcome::kAlarm : Outcome::kMasked;
  return told ? Outcome::kRepaired : Outcome::kShifted;
}

std::vector<Outcome> NetworkUpsets::run(std::span<const Upset> upsets) {
  std::vector<Outcome> outcomes(upsets.size());
  const std::size_t most = network_.lanes() - 1;
  for (std::size_t at = 0; at < upsets.size(); at += most) {
    run_group(upsets.subspan(at, std::min(most, upsets.size() - at)), &outcomes[at]);
  }
  return outcomes;
}

// Lane 0 has no upset.
void NetworkUpsets::run_group(std::span<const Upset> upsets, Outcome* outcomes) {
  GateBlock& block = network_.block();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // Cycle, lane.
  for (std::uint32_t i = 0; i < upsets.size(); ++i) order.emplace_back(upsets[i].cycle, i + 1);
  std::sort(order.begin(), order.end());
  network_.reset();
  std::size_t next = 0;
  while (network_.cycle() < cycles_ + patience_) {
    for (; next < order.size() && order[next].first == network_.cycle(); ++next) {
      const std::uint32_t lane = order[next].second;
      const std::uint32_t place = network_.library().state_place(upsets[lane - 1].flop);
      block.set_state_bit(place, lane, !block.state_bit(place, lane));
    }
    network_.outputs();
    network_.step();
  }
  network_.outputs();
  if (outcome(0) != Outcome::kMasked) {
    throw CheckError(fmt::format("the lane without an upset: {}", name_of(outcome(0))));
  }
  for (std::uint32_t i = 0; i < upsets.size(); ++i) outcomes[i] = outcome(i + 1);
}

// "u_link_12_link_tx.words_q[3][7]" becomes "link_link_tx.words_q".
std::string register_of(const std::string& flop) {
  std::string text;
  for (std::size_t i = flop.starts_with("u_") ? 2 : 0; i < flop.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      return at < flop.size() && std::isdigit(static_cast<unsigned char>(flop[at])) != 0;
    };
    if (flop[i] == '[') {
      while (i < flop.size() && flop[i] != ']') ++i;
      continue;
    }
    // The number of an instance in the top, but not the digits of a word.
    if (flop[i] == '_' && digit(i + 1)) {
      std::size_t end = i + 1;
      while (digit(end)) ++end;
      if (end == flop.size() || flop[end] == '_' || flop[end] == '.' || flop[end] == '[') {
        i = end - 1;
        continue;
      }
    }
    text += flop[i];
  }
  return text;
}

std::array<double, 2> interval(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {0, 1};
  constexpr double z = 1.959964;  // Of a normal distribution, 2.5 % on each side.
  const auto n = static_cast<double>(whole);
  const double share = static_cast<double>(part) / n;
  const double middle = share + z * z / (2 * n);
  const double half = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  return {std::max(0.0, (middle - half) / scale), std::min(1.0, (middle + half) / scale)};
}

std::vector<Unknown> unknown(NetworkLanes& network, std::uint32_t cycles, std::uint64_t seed) {
  randomise(network.block(), seed);
  network.reset(false);
  UnknownPorts ports(network.block());
  while (network.cycle() < cycles) {
    network.outputs();
    ports.look(network.cycle());
    network.step();
  }
  std::vector<Unknown> all = ports.found();
  network.outputs();
  for (std::uint32_t l = 0; l < network.lanes() && all.empty(); ++l) {
    if (network.lane(l).left == 0 && network.wrong_words(l) == 0 && !network.wrong_counts(l)) {
      continue;
    }
    throw CheckError(fmt::format("lane {}: words or counts are not as planned", l));
  }
  return all;
}

}  // namespace weft::grade
