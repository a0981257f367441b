// The files of a sweep: results.jsonl and results.csv.
#include "sim/cli/sweep_results.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <set>
#include <span>

#include "sim/base/error.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/cli/confidence.hpp"
#include "sim/cli/output.hpp"

namespace weft::cli {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

// A column of results.csv that comes from a run, and where its value stands there.
struct Column {
  const char* name;
  const char* pointer;
  bool always;  // Else only where one of the runs has it.
};
constexpr Column kColumns[] = {
    {"status", "/status", true},
    {"cycles", "/cycles", true},
    {"bound_cycles", "/bound_cycles", true},
    {"ratio", "/ratio", true},
    {"startup_cycles", "/startup_cycles", false},
    {"barriers", "/barriers", false},
    {"barrier_wait", "/barrier_wait", false},
    {"messages", "/messages", true},
    {"packets", "/packets", true},
    {"flits", "/flits", true},
    {"flit_hops", "/flit_hops", true},
    {"max_link_load", "/max_link_load", true},
    {"link_flits_board", "/link_flits/board", false},
    {"link_flits_W", "/link_flits/W", false},
    {"link_flits_X", "/link_flits/X", false},
    {"link_flits_Y", "/link_flits/Y", false},
    {"link_flits_Z", "/link_flits/Z", false},
    {"data_errors", "/errors/data", true},
    {"order_errors", "/errors/order", true},
    {"parity_errors", "/errors/parity", true},
    {"digest", "/digest", true},
    {"waits_link", "/losses/packet_waits/link", false},
    {"waits_vc", "/losses/packet_waits/vc", false},
    {"waits_credit", "/losses/packet_waits/credit", false},
    {"waits_behind", "/losses/packet_waits/behind", false},
    {"offered_rate", "/offered_rate", false},
    {"accepted_rate", "/accepted_rate", false},
    {"cut", "/cut", false},
    {"saturated", "/saturated", false},
    {"rounds", "/rounds", false},
    {"latency_mean", "/latency/mean", false},
    {"latency_p50", "/latency/p50", false},
    {"latency_p99", "/latency/p99", false},
    {"latency_max", "/latency/max", false},
    {"wall_s", "/wall_s", true},
    {"failure", "/failure", true},
};

// Figures of confidence.csv.
constexpr Column kFigures[] = {
    {"cycles", "/cycles", true},
    {"accepted_rate", "/accepted_rate", false},
    {"latency_mean", "/latency/mean", false},
    {"latency_p99", "/latency/p99", false},
};

const json* value_at(const json& run, const char* pointer) {
  const json::json_pointer at(pointer);
  return run.contains(at) ? &run.at(at) : nullptr;
}

// The columns that one of the runs has a value for, and those that always stand there.
std::vector<Column> used(std::span<const Column> all, const std::map<std::string, json>& runs) {
  std::vector<Column> columns;
  std::copy_if(all.begin(), all.end(), std::back_inserter(columns), [&](const Column& column) {
    return column.always || std::any_of(runs.begin(), runs.end(), [&](const auto& run) {
             return value_at(run.second, column.pointer) != nullptr;
           });
  });
  return columns;
}

// A field as RFC 4180 has it, but on one line: of a longer text the first one. Lists and objects as
// JSON.
std::string field(const json& value) {
  if (value.is_null()) return "";
  auto text = value.is_string() ? value.get<std::string>()
                                : value.dump(-1, ' ', false, json::error_handler_t::replace);
  text.resize(std::min(text.size(), text.find('\n')));
  if (text.find_first_of(",\"\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string row(const std::vector<std::string>& fields) {
  return fmt::format("{}\n", fmt::join(fields, ","));
}

}  // namespace

SweepResults::SweepResults(const fs::path& dir, const SweepPlan& plan) : dir_(dir), plan_(plan) {
  std::error_code error;
  fs::create_directories(dir_, error);
  if (error) cannot_write(dir_.string(), error.value());
  Outputs outputs(plan.inputs);
  outputs.add("-o", csv());
  outputs.add("-o", jsonl());
  if (plan_.seeds != 0) outputs.add("-o", confidence());
  file_ = open(jsonl().c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) cannot_write(jsonl(), errno);
  try {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      throw ConfigError(fmt::format("{}: in use by another sweep", jsonl()));
    }
    read_runs();
  } catch (...) {
    close(file_);
    throw;
  }
}

SweepResults::~SweepResults() {
  close(file_);
}

void SweepResults::read_runs() {
  std::ifstream in(jsonl(), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw ConfigError(fmt::format("{}: cannot be read", jsonl()));
  std::set<std::string> known;
  for (const SweepPoint& point : plan_.points) known.insert(point.key);

  std::size_t begin = 0;
  for (unsigned number = 1;; ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    const std::string where = fmt::format("{}: line {}", jsonl(), number);
    const json run = json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                 text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (!run.is_object() || !run.contains("config") || !run.contains("engine") ||
        !run["engine"].is_string() || !run.contains("status") ||
        !run["status"].is_number_integer()) {
      throw ConfigError(where + ": expected: a run of a sweep, as JSON");
    }
    const std::string key =
        sweep_key(run["engine"].get<std::string>(), run.contains("losses"), run["config"]);
    if (!known.contains(key)) {
      throw ConfigError(
          fmt::format("{}: a run that is no point of {}: expected: the results of this sweep, or "
                      "another folder",
                      where, plan_.source));
    }
    runs_[key] = run;
    begin = end + 1;
  }
  if (begin < text.size() && ftruncate(file_, static_cast<off_t>(begin)) != 0) {
    cannot_write(jsonl(), errno);
  }
}

const json* SweepResults::find(const SweepPoint& point) const {
  const auto found = runs_.find(point.key);
  return found == runs_.end() ? nullptr : &found->second;
}

void SweepResults::add(const SweepPoint& point, json run) {
  run["series"] = point.series;
  run["settings"] = point.settings;
  const std::string line = run.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  const off_t end = lseek(file_, 0, SEEK_END);
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t count = write(file_, line.data() + done, line.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      // Another run may still be written: it must not go on in the middle of this line.
      if (ftruncate(file_, end) != 0) cannot_write(jsonl(), errno);
      cannot_write(jsonl(), error);
    }
    done += static_cast<std::size_t>(count);
  }
  runs_[point.key] = std::move(run);
}

void SweepResults::write_csv() const {
  const std::vector<Column> columns = used(kColumns, runs_);
  std::vector<std::string> head;
  if (plan_.named) head.emplace_back("series");
  for (const auto& path : plan_.columns) head.push_back(field(path));
  head.emplace_back("engine");
  for (const Column& column : columns) head.emplace_back(column.name);
  std::string text = row(head);
  for (const SweepPoint& point : plan_.points) {
    const json* run = find(point);
    if (run == nullptr) continue;
    std::vector<std::string> fields;
    if (plan_.named) fields.push_back(field(point.series));
    for (const auto& path : plan_.columns)
      fields.push_back(field(point.settings.value(path, json())));
    fields.push_back(point.engine);
    for (const Column& column : columns) {
      const json* value = value_at(*run, column.pointer);
      fields.push_back(value == nullptr ? "" : field(*value));
    }
    text += row(fields);
  }
  write_file(csv(), text);
  if (plan_.seeds != 0) write_file(confidence(), confidence_rows());
}

std::string SweepResults::confidence_rows() const {
  const std::vector<Column> figures = used(kFigures, runs_);
  std::vector<std::string> paths = plan_.columns;
  std::erase(paths, "seed");
  std::vector<std::string> head;
  if (plan_.named) head.emplace_back("series");
  for (const auto& path : paths) head.push_back(field(path));
  head.insert(head.end(), {"engine", "n"});
  for (const Column& figure : figures) {
    head.emplace_back(figure.name);
    head.push_back(fmt::format("{}_ci95", figure.name));
  }
  std::string text = row(head);
  const auto& points = plan_.points;
  for (auto first = points.begin(), end = first; first != points.end(); first = end) {
    end = std::find_if(first, points.end(),
                       [&](const SweepPoint& point) { return point.group != first->group; });
    std::vector<const json*> runs;
    for (auto point = first; point != end; ++point) {
      const json* run = find(*point);
      if (run != nullptr && run->at("status") == 0) runs.push_back(run);
    }
    std::vector<std::string> fields;
    if (plan_.named) fields.push_back(field(first->series));
    for (const auto& path : paths) fields.push_back(field(first->settings.value(path, json())));
    fields.insert(fields.end(), {first->engine, std::to_string(runs.size())});
    for (const Column& figure : figures) {
      std::vector<double> values;
      for (const json* run : runs) {
        const json* value = value_at(*run, figure.pointer);
        if (value != nullptr && value->is_number()) values.push_back(value->get<double>());
      }
      // Where a run has no latency, as none of its packets arrived, the others' would mislead.
      const bool known = !values.empty() && values.size() == runs.size();
      const Confidence c = known ? confidence_95(values) : Confidence{};
      fields.push_back(field(known ? json(c.mean) : json()));
      fields.push_back(field(c.half_width ? json(*c.half_width) : json()));
    }
    text += row(fields);
  }
  return text;
}

}  // namespace weft::cli
