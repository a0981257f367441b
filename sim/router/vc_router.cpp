// Virtual-channel router, cycle model: the blocks and the wires between them
// (sim/router/vc_router.hpp).
#include "sim/router/vc_router.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/base/error.hpp"

namespace weft {
namespace {

constexpr std::uint64_t bit_of(unsigned n) {
  return std::uint64_t{1} << n % 64;
}

// Calls `visit` with each member of a set of one word.
template <class Visit>
void for_each(std::uint64_t set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<unsigned>(std::countr_zero(set)));
}

void require(const char* name, unsigned value, unsigned low, unsigned high) {
  if (value >= low && value <= high) return;
  throw ConfigError(fmt::format("vc_router: {} is {}, expected: {} to {}", name, value, low, high));
}

// Returns `config`; throws ConfigError if a value is out of range or contradicts another.
const VcRouter::Config& checked(const VcRouter::Config& config) {
  require("num_ports", config.num_ports, 2, 64);
  require("num_local", config.num_local, 0, config.num_ports);
  require("num_vc", config.num_vc, 1, 65535);
  require("depth", config.depth, 1, 65535);
  require("local_depth", config.local_depth, 1, 65535);
  require("pipeline", config.pipeline, 1, 3);
  if (config.cut_through && config.store_forward) {
    throw ConfigError("vc_router: cut_through and store_forward, expected: one of them");
  }
  if (config.adaptive && config.pipeline == 3) {
    throw ConfigError("vc_router: adaptive with pipeline 3, expected: pipeline 1 or 2");
  }
  if (config.adaptive && (config.num_local == config.num_ports || config.num_vc < 2)) {
    throw ConfigError(fmt::format(
        "vc_router: adaptive with {} ports to neighbours and {} VCs, expected: 1 and 2 or more",
        config.num_ports - config.num_local, config.num_vc));
  }
  return config;
}

}  // namespace

VcRouter::VcRouter(const Config& config)
    : config_(checked(config)),
      first_local_(config.num_ports - config.num_local),
      chooses_(config.adaptive ||
               (config.sets & set_mask(VcSet::kAny, VcSet::kLow, VcSet::kHigh)) != 0),
      all_ports_(~std::uint64_t{0} >> (64 - config.num_ports)) {
  const unsigned num_req = config.num_ports * config.num_vc;
  for (unsigned p = 0; p < config.num_ports; ++p) {
    const unsigned out_depth = is_local(p) ? config.local_depth : config.depth;
    const PacketOrder::Config order = {num_req, out_vcs(p), config.num_local * config.num_vc,
                                       config.own_after};
    inputs_.emplace_back(
        InputUnit::Config{config.num_vc, config.depth, config.pipeline == 1, config.adaptive});
    outputs_.emplace_back(OutputUnit::Config{out_vcs(p), out_depth});
    vc_allocs_.emplace_back(VcAlloc::Config{out_vcs(p), out_depth});
    if (ahead()) {
      switch_holds_.emplace_back(SwitchHold::Config{order, config.hold_packet, config.age});
    } else {
      switch_allocs_.emplace_back(SwitchAlloc::Config{order, config.hold_packet, config.age});
    }
  }
  if (config.adaptive) {
    way_select_.emplace(WaySelect::Config{num_req, config.num_ports, config.num_local, config.depth,
                                          config.cut_through});
  }
  req_words_ = (num_req + 63) / 64;
  next_choices_.resize(ahead() ? config.num_ports : 0);
  may_.resize(ahead() ? config.num_ports * req_words_ : 0);
  choices_.resize(config.num_ports);
  req_.resize(config.num_ports * req_words_);
  last_.resize(req_words_);
  head_.resize(req_words_);
  stamps_.resize(num_req);
  next_vc_.resize(num_req);
  further_.resize(num_req);
  owners_.resize(num_req);
  tx_.resize(config.num_ports);
  credit_.resize(std::size_t{config.num_ports} * words(config.num_vc));
  reset();
}

void VcRouter::reset() {
  for (InputUnit& input : inputs_) input.reset();
  for (OutputUnit& output : outputs_) output.reset();
  for (SwitchAlloc& alloc : switch_allocs_) alloc.reset();
  for (SwitchHold& hold : switch_holds_) hold.reset();
  tx_valid_ = credit_ports_ = 0;
  if (way_select_) way_select_->reset();
  stages_changed_ = ahead();
  std::fill(choices_.begin(), choices_.end(), VcAlloc::Out{});
  chosen_ = ahead() ? all_ports_ : 0;
  holding_ = 0;
}

