// Virtual-channel router, cycle model: the clock edge with up to 64 requesters
// (sim/router/vc_router.hpp).
#include <bit>
#include <cstring>
#include <new>

#include "sim/router/vc_router.hpp"

namespace weft {
namespace {

constexpr std::uint64_t bit_of(unsigned n) {
  return std::uint64_t{1} << n;
}
constexpr unsigned lowest(std::uint64_t bits) {
  return static_cast<unsigned>(std::countr_zero(bits));
}

/// Copies a flit with its padding: one move, where an assignment copies member by member.
void copy(Flit& to, const Flit& from) {
  std::memcpy(&to, &from, sizeof to);
}

}  // namespace

// All state behind one pointer, at distances known to the compiler. What a router does not use of
// it is never touched.
template <unsigned kReq, unsigned kPorts>
struct VcRouter::Narrow {
  NarrowPort ports[kPorts];
  InVc in[kReq];
  OutVc out[kReq];
  Flit tx[kPorts];
  std::uint64_t credit[kPorts];
  std::uint16_t lasts[kReq];
  alignas(64) Flit flits[1];  // As many as there are places.
};

template <class State>
std::size_t VcRouter::lay_out_state(std::byte* memory) {
  if (memory != nullptr) {
    auto* const state = new (memory) State;
    narrow_ports_ = state->ports;
    in_vcs_ = state->in;
    out_vcs_ = state->out;
    tx_ = state->tx;
    credit_ = state->credit;
    lasts_ = state->lasts;
    flits_ = state->flits;
  }
  return sizeof(State) + num_ports_ * num_vc_ * (std::size_t{mask_} + 1) * sizeof(Flit);
}

std::size_t VcRouter::lay_out_narrow(std::byte* memory) {
  if (kind_ == Kind::kNarrow) return lay_out_state<Narrow<64, 64>>(memory);
  return lay_out_state<Narrow<16, 8>>(memory);
}

template <bool kPlain>
void VcRouter::step_kind(const PackedIn& in) {
  switch (kind_) {
    case Kind::kTwoVcs:
      return step_narrow<Narrow<16, 8>, 2, kPlain>(in);
    case Kind::kOneVc:
      return step_narrow<Narrow<16, 8>, 1, kPlain>(in);
    default:
      return step_narrow<Narrow<64, 64>, 0, kPlain>(in);
  }
}

// Without age, cut-through and store and forward nothing asks for them in the loop.
void VcRouter::step_packed(const PackedIn& in) {
  plain_ ? step_kind<true>(in) : step_kind<false>(in);
}

// Of some waiting headers those that find room for their whole packet in a free VC of their set.
std::uint64_t VcRouter::with_room(unsigned o, std::uint64_t heads) const {
  if (is_local(o)) return heads;
  std::uint64_t fit = 0;
  for (std::uint64_t left = heads; left != 0; left &= left - 1) {
    const unsigned r = lowest(left);
    const InVc& in = in_vcs_[r];
    std::uint64_t vcs = narrow_ports_[o].avail;
    vcs &= in.set == VcSet::kSame ? bit_of(in.vc) : set_vcs_[static_cast<unsigned>(in.set)];
    const auto need = 1 + (front(in).data >> kHdrLenLsb & low_mask(kLenW));
    if (out_vcs_[o * num_vc_ + choose_vc(o, vcs)].room >= need) fit |= bit_of(r);
  }
  return fit;
}

// Of some requesters, each with a flit, those whose flits have been under way the longest.
std::uint64_t VcRouter::oldest(std::uint64_t requesters, std::uint32_t now) const {
  std::uint64_t found = 0;
  unsigned most = 0;
  for (std::uint64_t left = requesters; left != 0; left &= left - 1) {
    const unsigned r = lowest(left);
    const unsigned age = static_cast<std::uint16_t>(now - front(in_vcs_[r]).stamp);
    if (age > most) found = 0;
    if (age >= most) {
      most = age;
      found |= bit_of(r);
    }
  }
  return found;
}

// The VC with the most places, the lowest of equals; `vcs` is not 0.
unsigned VcRouter::choose_vc(unsigned o, std::uint64_t vcs) const {
  const OutVc* const out = &out_vcs_[o * num_vc_];
  unsigned best = lowest(vcs);
  for (vcs &= vcs - 1; vcs != 0; vcs &= vcs - 1) {
    const unsigned v = lowest(vcs);
    if (out[v].room > out[best].room) best = v;
  }
  return best;
}

// A header has come to the front of a VC; returns the out-port that it wants.
[[gnu::always_inline]] inline unsigned VcRouter::wish_narrow(InVc& in, NarrowPort* ports,
                                                             unsigned requester,
                                                             std::uint64_t header) const {
  look_up(in, header);
  NarrowPort& port = ports[in.out_port];
  port.heads[0] |= bit_of(requester);
  port.heads[static_cast<unsigned>(in.set)] |= bit_of(requester);
  return in.out_port;
}

template <class State, unsigned kVcs, bool kPlain>
void VcRouter::step_narrow(const PackedIn& in) {
  State& state = *std::launder(reinterpret_cast<State*>(memory_.get()));
  const unsigned num_vc = kVcs != 0 ? kVcs : num_vc_;
  const std::uint32_t mask = mask_;
  // `ready`: out-ports to which somebody may move, and perhaps others.
  std::uint64_t filled = filled_, active = active_, ready = ready_ | always_ready_;
  std::uint64_t tx_valid = 0, popped = 0;

  for (std::uint64_t left = in.credit; left != 0; left &= left - 1) {
    const unsigned x = lowest(left);
    OutVc& out = state.out[x];
    if (out.room++ != 0) [[likely]] {
      continue;
    }
    const unsigned o = x / num_vc;
    if (out.owner == kNone) {
      state.ports[o].avail |= bit_of(x % num_vc);
    } else {
      state.ports[o].open |= bit_of(out.owner);
    }
    ready |= bit_of(o);
  }

  const auto send = [&](unsigned o, unsigned r, unsigned out_vc, const Flit& flit) {
    copy(state.tx[o], flit);
    state.tx[o].vc = static_cast<std::uint16_t>(out_vc);
    tx_valid |= bit_of(o);
    popped |= bit_of(r);
  };
  // A flit that is no header has gone out: its place is used, its VC free after the last one.
  const auto account = [&](unsigned o, NarrowPort& port, unsigned r, unsigned out_vc, bool last) {
    OutVc& out = state.out[o * num_vc + out_vc];
    --out.room;
    if (last) {
      out.owner = kNone;
      port.held = 0;
      port.open &= ~bit_of(r);
      active &= ~bit_of(r);
      if (out.room != 0) port.avail |= bit_of(out_vc);
      if (port.heads[0] != 0) ready |= bit_of(o);
    } else if (out.room == 0) [[unlikely]] {
      port.open &= ~bit_of(r);
    }
  };

  for (std::uint64_t left = in.rx_valid; left != 0; left &= left - 1) {
    const unsigned p = lowest(left);
    const Flit& flit = in.rx[p];
    const unsigned r = p * num_vc + flit.vc;
    InVc& vc = state.in[r];
    const std::uint16_t tail = vc.tail;
    const bool stored = !kPlain && r < stored_;
    if (stored) {
      // The first last flit held ends the packet in front, whose header waits for it. A packet
      // under way has its last flit here, so that a header it is what comes to an empty VC.
      const std::uint64_t header =
          vc.head == tail ? flit.data : state.flits[vc.ring + (vc.head & mask)].data;
      if (flit.last && state.lasts[r]++ == 0) {
        ready |= bit_of(wish_narrow(vc, state.ports, r, header));
      } else if (vc.head == tail) {
        look_up(vc, header);
      }
      filled |= bit_of(r);
    } else if (vc.head == tail) {
      const unsigned o = vc.out_port;
      NarrowPort& port = state.ports[o];
      // With nothing before it, a place, and its packet holding the port, it goes straight through.
      if (((port.open & port.held) >> r & 1) != 0) {
        send(o, r, vc.out_vc, flit);
        account(o, port, r, vc.out_vc, flit.last);
        continue;
      }
      filled |= bit_of(r);
      ready |= bit_of((active >> r & 1) != 0 ? o : wish_narrow(vc, state.ports, r, flit.data));
    }
    copy(state.flits[vc.ring + (tail & mask)], flit);
    vc.tail = static_cast<std::uint16_t>(tail + 1);
  }

  // Headers that come to the front in this cycle request from the next one on.
  std::uint64_t fresh = 0;
  const auto pop = [&](unsigned o, NarrowPort& port, unsigned r, InVc& vc, bool last) {
    vc.head = static_cast<std::uint16_t>(vc.head + 1);
    if (!kPlain && last && r < stored_) --state.lasts[r];
    if (vc.head == vc.tail) {
      filled &= ~bit_of(r);
      if (((filled & port.open) | port.heads[0]) == 0) ready &= ~bit_of(o);
    } else if (last) {
      fresh |= bit_of(r);
    }
  };
  for (std::uint64_t left = ready & ~tx_valid; left != 0; left &= left - 1) {
    const unsigned o = lowest(left);
    NarrowPort& port = state.ports[o];
    std::uint64_t req = filled & port.open;
    // Whoever else waits, the holder goes on when it can.
    if ((req & port.held) != 0) {
      const unsigned r = lowest(port.held);
      InVc& vc = state.in[r];
      const Flit& flit = state.flits[vc.ring + (vc.head & mask)];
      const bool last = flit.last;
      send(o, r, vc.out_vc, flit);
      account(o, port, r, vc.out_vc, last);
      pop(o, port, r, vc, last);
      continue;
    }
    std::uint64_t heads = port.heads[0];
    if (heads != 0) {
      const std::uint64_t avail = port.avail;
      std::uint64_t blocked = port.heads[3] & ~(avail * every_vc_);
      if ((avail & set_vcs_[1]) == 0) blocked |= port.heads[1];
      if ((avail & set_vcs_[2]) == 0) blocked |= port.heads[2];
      heads = avail != 0 ? heads & ~blocked : 0;
      if (!kPlain && cut_through_ && heads != 0) [[unlikely]] {
        heads = with_room(o, heads);
      }
      req |= heads;
    }
    if (req == 0) {
      ready &= ~bit_of(o);
      continue;
    }
    if (!kPlain && age_ && (req & (req - 1)) != 0) [[unlikely]] {
      req = oldest(req, in.now);
    }
    const auto start = static_cast<unsigned>(port.start);
    const unsigned r = (lowest(std::rotr(req, static_cast<int>(start))) + start) & 63;
    port.start = r + 1;
    port.held = bit_of(r) & hold_mask_;
    InVc& vc = state.in[r];
    const Flit& flit = state.flits[vc.ring + (vc.head & mask)];
    const bool last = flit.last;
    if ((heads >> r & 1) == 0) {
      send(o, r, vc.out_vc, flit);
      account(o, port, r, vc.out_vc, last);
      pop(o, port, r, vc, last);
      continue;
    }
    const auto set = static_cast<unsigned>(vc.set);
    port.heads[0] &= ~bit_of(r);
    port.heads[set] &= ~bit_of(r);
    const std::uint64_t vcs = port.avail & set_vcs_[set];
    unsigned v = vc.vc;
    if (vc.set != VcSet::kSame) v = (vcs & (vcs - 1)) == 0 ? lowest(vcs) : choose_vc(o, vcs);
    send(o, r, v, flit);
    OutVc& out = state.out[o * num_vc + v];
    --out.room;
    if (last) {
      port.held = 0;
      if (out.room == 0) port.avail &= ~bit_of(v);
    } else {
      vc.out_vc = static_cast<std::uint16_t>(v);
      out.owner = r;
      active |= bit_of(r);
      port.avail &= ~bit_of(v);
      if (out.room != 0) port.open |= bit_of(r);
    }
    pop(o, port, r, vc, last);
  }
  for (std::uint64_t left = fresh; left != 0; left &= left - 1) {
    const unsigned r = lowest(left);
    InVc& vc = state.in[r];
    const std::uint64_t header = state.flits[vc.ring + (vc.head & mask)].data;
    if (!kPlain && r < stored_ && state.lasts[r] == 0) {
      look_up(vc, header);
    } else {
      ready |= bit_of(wish_narrow(vc, state.ports, r, header));
    }
  }
  filled_ = filled;
  active_ = active;
  ready_ = ready;
  tx_valid_ = tx_valid;
  popped_ = popped;
}

// Credits in words for each port, for who wants them so.
VcRouter::Out VcRouter::unpack() const {
  Out out = {tx_, tx_valid_, credit_, 0};
  for (unsigned p = 0; p < num_ports_; ++p) {
    credit_[p] = popped_ >> p * num_vc_ & set_vcs_[0];
    if (credit_[p] != 0) out.credit_ports |= bit_of(p);
  }
  return out;
}

void VcRouter::pack_and_step(const In& in) {
  std::uint64_t credit = 0;
  for (std::uint64_t left = in.credit_ports & all_ports_; left != 0; left &= left - 1) {
    const unsigned o = lowest(left);
    credit |= (in.credit[o] & set_vcs_[0]) << o * num_vc_;
  }
  step_packed({in.rx, in.rx_valid, credit, in.now});
}

}  // namespace weft
