// Virtual-channel router with pipeline 3: VC and switch allocation a cycle before that in which a
// flit moves (sim/router/vc_router.hpp; rtl/router/README.md, vc_router).
#include <algorithm>
#include <bit>

#include "sim/router/vc_router.hpp"

namespace weft {
namespace {

constexpr std::uint64_t bit_of(unsigned n) {
  return std::uint64_t{1} << n % 64;
}

}  // namespace

// VC allocation for headers that move in the next cycle. If nothing has changed since the last one,
// it selects the same VCs.
void VcRouter::allocate_ahead() {
  for (std::uint64_t left = chosen_; left != 0; left &= left - 1) {
    const auto o = static_cast<unsigned>(std::countr_zero(left));
    next_choices_[o] = allocate(o);
  }
}

// Collects by out-port who requests to hold it from the next cycle on, and whose word can move in
// this one.
void VcRouter::gather_ahead() {
  asked_ = 0;
  std::fill(req_.begin(), req_.end(), 0);
  std::fill(may_.begin(), may_.end(), 0);
  for (unsigned p = 0; p < config_.num_ports; ++p) {
    const InputUnit& input = inputs_[p];
    input.for_each_valid([&](unsigned v) {
      if (config_.store_forward && !is_local(p) && !input.whole(v)) return;
      const unsigned port = input.port(v), r = p * config_.num_vc + v;
      const OutputUnit& output = outputs_[port];
      const Flit& word = input.word(v);
      bool asks = false, may = false;
      if (!input.head(v)) {
        next_vc_[r] = input.given_vc(v);
        asks = may = output.credits(next_vc_[r]) != 0;
      } else {
        const std::uint32_t need = need_of(word, port);
        const VcSet set = input.set(v);
        const auto now_free = [&](unsigned vc) {
          return output.idle(vc) && output.credits(vc) >= need;
        };
        if (has_choice(set)) {
          const VcAlloc::Choice& chosen = choices_[port].sets[static_cast<unsigned>(set)];
          next_vc_[r] = chosen.vc;
          asks = chosen.credits >= need;
          may = chosen.credits != 0 && now_free(chosen.vc);
        } else {
          next_vc_[r] = only_vc(set, v);
          asks = may = now_free(next_vc_[r]);
        }
      }
      const std::size_t at = port * req_words_ + r / 64;
      if (asks) req_[at] |= bit_of(r);
      if (may) may_[at] |= bit_of(r);
      if (asks) asked_ |= bit_of(port);
      note(r, word, input.head(v));
    });
  }
}

// The switch, the selection of the next holders, and the clock edge of the output units.
void VcRouter::move_ahead(const In& in) {
  popped_ = 0;
  std::uint64_t moved = 0;
  bool changed = arrived_ != 0 || chosen_ != 0;
  for (std::uint64_t left = asked_ | holding_; left != 0; left &= left - 1) {
    const auto o = static_cast<unsigned>(std::countr_zero(left));
    SwitchHold& hold = switch_holds_[o];
    const SwitchHold::In asked = {&req_[o * req_words_],
                                  next_vc_.data(),
                                  head_.data(),
                                  &may_[o * req_words_],
                                  last_.data(),
                                  stamps_.data(),
                                  static_cast<std::uint16_t>(in.now)};
    const SwitchHold::Out out = hold.eval(asked);
    changed |= hold.tick(asked, out);
    holding_ = hold.holder() != SwitchHold::kNobody ? holding_ | bit_of(o) : holding_ & ~bit_of(o);
    if (!out.gnt) continue;
    move(o, out.idx);
    moved |= bit_of(o);
  }
  settle(in, moved);
  for (std::uint64_t left = chosen_; left != 0; left &= left - 1) {
    const auto o = static_cast<unsigned>(std::countr_zero(left));
    choices_[o] = next_choices_[o];
  }
  chosen_ = moved;
  stages_changed_ = changed;
}

}  // namespace weft