// Whether a loaded state is valid: all ports, VCs and requesters exist.
bool VcRouter::consistent() const {
  const unsigned ports = config_.num_ports;
  const auto good_vc = [&](unsigned port, unsigned vc) {
    return port < ports && vc < out_vcs(port);
  };
  const auto good_way = [&](unsigned port, VcSet set, unsigned v) {
    if (has_choice(set)) return port < ports;
    const bool exists = set == VcSet::kSame || set == VcSet::kNext || set >= VcSet::kFirst;
    return exists && good_vc(port, only_vc(set, v));
  };
  for (const InputUnit& input : inputs_) {
    if (!input.all_ways(good_way, good_vc)) return false;
  }
  for (unsigned p = 0; p < ports; ++p) {
    const unsigned num_words = words(config_.num_vc);
    if (!fits(&credit_[p * num_words], num_words, config_.num_vc)) return false;
    if ((tx_valid_ >> p & 1) != 0 && !good_vc(p, tx_[p].vc)) return false;
    for (const VcAlloc::Choice& choice : choices_[p].sets) {
      if (!good_vc(p, choice.vc)) return false;
    }
  }
  return ((tx_valid_ | credit_ports_ | chosen_ | holding_) & ~all_ports_) == 0 &&
         std::all_of(owners_.begin(), owners_.end(),
                     [&](std::uint32_t owner) { return owner < ports * config_.num_vc; });
}

void VcRouter::step(const In& in) {
  arrive(in);
  if (ahead()) {
    allocate_ahead();
    gather_ahead();
    move_ahead(in);
  } else {
    gather_requests();
    move_flits(in);
    stages_changed_ = config_.pipeline == 2 && arrived_ != 0;
  }
  show_credits();
}

// Passes the flits on the links to the input units, and the credits to the output units.
void VcRouter::arrive(const In& in) {
  arrived_ = in.rx_valid;
  for_each(in.rx_valid, [&](unsigned p) {
    const Flit& flit = in.rx[p];
    inputs_[p].eval(flit, in.route[p], config_.adaptive ? in.minimal[p] : 0);
  });
  for_each(in.credit_ports & all_ports_, [&](unsigned o) {
    const std::uint64_t* const credit = &in.credit[o * words(config_.num_vc)];
    // An interface has only VC 0.
    const std::uint64_t local_credit = *credit & 1;
    outputs_[o].eval(is_local(o) ? &local_credit : credit);
    if (ahead()) chosen_ |= bit_of(o);
  });
}

// VC allocation of an out-port. If all sets of links to neighbours are single VCs there is none,
// and a header that requests a VC of another set, as one to an address without a node may, waits.
VcAlloc::Out VcRouter::allocate(unsigned port) const {
  if (!chooses_ && !is_local(port)) return {};
  return vc_allocs_[port].eval({outputs_[port].vcs()});
}

// The VC of an out-port for the headers that request one of a set.
const VcAlloc::Choice& VcRouter::choice(unsigned port, VcSet set) {
  if ((chosen_ & bit_of(port)) == 0) {
    choices_[port] = allocate(port);
    chosen_ |= bit_of(port);
  }
  return choices_[port].sets[static_cast<unsigned>(set)];
}

// An interface always drains its buffer, so a packet may be longer than that buffer: towards an
// interface cut-through does not need credits for the whole packet.
std::uint32_t VcRouter::need_of(const Flit& header, unsigned port) const {
  if (!config_.cut_through || is_local(port)) return 1;
  return 1 + Header::unpack(header.data, {}).len;
}

unsigned VcRouter::only_vc(VcSet set, unsigned v) const {
  if (set == VcSet::kSame) return v;
  if (set == VcSet::kNext) return std::min(v + 1, config_.num_vc - 1);
  return static_cast<unsigned>(set) - static_cast<unsigned>(VcSet::kFirst);
}

// Request of the word in front of a VC: whether it is eligible, its out-port and its next VC.
VcRouter::Request VcRouter::request(unsigned p, unsigned v) {
  const InputUnit& input = inputs_[p];
  // With store and forward, a packet from a neighbour requests once its tail is buffered.
  if (config_.store_forward && !is_local(p) && !input.whole(v)) return {};
  const unsigned port = input.port(v);
  const OutputUnit& output = outputs_[port];
  if (!input.head(v)) {
    const unsigned vc = input.given_vc(v);
    return {output.credits(vc) != 0, port, vc};
  }
  if (config_.adaptive) {
    if (const Request asked = further_request(p, v); asked.valid) return asked;
  }
  const std::uint32_t need = need_of(input.word(v), port);
  const VcSet set = input.set(v);
  if (has_choice(set)) {
    const VcAlloc::Choice& chosen = choice(port, set);
    return {chosen.credits >= need, port, chosen.vc};
  }
  const unsigned only = only_vc(set, v);
  return {output.idle(only) && output.credits(only) >= need, port, only};
}

// Request of a header for one of its further routes. Without cut-through its VC there is empty, so
// that no packet waits in it behind another that takes its escape route.
VcRouter::Request VcRouter::further_request(unsigned p, unsigned v) {
  const InputUnit& input = inputs_[p];
  const std::uint64_t ways = input.minimal(v) & all_ports_ >> config_.num_local;
  if (ways == 0) return {};
  const unsigned port = way_select_->select(
      ways, Header::unpack(input.word(v).data, {}).len,
      [&](unsigned link) { return outputs_[link].load(); },
      [&](unsigned link) { return choice(link, VcSet::kHigh).credits; });
  if (port == WaySelect::kNone) return {};
  return {true, port, choice(port, VcSet::kHigh).vc, true};
}

