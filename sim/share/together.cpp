// Common steps of the processes that share a network.
#include "sim/share/together.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/host_memory.hpp"
#include "sim/base/parcel.hpp"
#include "sim/share/difference.hpp"

namespace weft {
namespace {

enum class Kind : std::uint8_t {
  kNone,
  kNotBySpans,
  kDifference,
  kCheck,
  kNoProgress,
  kConfig,
  kOther
};

// Kind of an error, with its text; `cycle`: for a difference between RTL and model.
Kind kind_of(const std::exception_ptr& error, std::string& text, std::uint64_t& cycle) {
  if (!error) return Kind::kNone;
  try {
    std::rethrow_exception(error);
  } catch (const NotBySpans& e) {
    text = e.what();
    return Kind::kNotBySpans;
  } catch (const DifferenceAt& e) {
    text = e.what();
    cycle = e.cycle;
    return Kind::kDifference;
  } catch (const CheckError& e) {
    text = e.what();
    return Kind::kCheck;
  } catch (const NoProgressError& e) {
    text = e.what();
    return Kind::kNoProgress;
  } catch (const ConfigError& e) {
    text = e.what();
    return Kind::kConfig;
  } catch (const std::exception& e) {
    const auto why = shortage(e);
    text = why.value_or(e.what());
    return why ? Kind::kConfig : Kind::kOther;
  }
}

[[noreturn]] void rethrow(Kind kind, const std::string& text, std::uint64_t cycle) {
  switch (kind) {
    case Kind::kDifference:
      throw DifferenceAt(cycle, text);
    case Kind::kNotBySpans:
      throw NotBySpans(text);
    case Kind::kCheck:
      throw CheckError(text);
    case Kind::kNoProgress:
      throw NoProgressError(text);
    case Kind::kConfig:
      throw ConfigError(text);
    default:
      throw std::runtime_error(text);
  }
}

}  // namespace

void throw_first(Processes& processes, const StepError& own) {
  if (processes.alone()) std::rethrow_exception(own.error);
  std::string text;
  std::uint64_t cycle = 0;
  Parcel parcel;
  parcel.put(kind_of(own.error, text, cycle));
  parcel.put(own.order);
  parcel.put(cycle);
  parcel.put(text);
  std::vector<Parcel> parcels = share_parcels(processes, parcel);
  Kind first = Kind::kNone;
  std::uint64_t least = 0;
  for (Parcel& of_process : parcels) {
    const auto kind = of_process.take<Kind>();
    const auto order = of_process.take<std::uint64_t>();
    if (kind == Kind::kNone || (first != Kind::kNone && order >= least)) continue;
    first = kind;
    least = order;
    of_process.take(cycle);
    of_process.take(text);
  }
  // Only after a NotBySpans does the run go on.
  if (first != Kind::kNotBySpans) processes.conclude();
  rethrow(first, text, cycle);
}

void together(Processes& processes, const std::function<void()>& work) {
  if (processes.alone()) return work();
  StepError own;
  try {
    work();
  } catch (...) {
    own.error = std::current_exception();
  }
  std::uint64_t errors = own.error != nullptr;
  processes.add_up({&errors, 1});
  if (errors != 0) throw_first(processes, own);
}

std::array<std::size_t, 2> least_of(Processes& processes, std::array<std::size_t, 2> own) {
  Parcel parcel;
  parcel.put(own);
  for (Parcel& of_process : share_parcels(processes, parcel)) {
    const auto other = of_process.take<std::array<std::size_t, 2>>();
    own = {std::min(own[0], other[0]), std::min(own[1], other[1])};
  }
  return own;
}

void check_same(Processes& processes, const std::function<std::string()>& what, const char* names) {
  if (processes.alone()) return;
  Parcel parcel;
  parcel.put(what());
  std::vector<Parcel> of_all = share_parcels(processes, parcel);
  std::string first;
  of_all[0].take(first);
  for (unsigned r = 1; r < of_all.size(); ++r) {
    std::string other;
    of_all[r].take(other);
    if (other == first) continue;
    processes.conclude();
    throw ConfigError(fmt::format("processes 1 and {} of {} have other {}: expected: the same",
                                  r + 1, of_all.size(), names));
  }
}

}  // namespace weft
