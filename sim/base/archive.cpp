// The archives of checkpoints.
#include "sim/base/archive.hpp"

namespace weft {

void SaveArchive::saveBinary(const void* data, std::streamsize bytes) {
  if (out_.rdbuf()->sputn(static_cast<const char*>(data), bytes) != bytes) {
    throw std::runtime_error("checkpoint: a state that cannot be saved");
  }
}

void LoadArchive::loadBinary(void* data, std::streamsize bytes) {
  if (in_.rdbuf()->sgetn(static_cast<char*>(data), bytes) != bytes) {
    throw std::runtime_error("it is too short");
  }
}

std::size_t LoadArchive::size() {
  std::uint64_t size = 0;
  (*this)(size);
  return size;
}

void LoadArchive::refuse() {
  throw std::runtime_error("a value that is out of its range");
}

}  // namespace weft
