// Texts of errors.
#include "sim/base/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace weft {
namespace {

std::string text_of(const std::string& file, const std::string& pointer, const std::string& value,
                    const std::string& expected, ConfigError::Fault fault) {
  std::string wrong = value.empty() ? "" : ": value " + value;
  if (fault == ConfigError::Fault::kMissing) wrong = ": missing";
  if (fault == ConfigError::Fault::kUnknownKey) wrong = ": unknown key, value " + value;
  return fmt::format("{}{}{}{}: expected: {}", file, pointer.empty() ? "" : ": ", pointer, wrong,
                     expected);
}

}  // namespace

ConfigError::ConfigError(std::string in_file, std::string at, std::string is, std::string would_do,
                         Fault what_is_wrong)
    : std::runtime_error(text_of(in_file, at, is, would_do, what_is_wrong)),
      file(std::move(in_file)),
      pointer(std::move(at)),
      value(std::move(is)),
      expected(std::move(would_do)),
      fault(what_is_wrong) {}

}  // namespace weft
