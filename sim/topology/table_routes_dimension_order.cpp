// Dimension order on networks with coordinates.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>

#include "sim/router/route/route_table.hpp"
#include "sim/topology/table_routes.hpp"

namespace weft {
namespace {

using Place = std::vector<std::uint32_t>;

// The links of a router along a dimension, in the order of the coordinates to which they lead.
struct Step {
  std::uint32_t to = 0;  // Coordinate.
  std::uint8_t port = 0;

  auto operator<=>(const Step&) const = default;
};

class Grid {
 public:
  Grid(const Config& config, const TableNetwork& network)
      : config_(config), places_(network.coordinates), names_(network.names) {
    if (places_.empty()) refuse("a network with coordinates");
    dims_ = static_cast<std::uint32_t>(places_.front().size());
    std::map<Place, std::uint32_t> at;
    for (std::uint32_t r = 0; r < places_.size(); ++r) {
      const auto [first, fresh] = at.try_emplace(places_[r], r);
      if (fresh) continue;
      refuse(fmt::format("a network with one router at each place ({} and {} are at [{}])",
                         names_[first->second], names_[r], fmt::join(places_[r], ", ")));
    }
    steps_.resize(places_.size() * dims_);
    for (const TableLink& link : network.links) {
      const std::uint32_t dim = dimension(link);
      steps_[link.from * dims_ + dim].push_back(
          {places_[link.to][dim], static_cast<std::uint8_t>(link.from_port)});
    }
    for (auto& steps : steps_) std::sort(steps.begin(), steps.end());
  }

  // Out-port of a packet to a node at `target`; of parallel links the number `spread` selects one.
  // Throws ConfigError if no link leads on.
  std::uint8_t port(std::uint32_t router, std::uint32_t target, std::uint32_t spread) const {
    const Place &here = places_[router], &there = places_[target];
    const auto dim = static_cast<std::uint32_t>(
        std::mismatch(here.begin(), here.end(), there.begin()).first - here.begin());
    const std::uint32_t from = here[dim], to = there[dim];
    const auto& steps = steps_[router * dims_ + dim];
    std::uint32_t reached = from;
    for (const Step& step : steps) {
      const bool on_way = from < to ? step.to > from && step.to <= to
                                    : step.to < from && step.to >= to && reached == from;
      if (on_way) reached = step.to;
    }
    if (reached == from) {
      refuse(fmt::format("a network where a link of {} leads along coordinate {} towards {}",
                         names_[router], dim, names_[target]));
    }
    const auto [first, end] =
        std::equal_range(steps.begin(), steps.end(), Step{reached, 0},
                         [](const Step& a, const Step& b) { return a.to < b.to; });
    return first[spread % static_cast<std::uint32_t>(end - first)].port;
  }

 private:
  std::uint32_t dimension(const TableLink& link) const {
    const Place &a = places_[link.from], &b = places_[link.to];
    std::uint32_t changed = 0, last = 0;
    for (std::uint32_t d = 0; d < dims_; ++d) {
      if (a[d] == b[d]) continue;
      ++changed;
      last = d;
    }
    if (changed != 1) {
      refuse(fmt::format("a network whose links change one coordinate each ({} to {} changes {})",
                         names_[link.from], names_[link.to], changed));
    }
    return last;
  }
  [[noreturn]] void refuse(const std::string& expected) const {
    config_.source.refuse("/router/routing", config_.router.routing,
                          "another routing, or " + expected);
  }

  const Config& config_;
  std::vector<Place> places_;  // By router.
  std::vector<std::string> names_;
  std::uint32_t dims_ = 0;
  std::vector<std::vector<Step>> steps_;  // By router and dimension.
};

}  // namespace

TableRouting dimension_order_routes(const Config& config, const TableNetwork& network,
                                    unsigned /*vcs*/) {
  const auto grid = std::make_shared<const Grid>(config, network);
  return {.entry = [grid, at = network.router_of](std::uint32_t router, std::uint32_t /*state*/,
                                                  std::uint32_t dst) {
    return RouteTables::Entry{grid->port(router, at[dst], dst), VcSet::kAny};
  }};
}

}  // namespace weft
