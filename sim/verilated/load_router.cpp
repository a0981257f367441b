// Sets registers of `vc_router` and `route_load` (rtl/router/README.md) from the state of their
// models.
#include "sim/packet/port_shape.hpp"
#include "sim/verilated/rtl_state.hpp"

namespace weft {

void RtlState::input_unit(const RtlScope& at, const InputUnit& unit,
                          const VcRouter::PortConfig& c) {
  const bool stamps = c.age || c.stamps;
  for (unsigned v = 0; v < c.num_vc; ++v) {
    const InputUnit::Vc& vc = unit.vcs_[v];
    const RtlScope of_vc = at.in("gen_vc", v);
    load_fifo(of_vc.in("u_fifo"), {c.depth, !unit.bypass_}, vc.count,
              [&](RtlWord& word, unsigned i) {
                const InputUnit::Slot& slot =
                    unit.slots_[std::size_t{v} * unit.depth_ + (vc.oldest + i) % unit.depth_];
                word.put_flit(slot.flit, c.data_w, c.parity).put(slot.flit.last, 1);
                word.put(slot.way.port, index_width(c.num_ports));
                word.put(static_cast<unsigned>(slot.way.set), kVcSetW);
                if (c.adaptive) word.put(slot.minimal, c.num_ports);
                if (stamps) word.put(slot.flit.stamp, kStampW);
              });
    of_vc.set("head_q", vc.head);
    of_vc.set("port_q", vc.port);
    of_vc.set("vc_q", vc.given);
    of_vc.set("tails_q", vc.tails);
    if (!unit.bypass_) of_vc.in("gen_registered").set("valid_q", vc.count != 0);
  }
  at.set_data("credit_q", unit.credit_.data(), c.num_vc);
}

void RtlState::output_unit(const RtlScope& at, const OutputUnit& unit, unsigned data_w, bool parity,
                           bool stamps) {
  for (unsigned v = 0; v < unit.vcs_.size(); ++v) {
    at.in("gen_vc", v).set("allocated_q", !unit.vcs_[v].idle);
    at.in("gen_vc", v).set("count_q", unit.vcs_[v].credits);
  }
  at.set("valid_q", unit.tx_.valid);
  at.set("last_q", unit.tx_.last);
  at.set("vc_q", unit.tx_.vc);
  at.set("data_q", [&](RtlWord& word) { word.put_flit(unit.tx_, data_w, parity); });
  if (stamps) at.in("gen_age").set("stamp_q", unit.tx_.stamp);
}

void RtlState::order(const RtlScope& at, const PacketOrder& order) {
  const unsigned first_own = order.first_own_, num_req = order.c_.num_req;
  for (unsigned v = 0; v < order.vcs_.size(); ++v) {
    const PacketOrder::Vc& vc = order.vcs_[v];
    at.in("gen_vc", v).set("mask_q", [&](RtlWord& word) {
      for (unsigned r = 0; r < num_req; ++r) {
        word.put(r < first_own ? r > vc.last : r > vc.own_last, 1);
      }
    });
    if (first_own < num_req) {
      at.in("gen_vc", v).in("gen_waits").set("waits_q", vc.waits);
    }
  }
  const auto above = [&](std::uint32_t last) {
    return [&order, last](RtlWord& word) {
      for (unsigned v = 0; v < order.vcs_.size(); ++v) word.put(v > last, 1);
    };
  };
  at.set("above_q", above(order.last_vc_));
  if (first_own < num_req) at.in("gen_own").set("own_above_q", above(order.last_own_vc_));
}

void RtlState::load(const RtlScope& at, const VcRouter& model, const VcRouter::PortConfig& c,
                    std::uint32_t now) {
  const bool stamps = c.age || c.stamps;
  if (c.age) at.in("gen_now").set("now_q", now & low_mask(kStampW));
  for (unsigned p = 0; p < c.num_ports; ++p) {
    input_unit(at.in("gen_in", p).in("u_in"), model.inputs_[p], c);
  }
  if (c.adaptive) {
    at.in("gen_adaptive").in("u_ways").set("below_q", low_mask(model.way_select_->pointer_));
  }
  const std::uint32_t choices =
      set_mask(VcSet::kAny) | set_mask(VcSet::kLow) | set_mask(VcSet::kHigh);
  const bool one_vc = !c.adaptive && (c.sets & choices) == 0;
  for (unsigned o = 0; o < c.num_ports; ++o) {
    const RtlScope out = at.in("gen_out", o);
    const OutputUnit& unit = model.outputs_[o];
    output_unit(out.in("u_out"), unit, c.data_w, c.parity, stamps);
    if (model.ahead()) {
      const RtlScope ahead = out.in("gen_ahead");
      const bool allocates = !one_vc || model.is_local(o);
      const auto selected = [&](unsigned s) {
        return allocates ? model.choices_[o].sets[s % 3] : VcAlloc::Choice{};
      };
      ahead.set("best_vc_q", [&](RtlWord& word) {
        for (unsigned s = 0; s < 3; ++s) word.put(selected(s).vc, word.width() / 3);
      });
      for (unsigned s = 0; s < 4; ++s) {
        ahead.in("gen_set", s).set("had_q", selected(s).credits);
        ahead.in("gen_set", s).set("some_q", selected(s).credits != 0);
      }
      const SwitchHold& hold = model.switch_holds_[o];
      ahead.in("u_switch").set("held_q", [&](RtlWord& word) { word.put_bit(hold.holder_); });
      order(ahead.in("u_switch").in("u_order"), hold.order_);
    } else {
      const SwitchAlloc& alloc = model.switch_allocs_[o];
      const RtlScope at_once = out.in("gen_at_once").in("u_switch");
      at_once.set("held_q", [&](RtlWord& word) { word.put_bit(alloc.holder_); });
      order(at_once.in("u_order"), alloc.order_);
    }
    for (unsigned v = 0; v < unit.vcs_.size(); ++v) {
      out.in("gen_owner", v).set_checked("owner_q", model.owners_[o * c.num_vc + v]);
    }
  }
}

void RtlState::load(const RtlScope& at, const RouteLoad& model, const RouteLoad::Config& c,
                    std::uint32_t /*now*/) {
  const auto wrapped = [&](std::uint32_t load) { return load & low_mask(c.load_w); };
  at.set("body_q", [&](RtlWord& word) {
    for (const std::uint32_t within : model.within_) word.put(within, c.num_vc);
  });
  at.set("class_q", [&](RtlWord& word) {
    for (const auto& packet : model.open_) word.put(packet.cls, 1);
  });
  at.set("left_q", [&](RtlWord& word) {
    for (const auto& packet : model.open_) word.put(packet.left, kLenW);
  });
  at.set("port_q", [&](RtlWord& word) {
    for (const auto& packet : model.open_) word.put(packet.port, index_width(c.num_ports()));
  });
  for (unsigned l = 0; l < c.num_links; ++l) {
    at.in("gen_link", l).set("low_q", wrapped(model.held_.low[l]));
    at.in("gen_link", l).set("high_q", wrapped(model.held_.high[l]));
  }
}

}  // namespace weft
