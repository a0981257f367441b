// Sets registers of `crossbar` (rtl/crossbar/README.md, rtl/buffer/README.md) from the state of its
// model.
#include "sim/verilated/rtl_state.hpp"

namespace weft {

void RtlState::crossbar_input(const RtlScope& at, const Crossbar& model, unsigned i,
                              const Crossbar::PortConfig& c) {
  const Crossbar::Input& input = model.in_[i];
  const Crossbar::InSlice& slice = model.in_slices_[i / 64];
  const auto is = [&](std::uint64_t bits) { return (bits >> i % 64 & 1) != 0; };
  const bool in_reg = is(slice.input_reg), rd_reg = is(slice.read_reg), out_reg = is(slice.out_reg);
  const unsigned stored = slice.held.value(i % 64) - unsigned{in_reg};
  // Word `n` of this input, the oldest first.
  const auto word_of = [&](unsigned n) -> const Flit& {
    const std::uint32_t begin = input.end - model.in_ring_;
    return model.words_in_[begin + (input.read - begin + n) % model.in_ring_];
  };
  const Flit none;
  const auto data_of = [&](const Flit& flit) {
    return [&](RtlWord& word) { word.put_flit(flit, c.header.data_w, c.parity); };
  };
  const Flit& out = out_reg ? word_of(0) : none;
  const Flit& rd = rd_reg ? word_of(out_reg) : none;
  const unsigned first = unsigned{out_reg} + unsigned{rd_reg};
  const Flit& in = in_reg ? word_of(first + stored) : none;
  at.set("in_valid_q", in_reg);
  at.set("in_last_q", in.last);
  at.set("in_data_q", data_of(in));
  load_fifo(at.in("u_transfer"), {c.in_depth}, stored, [&](RtlWord& word, unsigned n) {
    const Flit& flit = word_of(first + n);
    word.put_flit(flit, c.header.data_w, c.parity).put(flit.last, 1);
  });
  at.set("rd_valid_q", rd_reg);
  at.set("rd_last_q", rd.last);
  at.set("rd_data_q", data_of(rd));
  // In the RTL the next word is a header as soon as the tail is in the output register; in the
  // model when the tail leaves it.
  const bool head = is(slice.head) || out.last;
  at.set("head_q", head);
  const bool none_yet = (head && !out_reg) || is(slice.nowhere);
  at.set("dest_q", [&](RtlWord& word) { word.put_bit(none_yet ? ~0u : input.dest); });
  at.set("req_q", [&](RtlWord& word) { word.put_bit(out_reg ? input.dest : ~0u); });
  at.set("last_q", out.last);
  at.set("data_q", data_of(out));
  at.set("full_q", is(model.rx_full_[i / 64]));
}

void RtlState::load(const RtlScope& at, const Crossbar& model, const Crossbar::PortConfig& c,
                    std::uint32_t /*now*/) {
  for (unsigned i = 0; i < c.num_in; ++i) {
    const RtlScope in = at.in("gen_in", i);
    crossbar_input(in.in("u_buffer"), model, i, c);
    if (!c.detour || i >= c.num_out) continue;
    link_register(in.in("gen_detour").in("u_detour"), model.tx_[c.num_out + i], c.header.data_w,
                  c.parity);
  }
  // A granted requester's flag makes no difference.
  const auto priority = [](const RtlScope& arbiter, const Crossbar::Priority& control) {
    const bool granted = control.granted != Crossbar::kNone;
    const unsigned start = control.round_robin.start_;
    arbiter.set("req_q", control.waiting);
    arbiter.set("gnt_q", granted ? std::uint64_t{1} << control.granted : 0);
    arbiter.set("idx_q", granted ? control.granted : 0);
    arbiter.set("mask_q", [&](RtlWord& word) { word.put_from(start == 0 ? word.width() : start); });
  };
  for (unsigned o = 0; o < c.num_out; ++o) {
    const RtlScope out = at.in("gen_out", o);
    for (unsigned f = 0; f < model.num_first_; ++f) {
      priority(out.in("gen_first", f).in("u_first").in("u_arbiter"),
               model.first_[std::size_t{o} * model.num_first_ + f]);
    }
    if (model.num_first_ > 1) {
      priority(out.in("gen_second").in("u_second").in("u_arbiter"), model.second_[o]);
    }
    const Crossbar::Output& ring = model.out_[o];
    const std::uint32_t begin = ring.end - model.out_ring_;
    load_fifo(out.in("u_buffer").in("gen_fifo").in("u_fifo"), {c.out_depth},
              model.out_slices_[o / 64].held.value(o % 64), [&](RtlWord& word, unsigned n) {
                const Flit& flit =
                    model.words_out_[begin + (ring.read - begin + n) % model.out_ring_];
                word.put_flit(flit, c.header.data_w, c.parity).put(flit.last, 1);
              });
    link_register(out.in("u_buffer"), model.tx_[o], c.header.data_w, c.parity);
  }
}

}  // namespace weft
