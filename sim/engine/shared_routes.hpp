// The routes of a network, followed before cycle 0 by all processes that will simulate it.
#pragma once

#include "sim/analysis/route_share.hpp"
#include "sim/ranks/ranks.hpp"

namespace weft {

/// Each rank follows its share of the routes, and all tell each other what they have found.
class SharedRoutes : public RouteSharers {
 public:
  /// `ranks` must outlive it.
  explicit SharedRoutes(Ranks& ranks) : ranks_(ranks) {}

  unsigned number() const override { return ranks_.number(); }
  unsigned count() const override { return ranks_.count(); }
  void unite(RouteShare& own) override;

 private:
  Ranks& ranks_;
};

}  // namespace weft
