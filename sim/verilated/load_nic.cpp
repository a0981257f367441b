// Sets registers of `nic` and its units (rtl/nic/README.md) from the state of their models.
#include "sim/packet/port_shape.hpp"
#include "sim/verilated/rtl_state.hpp"

namespace weft {
namespace {

// Loads the words of two send or receive buffers, each of `flits` flits.
void load_words(const RtlScope& at, const std::vector<std::uint64_t>& words, std::uint32_t flits,
                unsigned data_w, const std::uint64_t* read) {
  const unsigned of_flit = data_w / 64, idx_w = index_width(flits);
  for (unsigned buffer = 0; buffer < 2; ++buffer) {
    for (unsigned i = 0; i < flits; ++i) {
      at.set("mem_q", buffer << idx_w | i, [&](RtlWord& word) {
        word.put_data(&words[(std::size_t{buffer} * flits + i) * of_flit], data_w);
      });
    }
  }
  at.clear("mem_q");
  if (read != nullptr) at.set_data("rdata_q", read, data_w);
  at.clear("rdata_q");
}

template <class Counts>
auto put_counts(const Counts& counts) {
  return [&counts](RtlWord& word) {
    for (const std::uint32_t count : counts) word.put(count, kCountW);
  };
}

// Writes fields of a descriptor, cut to the width of their ports.
void put_descriptor(RtlWord& word, const Descriptor& desc, const Nic::Config& c) {
  const auto put = [&](std::uint64_t value, unsigned bits) {
    word.put(value & low_mask(bits), bits);
  };
  put(desc.ctrl, kCtrlW);
  put(desc.gap, kGapW);
  put(desc.tag, kTagW);
  put(desc.off, c.header.off_w());
  put(desc.len, kMsgLenW);
  put(desc.addr, kMemAddrW);
  put(desc.dst, c.header.addr_w);
  if (!c.timed) return;
  put(desc.start, kStartW);
  put(desc.timed, 1);
}

}  // namespace

void RtlState::link_register(const RtlScope& at, const Flit& tx, unsigned data_w, bool parity) {
  at.set("valid_q", tx.valid);
  at.set("last_q", tx.last);
  at.set("data_q", [&](RtlWord& word) { word.put_flit(tx, data_w, parity); });
}

void RtlState::rr_arbiter(const RtlScope& at, const RrArbiter& arbiter) {
  at.set("req_q", arbiter.flags_);
  at.set("gnt_q", arbiter.out_.gnt);
  at.set("idx_q", arbiter.out_.idx);
  const unsigned start = arbiter.pointer_.start_;
  at.set("mask_q", [&](RtlWord& word) { word.put_from(start == 0 ? word.width() : start); });
}

// The model has only the remaining cycles of a gap; any numbers of periods and cycles that agree
// with them are equivalent.
void RtlState::pacer(const RtlScope& at, const Pacer& pacer) {
  constexpr unsigned kPeriod = 256;
  const std::uint32_t left = pacer.left_;
  at.set("gap_q", left == 0 ? 0 : (left - 1) / kPeriod + 1);
  at.set("left_q", left == 0 ? 0 : (left - 1) % kPeriod);
  at.set("period_q", left == 0 ? 0 : kPeriod - 1);
  at.set_checked("gap_left_q", left);
}

void RtlState::dma(const RtlScope& at, const Dma& dma) {
  at.set("req_q", dma.out().req);
  at.set("last_q", dma.out().last);
  at.set("addr_q", dma.out().addr);
  at.set("left_q", dma.left());
}

void RtlState::send_unit(const RtlScope& at, const SendUnit& unit, const Nic::Config& c,
                         std::uint32_t now) {
  const Descriptor& message = unit.message_;
  const auto masked = [](std::uint64_t value, unsigned bits) { return value & low_mask(bits); };
  at.set("msg_q", unit.cutting_);
  at.set("no_body_q", unit.cutting_ && message.len == 0);
  at.set("dst_q", masked(message.dst, c.header.addr_w));
  at.set("addr_q", masked(message.addr, kMemAddrW));
  at.set("left_q", masked(message.len, kMsgLenW));
  at.set("off_q", masked(message.off, c.header.off_w()));
  at.set("tag_q", masked(message.tag, kTagW));
  at.set("gap_q", masked(message.gap, kGapW));
  at.set("more_q", message.more);

  const auto held = [&](unsigned b) {
    return unit.held_ == 2 || (unit.held_ == 1 && b == unit.first_);
  };
  const auto& packets = unit.packets_;
  const unsigned fill = unit.first_ ^ (unit.held_ & 1);
  const auto each_buffer = [&](auto is) { return unsigned{is(0u)} | unsigned{is(1u)} << 1; };
  at.set("taken_q", each_buffer([&](unsigned b) { return held(b); }));
  at.set("open_q", each_buffer([&](unsigned b) {
           const SendUnit::Packet& packet = packets[b];
           if (!held(b)) return false;
           return c.mem_ready ? packet.stored == packet.len : packet.stored != 0 || packet.len == 0;
         }));
  for (unsigned b = 0; b < 2; ++b) {
    at.set("hdr_q", b, packets[b].header);
    at.set("hdr_gap_q", b, masked(packets[b].gap, kGapW));
  }
  at.set("fill_q", fill);
  at.set("send_q", unit.first_);

  // Words arrive for the oldest incomplete packet, and are requested for the newest.
  const auto incomplete = [&](unsigned b) { return held(b) && packets[b].stored < packets[b].len; };
  const unsigned next = incomplete(unit.first_) ? unit.first_ : unit.first_ ^ 1;
  const bool partly = incomplete(next);
  at.set("req_buf_q", fill ^ 1);
  at.set("rsp_q", unit.arriving_);
  at.set("rsp_last_q", unit.arriving_ && packets[next].stored + 1 == packets[next].len);
  at.set("rsp_buf_q", next);
  at.set("rsp_idx_q", partly ? packets[next].stored : 0);
  at.set("pos_q", unit.taken_);
  at.set("sent_q", unit.out_.sent);
  const bool in_body = unit.taken_ != 0;
  load_words(at.in("u_words"), unit.words_, c.packet_flits, c.header.data_w,
             in_body ? &unit.words_[(std::size_t{unit.first_} * c.packet_flits + unit.taken_ - 1) *
                                    unit.flit_words_]
                     : nullptr);
  dma(at.in("u_dma"), unit.dma_);
  pacer(at.in("u_pacer"), unit.pacer_);
  if (!c.timed) return;
  const RtlScope timed = at.in("gen_timed");
  timed.set("now_q", now);
  timed.set("msg_timed_q", unit.cutting_ && message.timed);
  timed.set("msg_start_q", message.start);
  // The model considers the start of the newer packet only when it is the oldest.
  timed.set("waits_q", each_buffer([&](unsigned b) {
              return held(b) && packets[b].waits && wait_for(packets[b].due, now) != 0;
            }));
  for (unsigned b = 0; b < 2; ++b) timed.set("start_q", b, packets[b].due);
}

void RtlState::inject_unit(const RtlScope& at, const InjectUnit& unit, const Flit& tx,
                           const Nic::Config& c, std::uint32_t now) {
  at.set("body_q", unit.body_);
  at.set("vc_q", unit.vc_);
  if (!c.by_dest && !c.in_order) {
    at.in("gen_round_robin").set("mask_q", [&](RtlWord& word) {
      for (unsigned v = 0; v < c.num_vc; ++v) {
        const unsigned first = v / unit.size_ * unit.size_, pointer = unit.next_[v / unit.size_];
        word.put(pointer != first && v >= pointer, 1);
      }
    });
  }
  if (c.age) {
    at.in("gen_age").set("now_q", now & low_mask(kStampW));
    at.in("gen_age").set("stamp_q", unit.stamp_);
  }
  const RtlScope link = at.in("u_link");
  for (unsigned v = 0; v < c.num_vc; ++v) {
    link.in("gen_vc", v).set("allocated_q", unit.body_ && v == unit.vc_);
    link.in("gen_vc", v).set("count_q", unit.credits_[v]);
  }
  link_register(link, tx, c.header.data_w, c.parity);
  link.set("vc_q", tx.vc);
  if (c.age) link.in("gen_age").set("stamp_q", tx.stamp);
}

void RtlState::retain_unit(const RtlScope& at, const RetainUnit& unit, const Nic::Config& c) {
  const PacketForm& form = c.header;
  const auto masked = [](std::uint64_t value, unsigned bits) { return value & low_mask(bits); };
  const auto key_of = [&](std::uint32_t off) { return masked(off >> form.key_lsb(), form.key_w); };
  const Descriptor& message = unit.message_;
  at.set("msg_q", unit.cutting_);
  at.set("dst_q", masked(message.dst, form.addr_w));
  at.set("addr_q", masked(message.addr, kMemAddrW));
  at.set("left_q", masked(message.len, kMsgLenW));
  at.set("key_q", key_of(message.off));
  at.set("place_q", masked(message.off, form.place_w()));
  at.set("tag_q", masked(message.tag, kTagW));
  at.set("gap_q", masked(message.gap, kGapW));
  at.set("oldest_q", unit.oldest_ % (2 * c.slots));
  at.set("issue_q", unit.issue_ % (2 * c.slots));
  at.set("free_q", unit.free_ % (2 * c.slots));
  at.set("fresh_q", unit.fresh_ % (2 * c.slots));
  at.set("acked_q", [&](RtlWord& word) {
    for (const RetainUnit::Slot& slot : unit.slots_) word.put(slot.acked, 1);
  });
  at.set("gen_q", [&](RtlWord& word) {
    for (const RetainUnit::Slot& slot : unit.slots_) word.put(slot.gen, 1);
  });
  for (unsigned s = 0; s < c.slots; ++s) {
    const Descriptor& packet = unit.slots_[s].packet;
    at.set("slot_dst_q", s, masked(packet.dst, form.addr_w));
    at.set("fields_q", s, [&](RtlWord& word) {
      word.put(packet.more, 1).put(masked(packet.gap, kGapW), kGapW);
      word.put(masked(packet.tag, kTagW), kTagW);
      word.put(masked(packet.off, form.place_w()), form.place_w());
      word.put(key_of(packet.off), std::max(1u, form.key_w));
      word.put(masked(packet.len, kLenW), kLenW).put(masked(packet.addr, kMemAddrW), kMemAddrW);
    });
  }
  at.set("next_gen_q", [&](RtlWord& word) {
    for (const bool gen : unit.gens_) word.put(gen, 1);
  });
  at.set("time_q", unit.waited_);
  at.set("sent_q", unit.out_.sent);
  at.set("resent_q", unit.out_.resent);
}

void RtlState::ack_unit(const RtlScope& at, const Nic& nic, const Nic::Config& c) {
  const AckUnit& unit = nic.reliable_->ack;
  const IdForm ids = c.ids();
  // A source has as many entries as its controllers' numbers have values.
  const unsigned ctrls = 1u << (ids.plain_w() - 1 - ids.slot_w());
  at.set("next_gen_q", [&](RtlWord& word) {
    for (std::size_t src = 0; src < c.addresses; ++src) {
      for (unsigned ctrl = 0; ctrl < ctrls; ++ctrl) {
        for (unsigned slot = 0; slot < c.slots; ++slot) {
          const std::size_t entry = (src * c.num_ctrl + ctrl) * c.slots + slot;
          word.put(ctrl < c.num_ctrl && unit.expected_[entry], 1);
        }
      }
    }
  });
  at.set("restart_q", unit.restarts_);
  for (unsigned i = 0; i < c.links(); ++i) {
    const AckUnit::Lane& lane = unit.lanes_[i];
    const RtlScope of_lane = at.in("gen_lane", i);
    load_fifo(of_lane.in("u_fifo"), {c.addresses * c.num_ctrl * c.slots},
              static_cast<unsigned>(lane.count), [&](RtlWord& word, unsigned n) {
                const IdOfPacket& packet = lane.ring[(lane.first + n) % lane.ring.size()];
                word.put(packet.id, ids.plain_w()).put(packet.src, index_width(c.addresses));
              });
    const IdOfPacket& took = (i == 0 ? nic.recv_ : nic.further_[i - 1]).out().took;
    of_lane.set_checked("asked_src_q", took.src);
    of_lane.set_checked("asked_id_q", took.id);
  }
}

void RtlState::recv_unit(const RtlScope& at, const RecvUnit& unit, const Nic::Config& c) {
  const unsigned fill = (unit.first_ + unit.held_) & 1;
  const bool writing = unit.out_.mem_wen;
  const auto held = [&](unsigned b) {
    return unit.held_ == 2 || (unit.held_ == 1 && b == unit.first_);
  };
  at.set("held_q", unsigned{held(0)} | unsigned{held(1)} << 1);
  at.set("fill_q", fill);
  at.set("drain_q", unit.first_ ^ unsigned{writing});
  for (unsigned b = 0; b < 2; ++b) {
    const RecvUnit::Packet& packet = unit.packets_[b];
    const std::uint64_t place = packet.offset & low_mask(kMemAddrW);
    at.set("body_addr_q", b, place);
    at.set("len_q", b, packet.len);
    at.set("sel_q", b, packet.tag % kNumRxCounts);
    at.set("eom_q", b, packet.counts);
    // Of the window only what the packet uses is known.
    if (at.has("base_q")) {
      at.set("base_q", b, place);
      at.set("size_q", b, packet.len);
    }
  }
  at.set("body_q", unit.inside_);
  at.set("bad_q", unit.inside_ && unit.bad_);
  at.set("stray_q", unit.inside_ && unit.stray_);
  at.set("off_q", unit.inside_ ? unit.packets_[fill].offset & low_mask(c.header.off_w()) : 0);
  // The model has already stored a word that is in the FIFO in the cycle of its arrival.
  const std::uint32_t arrived = unit.inside_ ? unit.arrived_ - unsigned{unit.passed_} : 0;
  at.set("flits_q", std::min(arrived, c.packet_flits + 1));
  const auto body_word = [&](unsigned b, std::uint32_t i) {
    return &unit.words_[(std::size_t{b} * c.packet_flits + i) * unit.flit_words_];
  };
  load_fifo(at.in("u_fifo"), {c.rx_depth}, unit.passed_ ? 1 : unit.waiting_,
            [&](RtlWord& word, unsigned i) {
              Flit flit;
              if (!unit.passed_) {
                flit = unit.link_[unit.slot(i)];
              } else if (arrived < c.packet_flits) {
                flit.load(body_word(fill, arrived), unit.flit_words_);
                flit.parity = c.parity && parity_of(flit, unit.flit_words_);
              }
              word.put_flit(flit, c.header.data_w, c.parity).put(flit.last, 1);
            });
  at.set("full_q", unit.out_.rx_full);
  at.set("credit_q", unit.out_.rx_credit);
  at.set("ridx_q", unit.written_ & low_mask(index_width(c.packet_flits)));
  load_words(at.in("u_words"), unit.words_, c.packet_flits, c.header.data_w,
             writing ? unit.out_.mem_wdata.word.data() : nullptr);
  dma(at.in("u_dma"), unit.dma_);
  at.set("count_q", put_counts(unit.out_.rx_count));
  at.set("arrived_q", put_counts(unit.out_.rx_arrived));
  at.set("parity_q", unit.out_.rx_parity);
  at.set("refused_q", unit.out_.rx_refused);
  if (c.slots == 0) return;
  at.in("gen_restart").set("restart_q", unit.restarts_);
  const RtlScope ids = at.in("gen_ids");
  ids.set("src_q", unit.packets_[fill].src);
  ids.set("took_valid_q", unit.out_.took.valid);
  ids.set("took_src_q", unit.out_.took.src);
  ids.set("took_id_q", unit.out_.took.id);
  ids.set("ack_valid_q", unit.out_.ack.valid);
  ids.set("ack_src_q", unit.out_.ack.src);
  ids.set("ack_id_q", unit.out_.ack.id);
  ids.set("repeated_q", unit.out_.rx_repeated);
}

// The link with Buffer-Full, which the controllers share.
void RtlState::nic_link(const RtlScope& at, const Nic& nic, const Nic::Config& c) {
  const RrArbiter& arbiter =
      nic.reliable_ ? nic.reliable_->switches.front().arbiter_ : nic.arbiter_;
  const bool shared = c.num_ctrl > 1 || c.slots != 0;
  if (shared) rr_arbiter(at.in("gen_switch").in("u_switch").in("u_arbiter"), arbiter);
  link_register(at.in("u_link"), nic.out_.tx[0], c.header.data_w, c.parity);
  // An acknowledgement is a packet of one flit.
  std::uint64_t owner = 0;
  for (unsigned i = 0; i < c.num_ctrl; ++i) {
    owner |= std::uint64_t{nic.send_[i].taken_ != 0} << i;
  }
  at.set_checked("owner_q", owner);
}

void RtlState::load(const RtlScope& at, const Nic& model, const Nic::Config& c, std::uint32_t now) {
  at.set("mask_q", [&](RtlWord& word) {
    word.put_from(model.next_ctrl_ == 0 ? word.width() : model.next_ctrl_);
  });
  load_fifo(at.in("u_queue"), {c.queue_depth}, model.queue_.count(),
            [&](RtlWord& word, unsigned i) { put_descriptor(word, model.queue_.word(i), c); });
  at.set("tx_count_q", model.out_.status.tx_count);
  // With `slots`, stamps count from the last restart on, and stay 0 in the cycle after it.
  std::uint32_t since = now;
  if (model.reliable_) {
    const bool restarts = model.reliable_->restarts;
    since = restarts ? 0 : now - model.reliable_->origin;
    at.in("gen_restart").set("restart_q", restarts);
    at.in("gen_resent").set("tx_resent_q", model.out_.status.tx_resent);
    ack_unit(at.in("gen_ack").in("u_ack"), model, c);
  }
  for (unsigned i = 0; i < c.num_ctrl; ++i) {
    const RtlScope ctrl = at.in("gen_ctrl", i);
    send_unit(ctrl.in("u_send"), model.send_[i], c, now);
    if (model.reliable_) {
      retain_unit(ctrl.in("gen_retain").in("u_retain"), model.reliable_->retain[i], c);
    }
  }
  for (unsigned i = 0; i < c.links() && c.credit; ++i) {
    const RtlScope inject = at.in("gen_credit").in("gen_inject", i);
    if (model.reliable_) {
      rr_arbiter(inject.in("gen_share").in("u_switch").in("u_arbiter"),
                 model.reliable_->switches[i].arbiter_);
    }
    inject_unit(inject.in("u_inject"), model.inject_[i], model.out_.tx[i], c, since);
  }
  if (!c.credit) nic_link(at.in("gen_full"), model, c);
  for (unsigned i = 0; i < c.links(); ++i) {
    recv_unit(at.in("gen_recv", i).in("u_recv"), i == 0 ? model.recv_ : model.further_[i - 1], c);
  }
  if (c.reduce) reduce_lanes(at.in("gen_reduce").in("u_lanes"), *model.lanes_, c.header.data_w);
}

}  // namespace weft
