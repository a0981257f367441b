// Routes followed by several processes, here threads: what each finds is what one alone does.
#include "sim/share/shared_routes.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/config/config.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

// Where threads meet that are processes to each other.
struct ProcessesTable {
  explicit ProcessesTable(unsigned count) : sums(count), sent(count), meet(count) {}

  std::vector<std::vector<std::uint64_t>> sums;  // By process.
  std::vector<std::vector<Parcel>> sent;         // By process, and by process to which it goes.
  std::barrier<> meet;
};

class ThreadProcess : public Processes {
 public:
  ThreadProcess(ProcessesTable& table, unsigned number) : table_(table), number_(number) {}

  unsigned number() const override { return number_; }
  unsigned count() const override { return static_cast<unsigned>(table_.sums.size()); }
  void send(unsigned /*to*/, std::uint64_t /*word*/) override {}
  std::optional<Message> receive() override { return {}; }
  void wait_for_all() override { table_.meet.arrive_and_wait(); }
  void exchange(std::span<std::uint64_t> sums, std::vector<Parcel>& to,
                std::vector<Parcel>& from) override {
    table_.sums[number_].assign(sums.begin(), sums.end());
    table_.sent[number_] = std::exchange(to, std::vector<Parcel>(count()));
    table_.meet.arrive_and_wait();
    from.clear();
    std::fill(sums.begin(), sums.end(), 0);
    for (unsigned r = 0; r < count(); ++r) {
      REQUIRE(table_.sums[r].size() == sums.size());
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += table_.sums[r][i];
      from.push_back(table_.sent[r][number_]);
    }
    table_.meet.arrive_and_wait();
  }

 private:
  ProcessesTable& table_;
  unsigned number_;
};

// Calls `work` in so many threads.
void on_processes(unsigned count, const std::function<void(Processes&)>& work) {
  ProcessesTable table(count);
  std::vector<std::jthread> threads;
  for (unsigned r = 0; r < count; ++r) {
    threads.emplace_back([&, r] {
      ThreadProcess process(table, r);
      work(process);
    });
  }
}

// All of a check, or its error.
std::string check_in_words(const Graph& graph, std::uint32_t all_pairs_up_to,
                           RouteSharers* sharers = nullptr) {
  try {
    const RouteCheck check = check_routes(graph, all_pairs_up_to, sharers);
    std::string text = fmt::format("{} pairs, {}{}, {} links, {} at most", check.pairs,
                                   check.sampled ? "sampled" : "", check.exact_by, check.distances,
                                   check.diameter);
    for (const Channel& channel : check.cycle) {
      text += fmt::format(", {} vc {}", channel.link, channel.vc);
    }
    return text;
  } catch (const CheckError& error) {
    return error.what();
  }
}

// Compares several numbers of processes with one, whose text it returns.
std::string check_shared(const Graph& graph, std::uint32_t all_pairs_up_to = kExactNodes) {
  const std::string alone = check_in_words(graph, all_pairs_up_to);
  CAPTURE(alone);
  for (const unsigned count : {2u, 3u, 7u}) {
    std::vector<std::string> found(count);
    on_processes(count, [&](Processes& process) {
      SharedRoutes shared(process);
      found[process.number()] = check_in_words(graph, all_pairs_up_to, &shared);
    });
    CAPTURE(count);
    for (const std::string& text : found) CHECK(text == alone);
  }
  return alone;
}

Graph graph_of(json topology, json router = json::object()) {
  return build_graph(parse_config(
      {{"topology", std::move(topology)}, {"router", std::move(router)}, {"deadlock_check", false}},
      "net.json"));
}

bool has_cycle(const std::string& text) {
  return text.find(" vc ") != std::string::npos;
}

}  // namespace

TEST_CASE("all pairs are shared") {
  const json torus = {{"kind", "torus"}, {"dims", {4, 3}}};
  const json lame = {{"kind", "torus"}, {"dims", {5, 5}}, {"failed", {{"share", 0.1}}}};
  const json mdce = {{"kind", "mdce"}, {"n", 3}, {"B", 1}, {"C", 1}, {"P", 3}};
  struct Case {
    json topology, router;
    bool cyclic;
  };
  for (const Case& c : std::vector<Case>{
           {torus, {{"vcs", 1}}, true},
           {torus, {{"vcs", 2}}, false},
           {torus, {{"vcs", "per_destination"}}, false},
           {torus, {{"routing", "o1turn"}, {"vcs", 2}}, true},
           {torus, {{"routing", "o1turn"}, {"vcs", 4}}, false},
           {torus, {{"routing", "valiant"}, {"vcs", 4}}, false},
           {torus, {{"routing", "minimal_adaptive"}, {"vcs", 2}}, true},
           {torus, {{"routing", "minimal_adaptive"}, {"vcs", 4}}, false},
           {lame, {{"routing", "up_down"}}, false},
           {lame, {{"routing", "shortest"}, {"vcs", 1}}, true},
           {mdce, {{"vcs", 1}}, true},
           {mdce, {{"vcs", 3}}, false},
           {{{"kind", "hier_crossbar"}, {"dims", {3, 2}}}, json::object(), false},
           {{{"kind", "dragonfly"}, {"p", 2}, {"a", 2}, {"h", 1}}, {{"vcs", 1}}, true}}) {
    CAPTURE(c.topology.dump());
    CAPTURE(c.router.dump());
    CHECK(has_cycle(check_shared(graph_of(c.topology, c.router))) == c.cyclic);
  }
}

TEST_CASE("a sample of pairs is shared") {
  const json mdce = {{"kind", "mdce"}, {"n", 5}, {"B", 1}, {"C", 1}, {"P", 3}};
  CHECK_FALSE(has_cycle(check_shared(graph_of(mdce, {{"vcs", 3}}), 0)));
  const std::string cyclic = check_shared(graph_of(mdce, {{"vcs", 1}}), 0);
  CHECK(has_cycle(cyclic));
  CHECK(cyclic.find("sampled") != std::string::npos);
}

TEST_CASE("routes that fail are told as by one process, whoever follows them") {
  Graph torus = graph_of({{"kind", "torus"}, {"dims", {4, 4}}}, {{"vcs", 2}});
  Graph crossbars = graph_of({{"kind", "hier_crossbar"}, {"dims", {128, 64}}});
  crossbars.translations = {};
  for (Graph* const whole : {&torus, &crossbars}) {
    // Links that lead to the first and to the last routers or crossbars.
    for (const std::size_t some : {std::size_t{3}, whole->out_link.size() - 1}) {
      Graph graph = *whole;
      for (std::size_t port = whole->nodes; port < graph.out_link.size(); port += some) {
        graph.out_link[port] = kOpen;
      }
      const std::string text = check_shared(graph, whole == &torus ? kExactNodes : 0);
      CHECK(text.find("leads nowhere") != std::string::npos);
    }
  }
}

TEST_CASE("of cycles with a VC for each destination that of the first destination counts") {
  on_processes(4, [](Processes& process) {
    RouteCheck check;
    RouteShare share{.check = check};
    // Process 0 has none.
    if (process.number() != 0) check.cycle = {{8, 0}, {9, 0}};
    if (process.number() == 2) check.cycle = {{4, 0}, {5, 0}, {6, 0}};
    share.cycle_step = std::array<std::uint64_t, 4>{0, 5, 2, 3}[process.number()];
    SharedRoutes(process).unite(share);
    CHECK(check.cycle == std::vector<Channel>{{4, 0}, {5, 0}, {6, 0}});
  });
}

}  // namespace weft
