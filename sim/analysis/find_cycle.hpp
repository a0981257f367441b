// A cycle in a graph whose edges are enumerated on demand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft {

/// Finds one cycle among `count` vertices by depth-first search: a vertex that is reached again
/// while it is on the current path closes a cycle. `next(vertex, cursor)` returns, with a cursor
/// that starts at 0, the vertices to which `vertex` has an edge, one after the other, and then
/// `count`. Returns the vertices of the cycle, each with an edge to the next one and the last to
/// the first; empty: there is none.
template <class Next>
std::vector<std::uint64_t> find_cycle(std::uint64_t count, Next next) {
  enum class State : std::uint8_t { kNew, kOnPath, kDone };
  struct Step {
    std::uint64_t at, cursor;
  };
  std::vector<State> state(count, State::kNew);
  std::vector<Step> path;
  const auto enter = [&](std::uint64_t vertex) {
    state[vertex] = State::kOnPath;
    path.push_back({vertex, 0});
  };
  for (std::uint64_t start = 0; start < count; ++start) {
    if (state[start] != State::kNew) continue;
    enter(start);
    while (!path.empty()) {
      Step& top = path.back();
      const std::uint64_t to = next(top.at, top.cursor);
      if (to == count) {
        state[top.at] = State::kDone;
        path.pop_back();
      } else if (state[to] == State::kOnPath) {
        std::vector<std::uint64_t> cycle;
        auto step =
            std::find_if(path.begin(), path.end(), [to](const Step& s) { return s.at == to; });
        for (; step != path.end(); ++step) cycle.push_back(step->at);
        return cycle;
      } else if (state[to] == State::kNew) {
        enter(to);
      }
    }
  }
  return {};
}

}  // namespace weft
