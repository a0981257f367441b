// Common steps of the processes that share a network: work that may fail in one of them, and values
// that must be the same in all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>

#include "sim/processes/processes.hpp"

namespace weft {

/// An error in a step, with its precedence: the error that a single process would report comes
/// first.
struct StepError {
  std::exception_ptr error;  ///< Null: none.
  std::uint64_t order = 0;   ///< The lowest comes first; of equals that of the lowest process.
};
/// Throws the first of all processes' errors in all of them; some processes may have none. All call
/// it together.
[[noreturn]] void throw_first(Processes& processes, const StepError& own);
/// Does `work` in all processes; an error of one is thrown in all. All processes call it together.
void together(Processes& processes, const std::function<void()>& work);

/// Minimum over all processes of each of two numbers. All call it together.
std::array<std::size_t, 2> least_of(Processes& processes, std::array<std::size_t, 2> own);
/// Throws ConfigError unless `what()` is the same in all processes; `names`: words for what it may
/// be. All processes call it together; a single process does not call `what`.
void check_same(Processes& processes, const std::function<std::string()>& what, const char* names);

}  // namespace weft
