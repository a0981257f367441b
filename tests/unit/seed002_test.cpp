// Seed 002's own examples on the whole network, with exact cycles worked out from the pipeline.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;

// Cycles from a descriptor's post to its header on the wire out of an idle NIC: into the
// queue (1), out of it (1), cut and buffer assigned (1), address (1), memory (1), stored (1), link
// register (1).
constexpr std::uint64_t kInject = 7;
// From the wire into an idle crossbar to the wire out of it (rtl/README.md): input
// register, transfer buffer, read register, output register (4), then for the detour the link
// register (1); else request and transfer flag of each stage (2 or 4), output buffer, link
// register.
constexpr std::uint64_t kDetour = 4 + 1;
constexpr std::uint64_t kOneStage = 4 + 2 + 2;
constexpr std::uint64_t kTwoStages = 4 + 4 + 2;
constexpr std::uint32_t kBody = 16;

// Cycle in which each message's last flit was on the wire into its destination; the 256
// processors of fig. 1 or fig. 9.
std::vector<std::uint64_t> ends(const std::string& kind,
                                const std::vector<std::pair<unsigned, unsigned>>& pairs) {
  nlohmann::json transfers = nlohmann::json::array();
  for (const auto& [from, to] : pairs) {
    transfers.push_back({{"from", from}, {"to", to}, {"flits", kBody}});
  }
  const Config config = parse_config(
      {{"topology", {{"kind", kind}, {"dims", {64, 4}}}}, {"workload", {{"transfers", transfers}}}},
      "test");
  const Result result = run(config, build_graph(config), {});
  CHECK(result.verified());
  REQUIRE(result.transfers.size() == pairs.size());
  std::vector<std::uint64_t> cycles;
  for (const auto& t : result.transfers) cycles.push_back(t.end.value());
  return cycles;
}

// "PE201" is processor 1 of group 2.
constexpr unsigned pe(unsigned group, unsigned position) {
  return group * 64 + position;
}

using Pairs = std::vector<std::pair<unsigned, unsigned>>;
const Pairs kFar = {{pe(0, 0), pe(2, 1)}};
const Pairs kNear = {{pe(2, 0), pe(2, 63)}};
const Pairs kBoth = {{pe(0, 0), pe(2, 1)}, {pe(2, 0), pe(2, 63)}};
const Pairs kOther = {{pe(1, 0), pe(2, 63)}};
const Pairs kColumn = {{pe(0, 0), pe(2, 1)}, {pe(1, 0), pe(2, 63)}};

}  // namespace

TEST_CASE(
    "PE000 to PE201 and PE200 to PE263 at once: no wait with 2n inputs (seed 002 [0020]-[0023])") {
  // Detour of row crossbar 0, column crossbar, row crossbar 2; and row crossbar 2 alone.
  const std::uint64_t far = kInject + kDetour + kOneStage + kTwoStages + kBody;
  const std::uint64_t near = kInject + kTwoStages + kBody;
  CHECK(ends("hier_crossbar", kFar) == std::vector{far});
  CHECK(ends("hier_crossbar", kNear) == std::vector{near});
  CHECK(ends("hier_crossbar", kBoth) == std::vector{far, near});
}

TEST_CASE("the same two wait for each other in fig. 9 (seed 002 [0008]-[0010])") {
  // Switch, Y crossbar, switch, X crossbar (64 inputs: two stages), switch; and without Y.
  const std::uint64_t far = kInject + 3 * kOneStage + kOneStage + kTwoStages + kBody;
  const std::uint64_t near = kInject + 2 * kOneStage + kTwoStages + kBody;
  CHECK(ends("crossbar_2d", kFar) == std::vector{far});
  CHECK(ends("crossbar_2d", kNear) == std::vector{near});
  // Both request the X line of the switch at PE200. The near packet is granted it first; the far
  // one, whose header requests it meanwhile, after the near one's last word. That word leaves the
  // output register of the switch after injection (kInject), three stages, grant and the body.
  const std::uint64_t near_leaves = kInject + 4 + 2 + kBody;
  const std::uint64_t far_requests = kInject + 2 * kOneStage + 4;
  REQUIRE(far_requests < near_leaves);
  // The grant is in the next cycle, as the request flag is set; alone it would go after two. Then
  // it follows the near packet on one line into the X crossbar, where that waits for its two grants
  // (4).
  const std::uint64_t wait = near_leaves + 1 - (far_requests + 2) + 4;
  CHECK(wait == 5);
  CHECK(ends("crossbar_2d", kBoth) == std::vector{far + wait, near});
}

TEST_CASE("two that need the same column crossbar output wait in both (reading of [0091])") {
  for (const std::string kind : {"hier_crossbar", "crossbar_2d"}) {
    CAPTURE(kind);
    const auto first = ends(kind, kFar), second = ends(kind, kOther);
    const auto both = ends(kind, kColumn);
    CHECK(first == second);
    CHECK(both[0] == first[0]);
    // The first packet's header and body pass the output of the column crossbar; both then use one
    // line to the two stages of row crossbar 2, where the second header is head-of-line
    // blocked by the first packet, which has waited there for its two grants (4 cycles).
    CHECK(both[1] == second[0] + (1 + kBody) + 4);
  }
}
