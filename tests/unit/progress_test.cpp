// What a run reports of its progress.
#include "sim/engine/progress.hpp"

#include <doctest/doctest.h>

using namespace weft;

TEST_CASE("a collective reports the nodes that are done and the least time left") {
  CHECK(progress_text(250, 500, 16, 3, 1000, {}) ==
        "cycle 250  500 cycles/s  3 of 16 nodes done  at least 2 s left");
  // The bound is passed: what is left is not known.
  CHECK(progress_text(2500, 500, 16, 3, 1000, {}).ends_with("at least 0 s left"));
}

TEST_CASE("traffic reports its phase and what is left of it") {
  const TrafficPhases phases = {.measure = 1000, .drain = 5000, .limit = 9000};
  const auto text = [&](std::uint64_t cycle) {
    return progress_text(cycle, 1000, 16, 0, 0, phases);
  };
  CHECK(text(0).ends_with("warm-up 0 of 1000 cycles  5 s to the end of measuring"));
  CHECK(text(999).ends_with("warm-up 999 of 1000 cycles  4 s to the end of measuring"));
  CHECK(text(1000).ends_with("measuring 0 of 4000 cycles  4 s to the end of measuring"));
  CHECK(text(4000).ends_with("measuring 3000 of 4000 cycles  1 s to the end of measuring"));
  CHECK(text(5000).ends_with("draining  at most 4 s left"));
  CHECK(text(9000).ends_with("draining  at most 0 s left"));
}
