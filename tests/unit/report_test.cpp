// Results as JSON, CSV and text: the table of fields, and how a value that is not
// known is written.
#include <doctest/doctest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sim/report/csv.hpp"
#include "sim/report/result_fields.hpp"
#include "sim/report/result_json.hpp"
#include "sim/report/result_text.hpp"
#include "sim/report/topo_report.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

template <class T>
void check_table(const Fields<T>& fields) {
  std::set<std::string> paths, columns;
  for (const Field<T>& field : fields) {
    CAPTURE(field.path);
    CHECK(paths.insert(field.path).second);
    CHECK(field.path.starts_with("/"));
    CHECK_FALSE(field.type.empty());
    CHECK_FALSE(field.help.empty());
    if (!field.column.name.empty()) CHECK(columns.insert(field.column.name).second);
  }
}

// The value of a field has the type that the table says.
template <class T>
void check_types(const Fields<T>& fields, const T& whole) {
  unsigned seen = 0;
  for (const Field<T>& field : fields) {
    const auto value = field.get(whole);
    if (!value || std::holds_alternative<std::monostate>(*value)) continue;
    CAPTURE(field.path);
    ++seen;
    CHECK(std::holds_alternative<bool>(*value) == (field.type == "true or false"));
    CHECK(std::holds_alternative<std::uint64_t>(*value) == (field.type == "whole number"));
    CHECK(std::holds_alternative<double>(*value) == (field.type == "number"));
    CHECK(std::holds_alternative<std::string>(*value) == (field.type == "text"));
  }
  CHECK(seen > 0);
}

}  // namespace

TEST_CASE("the tables of fields: each name once, every value of the type in the table") {
  check_table(result_fields());
  check_table(region_fields());
  check_table(transfer_fields());
  check_table(topo_fields());
  Result all;
  all.traffic.emplace().measured_cycles = 1;
  all.traffic->arrived = 1;
  all.traffic->rounds = 3;
  all.losses.emplace();
  all.barriers.emplace();
  all.board_flits.emplace();
  check_types(result_fields(), all);
  check_types(transfer_fields(), TransferResult{});
}

TEST_CASE("what a run does not have is left out, what is not known is null") {
  Result result;
  const json least = to_json(result);
  CHECK(least["ratio"].is_null());
  CHECK(least["flit_hops_per_s"].is_null());
  CHECK(least["digest"] == "0000000000000000");
  CHECK(least["barriers"] == 0);
  for (const char* name : {"losses", "link_flits", "latency", "rounds", "cut", "regions",
                           "transfers", "barrier_wait", "offered_rate"}) {
    CHECK_MESSAGE(!least.contains(name), name);
  }
  result.traffic.emplace();
  result.transfers.push_back({1, 2, 30, {}});
  const json traffic = to_json(result);
  CHECK(traffic["offered_rate"].is_null());
  CHECK(traffic["latency"]["p99"].is_null());
  CHECK(traffic["latency"]["packets"] == 0);
  CHECK_FALSE(traffic.contains("rounds"));
  CHECK(traffic["transfers"] == json{{{"from", 1}, {"to", 2}, {"start", 30}, {"end", nullptr}}});
}

TEST_CASE("a failed run tells which errors it counts, and which count is in doubt") {
  Result result;
  result.links = {.errors = 5, .retries = 0, .lost = 16};
  result.faults = {.put = 1, .hits = 5, .seen = 5};
  CHECK(failure_of(result) == "0 data, 0 refused, 0 parity, 16 lost errors");
  result.faults->passed = 2;
  CHECK(failure_of(result) ==
        "0 data, 0 refused, 0 parity, 16 lost errors; 2 wrong words passed the checks of links: "
        "the number lost may be wrong");
  // What was sent again is no error.
  result.resends.emplace().missing = 3;
  CHECK(failure_of(result) == "0 data, 3 missing errors");
  result.resends->missing = 0;
  CHECK(failure_of(result).empty());
}

TEST_CASE("the JSON of a failed run says why, and has no ratio") {
  Result result;
  result.cycles = 30;
  result.bound_cycles = 20;
  CHECK(to_json(result)["ratio"] == 1.5);
  CHECK_FALSE(to_json(result).contains("failure"));
  result.order_errors = 1;
  CHECK(to_json(result)["ratio"].is_null());
  CHECK(to_json(result)["failure"] == "0 data, 1 refused, 0 parity errors");
  result.order_errors = 0;
  result.stopped = true;
  CHECK(to_json(result)["ratio"].is_null());
  CHECK(to_json(result)["failure"] == "interrupted at cycle 30, before the work was done");
  result.config.max_cycles = 30;
  CHECK(to_json(result)["failure"] == "ended at cycle 30 by max_cycles, before the work was done");
}

