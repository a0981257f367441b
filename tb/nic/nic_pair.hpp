// Cycle model and RTL of the network interface side by side, for its bench.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/nic/nic.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/credit_link.hpp"
#include "tb/nic/lane_check.hpp"
#include "tb/nic/nic_checks.hpp"
#include "tb/nic/stimulus.hpp"

namespace weft::tb {

/// Model and RTL side by side, with the other side of the outgoing credit links. A lane's read data
/// are arbitrary except after a read.
class NicPair {
 public:
  // The interface was idle for `idle` cycles after its reset.
  NicPair(Bench& bench, RtlInstance& rtl, const Nic::Config& config, std::uint64_t idle = 0)
      : bench_(bench),
        rtl_(rtl),
        config_(config),
        model_(config),
        begin_(bench.cycle() - idle),
        words_((config.num_vc + 63) / 64),
        credit_(words_ * config.links()),
        ports_(bench.ports<Nic>(rtl, config)),
        tx_full_(rtl.port("tx_full_i")),
        rready_(rtl.port("mem_rready_i")),
        wready_(rtl.port("mem_wready_i")) {
    begin_links();
  }

  const Nic::Out& out() const { return model_.out(); }
  // Its status without what wind_counters added to counters.
  NicStatus status() const {
    NicStatus shown = model_.out().status;
    add(shown, added_, -1u);
    return shown;
  }
  // Cycles since reset.
  std::uint64_t now() const { return bench_.cycle() - begin_; }

  void compare() {
    if (bench_.load_now(rtl_, ports_, model_, config_, static_cast<std::uint32_t>(now()))) {
      tx_full_ = rtl_.port("tx_full_i");
      rready_ = rtl_.port("mem_rready_i");
      wready_ = rtl_.port("mem_wready_i");
    }
    const NicStatus before = model_.out().status;
    if (bench_.wind_counters(rtl_, model_)) {
      add(added_, model_.out().status, 1);
      add(added_, before, -1u);
    }
    bench_.equal(ports_, model_.out());
  }

  // One cycle with `in`, whose read data, credits and, but for writes, ready lines are filled in
  // here; `open`: all credits are returned at once and all reads accepted.
  void step(Nic::In& in, bool open) {
    for (unsigned c = 0; c < config_.lanes(); ++c) {
      const unsigned words = config_.header.flit_words();
      in.mem_rdata[c] =
          (reads_ >> c & 1) != 0 ? data_at(raddr_[c], words) : random_data(bench_.random, words);
    }
    in.mem_rready = 0xffff;
    if (!open) in.mem_rready = static_cast<std::uint16_t>(reads_open_.lines(bench_.random));
    in.now = static_cast<std::uint32_t>(now());
    if (config_.credit) give_credits(in, open);
    ports_.drive(in);
    // Credit links ignore Buffer-Full.
    if (config_.credit) tx_full_.set(bench_.random() & low_mask(config_.links()));
    if (config_.mem_ready) {
      see_lanes(in);
    } else {  // The ready lines are ignored.
      rready_.set(bench_.random() & low_mask(config_.lanes()));
      wready_.set(bench_.random() & low_mask(config_.links()));
    }
    reads_ = model_.out().mem_ren;
    if (config_.mem_ready) reads_ &= in.mem_rready;
    raddr_ = model_.out().mem_raddr;
    // An idle model may be left out; the RTL shows whether that was right.
    if (!model_.idle(in)) {
      const NicStatus before = model_.out().status;
      model_.step(in);
      expect(model_.status_changed() || before == model_.out().status, "status changed untold");
    }
    rtl_.tick();
    bench_.next();
    // Links and reads begin anew.
    if (in.restart && config_.slots != 0) {
      begin_links();
      read_lanes_ = {};
      reads_ = 0;
    }
  }

 private:
  void begin_links() {
    sides_.assign(config_.links(), CreditSide(config_.num_vc, config_.vc_depth));
  }

  void see_lanes(const Nic::In& in) {
    const Nic::Out& out = model_.out();
    for (unsigned c = 0; c < config_.lanes(); ++c) {
      read_lanes_[c].see((out.mem_ren >> c & 1) != 0, out.mem_raddr[c], out.mem_rleft[c],
                         (in.mem_rready >> c & 1) != 0);
    }
    for (unsigned i = 0; i < config_.links(); ++i) {
      write_lanes_[i].see((out.mem_wen >> i & 1) != 0, out.mem_waddr[i], out.mem_wleft[i],
                          (in.mem_wready >> i & 1) != 0);
    }
  }

  void give_credits(Nic::In& in, bool open) {
    in.tx_credit = credit_.data();
    for (unsigned i = 0; i < config_.links(); ++i) {
      const std::uint64_t* lines = sides_[i].credits(bench_.random, open);
      sides_[i].see(model_.out().tx[i]);
      std::copy_n(lines, words_, credit_.begin() + i * words_);
    }
  }

  // Adds `times` the counters of `more`.
  static void add(NicStatus& to, const NicStatus& more, std::uint32_t times) {
    to.tx_count += times * more.tx_count;
    to.tx_resent += times * more.tx_resent;
    to.rx_parity += times * more.rx_parity;
    to.rx_refused += times * more.rx_refused;
    to.rx_repeated += times * more.rx_repeated;
    for (unsigned t = 0; t < kNumRxCounts; ++t) {
      to.rx_count[t] += times * more.rx_count[t];
      to.rx_arrived[t] += times * more.rx_arrived[t];
    }
    for (std::size_t i = 0; i < to.rx_link.size(); ++i) to.rx_link[i] += times * more.rx_link[i];
  }

  Bench& bench_;
  RtlInstance& rtl_;
  Nic::Config config_;
  Nic model_;
  NicStatus added_;
  std::uint64_t begin_;
  unsigned words_;
  std::vector<std::uint64_t> credit_;
  std::vector<CreditSide> sides_;
  RtlPorts<Nic> ports_;
  RtlPort tx_full_, rready_, wready_;
  ReadyLines reads_open_;
  std::array<LaneCheck, Nic::kMaxLanes> read_lanes_;
  std::array<LaneCheck, Nic::kMaxLinks> write_lanes_;
  std::uint16_t reads_ = 0;
  std::array<std::uint32_t, Nic::kMaxLanes> raddr_ = {};
};

}  // namespace weft::tb
