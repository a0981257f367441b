// What a report page shows of results: their known members, checked.
#include "sim/report/page_data.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "sim/report/csv.hpp"
#include "sim/report/result_fields.hpp"

namespace weft {
using nlohmann::json;
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

void expect_number(const JsonCursor& at) {
  if (!at.value().is_number()) at.refuse("a number");
}

void expect_string(const JsonCursor& at) {
  if (!at.value().is_string()) at.refuse("a text");
}

JsonCursor expect_object(const JsonCursor& at) {
  if (!at.value().is_object()) at.refuse("an object");
  return at;
}

void expect_numbers(const JsonCursor& at, std::initializer_list<const char*> keys) {
  for (const char* key : keys) expect_number(at.at(key, "a number"));
}

void expect_strings(const JsonCursor& at, std::initializer_list<const char*> keys) {
  for (const char* key : keys) expect_string(at.at(key, "a text"));
}

// The elements of a list of objects, if there is one.
std::vector<JsonCursor> objects_of(const JsonCursor& at, const char* key) {
  if (!at.has(key) || at.member(key).value().is_null()) return {};
  auto list = at.member(key).elements(0, kAny, "a list of objects");
  for (const JsonCursor& one : list) expect_object(one);
  return list;
}

void check_links(const JsonCursor& detail, std::size_t blocks) {
  const std::uint64_t last = blocks == 0 ? 0 : blocks - 1;
  const auto links = objects_of(detail, "links");
  if (!links.empty() && blocks == 0) links[0].refuse("no links where there are no blocks");
  for (const JsonCursor& link : links) {
    for (const char* end : {"from", "to"}) (void)link.at(end, "a block").number(0, last);
    expect_numbers(link, {"link", "flits"});
    expect_strings(link, {"class"});
    if (link.has("wrap")) (void)link.member("wrap").boolean();
    if (!link.has("idle") || link.member("idle").value().is_null()) continue;
    const JsonCursor idle = expect_object(link.member("idle"));
    for (const auto& [cause, cycles] : idle.value().items()) expect_number(idle.member(cause));
  }
}

void check_activity(const JsonCursor& activity) {
  (void)expect_object(activity).at("interval", "cycles").number(1, kMaxNumber);
  const auto classes = activity.at("classes", "a list of texts").elements(0, kAny, "a list");
  for (const JsonCursor& one : classes) expect_string(one);
  const auto curves = activity.at("flits", "a list for each class")
                          .elements(classes.size(), classes.size(), "a list for each class");
  for (const JsonCursor& curve : curves) {
    for (const JsonCursor& flits : curve.elements(0, kAny, "a list of numbers")) {
      expect_number(flits);
    }
  }
}

void check_detail(const JsonCursor& detail) {
  expect_object(detail);
  const auto blocks = objects_of(detail, "blocks");
  for (const JsonCursor& block : blocks) {
    expect_strings(block, {"name", "kind"});
    // All blocks have a place, or none if the network has no natural drawing.
    if (blocks[0].has("x")) expect_numbers(block, {"x", "y"});
  }
  check_links(detail, blocks.size());
  for (const JsonCursor& node : objects_of(detail, "nodes")) {
    expect_numbers(node, {"rank", "flits_sent", "flits_received"});
  }
  for (const JsonCursor& phase : objects_of(detail, "phases")) {
    expect_strings(phase, {"name"});
    expect_numbers(phase, {"begin", "end"});
    (void)phase.at("node", "a rank").number(0, kMaxNumber);
  }
  if (detail.has("latencies") && !detail.member("latencies").value().is_null()) {
    for (const JsonCursor& pair : detail.member("latencies").elements(0, kAny, "a list")) {
      for (const JsonCursor& one : pair.elements(2, 2, "[cycles, packets]")) expect_number(one);
    }
  }
  if (detail.has("activity") && !detail.member("activity").value().is_null()) {
    check_activity(detail.member("activity"));
  }
}

// Checks a figure, which may be unknown, and copies it.
void copy_field(const JsonCursor& document, const Field<Result>& field, json& copy) {
  const json::json_pointer pointer(field.path);
  JsonCursor at = document;
  for (std::size_t begin = 1; begin != 0;) {
    const std::size_t end = field.path.find('/', begin);
    const std::string key = field.path.substr(begin, end - begin);
    begin = end == std::string::npos ? 0 : end + 1;
    if (!at.has(key) || at.member(key).value().is_null()) return;
    at = at.member(key);
    if (begin != 0) expect_object(at);
  }
  const bool fits = field.type == "text"            ? at.value().is_string()
                    : field.type == "true or false" ? at.value().is_boolean()
                                                    : at.value().is_number();
  if (!fits) at.refuse(field.type);
  copy[pointer] = at.value();
}

// Checks what every run has, even one without a result.
void check_run(const JsonCursor& run, const std::string& what) {
  if (!run.value().is_object()) run.refuse(what);
  expect_string(run.at("engine", what));
  expect_object(expect_object(run.at("config", what)).at("topology", what));
}

// The sum and number of what programs reported under a name.
std::map<std::string, std::pair<double, std::uint64_t>> reported_by_programs(
    const JsonCursor& run) {
  std::map<std::string, std::pair<double, std::uint64_t>> sums;
  for (const JsonCursor& value : objects_of(run, "values")) {
    expect_strings(value, {"name"});
    expect_numbers(value, {"node", "cycle", "value"});
    auto& [sum, count] = sums[value.member("name").value().get<std::string>()];
    sum += value.member("value").value().get<double>();
    ++count;
  }
  return sums;
}

// Index of a setting in the header of results.csv; settings that it does not have come last.
std::size_t place_in(const std::string& header, const std::string& setting) {
  return ("," + header + ",").find("," + csv_field(setting) + ",");
}

}  // namespace

