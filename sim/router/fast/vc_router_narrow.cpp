// Virtual-channel router, cycle model: state and own outputs with up to 64 requesters
// (sim/router/fast/vc_router.hpp).
#include "sim/router/fast/vc_router_narrow.hpp"

#include <algorithm>
#include <new>

namespace weft {
namespace {

constexpr std::uint64_t bit_of(unsigned n) {
  return std::uint64_t{1} << n;
}
constexpr unsigned lowest(std::uint64_t bits) {
  return static_cast<unsigned>(std::countr_zero(bits));
}

}  // namespace

// Sets the pointers to the parts of `memory`; returns the size of all parts in bytes.
std::size_t VcRouter::lay_out_narrow(std::byte* memory) {
  if (memory != nullptr) {
    narrow_ = new (memory) Narrow;
    in_vcs_ = narrow_->in;
    out_vcs_ = narrow_->out;
    tx_ = narrow_->tx;
    credit_ = narrow_->credit;
    tails_ = narrow_->tails;
    flits_ = narrow_->flits;
  }
  return sizeof(Narrow) + num_ports_ * num_vc_ * (std::size_t{mask_} + 1) * sizeof(Flit);
}

void VcRouter::reset_narrow() {
  Narrow& state = *narrow_;
  state.filled = state.active = state.open = state.held = state.avail = state.ready = 0;
  for (std::uint64_t& heads : state.heads) heads = 0;
  for (unsigned p = 0; p < num_ports_; ++p) {
    state.want[p] = 0;
    state.start[p] = 0;
    state.avail |= (is_local(p) ? 1 : set_vcs_[0]) << p * stride_;
  }
}

// The sink of a router that is not fused: its own outputs.
struct VcRouter::Own {
  VcRouter& router;

  void put(unsigned o, unsigned /*x*/, unsigned flip, const Flit& flit) {
    std::memcpy(&router.tx_[o], &flit, sizeof flit);
    router.tx_[o].vc ^= static_cast<std::uint16_t>(flip);
    router.tx_valid_ |= bit_of(o);
  }
  void give(unsigned p, unsigned vc) {
    router.credit_[p] |= bit_of(vc);
    router.credit_ports_ |= bit_of(p);
  }
};

template <unsigned kStride>
void VcRouter::step_own(const FusedIn& in) {
  Own own{*this};
  plain_ ? step_narrow<kStride, true>(in, own) : step_narrow<kStride, false>(in, own);
}

void VcRouter::join_and_step(const In& in) {
  for (std::uint64_t left = credit_ports_; left != 0; left &= left - 1) credit_[lowest(left)] = 0;
  tx_valid_ = credit_ports_ = 0;
  FusedIn fused = {in.rx, in.rx_valid, 0, in.now};
  for (std::uint64_t left = in.credit_ports & all_ports_; left != 0; left &= left - 1) {
    const unsigned o = lowest(left);
    fused.credit |= (in.credit[o] & set_vcs_[0]) << o * stride_;
  }
  if (kind_ == Kind::kNarrow) return step_own<0>(fused);
  fused.rx_valid = 0;
  for (std::uint64_t left = in.rx_valid; left != 0; left &= left - 1) {
    fused.rx_valid |= bit_of(lowest(left) * kFuseStride);
  }
  step_own<kFuseStride>(fused);
}

// Virtual cut-through: of the requesting `heads` those for which an idle VC of their set (among
// `idle`, the idle VCs of the out-port) has credits for the whole packet.
std::uint64_t VcRouter::with_credits(unsigned o, std::uint64_t heads, std::uint64_t idle) const {
  if (is_local(o)) return heads;
  std::uint64_t fit = 0;
  for (std::uint64_t left = heads; left != 0; left &= left - 1) {
    const unsigned r = lowest(left);
    const InVc& in = in_vcs_[r];
    const std::uint64_t vcs = idle & vcs_for(in);
    const auto need = 1 + (front(in).data >> kHdrLenLsb & low_mask(kLenW));
    if (out_vcs_[o * stride_ + choose_vc(o, vcs)].credits >= need) fit |= bit_of(r);
  }
  return fit;
}

// VCs that a header may be allocated.
std::uint64_t VcRouter::vcs_for(const InVc& in) const {
  if (in.set == VcSet::kSame) return bit_of(in.vc);
  if (in.set == VcSet::kNext) return bit_of(std::min(in.vc + 1u, num_vc_ - 1));
  return set_vcs_[static_cast<unsigned>(in.set)];
}

// Age arbitration: of the requesters, each of which has a flit, those with the oldest packets.
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

// VC allocation: the VC with the most credits, the lowest of equals; `vcs` is not 0.
unsigned VcRouter::choose_vc(unsigned o, std::uint64_t vcs) const {
  const OutVc* const out = &out_vcs_[o * stride_];
  unsigned best = lowest(vcs);
  for (vcs &= vcs - 1; vcs != 0; vcs &= vcs - 1) {
    const unsigned v = lowest(vcs);
    if (out[v].credits > out[best].credits) best = v;
  }
  return best;
}

// The requester that holds an out-port; kNone if there is none.
std::uint32_t VcRouter::holder_narrow(unsigned o) const {
  const std::uint64_t held = narrow_->held & narrow_->want[o];
  return held != 0 ? lowest(held) : kNone;
}

}  // namespace weft
