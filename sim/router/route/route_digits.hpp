// Shared by route units that route by digits: the positions of the digits in an address, the
// dimension to route in, and the local port at the destination.
#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/router/route/route.hpp"

namespace weft {

/// Digits of an address, at most 8.
class RouteDigits {
 public:
  static constexpr unsigned kMaxDims = 8;  ///< Most dimensions of the model.

  /// Only the digits, for a block that has no router ports.
  RouteDigits(const char* block, const std::vector<std::uint32_t>& max_coords)
      : RouteDigits(block, digits_alone(max_coords), 0) {}
  /// `links`: number of ports to neighbours. Throws ConfigError without a dimension or a local
  /// port, for more than `kMaxDims` dimensions, and for digits that do not fit into an address.
  RouteDigits(const char* block, const RouteConfig& config, unsigned links)
      : links_(links), num_local_(config.num_local) {
    const auto dims = static_cast<unsigned>(config.max_coords.size());
    if (dims < 1 || dims > kMaxDims) {
      throw ConfigError(fmt::format("{}: {} dimensions, expected: 1 to {}", block, dims, kMaxDims));
    }
    if (num_local_ < 1) throw ConfigError(fmt::format("{}: no local port", block));
    num_dims_ = dims;
    unsigned lsb = 0;
    for (unsigned d = 0; d < dims; ++d) {
      const auto width = static_cast<unsigned>(std::bit_width(config.max_coords[d]));
      if (lsb + width > kMaxAddrW) {
        throw ConfigError(fmt::format("{}: the address takes more than {} bits", block, kMaxAddrW));
      }
      shift_[d] = static_cast<std::uint8_t>(lsb);
      mask_[d] = static_cast<std::uint32_t>(low_mask(width));
      for (unsigned i = 0; i < width; ++i) dim_of_bit_[lsb++] = static_cast<std::uint8_t>(d);
    }
    used_ = static_cast<std::uint32_t>(low_mask(lsb));
  }

  /// The bits in which two addresses differ, without bits that belong to no digit.
  std::uint32_t differ(std::uint32_t a, std::uint32_t b) const { return (a ^ b) & used_; }
  /// The lowest dimension with a bit in `bits`, which is not 0.
  unsigned first(std::uint32_t bits) const {
    return dim_of_bit_[static_cast<unsigned>(std::countr_zero(bits))];
  }
  /// The highest dimension with a bit in `bits`, which is not 0.
  unsigned last(std::uint32_t bits) const {
    return dim_of_bit_[static_cast<unsigned>(std::bit_width(bits)) - 1];
  }
  std::uint32_t digit(std::uint32_t address, unsigned dim) const {
    return address >> shift_[dim] & mask_[dim];
  }
  unsigned shift(unsigned dim) const { return shift_[dim]; }
  unsigned width(unsigned dim) const { return static_cast<unsigned>(std::bit_width(mask_[dim])); }
  unsigned num_dims() const { return num_dims_; }

  /// Out-port of a packet at its destination that arrived on in-port `port`.
  std::uint32_t local_port(std::uint32_t port) const {
    if (port >= links_) return port;
    return links_ + (num_local_ == 1 ? 0 : port % num_local_);
  }

 private:
  static RouteConfig digits_alone(const std::vector<std::uint32_t>& max_coords) {
    RouteConfig config;
    config.max_coords = max_coords;
    return config;
  }

  unsigned num_dims_ = 0, links_ = 0, num_local_ = 1;
  std::uint32_t used_ = 0;
  std::array<std::uint8_t, kMaxDims> shift_ = {};
  std::array<std::uint32_t, kMaxDims> mask_ = {};
  std::array<std::uint8_t, kMaxAddrW> dim_of_bit_ = {};
};

}  // namespace weft
