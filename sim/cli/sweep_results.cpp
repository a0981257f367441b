// The files of a sweep: results.jsonl and results.csv.
#include "sim/cli/sweep_results.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/hash.hpp"
#include "sim/cli/build.hpp"
#include "sim/cli/output.hpp"
#include "sim/report/csv.hpp"
#include "sim/report/result_fields.hpp"
#include "sim/report/result_json.hpp"
#include "sim/run/confidence.hpp"

namespace weft::cli {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

// The fields of a result that have a column, in the order of the columns.
const std::vector<const Field<Result>*>& columns() {
  static const std::vector<const Field<Result>*> fields = [] {
    std::vector<const Field<Result>*> all;
    for (const Field<Result>& field : result_fields()) {
      if (!field.column.name.empty()) all.push_back(&field);
    }
    return all;
  }();
  return fields;
}

// The value of a field in a line of results.jsonl, if it has one.
std::optional<FieldValue> value_at(const json& run, const std::string& path) {
  const json::json_pointer at(path);
  if (!run.contains(at)) return {};
  const json& value = run.at(at);
  if (value.is_null()) return FieldValue();
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number()) return value.get<double>();
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// From a line of results.jsonl: the mean of what the nodes' programs reported under each name.
std::map<std::string, double> reported_in(const json& run) {
  std::map<std::string, std::pair<double, std::uint64_t>> sums;
  if (const auto values = run.find("values"); values != run.end() && values->is_array()) {
    for (const json& value : *values) {
      auto& [sum, count] = sums[value.at("name").get<std::string>()];
      sum += value.at("value").get<double>();
      ++count;
    }
  }
  std::map<std::string, double> means;
  for (const auto& [name, sum] : sums) {
    means[name] = sum.first / static_cast<double>(sum.second);
  }
  return means;
}

bool is_of_this_build(const json& run) {
  return run.value("/version"_json_pointer, json()) == build_version() &&
         run.value("/commit"_json_pointer, json()) == build_commit();
}

// The value as a number, if it is one.
std::optional<double> number(const std::optional<FieldValue>& value) {
  if (!value) return {};
  if (const auto* count = std::get_if<std::uint64_t>(&*value)) return static_cast<double>(*count);
  if (const auto* real = std::get_if<double>(&*value)) return *real;
  return {};
}

}  // namespace

SweepResults::SweepResults(const fs::path& dir, const SweepPlan& plan, bool keep_builds,
                           const std::string& part)
    : dir_(dir),
      jsonl_(part.empty() ? sweep_runs(dir) : dir / fmt::format("results.{}.jsonl", part)),
      plan_(plan),
      keep_builds_(keep_builds) {
  for (const SweepPoint& point : plan_.points) known_.emplace(point.key, &point.config);
  std::error_code error;
  fs::create_directories(dir_, error);
  if (error) cannot_write(dir_.string(), error.value());
  Outputs outputs(plan.inputs);
  outputs.add("-o", csv());
  outputs.add("-o", jsonl());
  if (plan_.seeds != 0) outputs.add("-o", confidence());
  file_ = open(jsonl_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) cannot_write(jsonl(), errno);
  try {
    lock(file_, jsonl_);
    if (part.empty()) {
      for (const auto& file : {csv(), jsonl(), confidence()}) remove_old_drafts(file);
    }
    const std::string text = read_file(jsonl_);
    const std::size_t whole = read_runs(jsonl_, text);
    if (whole < text.size() && ftruncate(file_, static_cast<off_t>(whole)) != 0) {
      cannot_write(jsonl(), errno);
    }
    if (part.empty()) {
      take_over_parts();
    } else {
      std::vector<fs::path> others = parts();
      if (fs::exists(sweep_runs(dir_))) others.push_back(sweep_runs(dir_));
      for (const fs::path& other : others) {
        if (other != jsonl_) read_runs(other, read_file(other));
      }
    }
  } catch (...) {
    close(file_);
    throw;
  }
}

SweepResults::~SweepResults() {
  close(file_);
}

void SweepResults::lock(int file, const fs::path& path) const {
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return;
  throw ConfigError(fmt::format("{}: in use by another sweep", path.string()));
}

// The existing files of parts, by name.
std::vector<fs::path> SweepResults::parts() const {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(dir_)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("results.") && name.ends_with(".jsonl") && name != "results.jsonl") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

