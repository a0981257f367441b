// Random dependency traces that can run, and what their construction knows of them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/workload/goal_file.hpp"

namespace weft::goals {

/// A trace as text, with the messages that it must have: source, its operation, destination, its
/// operation.
struct RandomTrace {
  std::string text;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> messages;
};

/// Operations are drawn one after the other for all ranks together, and depend on earlier ones of
/// their rank only, so that they can run in that order. Operation i of a rank has the label Li.
inline RandomTrace random_trace(std::uint64_t seed, std::uint32_t ranks, std::uint32_t steps,
                                std::uint64_t most_bytes, std::uint64_t most_calc) {
  RandomTrace trace;
  RandomStream random(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random.below(n)); };
  std::vector<std::vector<std::string>> ops(ranks), dependencies(ranks);
  // Sends that no receive has taken, by source, destination and tag.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>,
           std::vector<std::pair<std::uint32_t, std::uint64_t>>>
      under_way;
  const auto add = [&](std::uint32_t rank, const std::string& op) {
    const auto number = static_cast<std::uint32_t>(ops[rank].size());
    ops[rank].push_back(fmt::format("L{}: {}\n", number, op));
    for (std::uint32_t k = below(3); number != 0 && k-- != 0;) {
      dependencies[rank].push_back(fmt::format(
          "L{} {} L{}\n", number, below(3) == 0 ? "irequires" : "requires", below(number)));
    }
    return number;
  };
  const auto receive = [&](auto it) {
    const auto [src, dst, tag] = it->first;
    const auto [send, bytes] = it->second.front();
    const std::uint32_t recv = add(dst, fmt::format("recv {}b from {} tag {}", bytes, src, tag));
    trace.messages.emplace_back(src, send, dst, recv);
    it->second.erase(it->second.begin());
    if (it->second.empty()) under_way.erase(it);
  };
  for (std::uint32_t step = 0; step < steps; ++step) {
    const std::uint32_t rank = below(ranks);
    const std::uint32_t what = below(5);
    if (what == 0) {
      add(rank, fmt::format("calc {} cpu 0", random.below(most_calc + 1)));
    } else if (what <= 2 || under_way.empty()) {
      const std::uint32_t dst = below(ranks), tag = below(2);
      const std::uint64_t bytes = 1 + random.below(most_bytes);
      const std::uint32_t send = add(rank, fmt::format("send {}b to {} tag {}", bytes, dst, tag));
      under_way[{rank, dst, tag}].emplace_back(send, bytes);
    } else {
      auto it = under_way.begin();
      std::advance(it, below(under_way.size()));
      receive(it);
    }
  }
  while (!under_way.empty()) receive(under_way.begin());
  trace.text = fmt::format("num_ranks {}\n", ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    trace.text += fmt::format("rank {} {{\n", rank);
    // Labels may be used before they are defined.
    const bool before = below(2) == 0;
    if (before) {
      for (const std::string& line : dependencies[rank]) trace.text += line;
    }
    for (const std::string& line : ops[rank]) trace.text += line;
    if (!before) {
      for (const std::string& line : dependencies[rank]) trace.text += line;
    }
    trace.text += "}\n";
  }
  return trace;
}

}  // namespace weft::goals
