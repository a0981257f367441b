// The axes of a sweep file: what each entry sets in the base configuration.
#pragma once

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/config/json_cursor.hpp"

namespace weft::cli {

/// Most elements of a list in a sweep file: series, axes, values of an axis, points.
inline constexpr std::size_t kMostOfSweep = 100000;
/// Path of the seed, which `seeds` sets.
inline constexpr const char* kSeed = "seed";

/// A value that a point sets in the base configuration, and its JSON pointer in the sweep file.
struct Setting {
  std::string path;
  nlohmann::json value;
  nlohmann::json::json_pointer origin;

  std::string in_words() const { return path + "=" + value.dump(); }
  /// `path` as a JSON pointer into the configuration.
  std::string pointer() const {
    std::string text = "/" + path;
    std::replace(text.begin(), text.end(), '.', '/');
    return text;
  }
};

/// Settings that are made together.
using Step = std::vector<Setting>;

/// One entry of an axis.
struct AxisEntry {
  Step settings;
  std::string label;  ///< Label that a reader sees instead; empty: the settings.
};
using Axis = std::vector<AxisEntry>;

/// A name for tables and pictures: not only blanks, and without control characters. Throws
/// ConfigError with what is `expected`.
std::string plain_name(const JsonCursor& name, const std::string& expected);

/// Reads the axes of a sweep file. All functions throw ConfigError naming file, JSON pointer, value
/// and what is expected.
class AxesReader {
 public:
  /// Both arguments must outlive it.
  AxesReader(const nlohmann::json& document, const Source& source)
      : document_(document), source_(source) {}

  /// An object of paths and values.
  Step settings(const nlohmann::json::json_pointer& at) const;
  /// Reads a list of axes. No entry may replace what `before` or another axis sets; with `seeds`
  /// nor the seed.
  std::vector<Axis> axes(const nlohmann::json::json_pointer& at, const Step& before,
                         bool seeds) const;
  /// Refuses a later setting that replaces an earlier one as a whole, which would have no effect;
  /// it may change a part of an object.
  void refuse_hidden(const Step& earlier, const Step& later) const;

 private:
  using Pointer = nlohmann::json::json_pointer;

  JsonCursor cursor(const Pointer& at) const { return {document_.at(at), source_, at.to_string()}; }
  void refuse_path(const Pointer& at) const;
  void refuse_twice(const Pointer& list) const;
  AxisEntry entry(const Pointer& at) const;
  Axis axis(const Pointer& at) const;

  const nlohmann::json& document_;
  const Source& source_;
};

}  // namespace weft::cli
