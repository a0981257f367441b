// Reading of the axes of sweep files.
#include "sim/cli/sweep_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/error.hpp"

namespace weft::cli {
using nlohmann::json;
namespace {

// Whether a path is `outer`, or leads to a part of it.
bool within(const std::string& path, const std::string& outer) {
  return (path + ".").starts_with(outer + ".");
}

}  // namespace

std::string plain_name(const JsonCursor& name, const std::string& expected) {
  std::string text = name.text(expected);
  if (text.find_first_not_of(' ') == std::string::npos) name.refuse(expected);
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), is_control)) {
    name.refuse(expected + " without control characters, in one line of the table");
  }
  return text;
}

void AxesReader::refuse_path(const Pointer& at) const {
  const std::string& path = at.back();
  const bool empty_part = path.empty() || path.front() == '.' || path.back() == '.' ||
                          path.find("..") != std::string::npos;
  if (empty_part || path.find('=') != std::string::npos) {
    throw source_.error(at.to_string(), path,
                        "keys joined by single dots, for example router.vc_depth");
  }
}

// Refuses equal steps of an axis: they are one run, which would be in the table twice.
void AxesReader::refuse_twice(const Pointer& list) const {
  std::map<json, Pointer> known;
  for (std::size_t i = 0; i < document_.at(list).size(); ++i) {
    const auto [first, is_new] = known.emplace(document_.at(list / i), list / i);
    if (!is_new) cursor(list / i).refuse("another value than at " + first->second.to_string());
  }
}

void AxesReader::refuse_hidden(const Step& earlier, const Step& later) const {
  for (const Setting& s : later) {
    for (const Setting& hidden : earlier) {
      if (!within(hidden.path, s.path)) continue;
      cursor(s.origin).refuse("a path that is not set at " + hidden.origin.to_string());
    }
  }
}

Step AxesReader::settings(const Pointer& at) const {
  const json& object = document_.at(at);
  if (!object.is_object() || object.empty()) cursor(at).refuse("an object of paths and values");
  Step step;
  for (const auto& [path, value] : object.items()) {
    refuse_path(at / path);
    step.push_back({path, value, at / path});
  }
  return step;
}

// Reads an entry: settings, with a label if there is one.
AxisEntry AxesReader::entry(const Pointer& at) const {
  AxisEntry entry{settings(at), ""};
  const auto label = std::find_if(entry.settings.begin(), entry.settings.end(),
                                  [](const Setting& s) { return s.path == "label"; });
  if (label == entry.settings.end()) return entry;
  entry.label = plain_name(cursor(label->origin), "a text");
  entry.settings.erase(label);
  if (entry.settings.empty()) cursor(at).refuse("paths and values beside the label");
  return entry;
}

Axis AxesReader::axis(const Pointer& at) const {
  const std::string expected =
      "an object with one path and the list of its values, or a list of objects of paths and "
      "values";
  const json& value = document_.at(at);
  Axis axis;
  if (value.is_object()) {
    if (value.size() != 1) cursor(at).refuse(expected);
    const std::string path = value.begin().key();
    refuse_path(at / path);
    cursor(at / path).elements(1, kMostOfSweep, "a list of values");
    for (std::size_t i = 0; i < value.begin()->size(); ++i) {
      axis.push_back({{{path, value.begin()->at(i), at / path / i}}, ""});
    }
    refuse_twice(at / path);
    return axis;
  }
  cursor(at).elements(1, kMostOfSweep, expected);
  std::map<std::string, Pointer> labels;
  for (std::size_t i = 0; i < value.size(); ++i) {
    axis.push_back(entry(at / i));
    const std::string& label = axis.back().label;
    if (label.empty()) continue;
    const auto [first, is_new] = labels.emplace(label, at / i / "label");
    if (!is_new) {
      cursor(at / i / "label").refuse("another label than at " + first->second.to_string());
    }
  }
  refuse_twice(at);
  return axis;
}

std::vector<Axis> AxesReader::axes(const Pointer& at, const Step& before, bool seeds) const {
  const std::size_t count = cursor(at).elements(0, kMostOfSweep, "a list of axes").size();
  std::vector<Axis> axes;
  std::map<std::string, Pointer> taken;  // Paths of the previous axes, and their first JSON
                                         // pointers.
  for (std::size_t i = 0; i < count; ++i) {
    axes.push_back(axis(at / i));
    // A path belongs to one axis: the later one would hide the other's values.
    std::map<std::string, Pointer> paths;
    for (const AxisEntry& entry : axes.back()) {
      refuse_hidden(before, entry.settings);
      for (const Setting& s : entry.settings) {
        const auto other = std::find_if(taken.begin(), taken.end(), [&](const auto& axis) {
          return within(axis.first, s.path) || within(s.path, axis.first);
        });
        if (other != taken.end()) {
          cursor(s.origin).refuse(
              fmt::format("a path that no other axis sets: {} and {} at {} share a value", s.path,
                          other->first, other->second.to_string()));
        }
        if (seeds && s.path == kSeed) {
          cursor(s.origin).refuse("no axis of seeds where \"seeds\" says how many there are");
        }
        paths.emplace(s.path, s.origin);
      }
    }
    taken.merge(paths);
  }
  return axes;
}

}  // namespace weft::cli
