// Virtual-channel router, cycle model: the clock edge with up to 64 requesters
// (sim/router/fast/vc_router.hpp).
#pragma once

#include <bit>
#include <cstring>

#include "sim/router/fast/vc_router.hpp"

namespace weft {

// All state behind one pointer, at offsets known to the compiler. A router never touches the parts
// that it does not use. VC v of port p has index p x `stride` + v in the arrays and in the words.
struct VcRouter::Narrow {
  std::uint64_t filled = 0;  // Requesters with a flit.
  std::uint64_t active = 0;  // Requesters with a packet in progress: header sent, tail not.
  std::uint64_t open = 0;    // Active requesters whose VC has a credit.
  std::uint64_t held = 0;    // Active requesters that hold their out-port.
  std::uint64_t avail = 0;   // VCs of out-ports that are idle and have a credit.
  std::uint64_t ready = 0;   // Out-ports with an eligible requester, and perhaps some without.
  // Requesters whose header requests a VC, by its VC set; [0] (any) holds all of them.
  std::uint64_t heads[kVcSets] = {};
  std::uint64_t want[64] = {};  // By out-port: requesters whose packet goes there.
  std::uint8_t start[64] = {};  // By out-port: round-robin pointer.
  InVc in[64];
  OutVc out[64];
  Flit tx[64];  // For `out`.
  std::uint64_t credit[64] = {};
  std::uint16_t tails[64] = {};
  alignas(64) Flit flits[1];  // All buffers.
};

// The clock edge. `kStride` is that of Narrow, 0 where it is known at run time only; it is also the
// distance of the flags in `rx_valid`. `kPlain` is `plain()`.
template <unsigned kStride, bool kPlain, class Sink>
[[gnu::always_inline]] inline void VcRouter::step_narrow(const FusedIn& in, Sink& sink) {
  constexpr unsigned kUnit = kStride != 0 ? kStride : 1;
  constexpr auto bit = [](unsigned n) { return std::uint64_t{1} << n; };
  constexpr auto lowest = [](std::uint64_t bits) {
    return static_cast<unsigned>(std::countr_zero(bits));
  };
  Narrow& state = *narrow_;
  const unsigned stride = kStride != 0 ? kStride : stride_;
  const std::uint32_t mask = mask_;
  std::uint64_t taken = 0;  // Out-ports that a flit was sent to in this cycle.
  // With virtual cut-through any credit may be the last that a header needs.
  if (!kPlain && cut_through_) state.ready = all_ports_;

  for (std::uint64_t left = in.credit; left != 0; left &= left - 1) {
    const unsigned x = lowest(left);
    OutVc& out = state.out[x];
    if (out.credits++ != 0) [[likely]] {
      continue;
    }
    if (out.owner == kNone) {
      state.avail |= bit(x);
    } else {
      state.open |= bit(out.owner);
    }
    state.ready |= bit(x / stride);
  }

  // A flit goes from requester `r` by out-port `o`.
  const auto send = [&](unsigned r, const InVc& vc, unsigned o, const Flit& flit)
      __attribute__((always_inline)) {
    sink.put(o, vc.out, vc.flip, flit);
    sink.give(r / stride, r % stride);
    taken |= bit(o);
  };
  // A body flit was sent: it uses a credit, and the tail releases its VC and its out-port.
  const auto account = [&](unsigned r, unsigned o, unsigned x, bool last)
      __attribute__((always_inline)) {
    OutVc& out = state.out[x];
    --out.credits;
    if (last) {
      out.owner = kNone;
      state.held &= ~bit(r);
      state.open &= ~bit(r);
      state.active &= ~bit(r);
      if (out.credits != 0) state.avail |= bit(x);
      state.want[o] &= ~bit(r);
      if ((state.want[o] & state.heads[0]) != 0) state.ready |= bit(o);
    } else if (out.credits == 0) [[unlikely]] {
      state.open &= ~bit(r);
    }
  };
  // A header has reached the front of its buffer and requests a VC; returns its out-port.
  const auto request = [&](unsigned r, InVc& vc, std::uint64_t header)
      __attribute__((always_inline)) {
    look_up(vc, header);
    state.want[vc.out_port] |= bit(r);
    state.heads[0] |= bit(r);
    state.heads[static_cast<unsigned>(vc.set)] |= bit(r);
    return bit(vc.out_port);
  };

  // Requesters whose flit bypasses the buffer: the buffer is empty, the VC has a credit, and the
  // packet holds the out-port. The flits of other requesters do not change that.
  const std::uint64_t through = state.open & state.held & ~state.filled;
  for (std::uint64_t left = in.rx_valid; left != 0; left &= left - 1) {
    const unsigned at = lowest(left);
    // Flags are `kUnit` bits apart, flits are adjacent: this finds the flit without a division.
    const Flit& flit = *reinterpret_cast<const Flit*>(reinterpret_cast<const std::byte*>(in.rx) +
                                                      at * (sizeof(Flit) / kUnit));
    const unsigned r = (kStride != 0 ? at : at * stride) + flit.vc;
    InVc& vc = state.in[r];
    if (!kPlain && r < stored_) {
      // The first buffered tail is that of the packet in front, whose header requests from then
      // on. A packet in progress is buffered whole, so a flit that arrives at an empty buffer is a
      // header.
      const bool empty = vc.head == vc.tail;
      const std::uint64_t header = empty ? flit.data : state.flits[vc.ring + (vc.head & mask)].data;
      if (flit.last && state.tails[r]++ == 0) {
        state.ready |= request(r, vc, header);
      } else if (empty) {
        look_up(vc, header);
      }
      state.filled |= bit(r);
    } else if ((through >> r & 1) != 0) {
      const unsigned o = vc.out_port;
      const bool last = flit.last;
      send(r, vc, o, flit);
      account(r, o, vc.out, last);
      continue;
    } else if ((state.filled >> r & 1) == 0) {
      state.filled |= bit(r);
      state.ready |= (state.active >> r & 1) != 0 ? bit(vc.out_port) : request(r, vc, flit.data);
    }
    std::memcpy(&state.flits[vc.ring + (vc.tail & mask)], &flit, sizeof flit);
    ++vc.tail;
  }

  // A header that reaches the front in this cycle requests from the next cycle on.
  std::uint64_t fresh = 0;
  for (std::uint64_t left = state.ready & ~taken; left != 0; left &= left - 1) {
    const unsigned o = lowest(left);
    const std::uint64_t want = state.want[o];
    std::uint64_t heads = 0;
    // A holder that is eligible goes before all other requesters.
    std::uint64_t req = want & state.filled & state.open;
    unsigned r;
    if ((req & state.held) != 0) {
      r = lowest(req & state.held);
    } else {
      heads = want & state.heads[0];
      if (heads != 0) {
        const std::uint64_t idle = state.avail >> o * stride & set_vcs_[0];
        std::uint64_t blocked = state.heads[3] & ~(idle * every_vc_);
        if ((idle & set_vcs_[1]) == 0) blocked |= state.heads[1];
        if ((idle & set_vcs_[2]) == 0) blocked |= state.heads[2];
        if constexpr (!kPlain) {
          if ((idle & 1) == 0) blocked |= state.heads[4];
          // For a packet on the last VC the next VC is the last one again.
          const std::uint64_t last = set_vcs_[0] & ~(set_vcs_[0] >> 1);
          blocked |= state.heads[5] & ~((idle >> 1 | (idle & last)) * every_vc_);
        }
        heads = idle != 0 ? heads & ~blocked : 0;
        if (!kPlain && cut_through_ && heads != 0) [[unlikely]] {
          heads = with_credits(o, heads, idle);
        }
        req |= heads;
      }
      if (req == 0) {
        state.ready &= ~bit(o);
        continue;
      }
      if (!kPlain && age_ && (req & (req - 1)) != 0) [[unlikely]] {
        req = oldest(req, in.now);
      }
      const unsigned start = state.start[o];
      r = (lowest(std::rotr(req, static_cast<int>(start))) + start) & 63;
      state.start[o] = static_cast<std::uint8_t>(r + 1);
      state.held = (state.held & ~want) | (bit(r) & hold_mask_);
    }
    InVc& vc = state.in[r];
    const Flit& flit = state.flits[vc.ring + (vc.head & mask)];
    const bool last = flit.last;
    if ((heads >> r & 1) == 0) {
      send(r, vc, o, flit);
      account(r, o, vc.out, last);
    } else {
      const auto set = static_cast<unsigned>(vc.set);
      state.heads[0] &= ~bit(r);
      state.heads[set] &= ~bit(r);
      const std::uint64_t vcs = state.avail >> o * stride & set_vcs_[set];
      unsigned v = vc.vc;
      if (!kPlain && vc.set == VcSet::kNext) {
        v += v + 1 < num_vc_ ? 1 : 0;
      } else if (vc.set != VcSet::kSame) {
        v = (vcs & (vcs - 1)) == 0 ? lowest(vcs) : choose_vc(o, vcs);
      }
      const unsigned x = o * stride + v;
      vc.out = static_cast<std::uint8_t>(x);
      vc.flip = static_cast<std::uint16_t>(vc.vc ^ v);
      send(r, vc, o, flit);
      OutVc& out = state.out[x];
      --out.credits;
      if (last) {
        state.held &= ~bit(r);
        state.want[o] &= ~bit(r);
        if (out.credits == 0) state.avail &= ~bit(x);
      } else {
        out.owner = r;
        state.active |= bit(r);
        state.avail &= ~bit(x);
        if (out.credits != 0) state.open |= bit(r);
      }
    }
    ++vc.head;
    if (!kPlain && last && r < stored_) --state.tails[r];
    if (vc.head == vc.tail) {
      state.filled &= ~bit(r);
      if ((state.want[o] & ((state.filled & state.open) | state.heads[0])) == 0)
        state.ready &= ~bit(o);
    } else if (last) {
      fresh |= bit(r);
    }
  }
  for (; fresh != 0; fresh &= fresh - 1) {
    const unsigned r = lowest(fresh);
    InVc& vc = state.in[r];
    const std::uint64_t header = state.flits[vc.ring + (vc.head & mask)].data;
    if (!kPlain && r < stored_ && state.tails[r] == 0) {
      look_up(vc, header);
    } else {
      state.ready |= request(r, vc, header);
    }
  }
}

template <bool kPlain, class Sink>
[[gnu::always_inline]] inline void VcRouter::step_into(const FusedIn& in, Sink& sink) {
  step_narrow<kFuseStride, kPlain>(in, sink);
}

inline bool VcRouter::resting() const {
  return narrow_->ready == 0;
}

}  // namespace weft
