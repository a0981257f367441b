// The order in which packets are granted an out-port of a router (sim/router/packet_order.hpp).
#include "sim/router/packet_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/base/error.hpp"

namespace weft {
namespace {

// Distance from `last` up to `member` in a circle of `count`: 1 to `count`.
unsigned distance(unsigned member, unsigned last, unsigned count) {
  return member > last ? member - last : member + count - last;
}

}  // namespace

PacketOrder::PacketOrder(const Config& config) : c_(config), first_own_(config.num_req) {
  if (c_.num_req < 1) throw ConfigError("packet_order: num_req is 0, expected: 1 or more");
  if (c_.num_vc < 1) throw ConfigError("packet_order: num_vc is 0, expected: 1 or more");
  if (c_.num_own > c_.num_req) {
    throw ConfigError(
        fmt::format("packet_order: num_own is {}, expected: 0 to {}", c_.num_own, c_.num_req));
  }
  if (c_.own_after != 0 && c_.num_own != c_.num_req) first_own_ = c_.num_req - c_.num_own;
  vcs_.resize(c_.num_vc);
  reset();
}

void PacketOrder::reset() {
  // The lowest requester and the lowest VC come first.
  std::fill(vcs_.begin(), vcs_.end(), Vc{first_own_ - 1, c_.num_req - 1, 0});
  last_vc_ = last_own_vc_ = c_.num_vc - 1;
}

PacketOrder::Out PacketOrder::eval(const In& in) const {
  // Precedence of a requester: an own one that has waited long enough comes before those in
  // transit, and these before other own ones; then the distance of its VC, and then its own, from
  // the last one of those.
  struct Rank {
    unsigned kind = ~0u, vc = 0, place = 0;
    bool operator<(const Rank& other) const {
      return std::tie(kind, vc, place) < std::tie(other.kind, other.vc, other.place);
    }
  };
  Rank best;
  Out out;
  for (unsigned word = 0; word * 64 < c_.num_req; ++word) {
    for (std::uint64_t left = in.req[word]; left != 0; left &= left - 1) {
      const unsigned r = word * 64 + static_cast<unsigned>(std::countr_zero(left));
      const Vc& vc = vcs_[in.vc[r]];
      const Rank rank = {!is_own(r)                 ? 1U
                         : vc.waits == c_.own_after ? 0U
                                                    : 2U,
                         distance(in.vc[r], is_own(r) ? last_own_vc_ : last_vc_, c_.num_vc),
                         distance(r, is_own(r) ? vc.own_last : vc.last, c_.num_req)};
      if (rank < best) {
        best = rank;
        out.pick = r;
      }
    }
  }
  return out;
}

void PacketOrder::tick(const In& in) {
  if (in.moves == kNobody) return;
  const unsigned onto = in.vc[in.moves];
  (is_own(in.moves) ? last_own_vc_ : last_vc_) = onto;
  if (!contains(in.head, in.moves)) return;
  if (is_own(in.moves)) {
    vcs_[onto].own_last = in.moves;
    vcs_[onto].waits = 0;
    return;
  }
  vcs_[onto].last = in.moves;
  // Each VC counts once, however many own packets request it.
  for (unsigned v = 0; v < c_.num_vc && first_own_ != c_.num_req; ++v) {
    if (vcs_[v].waits == c_.own_after) continue;
    for (unsigned r = first_own_; r < c_.num_req; ++r) {
      if (!contains(in.req, r) || in.vc[r] != v) continue;
      ++vcs_[v].waits;
      break;
    }
  }
}

bool PacketOrder::consistent() const {
  return last_vc_ < c_.num_vc && last_own_vc_ < c_.num_vc &&
         std::all_of(vcs_.begin(), vcs_.end(), [&](const Vc& vc) {
           return vc.last < first_own_ && vc.own_last < c_.num_req &&
                  vc.own_last + 1 >= first_own_ && vc.waits <= c_.own_after;
         });
}

}  // namespace weft
