// AXI in the blocks of this folder: responses, bursts, beats, and the port fields of their channels
// (rtl/bus/README.md).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <tuple>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"
#include "sim/packet/port_shape.hpp"

namespace weft {

/// Response of an access.
enum class AxiResp : std::uint8_t {
  kOkay = 0,
  kExOkay = 1,
  kSlvErr = 2,  ///< The subordinate refused it.
  kDecErr = 3,  ///< There is no subordinate.
};
/// Whether a response reports an error.
constexpr bool is_error(AxiResp resp) {
  return resp == AxiResp::kSlvErr || resp == AxiResp::kDecErr;
}

/// A lane's request for a word of memory.
struct MemRequest {
  std::uint32_t addr = 0;  ///< Address, flits.
  std::uint32_t left = 0;  ///< Further words of the same run, at the following addresses.

  bool operator==(const MemRequest&) const = default;
};

/// The signals of AR or AW; all but size and burst 0 without `valid`.
struct AxiBurst {
  bool valid = false;
  std::uint32_t id = 0;    ///< Number of the lane.
  std::uint64_t addr = 0;  ///< Byte address.
  std::uint32_t len = 0;   ///< Number of beats minus one.
  std::uint32_t size = 0;  ///< Bytes of a beat, as binary logarithm.
  std::uint32_t kind = 1;  ///< INCR.

  bool operator==(const AxiBurst&) const = default;
};

/// Figures of a manager port for memory.
struct AxiMemoryConfig {
  static constexpr unsigned kMaxLanes = 16;     ///< Most lanes.
  static constexpr unsigned kPageBytes = 4096;  ///< No burst leaves a page of this many bytes.

  unsigned data_w = 64;      ///< Width of bus and flit, bits: a power of two, 64 to 512.
  unsigned lanes = 1;        ///< Lanes, 1 to 16.
  unsigned axi_addr_w = 32;  ///< Width of a byte address, bits, up to 64: memory must fit.

  unsigned bytes() const { return data_w / 8; }  ///< Bytes of a beat.
  unsigned id_w() const { return index_width(lanes); }
  /// Byte addresses wrap at this mask.
  std::uint64_t addr_mask() const { return ~std::uint64_t{0} >> (64 - axi_addr_w); }

  /// Returns this configuration. Throws ConfigError, naming `block`, if a value is out of range.
  const AxiMemoryConfig& checked(const std::string& block) const {
    if (data_w < 64 || data_w > 512 || !std::has_single_bit(data_w)) {
      throw ConfigError(
          fmt::format("{}: data_w is {}, expected: 64, 128, 256 or 512", block, data_w));
    }
    if (lanes < 1 || lanes > kMaxLanes) {
      throw ConfigError(fmt::format("{}: lanes is {}, expected: 1 to {}", block, lanes, kMaxLanes));
    }
    const unsigned least = kMemAddrW + static_cast<unsigned>(std::countr_zero(bytes()));
    if (axi_addr_w < least || axi_addr_w > 64) {
      throw ConfigError(
          fmt::format("{}: axi_addr_w is {}, expected: {} to 64", block, axi_addr_w, least));
    }
    return *this;
  }

  /// The burst of lane `lane` that begins with `request`: to the end of its run or of its page.
  AxiBurst burst(unsigned lane, const MemRequest& request, std::uint64_t base) const {
    const std::uint64_t addr = base + std::uint64_t{request.addr} * bytes();
    const auto page = static_cast<std::uint32_t>((kPageBytes - addr % kPageBytes) / bytes());
    AxiBurst burst = none();
    burst.valid = true;
    burst.id = lane;
    burst.addr = addr & addr_mask();
    burst.len = std::min(request.left + 1, page) - 1;
    return burst;
  }
  /// No burst on the channel.
  AxiBurst none() const { return {.size = static_cast<std::uint32_t>(std::countr_zero(bytes()))}; }
};

}  // namespace weft
