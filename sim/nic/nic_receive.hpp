// The receive side of the network interface's cycle model: functions of Nic (sim/nic/nic.hpp, which
// includes this file).
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/nic/nic.hpp"

namespace weft {

// Steps the receive side with reduction, or if the memory has `ready`.
inline void Nic::receive_other(const In& in) {
  if (!mem_ready_) {
    receive_reduced(in);
  } else if (links_ == 1) {
    receive<true>(in);
  } else {
    receive_each<true>(in);
  }
}

// Steps `unit`, the receive unit of link `i`; `accepted`: the memory accepts its write.
template <bool kReady>
[[gnu::always_inline]] inline void Nic::step_receiver(const In& in, unsigned i, RecvUnit& unit,
                                                      bool accepted) {
  if (reliable_) [[unlikely]] {
    unit.step_with_ids<kReady>(in.rx[i], in.node, in.windows, accepted, reliable_->repeated[i],
                               in.restart);
  } else {
    unit.step<kReady>(in.rx[i], in.node, in.windows, accepted);
  }
}

// Steps the receive unit of link `i`.
template <bool kReady>
[[gnu::always_inline]] inline const RecvUnit::Out& Nic::receive_from(const In& in, unsigned i,
                                                                     RecvUnit& unit) {
  step_receiver<kReady>(in, i, unit, !kReady || (in.mem_wready >> i & 1) != 0);
  if constexpr (kReady) out_.mem_wleft[i] = static_cast<std::uint8_t>(unit.mem_wleft());
  return unit.out();
}

// Steps the receive side with one link.
template <bool kReady>
[[gnu::always_inline]] inline void Nic::receive(const In& in) {
  const RecvUnit::Out& state = receive_from<kReady>(in, 0, recv_);
  if (credit_) {
    receives_ = !recv_.idle();
    out_.rx_credit = state.rx_credit;
  } else {
    receives_ = reliable_ ? !recv_.idle() : !recv_.settled();
    out_.rx_full = state.rx_full;
  }
  out_.mem_wen = state.mem_wen;
  out_.mem_waddr[0] = state.mem_waddr;
  out_.mem_wdata[0] = state.mem_wdata;
  if (!recv_.counted()) return;
  out_.status.rx_count = state.rx_count;
  std::copy(state.rx_count.begin(), state.rx_count.end(), out_.status.rx_link.begin());
  out_.status.rx_arrived = state.rx_arrived;
  out_.status.rx_parity = state.rx_parity;
  out_.status.rx_refused = state.rx_refused;
  out_.status.rx_repeated = state.rx_repeated;
  told_ = true;
}

// Steps the receive side with several credit links.
template <bool kReady>
inline void Nic::receive_each(const In& in) {
  unsigned credit = 0, writes = 0;
  bool active = false, counted = false;
  for (unsigned i = 0; i < links_; ++i) {
    RecvUnit& unit = receiver(i);
    // An idle unit returns no credit and writes nothing.
    if (unit.idle() && !in.rx[i].valid && !in.restart) continue;
    const RecvUnit::Out& state = receive_from<kReady>(in, i, unit);
    credit |= unsigned{state.rx_credit} << i;
    writes |= unsigned{state.mem_wen} << i;
    out_.mem_waddr[i] = state.mem_waddr;
    out_.mem_wdata[i] = state.mem_wdata;
    active |= !unit.idle();
    counted |= unit.counted();
  }
  receives_ = active;
  out_.rx_credit = static_cast<std::uint8_t>(credit);
  out_.mem_wen = static_cast<std::uint8_t>(writes);
  if (counted) sum_counts();
}

// Steps the receive side with reduction, for one link or several. The step before has determined
// which words of the units are accepted, and so read in memory.
inline void Nic::receive_reduced(const In& in) {
  ReduceLanes& lanes = *lanes_;
  unsigned credit = 0, stores = 0, writes = 0, reduce = 0;
  ReduceLanes::Addresses addr;
  bool active = false, counted = false;
  for (unsigned i = 0; i < links_; ++i) {
    RecvUnit& unit = receiver(i);
    const RecvUnit::Out& state = unit.out();
    if (unit.idle() && !in.rx[i].valid && !in.restart && lanes.lane(i).idle(state.rx_count)) {
      continue;
    }
    const bool waits = (waits_ >> i & 1) != 0;
    const Accumulator::Out& stored =
        lanes.step(i, {state.mem_wen && !waits, state.mem_reduce, state.mem_wen, state.mem_waddr,
                       state.mem_wdata, in.mem_rdata[num_ctrl_ + i], state.rx_count, in.reduction});
    step_receiver<true>(in, i, unit, !waits);
    credit |= unsigned{state.rx_credit} << i;
    writes |= unsigned{state.mem_wen} << i;
    reduce |= unsigned{state.mem_reduce} << i;
    addr[i] = state.mem_waddr;
    stores |= unsigned{stored.mem_wen} << i;
    out_.mem_waddr[i] = stored.mem_waddr;
    out_.mem_wdata[i] = stored.mem_wdata;
    active |= !unit.idle() || !lanes.lane(i).idle(state.rx_count);
    counted |= unit.counted() || lanes.lane(i).counted();
  }
  lanes.move_first(waits_);
  waits_ = lanes.waiting(writes, reduce, addr);
  const unsigned reads = lanes.reads(writes & ~waits_, reduce);
  for (unsigned i = 0; i < links_; ++i) {
    out_.mem_raddr[num_ctrl_ + i] = (reads >> i & 1) != 0 ? addr[i] : 0;
  }
  receives_ = active;
  if (credit_) {
    out_.rx_credit = static_cast<std::uint8_t>(credit);
  } else {
    out_.rx_full = recv_.out().rx_full;
  }
  out_.mem_ren =
      static_cast<std::uint16_t>((out_.mem_ren & low_mask(num_ctrl_)) | reads << num_ctrl_);
  out_.mem_wen = static_cast<std::uint8_t>(stores);
  if (counted) sum_counts();
}

// Sums the counts of all links up in `status`.
inline void Nic::sum_counts() {
  NicStatus& sum = out_.status;
  sum.rx_count = sum.rx_arrived = {};
  sum.rx_parity = sum.rx_refused = sum.rx_repeated = 0;
  for (unsigned i = 0; i < links_; ++i) {
    const RecvUnit::Out& state = receiver(i).out();
    const auto& stored = lanes_ ? lanes_->lane(i).out().rx_count : state.rx_count;
    for (unsigned t = 0; t < kNumRxCounts; ++t) {
      sum.rx_count[t] += stored[t];
      sum.rx_arrived[t] += state.rx_arrived[t];
      sum.rx_link[i * kNumRxCounts + t] = stored[t];
    }
    sum.rx_parity += state.rx_parity;
    sum.rx_refused += state.rx_refused;
    sum.rx_repeated += state.rx_repeated;
  }
  told_ = true;
}

}  // namespace weft
