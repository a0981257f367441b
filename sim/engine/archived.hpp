// Values with a `serialize`, between processes.
#pragma once

#include <sstream>
#include <string>

#include "sim/base/archive.hpp"
#include "sim/base/parcel.hpp"

namespace weft {

/// Puts a value into a parcel as a checkpoint would save it,
template <class T>
void put_archived(Parcel& parcel, const T& value) {
  std::ostringstream out(std::ios::binary);
  SaveArchive archive(out);
  archive(value);
  parcel.put(std::move(out).str());
}
/// and takes it from there.
template <class T>
T take_archived(Parcel& parcel) {
  std::string bytes;
  parcel.take(bytes);
  std::istringstream in(bytes, std::ios::binary);
  LoadArchive archive(in);
  T value;
  archive(value);
  return value;
}

}  // namespace weft
