// The ways in which a run can fail, one for each exit status of the `weft` command.
#pragma once

#include <stdexcept>
#include <string>

namespace weft {

/// Unusable arguments or configuration: exit status 2. The members describe the error of a value in
/// a document or option, and the text is composed of them: "FILE: /json/pointer: value VALUE:
/// expected: ...".
struct ConfigError : std::runtime_error {
  /// What is wrong with the value.
  enum class Fault { kValue, kMissing, kUnknownKey };

  /// An error that does not concern a value of a document: the members are empty.
  explicit ConfigError(const std::string& text) : std::runtime_error(text) {}
  /// The arguments become the members; empty ones are left out of the text.
  ConfigError(std::string in_file, std::string at, std::string is, std::string would_do,
              Fault what_is_wrong = Fault::kValue);

  std::string file;      ///< File, or the option that set the value: "--set path=value".
  std::string pointer;   ///< JSON pointer (RFC 6901) of the value in it.
  std::string value;     ///< JSON text, cut if long; empty if the value is missing.
  std::string expected;  ///< The accepted values.
  Fault fault = Fault::kValue;
};

/// A check failed (data, order, parity, RTL against model): exit status 1.
struct CheckError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Deadlock or no progress: exit status 3.
struct NoProgressError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Ctrl-C has ended the work early, and its results so far are written: the process ends by SIGINT.
struct InterruptError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Engine `model` cannot continue with packets that move as spans (sim/spans), only flit by flit.
class NotBySpans : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace weft
