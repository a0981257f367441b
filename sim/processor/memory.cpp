// Main memory of one node: construction and errors.
#include "sim/processor/memory.hpp"

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/huge_pages.hpp"

namespace weft {

Memory::Memory(std::uint32_t bytes) : bytes_(bytes) {
  constexpr std::uint32_t kMaxBytes = (std::uint32_t{1} << kMemAddrW) * (kMaxFlitW / 8);
  if (bytes == 0 || bytes % kWordBytes != 0 || bytes > kMaxBytes) {
    throw ConfigError(fmt::format("memory of {} bytes: need a multiple of {} from {} to {}", bytes,
                                  kWordBytes, kWordBytes, kMaxBytes));
  }
  // calloc maps untouched zero pages, so thousands of nodes cost only what they use.
  data_.reset(static_cast<std::uint8_t*>(std::calloc(bytes, 1)));
  if (!data_) throw ConfigError(fmt::format("no room for a node memory of {} bytes", bytes));
  use_huge_pages(data_.get(), bytes);
}

void Memory::outside(std::uint32_t address, std::uint32_t count) const {
  throw CheckError(fmt::format("access to {} bytes at 0x{:08x} in a memory of 0x{:x} bytes", count,
                               address, bytes_));
}

}  // namespace weft
