// News that a network, or a part of one, has for the interfaces and the other parts.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/spans/line.hpp"
#include "sim/spans/mail.hpp"

namespace weft {

/// News of each cycle, common to all networks that move packets as spans.
class NetworkNews {
 public:
  /// A span into the link to an interface, whose first flit is granted in cycle `start`.
  struct Exit {
    std::uint32_t link;
    Cycle start;
    std::uint32_t length;
    bool header;  ///< The first flit is a header.
  };
  /// A packet whose tail is on the link into its interface in the present cycle.
  struct Delivered {
    std::uint32_t link, packet;
  };
  /// A packet whose tail leaves its interface in the cycle before `end`.
  struct Sent {
    std::uint32_t port;
    Cycle end;
  };
  /// A flit of a packet.
  struct FlitOf {
    std::uint32_t packet, flit;
  };

  /// Sets where to write what the other parts are told from now on: what part i is told to
  /// `outbox[i]`. Only with several parts.
  void write_to(Mail* outbox) { outbox_ = outbox; }

  /// Exits of the last cycle, until `clear_news`.
  const std::vector<Exit>& exits() const { return exits_; }
  const std::vector<Delivered>& delivered() const { return delivered_; }
  const std::vector<Sent>& sent() const { return sent_; }
  void clear_news() {
    exits_.clear();
    delivered_.clear();
    sent_.clear();
  }

  /// Packets whose tails have left an interface.
  std::uint64_t packets() const { return entered_; }
  /// One after the last cycle in which a flit is certain to move.
  Cycle moves_until() const { return moves_until_; }

 protected:
  Mail* outbox_ = nullptr;
  std::vector<Exit> exits_;
  std::vector<Delivered> delivered_;
  std::vector<Sent> sent_;
  std::uint64_t entered_ = 0;
  Cycle moves_until_ = 0;
};

}  // namespace weft
