// Exchange between processes of values with a `serialize`.
#pragma once

#include <sstream>
#include <string>
#include <utility>

#include "sim/base/archive.hpp"
#include "sim/base/parcel.hpp"
#include "sim/processes/processes.hpp"

namespace weft {

/// Writes a value into a parcel as a checkpoint would save it.
template <class T>
void put_archived(Parcel& parcel, const T& value) {
  std::ostringstream out(std::ios::binary);
  SaveArchive archive(out);
  archive(value);
  parcel.put(std::move(out).str());
}
/// Reads a value that put_archived wrote, into `value`, whose vectors have the right sizes.
template <class T>
T take_archived(Parcel& parcel, T value = {}) {
  std::string bytes;
  parcel.take(bytes);
  std::istringstream in(bytes, std::ios::binary);
  LoadArchive archive(in);
  archive(value);
  return value;
}

/// Sum of `own` over all processes, in process 0. All processes call it together.
template <class T>
T collect_sum(Processes& processes, T own) {
  Parcel parcel;
  if (processes.number() != 0) put_archived(parcel, own);
  for (Parcel& of_process : collect_parcels(processes, std::move(parcel))) {
    if (!of_process.empty()) own += take_archived<T>(of_process, own);
  }
  return own;
}

}  // namespace weft
