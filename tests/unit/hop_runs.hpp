// What the tests of seed 000's drivers share: shapes, jobs, and messages as paths of hops.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/driver_runs.hpp"

namespace weft::hops {

using namespace drivers;

using Sizes = std::vector<std::uint32_t>;
using Messages = std::vector<std::vector<ideal::Sent>>;

/// A message as hops in each dimension, up positive.
struct Way {
  std::vector<int> hops;
  std::uint32_t barriers;
  std::uint32_t len;
  const Descriptor* descriptor;
};

inline std::vector<int> digits_of(const Sizes& dims, std::size_t rank) {
  std::vector<int> result;
  for (const std::uint32_t size : dims) {
    result.push_back(static_cast<int>(rank % size));
    rank /= size;
  }
  return result;
}

inline bool is_data(const ideal::Sent& message) {
  return (message.descriptor.tag & 3) == 0;
}

inline bool is_own(const ideal::Sent& message, const Case& c, std::size_t rank) {
  return is_data(message) && message.descriptor.dst == addresses(c)[rank];
}

/// Whether the block that stays is sent before all others, once, in packets.
inline bool own_block_first(const Case& c, const std::vector<ideal::Sent>& sent, std::size_t rank) {
  const auto other =
      std::find_if_not(sent.begin(), sent.end(), [&](const auto& m) { return is_own(m, c, rank); });
  std::uint32_t flits = 0;
  for (auto m = sent.begin(); m != other; ++m) {
    const Descriptor& d = m->descriptor;
    if (d.off != rank * c.message_flits + flits || d.len > c.packet_flits) return false;
    flits += d.len;
  }
  return flits == c.message_flits &&
         std::none_of(other, sent.end(), [&](const auto& m) { return is_own(m, c, rank); });
}

/// The messages to other nodes by their path in the network: round a ring the shorter one; at a
/// tie up from even coordinates and down from odd ones, and with tag 4 in the other direction.
inline std::vector<Way> ways(const Case& c, const std::vector<ideal::Sent>& sent,
                             std::size_t rank) {
  const auto where = addresses(c);
  const std::vector<int> from = digits_of(c.dims, rank);
  std::vector<Way> result;
  for (const ideal::Sent& message : sent) {
    if (!is_data(message) || is_own(message, c, rank)) continue;
    const Descriptor& d = message.descriptor;
    const auto to = std::find(where.begin(), where.end(), d.dst) - where.begin();
    std::vector<int> hops = digits_of(c.dims, static_cast<std::size_t>(to));
    for (std::size_t i = 0; i < hops.size(); ++i) {
      const int size = static_cast<int>(c.dims[i]);
      hops[i] -= from[i];
      if (!c.torus) continue;
      hops[i] = (hops[i] + size) % size;
      const bool tie = 2 * hops[i] == size;
      const bool down = tie ? (from[i] % 2 == 1) != (d.tag == 4) : 2 * hops[i] > size;
      if (down) hops[i] -= size;
    }
    result.push_back({hops, message.barriers, d.len, &d});
  }
  return result;
}

inline std::uint32_t reach_of(const Case& c, std::size_t d) {
  return c.torus ? c.dims[d] / 2 : c.dims[d] - 1;
}

inline std::string name_of(const Case& c) {
  std::string result;
  for (const std::uint32_t size : c.dims) {
    result += (result.empty() ? "" : "x") + std::to_string(size);
  }
  return fmt::format("{} {} of {} flits, {} areas, {} controllers", c.torus ? "torus" : "mesh",
                     result, c.message_flits, c.areas, c.controllers);
}

inline std::vector<Sizes> shapes() {
  std::vector<Sizes> result;
  for (std::uint32_t k = 2; k <= 9; ++k) result.push_back({k});
  for (std::uint32_t x = 2; x <= 6; ++x) {
    for (std::uint32_t y = 2; y <= 6; ++y) result.push_back({x, y});
  }
  for (const Sizes& dims :
       std::vector<Sizes>{{2, 2, 2}, {3, 3, 3}, {3, 4, 5}, {2, 2, 2, 2}, {2, 3, 2, 3}, {6, 3, 3}}) {
    result.push_back(dims);
  }
  return result;
}

inline Case hop_case(const std::string& name, const Sizes& dims, std::uint32_t flits,
                     std::uint32_t areas, bool torus) {
  const auto links = static_cast<std::uint32_t>(2 * dims.size());
  Case c{name, dims, flits, WEFT_GAP_HOPS, WEFT_SYNC_NONE, links, {8, 7, 3}};
  c.barrier = WEFT_BARRIER_HARDWARE;
  c.torus = torus;
  c.areas = areas;
  c.packet_flits = 4;
  return c;
}

inline bool same_orders(const Messages& a, const Messages& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const auto& m, const auto& n) { return m.descriptor == n.descriptor; });
  });
}

}  // namespace weft::hops
