// The order in which packets are granted an out-port of a router, cycle model of
// rtl/router/weft_packet_order.sv (rtl/router/README.md, packet_order).
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "sim/packet/packet.hpp"

namespace weft {

/// Picks one of the requesters of an out-port: `eval` returns it, `tick` is the clock edge at the
/// end of the cycle.
class PacketOrder {
 public:
  static constexpr unsigned kNobody = ~0u;

  struct Config {
    unsigned num_req = 10;   ///< Requesters, 1 or more.
    unsigned num_vc = 2;     ///< VCs of the link, 1 or more.
    unsigned num_own = 2;    ///< The last requesters, which are for the node's own packets.
    unsigned own_after = 3;  ///< Packets in transit that may go before an own one; 0: both are
                             ///< treated alike, round-robin.
  };
  /// Sets of requesters have a bit for each: bit r % 64 of word r / 64 is requester r.
  struct In {
    const std::uint64_t* req = nullptr;   ///< Requesters.
    const std::uint32_t* vc = nullptr;    ///< By requester: VC of the link that it requests.
    const std::uint64_t* head = nullptr;  ///< Requesters whose flit is a header.
    unsigned moves = kNobody;             ///< The requester whose flit moves in this cycle; not
                                          ///< used by `eval`.
  };
  struct Out {
    unsigned pick = kNobody;  ///< The requester that goes next; `kNobody` without one.
  };

  /// Whether a requester is in a set.
  static bool contains(const std::uint64_t* set, unsigned requester) {
    return (set[requester / 64] >> requester % 64 & 1) != 0;
  }

  /// One line for each requester.
  struct Lines {
    static std::uint64_t line(unsigned requester, unsigned word) {
      return requester != kNobody && requester / 64 == word ? std::uint64_t{1} << requester % 64
                                                            : 0;
    }
    static std::uint64_t get(const Out& out, unsigned word, unsigned /*bits*/) {
      return line(out.pick, word);
    }
    static std::uint64_t get(const In& in, unsigned word, unsigned /*bits*/) {
      return line(in.moves, word);
    }
  };
  static constexpr auto ports();  // sim/router/packet_order_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit PacketOrder(const Config& config);

  void reset();

  Out eval(const In& in) const;
  void tick(const In& in);

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(vcs_, last_vc_, last_own_vc_);
    archive.require(consistent());
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  // The order of a VC.
  struct Vc {
    std::uint32_t last = 0;      // Requester in transit whose header moved onto the VC last.
    std::uint32_t own_last = 0;  // Own requester whose header moved onto the VC last.
    std::uint32_t waits = 0;     // Headers in transit that went before an own request for the VC.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(last, own_last, waits);
    }
  };

  bool consistent() const;
  bool is_own(unsigned requester) const { return requester >= first_own_; }

  Config c_;
  unsigned first_own_;  // The lowest own requester; num_req if own ones are treated like others.
  std::vector<Vc> vcs_;
  // VC of the flit in transit that moved last; VC of the own flit that moved last.
  std::uint32_t last_vc_ = 0, last_own_vc_ = 0;
};

}  // namespace weft
