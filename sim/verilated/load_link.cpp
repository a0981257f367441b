// Sets registers of the blocks in links (rtl/link/README.md) from the state of their models.
#include "sim/packet/port_shape.hpp"
#include "sim/verilated/rtl_state.hpp"

namespace weft {
namespace {

// Writes a flit as on links: the word, then its stamp, VC and `last`.
void put_link(RtlWord& word, const Flit& flit, unsigned data_w, bool parity, unsigned vc_w) {
  word.put_flit(flit, data_w, parity).put(flit.stamp, kStampW).put(flit.vc, vc_w);
  word.put(flit.last, 1);
}

}  // namespace

void RtlState::credit_tx(const RtlScope& at, const CreditTx& unit) {
  const BackForm& form = unit.form_;
  for (unsigned v = 0; v < form.num_vc; ++v) {
    at.in("gen_vc", v).set("count_q", unit.counts_[v] & form.count_mask());
  }
  at.set("vc_q", unit.vc_);
  at.set_data("back_q", unit.back_.data(), form.back_w());
}

void RtlState::credit_rx(const RtlScope& at, const CreditRx& unit) {
  const BackForm& form = unit.form_;
  at.set("started_q", unit.started_);
  at.set("errors_q", unit.errors_);
  for (unsigned v = 0; v < form.num_vc; ++v) {
    const RtlScope of_vc = at.in("gen_vc", v);
    of_vc.set("told_q", unit.told_[v] & form.count_mask());
    of_vc.set("given_q", unit.given_[v] & form.count_mask());
    of_vc.set("credit_q", unit.credit_[v / 64] >> v % 64 & 1);
  }
}

void RtlState::load(const RtlScope& at, const CreditTx& model, const CreditTx::Config& /*config*/,
                    std::uint32_t /*now*/) {
  credit_tx(at, model);
}

void RtlState::load(const RtlScope& at, const CreditRx& model, const CreditRx::Config& /*config*/,
                    std::uint32_t /*now*/) {
  credit_rx(at, model);
}

void RtlState::load(const RtlScope& at, const LinkStage& model, const LinkStage::Config& c,
                    std::uint32_t /*now*/) {
  for (unsigned s = 0; s < c.stages; ++s) {
    // The oldest entry of the ring is in the last register.
    const std::size_t entry = (model.next_ + c.stages - 1 - s) % c.stages;
    const Flit& flit = model.flits_[entry];
    const RtlScope stage = at.in("gen_stage", s);
    stage.set("word_q", [&](RtlWord& word) {
      word.put_flit(flit, c.data_w, c.parity).put(model.checks_[entry], c.check_w);
      word.put(flit.stamp, kStampW).put(flit.vc, index_width(c.num_vc)).put(flit.last, 1);
      word.put(flit.valid, 1);
    });
    stage.set_data("back_q", &model.back_[entry * model.words_], c.lines());
  }
}

void RtlState::load(const RtlScope& at, const LinkTx& model, const LinkTx::Config& c,
                    std::uint32_t /*now*/) {
  const unsigned vc_w = index_width(c.field_vcs);
  const auto put = [&](const Flit& flit) {
    return [&, flit](RtlWord& word) { put_link(word, flit, c.data_w, c.parity, vc_w); };
  };
  at.set("next_q", model.next_ & c.seq_mask());
  at.set("send_q", model.sent_ & c.seq_mask());
  at.set("acked_q", model.acked_ & c.seq_mask());
  at.set("request_q", model.request_);
  at.set("timer_q", model.timer_);
  at.set("tries_q", model.tries_);
  at.set("retries_q", model.retries_);
  at.set("valid_q", model.tx_.valid);
  at.set("word_q", put(model.tx_));
  at.set("check_q", model.check_);
  // The flit that is to be sent next, if it is there, was read from the buffer.
  at.set("beside_q", 0u);
  at.clear("beside_flit_q");
  const RtlScope replay = at.in("u_replay");
  for (unsigned i = 0; i < c.replay(); ++i) replay.set("mem_q", i, put(model.kept_[i]));
  replay.set("rdata_q", put(model.kept_[model.sent_ & (c.replay() - 1)]));
  credit_rx(at.in("u_credit_rx"), model.credits_);
}

void RtlState::load(const RtlScope& at, const LinkRx& model, const LinkRx::Config& c,
                    std::uint32_t /*now*/) {
  at.set("expected_q", model.expected_);
  at.set("request_q", model.request_);
  at.set("asked_q", model.asked_);
  at.set("valid_q", model.tx_.valid);
  at.set("word_q", [&](RtlWord& word) {
    put_link(word, model.tx_, c.data_w, c.parity, index_width(c.field_vcs));
  });
  at.set("errors_q", model.errors_);
  credit_tx(at.in("u_credit_tx"), model.credits_);
}

void RtlState::load(const RtlScope& at, const GuardTx& model, const GuardTx::Config& c,
                    std::uint32_t /*now*/) {
  at.set("ring_q", model.ring_);
  for (unsigned v = 0; v < c.num_vc; ++v) {
    const RtlScope of_vc = at.in("gen_vc", v);
    of_vc.set("begun_q", model.vcs_[v].begun);
    of_vc.set("flits_q", model.vcs_[v].flits & c.count_mask());
    of_vc.set("packets_q", model.vcs_[v].packets & c.count_mask());
  }
  const unsigned numbers_w = c.check_w() - GuardForm::kCodeW;
  at.set("word_q", [&](RtlWord& word) {
    put_link(word, model.tx_, c.data_w, c.parity, c.vc_w());
    word.put(model.tx_.valid, 1).put(model.check_ & low_mask(numbers_w), numbers_w);
  });
  at.set("code_q", model.check_ >> numbers_w);
  credit_rx(at.in("u_credit_rx"), model.credit_rx_);
}

void RtlState::load(const RtlScope& at, const GuardRx& model, const GuardRx::Config& c,
                    std::uint32_t /*now*/) {
  const auto put = [&](const Flit& flit) {
    return [&](RtlWord& word) {
      put_link(word, flit, c.data_w, c.parity, c.vc_w());
      word.put(flit.valid, 1);
    };
  };
  at.set("tx_q", put(model.tx_));
  at.set("skid_q", put(model.skid_));
  for (unsigned v = 0; v < c.num_vc; ++v) {
    const RtlScope of_vc = at.in("gen_vc", v);
    of_vc.set("open_q", model.vcs_[v].open);
    of_vc.set("flits_q", model.vcs_[v].flits & c.count_mask());
    of_vc.set("packets_q", model.vcs_[v].packets & c.count_mask());
  }
  at.set("lost_q", model.lost_);
  at.set("errors_q", model.errors_);
  at.set("started_q", model.started_);
  credit_tx(at.in("u_credit_tx"), model.credit_tx_);
}

void RtlState::load(const RtlScope& at, const CreditGate& model, const CreditGate::Config& c,
                    std::uint32_t /*now*/) {
  link_register(at, model.out_.tx, c.data_w, c.parity);
  at.set("full_q", model.out_.full);
  at.set("count_q", model.count_);
  // The last credit is used only in a cycle that shows Buffer-Full.
  at.set_checked("seen_q", model.count_ == 0);
}

void RtlState::load(const RtlScope& at, const CreditFifo& model, const CreditFifo::Config& c,
                    std::uint32_t /*now*/) {
  link_register(at, model.out_.tx, c.data_w, c.parity);
  load_fifo(at.in("u_fifo"), {c.depth}, model.waiting_.count(), [&](RtlWord& word, unsigned i) {
    const Flit& flit = model.waiting_.word(i);
    word.put_flit(flit, c.data_w, c.parity).put(flit.last, 1);
  });
}

}  // namespace weft
