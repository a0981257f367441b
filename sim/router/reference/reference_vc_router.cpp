// Virtual-channel router, readable cycle model: the blocks and the wires between them
// (sim/router/reference/reference_vc_router.hpp).
#include "sim/router/reference/reference_vc_router.hpp"

#include <algorithm>

namespace weft {
namespace {

constexpr std::uint64_t bit_of(unsigned n) {
  return std::uint64_t{1} << n % 64;
}
constexpr std::uint64_t bit_if(bool value, unsigned n) {
  return std::uint64_t{value} << n % 64;
}

}  // namespace

ReferenceVcRouter::ReferenceVcRouter(const Config& config)
    : config_(checked(config)), route_(config.route_kind, config.route) {
  const unsigned num_req = config.num_ports * config.num_vc;
  for (unsigned p = 0; p < config.num_ports; ++p) {
    const unsigned out_vcs = is_local(p) ? 1 : config.num_vc;
    const unsigned out_depth = is_local(p) ? config.local_depth : config.depth;
    inputs_.emplace_back(InputUnit::Config{config.num_vc, config.depth});
    outputs_.emplace_back(OutputUnit::Config{out_vcs, out_depth});
    vc_allocs_.emplace_back(VcAlloc::Config{out_vcs, out_depth});
    switch_allocs_.emplace_back(SwitchAlloc::Config{num_req, config.hold_packet, config.age});
  }
  req_words_ = switch_allocs_.front().words();
  vcs_.resize(config.num_vc);
  choices_.resize(config.num_ports);
  req_.resize(config.num_ports * req_words_);
  last_.resize(req_words_);
  stamps_.resize(num_req);
  next_vc_.resize(num_req);
  tx_.resize(config.num_ports);
  credit_.resize(std::size_t{config.num_ports} * words(config.num_vc));
}

void ReferenceVcRouter::reset() {
  for (InputUnit& input : inputs_) input.reset();
  for (OutputUnit& output : outputs_) output.reset();
  for (SwitchAlloc& alloc : switch_allocs_) alloc.reset();
  tx_valid_ = credit_ports_ = 0;
}

void ReferenceVcRouter::step(const In& in) {
  arrive(in);
  allocate_vcs();
  gather_requests();
  move_flits(in.now);
  show_credits();
}

// Route computation. The result for a body flit is meaningless and not used.
RouteOut ReferenceVcRouter::route(unsigned port, const Flit& flit) const {
  const Header header = Header::unpack(flit.data, config_.header);
  const bool other_way = (header.tag >> kTagOtherWay & 1) != 0;
  return route_.route(port, config_.own, header.src, header.dst, other_way);
}

// The input units take the flits on the links, the output units the credits.
void ReferenceVcRouter::arrive(const In& in) {
  for (unsigned p = 0; p < config_.num_ports; ++p) {
    if ((in.rx_valid >> p & 1) != 0) inputs_[p].eval(in.rx[p], route(p, in.rx[p]));
    if ((in.credit_ports >> p & 1) == 0) continue;
    const std::uint64_t* const credit = &in.credit[p * words(config_.num_vc)];
    // An interface has VC 0 only.
    const std::uint64_t local_credit = *credit & 1;
    outputs_[p].eval(is_local(p) ? &local_credit : credit);
  }
}

void ReferenceVcRouter::allocate_vcs() {
  for (unsigned o = 0; o < config_.num_ports; ++o) {
    for (unsigned v = 0; v < (is_local(o) ? 1 : config_.num_vc); ++v) {
      vcs_[v] = {outputs_[o].idle(v), outputs_[o].credits(v)};
    }
    choices_[o] = vc_allocs_[o].eval({vcs_.data()});
  }
}

// The request of the word in front of a VC: whether it is eligible, its out-port and its next VC.
ReferenceVcRouter::Request ReferenceVcRouter::request(unsigned p, unsigned v) const {
  const InputUnit& input = inputs_[p];
  // With store and forward a packet from a neighbour requests once its tail is buffered.
  if (config_.store_forward && !is_local(p) && !input.whole(v)) return {};
  const unsigned port = input.port(v);
  const OutputUnit& output = outputs_[port];
  if (!input.head(v)) {
    const unsigned vc = input.given_vc(v);
    return {output.credits(vc) != 0, port, vc};
  }
  // An interface always drains its buffer, so a packet may be longer than that buffer: towards an
  // interface cut-through does not need credits for the whole packet.
  const Header header = Header::unpack(input.word(v).data, config_.header);
  const std::uint32_t need = config_.cut_through && !is_local(port) ? 1 + header.len : 1;
  const VcSet set = is_local(port) ? VcSet::kAny : input.set(v);
  unsigned only = v;
  switch (set) {
    case VcSet::kAny:
    case VcSet::kLow:
    case VcSet::kHigh: {
      const VcAlloc::Choice& choice = choices_[port].sets[static_cast<unsigned>(set)];
      return {choice.credits >= need, port, choice.vc};
    }
    case VcSet::kSame:
      break;
    case VcSet::kFirst:
      only = 0;
      break;
    case VcSet::kNext:
      only = std::min(v + 1, config_.num_vc - 1);
      break;
  }
  return {output.idle(only) && output.credits(only) >= need, port, only};
}

void ReferenceVcRouter::gather_requests() {
  std::fill(req_.begin(), req_.end(), 0);
  std::fill(last_.begin(), last_.end(), 0);
  for (unsigned p = 0; p < config_.num_ports; ++p) {
    for (unsigned v = 0; v < config_.num_vc; ++v) {
      if (!inputs_[p].valid(v)) continue;
      const unsigned r = p * config_.num_vc + v;
      const Request asked = request(p, v);
      req_[asked.port * req_words_ + r / 64] |= bit_if(asked.valid, r);
      last_[r / 64] |= bit_if(inputs_[p].word(v).last, r);
      stamps_[r] = inputs_[p].word(v).stamp;
      next_vc_[r] = asked.vc;
    }
  }
}

// Switch allocation, the switch, and the clock edge of the output units.
void ReferenceVcRouter::move_flits(std::uint32_t now) {
  tx_valid_ = 0;
  for (unsigned o = 0; o < config_.num_ports; ++o) {
    const SwitchAlloc::In asked = {&req_[o * req_words_], last_.data(), stamps_.data(),
                                   static_cast<std::uint16_t>(now)};
    const SwitchAlloc::Out granted = switch_allocs_[o].eval(asked);
    switch_allocs_[o].tick(asked, granted);
    Flit flit;
    if (granted.gnt) {
      InputUnit& input = inputs_[granted.idx / config_.num_vc];
      const unsigned v = granted.idx % config_.num_vc;
      flit = input.word(v);
      flit.vc = static_cast<std::uint16_t>(next_vc_[granted.idx]);
      input.pop(v, flit.vc);
      tx_valid_ |= bit_of(o);
    }
    outputs_[o].tick(flit);
    tx_[o] = outputs_[o].out();
  }
}

// The clock edge of the input units.
void ReferenceVcRouter::show_credits() {
  credit_ports_ = 0;
  const unsigned num_words = words(config_.num_vc);
  for (unsigned p = 0; p < config_.num_ports; ++p) {
    inputs_[p].tick();
    const std::uint64_t* const credit = inputs_[p].credit();
    std::copy_n(credit, num_words, &credit_[p * num_words]);
    if (std::any_of(credit, credit + num_words, [](std::uint64_t word) { return word != 0; })) {
      credit_ports_ |= bit_of(p);
    }
  }
}

std::uint64_t ReferenceVcRouter::buffered() const {
  std::uint64_t sum = 0;
  for (const InputUnit& input : inputs_) {
    for (unsigned v = 0; v < config_.num_vc; ++v) sum += input.occupancy(v);
  }
  return sum;
}

VcRouterInterface::InVcView ReferenceVcRouter::in_vc(unsigned port, unsigned vc) const {
  const InputUnit& input = inputs_[port];
  InVcView view;
  view.occupancy = input.occupancy(vc);
  view.in_progress = !input.head(vc);
  view.waiting = input.head(vc) && input.valid(vc);
  if (input.valid(vc)) view.front = &input.word(vc);
  if (view.in_progress || view.waiting) {
    view.port = input.port(vc);
    view.vc = input.given_vc(vc);
  }
  if (view.waiting && !is_local(view.port)) view.set = input.set(vc);
  return view;
}

const Flit* ReferenceVcRouter::held(unsigned port, unsigned vc, unsigned i) const {
  return i < inputs_[port].occupancy(vc) ? &inputs_[port].held(vc, i) : nullptr;
}

VcRouterInterface::OutVcView ReferenceVcRouter::out_vc(unsigned port, unsigned vc) const {
  if (is_local(port) && vc != 0) return {};
  OutVcView view = {!outputs_[port].idle(vc), {}, outputs_[port].credits(vc)};
  for (unsigned p = 0; p < config_.num_ports && view.owned; ++p) {
    for (unsigned v = 0; v < config_.num_vc; ++v) {
      const InVcView in = in_vc(p, v);
      if (in.in_progress && in.port == port && in.vc == vc) view.owner = {p, v};
    }
  }
  return view;
}

VcRouterInterface::HolderView ReferenceVcRouter::holder(unsigned port) const {
  const unsigned r = switch_allocs_[port].holder();
  if (r == SwitchAlloc::kNobody) return {};
  return {true, {r / config_.num_vc, r % config_.num_vc}};
}

}  // namespace weft
