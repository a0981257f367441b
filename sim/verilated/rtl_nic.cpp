// Ports of the Verilated network interface.
#include "sim/verilated/rtl_nic.hpp"

#include <stdexcept>

namespace weft {

RtlNicPorts::RtlNicPorts(const RtlInstance& rtl, const Nic::Config& config, unsigned index,
                         unsigned count)
    : reduces_(config.reduce) {
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
  desc_ctrl_ = slice("desc_ctrl_i");
  rx_base_ = slice("rx_base_i");
  rx_size_ = slice("rx_size_i");
  if (reduces_) {
    reduce_op_ = slice("reduce_op_i");
    reduce_type_ = slice("reduce_type_i");
    reduce_count_ = slice("reduce_count_i");
  }
  desc_free_ = slice("desc_free_o");
  tx_count_ = slice("tx_count_o");
  mem_ren_ = slice("mem_ren_o");
  mem_wen_ = slice("mem_wen_o");
  rx_parity_ = slice("rx_parity_o");
  rx_refused_ = slice("rx_refused_o");
  for (unsigned i = 0; i < config.lanes(); ++i) {
    mem_rdata_.push_back(slice("mem_rdata_i", i, config.lanes()));
    mem_raddr_.push_back(slice("mem_raddr_o", i, config.lanes()));
  }
  for (unsigned i = 0; i < config.links(); ++i) {
    mem_waddr_.push_back(slice("mem_waddr_o", i, config.links()));
    mem_wdata_.push_back(slice("mem_wdata_o", i, config.links()));
  }
  for (unsigned i = 0; i < kNumRxCounts; ++i) {
    rx_count_.push_back(slice("rx_count_o", i, kNumRxCounts));
    rx_arrived_.push_back(slice("rx_arrived_o", i, kNumRxCounts));
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
    desc_ctrl_.set(in.desc.ctrl);
    posted_ = in.desc_valid;
  }
  for (std::size_t i = 0; i < mem_rdata_.size(); ++i) mem_rdata_[i].set(in.mem_rdata[i]);
  rx_base_.set(in.rx_base);
  rx_size_.set(in.rx_size);
  if (reduces_) {
    reduce_op_.set(static_cast<std::uint64_t>(in.reduction.op));
    reduce_type_.set(static_cast<std::uint64_t>(in.reduction.type));
    reduce_count_.set(in.reduction.count);
  }
}

void RtlNicPorts::sample(Nic::Out& out) const {
  out.status.desc_free = static_cast<std::uint32_t>(desc_free_.get());
  out.status.tx_count = static_cast<std::uint32_t>(tx_count_.get());
  for (unsigned i = 0; i < kNumRxCounts; ++i) {
    out.status.rx_count[i] = static_cast<std::uint32_t>(rx_count_[i].get());
    out.status.rx_arrived[i] = static_cast<std::uint32_t>(rx_arrived_[i].get());
  }
  out.status.rx_parity = static_cast<std::uint32_t>(rx_parity_.get());
  out.status.rx_refused = static_cast<std::uint32_t>(rx_refused_.get());
  out.mem_ren = static_cast<decltype(out.mem_ren)>(mem_ren_.get());
  for (std::size_t i = 0; i < mem_raddr_.size(); ++i) {
    out.mem_raddr[i] = static_cast<std::uint32_t>(mem_raddr_[i].get());
  }
  out.mem_wen = static_cast<decltype(out.mem_wen)>(mem_wen_.get());
  for (std::size_t i = 0; i < mem_waddr_.size(); ++i) {
    out.mem_waddr[i] = static_cast<std::uint32_t>(mem_waddr_[i].get());
    out.mem_wdata[i] = mem_wdata_[i].get();
  }
}

RtlNic::RtlNic(const Nic::Config& config, bool assertions)
    : links_(config.links()),
      num_vc_(config.num_vc),
      credit_(config.credit),
      rtl_(RtlLibrary::load({"nic", rtl_params(config), assertions, {}})),
      ports_(rtl_, config, 0, 1),
      node_(rtl_.port("node_i")),
      tx_full_(rtl_.port("tx_full_i")),
      rx_full_(rtl_.port("rx_full_o")),
      tx_credit_(rtl_.port("tx_credit_i")),
      rx_credit_(rtl_.port("rx_credit_o")),
      tx_(rtl_, "tx", links_, flit_width(config.parity), config.num_vc),
      rx_(rtl_, "rx", links_, flit_width(config.parity), 0) {
  sample();
}

const Nic::Out& RtlNic::step(const Nic::In& in) {
  node_.set(in.node);
  ports_.drive(in);
  for (unsigned l = 0; l < links_; ++l) rx_.drive(l, in.rx[l]);
  if (credit_) {
    const unsigned words = (num_vc_ + 63) / 64;
    for (unsigned v = 0; v < links_ * num_vc_; v += std::min(64u, num_vc_ - v % num_vc_)) {
      const unsigned link = v / num_vc_, vc = v % num_vc_;
      tx_credit_.set_bits(v, std::min(64u, num_vc_ - vc), in.tx_credit[link * words + vc / 64]);
    }
  } else {
    tx_full_.set(in.tx_full);
  }
  rtl_.tick();
  sample();
  return out_;
}

void RtlNic::sample() {
  ports_.sample(out_);
  for (unsigned l = 0; l < links_; ++l) out_.tx[l] = tx_.sample(l);
  if (credit_) {
    out_.rx_credit = static_cast<std::uint8_t>(rx_credit_.get());
  } else {
    out_.rx_full = rx_full_.get() != 0;
  }
}

void compare(const Nic::Out& rtl, const Nic::Out& model) {
  if (rtl == model) return;
  const auto at = [](const char* port, std::size_t i) { return fmt::format("{}[{}]", port, i); };
  for (unsigned l = 0; l < rtl.tx.size(); ++l) check_equal("tx", l, rtl.tx[l], model.tx[l]);
  check_equal("rx_full_o", rtl.rx_full, model.rx_full);
  check_equal("rx_credit_o", rtl.rx_credit, model.rx_credit);
  check_equal("mem_ren_o", rtl.mem_ren, model.mem_ren);
  check_equal("mem_wen_o", rtl.mem_wen, model.mem_wen);
  for (std::size_t i = 0; i < rtl.mem_raddr.size(); ++i) {
    check_equal(at("mem_raddr_o", i), rtl.mem_raddr[i], model.mem_raddr[i]);
  }
  for (std::size_t i = 0; i < rtl.mem_waddr.size(); ++i) {
    check_equal(at("mem_waddr_o", i), rtl.mem_waddr[i], model.mem_waddr[i]);
    check_equal(at("mem_wdata_o", i), rtl.mem_wdata[i], model.mem_wdata[i]);
  }
  check_equal("desc_free_o", rtl.status.desc_free, model.status.desc_free);
  check_equal("tx_count_o", rtl.status.tx_count, model.status.tx_count);
  for (unsigned i = 0; i < kNumRxCounts; ++i) {
    check_equal(at("rx_count_o", i), rtl.status.rx_count[i], model.status.rx_count[i]);
    check_equal(at("rx_arrived_o", i), rtl.status.rx_arrived[i], model.status.rx_arrived[i]);
  }
  check_equal("rx_parity_o", rtl.status.rx_parity, model.status.rx_parity);
  check_equal("rx_refused_o", rtl.status.rx_refused, model.status.rx_refused);
  throw std::logic_error("interfaces differ in an output that is not compared by name");
}

}  // namespace weft