TEST_CASE("the speed of a resumed run is that since its checkpoint") {
  Result result;
  result.flit_hops = 900;
  result.hops_before = 600;
  result.wall_s = 2;
  CHECK(to_json(result)["flit_hops"] == 900);
  CHECK(to_json(result)["flit_hops_per_s"] == 150.0);
}

TEST_CASE("every member of a result is listed, with those of the elements of lists") {
  std::set<std::string> listed, found;
  for (const json& field : list_results()) {
    CHECK(listed.insert(field["name"]).second);
    CHECK_FALSE(field["help"].get<std::string>().empty());
  }
  const std::function<void(const json&, const std::string&)> find = [&](const json& value,
                                                                        const std::string& name) {
    const bool list = value.is_array() && !value.empty() && value[0].is_object();
    if (list || !value.is_object() || name == "config") found.insert(name);
    if (list) {
      for (const json& element : value) find(element, name + "[]");
    } else if (value.is_object() && name != "config") {
      const std::string before = name.empty() ? "" : name + "/";
      for (const auto& [key, part] : value.items()) find(part, before + key);
    }
  };
  const json torus = {{"kind", "torus"}, {"dims", {4, 4}}};
  const json board = {{"kind", "board"}, {"dims", {2, 1, 2, 1}}, {"mains", 2}, {"aggregators", 1}};
  const json moves = {{{"from", 0}, {"to", 1}, {"flits", 2}}};
  for (const json& document : std::vector<json>{
           {{"topology", torus}, {"workload", {{"transfers", moves}}}, {"faults", {{{"node", 3}}}}},
           {{"topology", torus},
            {"partition", {1}},
            {"workload", {{"traffic", "mesh_emulation"}, {"warmup", 10}, {"measure", 200}}}},
           {{"topology", torus},
            {"processor", "native"},
            {"workload", {{"collective", "a2a"}, {"message_flits", 2}, {"sync", "barrier"}}}},
           {{"topology", board},
            {"processor", "native"},
            {"workload", {{"collective", "allreduce_nested"}, {"bytes", 64}}}}}) {
    const Config config = parse_config(document, "test");
    RunOptions options;
    options.losses = true;
    find(to_json(run(config, build_graph(config), options)), "");
  }
  for (const char* name :
       {"config", "notes", "transfers", "transfers[]/from", "regions", "regions[]/latency/mean",
        "regions[]/rounds", "barrier_wait", "faults/missed", "losses/cycles", "link_flits/W"}) {
    CHECK_MESSAGE(found.contains(name), name);
  }
  for (const std::string& name : found) CHECK_MESSAGE(listed.contains(name), name);
}

TEST_CASE("losses of traffic have no rows of programs, those of a program none of sources") {
  Result result;
  LossSums& losses = result.losses.emplace();
  losses.links = losses.cycles = 10;
  for (std::size_t c = 0; c < losses.causes.size(); ++c) losses.causes[c] = 100 + c;
  for (const bool traffic : {false, true}) {
    losses.traffic = losses.pipelined = traffic;
    const json causes = to_json(result)["losses"]["link_cycles"];
    CHECK(causes["header"] == 100 + LossSums::kHeader);
    CHECK(causes["gap_upstream"] == 100 + LossSums::kGapUpstream);
    CHECK(causes.contains("nothing_source") == traffic);
    CHECK(causes.contains("pipeline") == traffic);
    for (const char* name : {"nothing_barrier", "nothing_program", "nothing_end"}) {
      CHECK(causes.contains(name) == !traffic);
    }
    // The summary has a row for each of them.
    const std::string text = result_text(result, Graph{});
    for (const auto& cause : causes.items()) {
      CHECK_MESSAGE(text.find("\n                " + cause.key() + " ") != std::string::npos,
                    cause.key());
    }
    CHECK((text.find("nothing_end") != std::string::npos) == !traffic);
  }
}

TEST_CASE("fields of CSV") {
  CHECK(csv_field(nullptr).empty());
  CHECK(csv_field(1.5) == "1.5");
  CHECK(csv_field(json{1, 2}) == "\"[1,2]\"");
  CHECK(csv_field("say \"so\"") == "\"say \"\"so\"\"\"");
  CHECK(csv_field("one\ntwo") == "one");
  CHECK(csv_row({"a", "", "b"}) == "a,,b\n");
  CHECK(states_csv({{3, std::vector<std::int32_t>{-7, 8}},
                    {5, std::vector<float>{0.5f}},
                    {6, std::vector<std::int64_t>{1LL << 40}}}) ==
        "rank,element,value\n3,0,-7\n3,1,8\n5,0,0.5\n6,0,1099511627776\n");
}

}  // namespace weft
