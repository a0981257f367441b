// Ports of the Verilated blocks.
#include "sim/network/rtl_blocks.hpp"

#include <bit>
#include <stdexcept>

namespace weft {
namespace {

std::uint64_t bit(bool value) {
  return value ? 1 : 0;
}

void check(const std::string& port, std::uint64_t rtl, std::uint64_t model) {
  if (rtl != model) throw Difference(port, rtl, model);
}

void compare_flit(const std::string& prefix, const Flit& rtl, const Flit& model) {
  check(prefix + "_valid_o", bit(rtl.valid), bit(model.valid));
  check(prefix + "_last_o", bit(rtl.last), bit(model.last));
  check(prefix + "_data_o", rtl.data, model.data);
  check(prefix + "_data_o (parity)", bit(rtl.parity), bit(model.parity));
}

}  // namespace

std::shared_ptr<const RtlLibrary> nic_library(const NicParams& params, bool assertions) {
  return RtlLibrary::load({"nic",
                           {{"DataW", params.data_w},
                            {"Parity", params.parity},
                            {"PacketFlits", params.packet_flits},
                            {"NumCtrl", params.num_ctrl},
                            {"QueueDepth", params.queue_depth}},
                           assertions,
                           {}});
}

std::shared_ptr<const RtlLibrary> crossbar_library(const Crossbar::Config& shape, unsigned flit_w,
                                                   bool assertions) {
  auto params = crossbar_params(shape);
  params.emplace_back("FlitW", flit_w);
  return RtlLibrary::load({"crossbar", params, assertions, {}});
}

RtlNicPorts::RtlNicPorts(const RtlInstance& rtl, const NicParams& params, unsigned index,
                         unsigned count)
    : lanes_(params.num_ctrl) {
  const auto slice = [&](const char* name, unsigned part = 0, unsigned parts = 1) {
    const RtlPort port = rtl.port(name);
    const unsigned width = port.width() / (count * parts);
    return Slice{port, (index * parts + part) * width, width};
  };
  desc_valid_ = slice("desc_valid_i");
  desc_dst_ = slice("desc_dst_i");
  desc_addr_ = slice("desc_addr_i");
  desc_len_ = slice("desc_len_i");
  desc_off_ = slice("desc_off_i");
  desc_tag_ = slice("desc_tag_i");
  desc_gap_ = slice("desc_gap_i");
  rx_base_ = slice("rx_base_i");
  rx_size_ = slice("rx_size_i");
  desc_free_ = slice("desc_free_o");
  tx_count_ = slice("tx_count_o");
  mem_ren_ = slice("mem_ren_o");
  mem_wen_ = slice("mem_wen_o");
  mem_waddr_ = slice("mem_waddr_o");
  mem_wdata_ = slice("mem_wdata_o");
  rx_parity_ = slice("rx_parity_o");
  rx_refused_ = slice("rx_refused_o");
  for (unsigned i = 0; i < lanes_; ++i) {
    mem_rdata_.push_back(slice("mem_rdata_i", i, lanes_));
    mem_raddr_.push_back(slice("mem_raddr_o", i, lanes_));
  }
  for (unsigned i = 0; i < kNumRxCounts; ++i) {
    rx_count_.push_back(slice("rx_count_o", i, kNumRxCounts));
  }
}

void RtlNicPorts::drive(const Nic::In& in) {
  desc_valid_.set(in.desc_valid);
  if (in.desc_valid || posted_) {
    desc_dst_.set(in.desc.dst);
    desc_addr_.set(in.desc.addr);
    desc_len_.set(in.desc.len);
    desc_off_.set(in.desc.off);
    desc_tag_.set(in.desc.tag);
    desc_gap_.set(in.desc.gap);
    posted_ = in.desc_valid;
  }
  for (unsigned i = 0; i < lanes_; ++i) mem_rdata_[i].set(in.mem_rdata[i]);
  rx_base_.set(in.rx_base);
  rx_size_.set(in.rx_size);
}

void RtlNicPorts::sample(Nic::Out& out) const {
  out.status.desc_free = static_cast<std::uint32_t>(desc_free_.get());
  out.status.tx_count = static_cast<std::uint32_t>(tx_count_.get());
  for (unsigned i = 0; i < kNumRxCounts; ++i) {
    out.status.rx_count[i] = static_cast<std::uint32_t>(rx_count_[i].get());
  }
  out.status.rx_parity = static_cast<std::uint32_t>(rx_parity_.get());
  out.status.rx_refused = static_cast<std::uint32_t>(rx_refused_.get());
  out.mem_ren = static_cast<decltype(out.mem_ren)>(mem_ren_.get());
  for (unsigned i = 0; i < lanes_; ++i) {
    out.mem_raddr[i] = static_cast<std::uint32_t>(mem_raddr_[i].get());
  }
  out.mem_wen = mem_wen_.get() != 0;
  out.mem_waddr = static_cast<std::uint32_t>(mem_waddr_.get());
  out.mem_wdata = mem_wdata_.get();
}

RtlNic::RtlNic(std::shared_ptr<const RtlLibrary> library, const NicParams& params)
    : rtl_(std::move(library)),
      ports_(rtl_, params, 0, 1),
      parity_(params.parity != 0),
      node_(rtl_.port("node_i")),
      tx_valid_(rtl_.port("tx_valid_o")),
      tx_last_(rtl_.port("tx_last_o")),
      tx_data_(rtl_.port("tx_data_o")),
      tx_full_(rtl_.port("tx_full_i")),
      rx_valid_(rtl_.port("rx_valid_i")),
      rx_last_(rtl_.port("rx_last_i")),
      rx_data_(rtl_.port("rx_data_i")),
      rx_full_(rtl_.port("rx_full_o")) {
  sample();
}

const Nic::Out& RtlNic::step(const Nic::In& in) {
  node_.set(in.node);
  ports_.drive(in);
  rx_valid_.set(in.rx.valid);
  rx_last_.set(in.rx.last);
  rx_data_.set_bits(0, 64, in.rx.data);
  if (parity_) rx_data_.set_bits(64, 1, in.rx.parity);
  tx_full_.set(in.tx_full);
  rtl_.tick();
  sample();
  return out_;
}

void RtlNic::sample() {
  ports_.sample(out_);
  out_.tx = {.data = tx_data_.bits(0, 64),
             .last = tx_last_.get() != 0,
             .parity = parity_ && tx_data_.bits(64, 1) != 0,
             .valid = tx_valid_.get() != 0};
  out_.rx_full = rx_full_.get() != 0;
}

RtlCrossbar::RtlCrossbar(std::shared_ptr<const RtlLibrary> library, const Crossbar::Config& config,
                         unsigned flit_w)
    : rtl_(std::move(library)),
      num_in_(config.num_in),
      num_tx_(config.num_tx()),
      flit_w_(flit_w),
      port_rx_valid_(rtl_.port("rx_valid_i")),
      port_rx_last_(rtl_.port("rx_last_i")),
      port_rx_data_(rtl_.port("rx_data_i")),
      port_rx_full_(rtl_.port("rx_full_o")),
      port_tx_valid_(rtl_.port("tx_valid_o")),
      port_tx_last_(rtl_.port("tx_last_o")),
      port_tx_data_(rtl_.port("tx_data_o")),
      port_tx_full_(rtl_.port("tx_full_i")),
      tx_(num_tx_),
      rx_before_((num_in_ + 63) / 64),
      tx_valid_((num_tx_ + 63) / 64),
      rx_full_((num_in_ + 63) / 64),
      rx_full_changed_((num_in_ + 63) / 64) {
  rtl_.port("own_i").set(config.own);
  sample();
}

void RtlCrossbar::step(const Crossbar::In& in) {
  for (unsigned w = 0; w * 64 < num_in_; ++w) {
    const unsigned count = std::min(64u, num_in_ - w * 64);
    std::uint64_t last = 0;
    // Links that carry nothing show 0: those that carried a word before are set back.
    for (std::uint64_t m = in.rx_valid[w] | rx_before_[w]; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(m));
      const bool valid = (in.rx_valid[w] >> i & 1) != 0;
      const Flit flit = valid ? in.rx[w * 64 + i] : Flit{};
      last |= bit(flit.last) << i;
      port_rx_data_.set_bits((w * 64 + i) * flit_w_, 64, flit.data);
      if (flit_w_ > 64) port_rx_data_.set_bits((w * 64 + i) * flit_w_ + 64, 1, bit(flit.parity));
    }
    port_rx_valid_.set_bits(w * 64, count, in.rx_valid[w]);
    port_rx_last_.set_bits(w * 64, count, last);
    rx_before_[w] = in.rx_valid[w];
  }
  for (unsigned w = 0; w * 64 < num_tx_; ++w) {
    port_tx_full_.set_bits(w * 64, std::min(64u, num_tx_ - w * 64), in.tx_full[w]);
  }
  rtl_.tick();
  sample();
}