void VcRouter::gather_requests() {
  chosen_ = asked_ = 0;
  for (unsigned p = 0; p < config_.num_ports; ++p) {
    inputs_[p].for_each_valid([&](unsigned v) {
      const Request asked = request(p, v);
      if (!asked.valid) return;
      const unsigned r = p * config_.num_vc + v;
      asked_ |= bit_of(asked.port);
      req_[asked.port * req_words_ + r / 64] |= bit_of(r);
      note(r, inputs_[p].word(v), inputs_[p].head(v));
      next_vc_[r] = asked.vc;
      further_[r] = asked.further;
    });
  }
}

// Notes what switch allocation knows of a requester's word.
void VcRouter::note(unsigned requester, const Flit& word, bool head) {
  const auto put = [&](std::uint64_t& set, bool value) {
    set = value ? set | bit_of(requester) : set & ~bit_of(requester);
  };
  put(last_[requester / 64], word.last);
  put(head_[requester / 64], head);
  stamps_[requester] = word.stamp;
}

// Switch allocation, the switch, and the clock edge of the output units.
void VcRouter::move_flits(const In& in) {
  popped_ = 0;
  bool took_further = false;
  for_each(asked_, [&](unsigned o) {
    std::uint64_t* const req = &req_[o * req_words_];
    const SwitchAlloc::In asked = {
        req,          next_vc_.data(), head_.data(),
        last_.data(), stamps_.data(),  static_cast<std::uint16_t>(in.now)};
    const SwitchAlloc::Out granted = switch_allocs_[o].eval(asked);
    switch_allocs_[o].tick(asked, granted);
    std::fill_n(req, req_words_, 0);
    took_further |= further_[granted.idx] != 0;
    move(o, granted.idx);
  });
  // Switch allocation grants an out-port that has a requester.
  settle(in, asked_);
  if (took_further) way_select_->took_further();
}

// The clock edge of the output units from which no word moved.
void VcRouter::settle(const In& in, std::uint64_t moved) {
  const std::uint64_t others = (tx_valid_ | (in.credit_ports & all_ports_)) & ~moved;
  for_each(others, [&](unsigned o) { outputs_[o].tick({}); });
  tx_valid_ = moved;
}

// Moves the word of a requester to the link register of an out-port.
void VcRouter::move(unsigned o, unsigned requester) {
  const unsigned p = requester / config_.num_vc, v = requester % config_.num_vc;
  tx_[o] = inputs_[p].word(v);
  tx_[o].vc = static_cast<std::uint16_t>(next_vc_[requester]);
  if (!config_.age && !config_.stamps) tx_[o].stamp = 0;  // An error on a wire brought the stamp.
  inputs_[p].pop(v, tx_[o].vc, o);
  popped_ |= bit_of(p);
  owners_[o * config_.num_vc + tx_[o].vc] = requester;
  outputs_[o].tick(tx_[o]);
}

// The clock edge of the input units.
void VcRouter::show_credits() {
  const unsigned num_words = words(config_.num_vc);
  if (config_.pipeline == 1) arrived_ = 0;  // What arrived is already there.
  for_each(popped_ | credit_ports_ | arrived_, [&](unsigned p) {
    inputs_[p].tick();
    std::copy_n(inputs_[p].credit(), num_words, &credit_[p * num_words]);
  });
  credit_ports_ = popped_;
}

bool VcRouter::empty(unsigned port) const {
  bool held = (credit_ports_ >> port & 1) != 0 || inputs_[port].arrives();
  for (unsigned v = 0; v < config_.num_vc; ++v) held |= inputs_[port].occupancy(v) != 0;
  return !held;
}

std::uint64_t VcRouter::buffered() const {
  std::uint64_t sum = 0;
  for (const InputUnit& input : inputs_) {
    for (unsigned v = 0; v < config_.num_vc; ++v) sum += input.occupancy(v);
  }
  return sum;
}

VcRouter::InVcView VcRouter::in_vc(unsigned port, unsigned vc) const {
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
  if (view.waiting) {
    view.set = input.set(vc);
    view.minimal = input.minimal(vc);
  }
  return view;
}

const Flit* VcRouter::held(unsigned port, unsigned vc, unsigned i) const {
  return i < inputs_[port].occupancy(vc) ? &inputs_[port].held(vc, i) : nullptr;
}

VcRouter::OutVcView VcRouter::out_vc(unsigned port, unsigned vc) const {
  if (is_local(port) && vc != 0) return {};
  OutVcView view = {!outputs_[port].idle(vc), {}, outputs_[port].credits(vc)};
  const std::uint32_t owner = owners_[port * config_.num_vc + vc];
  if (view.owned) view.owner = {owner / config_.num_vc, owner % config_.num_vc};
  return view;
}

VcRouter::HolderView VcRouter::holder(unsigned port) const {
  const unsigned r = ahead() ? switch_holds_[port].holder() : switch_allocs_[port].holder();
  if (r == SwitchAlloc::kNobody) return {};
  return {true, {r / config_.num_vc, r % config_.num_vc}};
}

}  // namespace weft