json page_run(const json& document, const Source& source, const std::string& name) {
  const JsonCursor run(document, source);
  const std::string what = "a result of `weft run --json`";
  check_run(run, what);
  if (run.has("failure") && !run.has("cycles")) {
    run.member("failure").refuse("the result of a run that no error has ended");
  }
  expect_number(run.at("cycles", what));
  json copy = {{"kind", "run"}, {"name", name}, {"config", document["config"]}};
  for (const Field<Result>& field : result_fields()) copy_field(run, field, copy);
  if (run.has("notes")) {
    for (const JsonCursor& note : run.member("notes").elements(0, kAny, "a list of texts")) {
      expect_string(note);
    }
    copy["notes"] = document["notes"];
  }
  (void)reported_by_programs(run);
  for (const JsonCursor& transfer : objects_of(run, "transfers")) {
    expect_numbers(transfer, {"from", "to", "start"});
  }
  (void)objects_of(run, "regions");
  if (run.has("detail") && !document["detail"].is_null()) check_detail(run.member("detail"));
  for (const char* member : {"transfers", "values", "regions", "detail"}) {
    if (run.has(member) && !document[member].is_null()) copy[member] = document[member];
  }
  return copy;
}

json page_sweep(const std::vector<SweepLine>& lines, const std::string& header,
                const std::string& name) {
  // For each run one object of columns and values; the losses also have all causes.
  std::vector<json> rows, losses;
  std::map<std::string, std::size_t> points;
  std::set<std::string> settings, reported, used;
  for (const SweepLine& line : lines) {
    const JsonCursor run(line.run, line.source);
    const std::string what = "a run of `weft sweep`";
    check_run(run, what);
    const json status = run.at("status", what).number(0, 255, what);
    json row = {{"engine", line.run["engine"]}, {"status", status}}, result = json::object();
    for (const char* member : {"series", "label", "failure"}) {
      if (!run.has(member)) continue;
      expect_string(run.member(member));
      row[member] = line.run[member];
    }
    for (const auto& [path, value] : expect_object(run.at("settings", what)).value().items()) {
      settings.insert(path);
      row[path] = value;
    }
    for (const Field<Result>& field : result_fields()) {
      copy_field(run, field, result);
      const json::json_pointer at(field.path);
      if (!field.column.name.empty() && result.contains(at)) row[field.column.name] = result[at];
    }
    for (const auto& [value, sum] : reported_by_programs(run)) {
      reported.insert("values." + value);
      row["values." + value] = sum.first / static_cast<double>(sum.second);
    }
    for (const auto& [column, value] : row.items()) used.insert(column);
    const std::string key = line.run["engine"].dump(-1, ' ', true) +
                            (run.has("losses") ? " losses " : " ") +
                            line.run["config"].dump(-1, ' ', true);
    const auto [point, is_new] = points.try_emplace(key, rows.size());
    rows.resize(points.size());
    losses.resize(points.size());
    rows[point->second] = std::move(row);
    losses[point->second] = result.value("/losses/link_cycles"_json_pointer, json());
  }

  std::vector<std::string> ordered(settings.begin(), settings.end());
  std::stable_sort(ordered.begin(), ordered.end(), [&](const auto& a, const auto& b) {
    return place_in(header, a) < place_in(header, b);
  });
  json columns = json::array();
  const auto add = [&](const std::string& column, const std::string& unit, const std::string& help,
                       bool setting = false) {
    if (!used.contains(column)) return;
    columns.push_back({{"name", column}, {"unit", unit}, {"help", help}, {"setting", setting}});
  };
  const bool named = std::any_of(rows.begin(), rows.end(),
                                 [](const json& row) { return row.value("series", "") != ""; });
  if (named) add("series", "", "name of the series");
  add("label", "", "what the sweep calls it");
  for (const std::string& path : ordered) add(path, "", "key of the configuration", true);
  add("engine", "", "what simulated the network");
  add("status", "", "0: done and verified");
  for (const Field<Result>& field : result_fields()) {
    if (!field.column.name.empty()) add(field.column.name, field.unit, field.help);
  }
  for (const std::string& value : reported) add(value, "", "mean of what programs reported");
  add("failure", "", "why the run failed");
  json cells = json::array();
  for (const json& row : rows) {
    json& list = cells.emplace_back(json::array());
    for (const json& column : columns) {
      list.push_back(row.value(column["name"].get<std::string>(), json()));
    }
  }
  return {{"kind", "sweep"},
          {"name", name},
          {"columns", std::move(columns)},
          {"rows", std::move(cells)},
          {"losses", std::move(losses)}};
}

json page_words() {
  json causes = json::array(), figures = json::array();
  for (const auto& field : link_cause_fields()) {
    causes.push_back({field.path.substr(field.path.rfind('/') + 1), field.help});
  }
  for (const Field<Result>& field : result_fields()) {
    figures.push_back({field.path, field.unit, field.help});
  }
  return {{"causes", std::move(causes)}, {"figures", std::move(figures)}};
}

}  // namespace weft