void RtlCrossbar::sample() {
  for (unsigned w = 0; w * 64 < num_tx_; ++w) {
    const unsigned count = std::min(64u, num_tx_ - w * 64);
    const std::uint64_t valid = port_tx_valid_.bits(w * 64, count);
    const std::uint64_t last = port_tx_last_.bits(w * 64, count);
    for (std::uint64_t m = valid | tx_valid_[w]; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(m));
      const unsigned lsb = (w * 64 + i) * flit_w_;
      tx_[w * 64 + i] = {.data = port_tx_data_.bits(lsb, 64),
                         .last = (last >> i & 1) != 0,
                         .parity = flit_w_ > 64 && port_tx_data_.bits(lsb + 64, 1) != 0,
                         .valid = (valid >> i & 1) != 0};
    }
    tx_valid_[w] = valid;
  }
  for (unsigned w = 0; w * 64 < num_in_; ++w) {
    const std::uint64_t full = port_rx_full_.bits(w * 64, std::min(64u, num_in_ - w * 64));
    rx_full_changed_[w] = full ^ rx_full_[w];
    rx_full_[w] = full;
  }
}

void RtlCrossbar::check_silent_links() const {
  for (unsigned i = 0; i < num_tx_; ++i) {
    if ((tx_valid_[i / 64] >> i % 64 & 1) != 0) continue;
    check(fmt::format("tx_last_o[{}]", i), port_tx_last_.bits(i, 1), 0);
    check(fmt::format("tx_data_o[{}]", i), port_tx_data_.bits(i * flit_w_, 64), 0);
    if (flit_w_ > 64) {
      check(fmt::format("tx_data_o[{}] (parity)", i), port_tx_data_.bits(i * flit_w_ + 64, 1), 0);
    }
  }
}

