// What processes that share a network do together: work that may fail in one of them, and what must
// be the same in all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>

#include "sim/processes/processes.hpp"

namespace weft {

/// Errors of one step, by precedence: the one that a single process would report comes first.
struct StepError {
  std::exception_ptr error;  ///< Null: none.
  std::uint64_t order = 0;   ///< Lower ones come first; of equals that of the lowest process.
};
/// A step of all processes, some of which have an error: throws in all of them the first one.
[[noreturn]] void throw_first(Processes& processes, const StepError& own);
/// Does some work in all processes: what it throws in one of them is thrown in all.
void together(Processes& processes, const std::function<void()>& work);

/// The least of all processes of each of two numbers; a step of all.
std::array<std::size_t, 2> least_of(Processes& processes, std::array<std::size_t, 2> own);
/// Throws ConfigError where `what` is not the same on all processes; `names`: what that may be. A
/// step of all. A process alone does not ask.
void check_same(Processes& processes, const std::function<std::string()>& what, const char* names);

}  // namespace weft
