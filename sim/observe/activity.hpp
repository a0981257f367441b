// How many flits the links of each class moved over time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/fabric/wires.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Flits on links over time, in intervals of equal length.
struct Activity {
  std::uint64_t interval = 1;  ///< Cycles of an interval.
  /// Flits by class and interval. Class 0 is the links of interfaces; class c + 1 is class c of the
  /// graph.
  std::vector<std::vector<std::uint64_t>> flits;
};

/// Counts the flits on all links in every cycle. Intervals grow with the run, so that there are
/// never more than kMostIntervals.
class ActivityCounter {
 public:
  static constexpr std::size_t kMostIntervals = 512;

  explicit ActivityCounter(const Graph& graph) {
    activity_.flits.resize(graph.link_classes.size() + 1);
    for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
      const Link& link = graph.links[l];
      if (link.src_block == kOpen) continue;
      links_.push_back({l, graph.between_switches(link) ? link.link_class + 1u : 0u});
    }
  }

  /// Called once for each cycle.
  void add(const Wires& wires) {
    if (cycles_++ % activity_.interval == 0) begin_interval();
    for (const auto& [link, of_class] : links_) {
      activity_.flits[of_class].back() += wires.has_flit(link) ? 1 : 0;
    }
  }

  const Activity& activity() const { return activity_; }

 private:
  struct Counted {
    std::uint32_t link, of_class;
  };

  // Begins an interval. If there are too many, every two become one.
  void begin_interval() {
    for (auto& counts : activity_.flits) {
      if (counts.size() == kMostIntervals) {
        for (std::size_t i = 0; i < kMostIntervals / 2; ++i) {
          counts[i] = counts[2 * i] + counts[2 * i + 1];
        }
        counts.resize(kMostIntervals / 2);
        if (&counts == &activity_.flits.front()) activity_.interval *= 2;
      }
      counts.push_back(0);
    }
  }

  std::vector<Counted> links_;
  std::uint64_t cycles_ = 0;
  Activity activity_;
};

}  // namespace weft