void compare(const Nic::Out& rtl, const Nic::Out& model) {
  if (rtl == model) return;
  compare_flit("tx", rtl.tx, model.tx);
  check("rx_full_o", bit(rtl.rx_full), bit(model.rx_full));
  check("mem_ren_o", rtl.mem_ren, model.mem_ren);
  for (std::size_t i = 0; i < std::size(rtl.mem_raddr); ++i) {
    check(fmt::format("mem_raddr_o[{}]", i), rtl.mem_raddr[i], model.mem_raddr[i]);
  }
  check("mem_wen_o", bit(rtl.mem_wen), bit(model.mem_wen));
  check("mem_waddr_o", rtl.mem_waddr, model.mem_waddr);
  check("mem_wdata_o", rtl.mem_wdata, model.mem_wdata);
  check("desc_free_o", rtl.status.desc_free, model.status.desc_free);
  check("tx_count_o", rtl.status.tx_count, model.status.tx_count);
  for (unsigned i = 0; i < kNumRxCounts; ++i) {
    check(fmt::format("rx_count_o[{}]", i), rtl.status.rx_count[i], model.status.rx_count[i]);
  }
  check("rx_parity_o", rtl.status.rx_parity, model.status.rx_parity);
  check("rx_refused_o", rtl.status.rx_refused, model.status.rx_refused);
  throw std::logic_error("interfaces differ in an output that is not compared by name");
}

void compare(const Crossbar::Out& rtl, const Crossbar::Out& model, const Crossbar::Config& config) {
  for (unsigned w = 0; w * 64 < config.num_tx(); ++w) {
    check(fmt::format("tx_valid_o[{}+:64]", w * 64), rtl.tx_valid[w], model.tx_valid[w]);
    for (std::uint64_t m = rtl.tx_valid[w]; m != 0; m &= m - 1) {
      const unsigned i = w * 64 + static_cast<unsigned>(std::countr_zero(m));
      if (rtl.tx[i] != model.tx[i]) {
        compare_flit(fmt::format("[{}] of tx", i), rtl.tx[i], model.tx[i]);
      }
    }
  }
  for (unsigned w = 0; w * 64 < config.num_in; ++w) {
    check(fmt::format("rx_full_o[{}+:64]", w * 64), rtl.rx_full[w], model.rx_full[w]);
  }
}

}  // namespace weft
