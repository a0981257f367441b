// The neighbours of a router in its bench: senders, which count credits and send packets whose path
// leads here, and receivers, which return credits after random delays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/packet/packet.hpp"
#include "sim/router/router_tile.hpp"
#include "tb/lib/bench.hpp"
#include "tb/router/surroundings.hpp"

namespace weft::tb {

/// One link to the router: random packets on random VCs, with random pauses.
class CreditSender {
 public:
  /// `max_body`: most body flits of a packet; `parity`: the parity bits are random too, else 0.
  CreditSender(const RouterTileConfig& c, const std::vector<Passage>& ways, unsigned max_body,
               bool parity)
      : config_(&c), max_body_(max_body), parity_(parity), lanes_(c.num_vc) {
    for (unsigned v = 0; v < c.num_vc; ++v) {
      for (const Passage& way : ways) {
        if ((way.vcs >> v & 1) != 0) lanes_[v].ways.push_back(way);
      }
    }
    reset();
  }

  void reset() {
    for (Lane& lane : lanes_) lane.left = 0, lane.credits_left = config_->depth;
  }

  /// The link register of the next cycle; `credit(v)` is a credit line of the present one, `pause`
  /// sends nothing, `rush` leaves out the random pauses.
  template <class Credit>
  Flit next(RandomStream& random, std::uint32_t now, bool pause, bool rush, Credit credit) {
    for (unsigned v = 0; v < lanes_.size(); ++v) lanes_[v].credits_left += credit(v);
    const bool open = pressure_.next(random) || rush;
    if (!open || pause) return {};
    // Mostly the packet that has begun continues, else any.
    if (!random.chance(0.7) || lanes_[vc_].left == 0) {
      vc_ = static_cast<unsigned>(random.below(lanes_.size()));
    }
    Lane& lane = lanes_[vc_];
    if (lane.credits_left == 0 || lane.ways.empty()) return {};
    Flit flit{.data = random(),
              .parity = parity_ && random.chance(0.5),
              .valid = true,
              .vc = static_cast<std::uint16_t>(vc_)};
    random_upper(random, config_->header.flit_words(), flit);
    if (lane.left == 0) {
      const Passage& way = lane.ways[random.below(lane.ways.size())];
      const auto body = random.chance(0.4) ? 0 : random.below(max_body_ + 1);
      Header header = Header::unpack(flit.data, config_->header);
      header.src = way.src;
      header.dst = way.dst;
      header.len = static_cast<std::uint32_t>(body);
      header.tag = (header.tag & 3) | (way.other_way ? 1u << kTagOtherWay : 0);
      flit.data = header.pack(config_->header);
      lane.left = static_cast<unsigned>(body) + 1;
      // Any age that a stamp can hold; a narrow range gives many equal ones. Packets older than the
      // last reset test the wrap of the counter. Without stamps errors of wires bring some.
      const std::uint64_t ages = std::uint64_t{1} << random.below(kStampW + 1);
      lane.stamp = static_cast<std::uint16_t>(now - random.below(ages));
    }
    flit.stamp = lane.stamp;
    flit.last = --lane.left == 0;
    --lane.credits_left;
    return flit;
  }

 private:
  struct Lane {
    std::vector<Passage> ways;
    unsigned left = 0, credits_left = 0;
    std::uint16_t stamp = 0;
  };

  const RouterTileConfig* config_;
  unsigned max_body_;
  bool parity_;
  std::vector<Lane> lanes_;
  unsigned vc_ = 0;
  Pressure pressure_;
};

/// One link from the router, with the buffers of its receiver.
class CreditReceiver {
 public:
  CreditReceiver(unsigned num_vc, unsigned depth) : depth_(depth), taken_(num_vc, 0) {}

  void reset() { std::fill(taken_.begin(), taken_.end(), 0u); }

  /// The flit on the link in this cycle; throws CheckError where it has no credit.
  void take(const Flit& flit) {
    if (flit.vc >= taken_.size() || ++taken_[flit.vc] > depth_) {
      throw CheckError("a flit was sent to a VC without a credit");
    }
  }

  /// Returns credits: `give(v)` for each VC with a credit on its line in the next cycle.
  template <class Give>
  void credits(RandomStream& random, bool rush, Give give) {
    for (unsigned v = 0; v < taken_.size(); ++v) {
      if (taken_[v] != 0 && (rush || pressure_.next(random))) {
        --taken_[v];
        give(v);
      }
    }
  }

 private:
  unsigned depth_;
  std::vector<unsigned> taken_;
  Pressure pressure_;
};

}  // namespace weft::tb
