// Packets that a loaded state may refer to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sim/spans/line.hpp"
#include "sim/spans/network_state.hpp"
#include "sim/spans/packets.hpp"

namespace weft {

/// Refuses a loaded state unless it is `good`; `what`: what is wrong with it.
inline void require_loaded(bool good, const char* what) {
  if (!good) throw std::runtime_error(what);
}

/// Whether no number occurs twice.
inline bool are_different(std::vector<std::uint32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
}

/// Whether no flit leaves a channel or a buffer before it has entered it; `In`: Line or PastLine.
template <class In>
bool has_order(const In& in, const Line& out, Cycle cycle) {
  const auto follows = [](std::uint32_t count, std::uint32_t before) {
    return count - before < Line::kMostSpan;
  };
  if (!in.is_good() || !out.is_good()) return false;
  const Cycle end = out.total == out.base ? cycle : out.end();
  return follows(in.total, out.total) && follows(in.before(std::max(cycle, end)), out.total);
}

/// Packets of a loaded state, as far as the network uses them.
class LoadedPackets {
 public:
  /// `ranks`: nodes by address. All arguments must outlive it.
  LoadedPackets(const Packets& packets, const std::vector<std::uint32_t>& ranks, PacketForm form)
      : packets_(packets), ranks_(ranks), form_(form) {}

  /// Whether a number is that of a packet that was made.
  bool exists(std::uint32_t packet) const { return packets_.is_made(packet); }
  /// Whether a number is that of a packet that was made and whose header routers can route.
  bool has_route(std::uint32_t packet) const {
    return exists(packet) && goes_to_node(packets_[packet].header);
  }
  /// Whether a header leads from a node to a node.
  bool goes_to_node(std::uint64_t header) const {
    const Header h = Header::unpack(header, form_);
    return is_node(h.dst) && is_node(h.src);
  }
  bool is_node(std::uint32_t address) const {
    return address < ranks_.size() && ranks_[address] != NetworkBasis::kNone;
  }
  const Packet& operator[](std::uint32_t packet) const { return packets_[packet]; }

 private:
  const Packets& packets_;
  const std::vector<std::uint32_t>& ranks_;
  PacketForm form_;
};

}  // namespace weft