void SweepResults::take_over_parts() {
  for (const fs::path& part : parts()) take_over(part);
}

// Takes over the runs of a part into the own file; if both have a point, the part's last line
// counts.
void SweepResults::take_over(const fs::path& part) {
  const int file = open(part.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) cannot_write(part, errno);
  try {
    lock(file, part);
    const std::string text = read_file(part);
    append(text.substr(0, read_runs(part, text)));
    if (unlink(part.c_str()) != 0) cannot_write(part, errno);
  } catch (...) {
    close(file);
    throw;
  }
  close(file);
}

// Reads the runs in a file's text; returns where its last whole line ends.
std::size_t SweepResults::read_runs(const fs::path& file, const std::string& text) {
  std::size_t begin = 0;
  for (unsigned number = 1;; ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    const std::string where = fmt::format("{}: line {}", file.string(), number);
    const json run = json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                 text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (!run.is_object() || !run.contains("config") || !run.contains("engine") ||
        !run["engine"].is_string() || !run.contains("status") ||
        !run["status"].is_number_integer()) {
      throw ConfigError(where + ": expected: a run of a sweep, as JSON");
    }
    const std::string key =
        sweep_key(run["engine"].get<std::string>(), run.contains("losses"), run["config"]);
    const auto point = known_.find(key);
    if (point == known_.end()) {
      throw ConfigError(
          fmt::format("{}: a run that is no point of {}: expected: the results of this sweep, or "
                      "another folder",
                      where, plan_.source));
    }
    begin = end + 1;
    if (run.value("inputs", "") != inputs_hash(*point->second)) {
      rows_.erase(key);  // An earlier run does not count either: the last line of a point is its
                         // result.
      continue;
    }
    if (!keep_builds_ && !is_of_this_build(run)) {
      other_builds_[key] = build_in_words(run);
      continue;
    }
    rows_[key] = row_of(run);
  }
  return begin;
}

// The row of the table for a line.
SweepResults::Row SweepResults::row_of(const json& run) {
  Row row{run.at("status").get<int>(), "", {}, reported_in(run)};
  const auto failure = value_at(run, "/failure");
  if (failure && std::holds_alternative<std::string>(*failure)) {
    row.failure = std::get<std::string>(*failure);
  }
  for (const auto* field : columns()) row.values.push_back(value_at(run, field->path));
  return row;
}

// Hash of the contents of all files that a run reads besides its configuration; empty: none.
std::string SweepResults::inputs_hash(const Config& config) {
  std::string text;
  for (const fs::path& path : inputs_of(config)) {
    const auto [entry, is_new] = hashes_.try_emplace(path, 0);
    if (is_new) entry->second = fnv1a(try_read_file(path).text);
    text += fmt::format("{:016x}", entry->second);
  }
  return text;
}

const SweepResults::Row* SweepResults::find(const SweepPoint& point) const {
  const auto found = rows_.find(point.key);
  return found == rows_.end() ? nullptr : &found->second;
}

std::optional<int> SweepResults::status(const SweepPoint& point) const {
  const Row* row = find(point);
  return row == nullptr ? std::nullopt : std::optional(row->status);
}

const std::string* SweepResults::other_build(const SweepPoint& point) const {
  const auto other = other_builds_.find(point.key);
  return other == other_builds_.end() || find(point) != nullptr ? nullptr : &other->second;
}

void SweepResults::add(const SweepPoint& point, const SweepRun& run) {
  json line = run.result ? to_json(*run.result) : json{{"engine", point.engine}};
  // The run is found again by these members.
  line["config"] = to_json(point.config);
  if (point.losses && !line.contains("losses")) line["losses"] = nullptr;
  line["status"] = run.status;
  if (!run.failure.empty()) line["failure"] = run.failure;
  if (const std::string hash = inputs_hash(point.config); !hash.empty()) line["inputs"] = hash;
  line["series"] = point.series;
  if (!point.label.empty()) line["label"] = point.label;
  line["settings"] = point.settings;
  enter_build(line);
  append(line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
  rows_[point.key] = row_of(line);
}

// Appends whole lines to the own file, or none.
void SweepResults::append(const std::string& text) {
  const off_t end = lseek(file_, 0, SEEK_END);
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(file_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      // Another run may still be written: it must not continue in the middle of this line.
      if (ftruncate(file_, end) != 0) cannot_write(jsonl(), errno);
      cannot_write(jsonl(), error);
    }
    done += static_cast<std::size_t>(count);
  }
}

