// The files of a sweep in its folder: one line for each run, and the table of all points.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/sweep_plan.hpp"
#include "sim/report/fields.hpp"
#include "sim/run/result.hpp"

namespace weft::cli {

/// How the run of a point ended.
struct SweepRun {
  int status = 0;                ///< Exit status as of `weft run`.
  std::string failure;           ///< Why the status is not 0; empty: it is 0.
  std::optional<Result> result;  ///< None if the run failed without one.
};

/// File of a sweep with one line of JSON for each run.
inline std::filesystem::path sweep_runs(const std::filesystem::path& dir) {
  return dir / "results.jsonl";
}
inline std::filesystem::path sweep_table(const std::filesystem::path& dir) {
  return dir / "results.csv";
}

/// The results of a sweep in DIR: results.jsonl grows by a line as each run ends, results.csv is
/// written at the end. If several processes share the points, each has its own file instead of
/// results.jsonl. A file belongs to one process at a time.
class SweepResults {
 public:
  /// Creates DIR if it is missing and reads the runs that are already there, also in the files of
  /// other parts. A last line without an end (the sweep was stopped while it was being written) is
  /// cut off. A run counts no longer if a file that it has read (a program, a network, a trace) has
  /// changed, nor if it is of another build of weft, unless `keep_builds`. `part`:
  /// results.PART.jsonl grows; empty: results.jsonl does, and takes over the files of all parts.
  /// Throws ConfigError if the folder cannot be written, a file that changes is in use, or it holds
  /// a run that is no point of `plan`.
  SweepResults(const std::filesystem::path& dir, const SweepPlan& plan, bool keep_builds,
               const std::string& part = "");
  ~SweepResults();
  SweepResults(const SweepResults&) = delete;
  SweepResults& operator=(const SweepResults&) = delete;

  /// Takes over the files of parts; only for an empty `part`.
  void take_over_parts();

  /// The exit status of a point's run; none if there is no run yet. The latest run of a point
  /// counts.
  std::optional<int> status(const SweepPoint& point) const;
  /// For a point without a run: the other build of which it has one, in words; null: there is none.
  const std::string* other_build(const SweepPoint& point) const;
  /// Adds a run, and its line to the file. Throws ConfigError if it cannot be written.
  void add(const SweepPoint& point, const SweepRun& run);
  /// Writes results.csv as a whole: a row for each point of the plan, in its order. With "seeds"
  /// also confidence.csv: for each setting the runs that were done without a failure (`n`) and the
  /// mean and half-width of the 95 % confidence interval of their figures.
  void write_csv() const;

  /// Path of the file that grows.
  std::string jsonl() const { return jsonl_.string(); }
  std::string csv() const { return sweep_table(dir_).string(); }
  std::string confidence() const { return (dir_ / "confidence.csv").string(); }

 private:
  // The row of a run in the table: a value for each of result_fields() that has a column.
  struct Row {
    int status = 0;
    std::string failure;
    std::vector<std::optional<FieldValue>> values;
    std::map<std::string, double> reported;  // Values reported by programs (weft_result): the mean
                                             // for each name.
  };

  static Row row_of(const nlohmann::json& run);
  void lock(int file, const std::filesystem::path& path) const;
  std::vector<std::filesystem::path> parts() const;
  std::size_t read_runs(const std::filesystem::path& file, const std::string& text);
  void take_over(const std::filesystem::path& part);
  void append(const std::string& text);
  std::string inputs_hash(const Config& config);
  const Row* find(const SweepPoint& point) const;
  bool is_used(std::size_t column) const;
  std::string confidence_rows() const;

  std::filesystem::path dir_, jsonl_;
  const SweepPlan& plan_;
  bool keep_builds_;
  std::map<std::string_view, const Config*> known_;  // By key of a point: its configuration.
  int file_ = -1;
  std::map<std::string, Row> rows_;  // By key of a point.
  // By key of a point: build of a run that does not count.
  std::map<std::string, std::string> other_builds_;
  std::map<std::filesystem::path, std::uint64_t> hashes_;  // By file that points read: its hash.
};

}  // namespace weft::cli
