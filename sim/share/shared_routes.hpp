// The check of a network's routes before cycle 0, shared by all processes that will simulate it.
#pragma once

#include "sim/analysis/route_share.hpp"
#include "sim/processes/processes.hpp"

namespace weft {

/// Each process follows its share of the routes; then all exchange their findings.
class SharedRoutes : public RouteSharers {
 public:
  /// `processes` must outlive it.
  explicit SharedRoutes(Processes& processes) : processes_(processes) {}

  unsigned number() const override { return processes_.number(); }
  unsigned count() const override { return processes_.count(); }
  void unite(RouteShare& own) override;

 private:
  Processes& processes_;
};

}  // namespace weft
