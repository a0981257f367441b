// Where the packets of a state are that was loaded.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace weft {

/// Of a state that was loaded: where the headers of packets are, and packets that wait for their
/// end.
class PacketPlaces {
 public:
  /// Returns whether the packet is at no other place.
  bool add(std::uint32_t packet) { return found_.insert(packet).second; }
  /// An interface offers it on out-port `port`.
  void offer(std::uint32_t port, std::uint32_t packet) { offered_.emplace(port, packet); }
  /// Whether it offers this one there, or if `packet` is null none.
  bool offers(std::uint32_t port, const std::uint32_t* packet) const {
    const auto found = offered_.find(port);
    return found == offered_.end() ? packet == nullptr
                                   : packet != nullptr && found->second == *packet;
  }

 private:
  std::unordered_set<std::uint32_t> found_;
  std::unordered_map<std::uint32_t, std::uint32_t> offered_;
};

}  // namespace weft