// Whether a column is in the table: always, or because a run has a value for it.
bool SweepResults::is_used(std::size_t column) const {
  return columns()[column]->column.always ||
         std::any_of(rows_.begin(), rows_.end(),
                     [&](const auto& row) { return row.second.values[column].has_value(); });
}

void SweepResults::write_csv() const {
  std::vector<std::size_t> used;
  std::vector<std::string> head;
  if (plan_.named) head.emplace_back("series");
  if (plan_.labelled) head.emplace_back("label");
  for (const auto& path : plan_.columns) head.push_back(csv_field(path));
  head.insert(head.end(), {"engine", "status"});
  for (std::size_t c = 0; c < columns().size(); ++c) {
    if (!is_used(c)) continue;
    used.push_back(c);
    head.push_back(columns()[c]->column.name);
  }
  std::set<std::string> names;
  for (const auto& [key, row] : rows_) {
    for (const auto& [name, mean] : row.reported) names.insert(name);
  }
  for (const std::string& name : names) head.push_back(csv_field("values." + name));
  head.emplace_back("failure");
  std::string text = csv_row(head);
  for (const SweepPoint& point : plan_.points) {
    const Row* row = find(point);
    if (row == nullptr) continue;
    std::vector<std::string> fields;
    if (plan_.named) fields.push_back(csv_field(point.series));
    if (plan_.labelled) fields.push_back(csv_field(point.label));
    for (const auto& path : plan_.columns) {
      fields.push_back(csv_field(point.settings.value(path, json())));
    }
    fields.insert(fields.end(), {point.engine, std::to_string(row->status)});
    for (const std::size_t c : used) {
      fields.push_back(csv_field(json_of(row->values[c].value_or(FieldValue()))));
    }
    for (const std::string& name : names) {
      const auto mean = row->reported.find(name);
      fields.push_back(mean == row->reported.end() ? "" : csv_field(mean->second));
    }
    fields.push_back(csv_field(row->failure));
    text += csv_row(fields);
  }
  write_file(csv(), text);
  if (plan_.seeds != 0) write_file(confidence(), confidence_rows());
}

std::string SweepResults::confidence_rows() const {
  std::vector<std::string> paths = plan_.columns;
  std::erase(paths, "seed");
  std::vector<std::size_t> figures;
  std::vector<std::string> head;
  if (plan_.named) head.emplace_back("series");
  if (plan_.labelled) head.emplace_back("label");
  for (const auto& path : paths) head.push_back(csv_field(path));
  head.insert(head.end(), {"engine", "n"});
  for (std::size_t c = 0; c < columns().size(); ++c) {
    const Column& column = columns()[c]->column;
    if (!column.averaged || !is_used(c)) continue;
    figures.push_back(c);
    head.insert(head.end(), {column.name, column.name + "_ci95"});
  }
  std::string text = csv_row(head);
  const auto& points = plan_.points;
  for (auto first = points.begin(), end = first; first != points.end(); first = end) {
    end = std::find_if(first, points.end(),
                       [&](const SweepPoint& point) { return point.group != first->group; });
    std::vector<const Row*> runs;
    for (auto point = first; point != end; ++point) {
      const Row* row = find(*point);
      if (row != nullptr && row->status == 0) runs.push_back(row);
    }
    std::vector<std::string> fields;
    if (plan_.named) fields.push_back(csv_field(first->series));
    if (plan_.labelled) fields.push_back(csv_field(first->label));
    for (const auto& path : paths) fields.push_back(csv_field(first->settings.value(path, json())));
    fields.insert(fields.end(), {first->engine, std::to_string(runs.size())});
    for (const std::size_t c : figures) {
      std::vector<double> values;
      for (const Row* row : runs) {
        if (const auto value = number(row->values[c])) values.push_back(*value);
      }
      // If a run has no latency, as none of its packets arrived, those of the others would mislead.
      const bool known = !values.empty() && values.size() == runs.size();
      const Confidence c95 = known ? confidence_95(values) : Confidence{};
      fields.push_back(csv_field(known ? json(c95.mean) : json()));
      fields.push_back(csv_field(c95.half_width ? json(*c95.half_width) : json()));
    }
    text += csv_row(fields);
  }
  return text;
}

}  // namespace weft::cli
