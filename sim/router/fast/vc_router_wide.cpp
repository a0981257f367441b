// Virtual-channel router, cycle model: the clock edge with more than 64 requesters
// (sim/router/fast/vc_router.hpp).
#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "sim/router/fast/vc_router.hpp"

namespace weft {
namespace {

constexpr std::uint64_t bit_of(unsigned n) {
  return std::uint64_t{1} << n % 64;
}
constexpr unsigned lowest(std::uint64_t bits) {
  return static_cast<unsigned>(std::countr_zero(bits));
}

}  // namespace

// Sets the pointers to the parts of `memory`, each on cache lines of its own; returns the size of
// all parts in bytes.
std::size_t VcRouter::lay_out_wide(std::byte* memory) {
  std::size_t at = 0;
  const auto take = [&]<class T>(T*& part, std::size_t count) {
    if (memory != nullptr && count != 0) {
      // Flits and words are written before they are read; all others are constructed.
      part = reinterpret_cast<T*>(memory + at);
      if constexpr (!std::is_trivially_default_constructible_v<T> && !std::is_same_v<T, Flit>) {
        for (std::size_t i = 0; i < count; ++i) new (part + i) T;
      }
    }
    at += (count * sizeof(T) + sizeof(Line) - 1) / sizeof(Line) * sizeof(Line);
  };
  const std::size_t requesters = std::size_t{num_ports_} * num_vc_;
  take(wide_ports_, num_ports_);
  take(in_vcs_, requesters);
  take(out_vcs_, requesters);
  take(same_, requesters);
  take(credit_, std::size_t{num_ports_} * words(num_vc_));
  take(set_words_, num_ports_ * 4 * RequesterSet::words(requesters));
  take(tails_, stored_);
  take(tx_, num_ports_);
  take(flits_, requesters * (std::size_t{mask_} + 1));
  return at;
}

// A header has reached the front of its buffer and requests a VC.
void VcRouter::wish_wide(std::uint32_t requester) {
  InVc& in = in_vcs_[requester];
  look_up(in, front(in).data);
  WidePort& port = wide_ports_[in.out_port];
  if (in.set != VcSet::kSame) {
    port.heads[static_cast<unsigned>(in.set)].insert(requester);
    return;
  }
  same_[in.out_port * num_vc_ + in.vc] |= bit_of(in.port);
  port.ready.put(requester, fits(in.out_port, in));
}

// Whether an idle VC of the header's set has the credits that the header needs.
bool VcRouter::fits(unsigned o, const InVc& in) const {
  const unsigned v = in.set == VcSet::kSame ? in.vc : choose_vc_wide(o, in);
  const OutVc& out = out_vcs_[o * num_vc_ + v];
  const std::uint64_t need =
      cut_through_ && !is_local(o) ? 1 + (front(in).data >> kHdrLenLsb & low_mask(kLenW)) : 1;
  return out.owner == kNone && out.credits >= need;
}

// VC allocation: of the VCs of a header's set (not `same`) the idle one with the most credits, the
// lowest of equals; an arbitrary VC of the set if none is idle with a credit.
unsigned VcRouter::choose_vc_wide(unsigned o, const InVc& in) const {
  const unsigned begin = in.set == VcSet::kHigh ? num_vc_ / 2 : 0;
  unsigned end = in.set == VcSet::kLow ? num_vc_ / 2 : num_vc_;
  if (is_local(o)) end = 1;
  const OutVc* const out = &out_vcs_[o * num_vc_];
  unsigned best = begin;
  std::uint32_t most = 0;
  for (unsigned v = begin; v < end; ++v) {
    if (out[v].owner == kNone && out[v].credits > most) {
      best = v;
      most = out[v].credits;
    }
  }
  return best;
}

// A VC of an out-port was allocated or released, or its credits changed: updates which of the
// headers that request this VC only are eligible, and the number of available VCs in its half.
void VcRouter::settle(unsigned o, unsigned vc, bool was_avail) {
  WidePort& port = wide_ports_[o];
  const std::uint32_t x = o * num_vc_ + vc;
  const bool avail = out_vcs_[x].owner == kNone && out_vcs_[x].credits != 0;
  if (avail == was_avail && !cut_through_) return;
  const unsigned half = vc < num_vc_ / 2 ? 0 : 1;
  port.avail[half] += static_cast<std::uint32_t>(avail) - static_cast<std::uint32_t>(was_avail);
  for (std::uint64_t left = same_[x]; left != 0; left &= left - 1) {
    const std::uint32_t r = lowest(left) * num_vc_ + vc;
    port.ready.put(r, avail && fits(o, in_vcs_[r]));
  }
}

// A credit for a VC of an out-port has arrived.
void VcRouter::give(unsigned o, unsigned vc) {
  OutVc& out = out_vcs_[o * num_vc_ + vc];
  const bool none = out.credits++ == 0;
  if (out.owner == kNone) {
    settle(o, vc, !none);
  } else if (none && in_vcs_[out.owner].head != in_vcs_[out.owner].tail) {
    wide_ports_[o].ready.insert(out.owner);
  }
}

// Switch allocation: the requester that sends to an out-port in this cycle; kNone if there is none.
std::uint32_t VcRouter::choose(unsigned o, std::uint32_t now) const {
  const WidePort& port = wide_ports_[o];
  if (port.held != kNone && port.ready.contains(port.held)) return port.held;
  const std::uint32_t requesters = num_ports_ * num_vc_;
  const auto distance = [&](std::uint32_t r) {
    return r >= port.start ? r - port.start : r + requesters - port.start;
  };
  std::uint32_t best = kNone, best_distance = kNone, best_age = 0;
  const auto visit = [&](std::uint32_t r) {
    const std::uint32_t age = age_ ? static_cast<std::uint16_t>(now - front(in_vcs_[r]).stamp) : 0;
    if (best == kNone || age > best_age || (age == best_age && distance(r) < best_distance)) {
      best = r;
      best_distance = distance(r);
      best_age = age;
    }
  };
  // Without age arbitration and cut-through the first member from the round-robin pointer on wins.
  const auto first = [&](const RequesterSet& set) {
    std::uint32_t r = set.next(port.start);
    if (r == kNone && port.start != 0) r = set.next(0);
    if (r != kNone) visit(r);
  };
  if (age_) {
    port.ready.for_each(visit);
  } else {
    first(port.ready);
  }
  const bool open[3] = {(port.avail[0] | port.avail[1]) != 0, port.avail[0] != 0,
                        port.avail[1] != 0};
  for (unsigned set = 0; set < 3; ++set) {
    if (!open[set]) continue;
    if (cut_through_) {
      port.heads[set].for_each([&](std::uint32_t r) {
        if (fits(o, in_vcs_[r])) visit(r);
      });
    } else if (age_) {
      port.heads[set].for_each(visit);
    } else {
      first(port.heads[set]);
    }
  }
  return best;
}

// Sends the front flit of a requester's buffer to the link register of an out-port.
void VcRouter::send_wide(unsigned o, std::uint32_t requester) {
  WidePort& port = wide_ports_[o];
  InVc& in = in_vcs_[requester];
  const Flit& flit = front(in);
  const bool last = flit.last;
  bool header = out_vcs_[o * num_vc_ + in.out_vc].owner != requester;
  bool was_avail = false;
  if (header) {
    was_avail = true;
    if (in.set == VcSet::kSame) {
      in.out_vc = in.vc;
      same_[o * num_vc_ + in.vc] &= ~bit_of(in.port);
    } else {
      in.out_vc = static_cast<std::uint16_t>(choose_vc_wide(o, in));
      port.heads[static_cast<unsigned>(in.set)].erase(requester);
    }
  }
  std::memcpy(&tx_[o], &flit, sizeof flit);
  tx_[o].vc = in.out_vc;
  tx_valid_ |= bit_of(o);
  credit_[in.port * words(num_vc_) + in.vc / 64] |= bit_of(in.vc);
  credit_ports_ |= bit_of(in.port);
  ++in.head;
  if (last && requester < stored_) --tails_[requester];
  OutVc& out = out_vcs_[o * num_vc_ + in.out_vc];
  --out.credits;
  out.owner = last ? kNone : requester;
  port.ready.put(requester, !last && in.head != in.tail && out.credits != 0);
  settle(o, in.out_vc, was_avail);
  port.start = requester + 1 == num_ports_ * num_vc_ ? 0 : requester + 1;
  port.held = last || hold_mask_ == 0 ? kNone : requester;
}

void VcRouter::step_wide(const In& in) {
  const unsigned num_words = words(num_vc_);
  for (std::uint64_t left = credit_ports_; left != 0; left &= left - 1) {
    std::fill_n(&credit_[lowest(left) * num_words], num_words, 0);
  }
  tx_valid_ = credit_ports_ = 0;

  for (std::uint64_t left = in.credit_ports & all_ports_; left != 0; left &= left - 1) {
    const unsigned o = lowest(left);
    for (unsigned w = 0; w < num_words; ++w) {
      for (std::uint64_t vcs = in.credit[o * num_words + w]; vcs != 0; vcs &= vcs - 1) {
        give(o, w * 64 + lowest(vcs));
      }
    }
  }

  for (std::uint64_t left = in.rx_valid; left != 0; left &= left - 1) {
    const Flit& flit = in.rx[lowest(left)];
    const std::uint32_t r = lowest(left) * num_vc_ + flit.vc;
    InVc& vc = in_vcs_[r];
    const bool empty = vc.head == vc.tail;
    std::memcpy(&flits_[vc.ring + (vc.tail & mask_)], &flit, sizeof flit);
    ++vc.tail;
    if (r < stored_) {
      // The first buffered tail is that of the packet in front, whose header requests from then
      // on. A packet in progress is buffered whole, so a flit that arrives at an empty buffer is a
      // header.
      if (flit.last && tails_[r]++ == 0) {
        wish_wide(r);
      } else if (empty) {
        look_up(vc, flit.data);
      }
      continue;
    }
    if (!empty) continue;
    const OutVc& out = out_vcs_[vc.out_port * num_vc_ + vc.out_vc];
    if (out.owner != r) {
      wish_wide(r);
    } else if (out.credits != 0) {
      wide_ports_[vc.out_port].ready.insert(r);
    }
  }

  // A header that reaches the front in this cycle requests from the next cycle on.
  std::uint32_t fresh[64];
  unsigned num_fresh = 0;
  for (unsigned o = 0; o < num_ports_; ++o) {
    const std::uint32_t r = choose(o, in.now);
    if (r == kNone) continue;
    send_wide(o, r);
    if (tx_[o].last && in_vcs_[r].head != in_vcs_[r].tail) fresh[num_fresh++] = r;
  }
  for (unsigned i = 0; i < num_fresh; ++i) {
    const std::uint32_t r = fresh[i];
    if (r < stored_ && tails_[r] == 0) {
      look_up(in_vcs_[r], front(in_vcs_[r]).data);
    } else {
      wish_wide(r);
    }
  }
}

}  // namespace weft
