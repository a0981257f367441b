// The Verilated blocks of a fabric: instances of their port templates, and the masks that the
// model's outputs have besides the values.
#include <algorithm>

#include "sim/verilated/rtl_barrier.hpp"
#include "sim/verilated/rtl_combine.hpp"
#include "sim/verilated/rtl_crossbar.hpp"
#include "sim/verilated/rtl_link.hpp"
#include "sim/verilated/rtl_nic.hpp"
#include "sim/verilated/rtl_router.hpp"

namespace weft {

template class RtlBlock<Nic>;
template class RtlBlock<BarrierUnit>;
template class RtlBlock<CombineUnit>;
template class RtlBlock<LinkStage>;
template class RtlBlock<Crossbar>;
template class RtlBlock<VcRouter>;
template class RtlBlock<RouteLoad>;

const CombineUnit::Out& RtlCombineUnit::step(const CombineUnit::In& in) {
  edge(in);
  const CombineUnit::Out& out = held();
  const bool quiet = !in.post && !in.credit && !in.down.valid && !in.up[0].valid &&
                     !in.up[1].valid && !out.up.valid && !out.down.valid && out.credit == 0 &&
                     !out.mem_ren && !out.mem_wen;
  silent_ = at_rest() && quiet;
  return out;
}

void RtlNic::note_silent() {
  const Nic::Out& out = held();
  silent_ = (out.mem_ren | out.mem_wen | out.rx_credit) == 0 &&
            std::none_of(out.tx.begin(), out.tx.end(), [](const Flit& flit) { return flit.valid; });
}

bool RtlNic::carries(const Nic::In& in) const {
  std::uint64_t any = in.desc_valid;
  for (const Flit& flit : in.rx) any |= flit.valid;
  for (unsigned w = 0; w < credit_words_ && in.tx_credit != nullptr; ++w) any |= in.tx_credit[w];
  return any != 0;
}

bool RtlRouter::no_inputs(const VcRouter::In& in) const {
  std::uint64_t any = in.rx_valid;
  for (std::size_t w = 0; w < held().credit.size(); ++w) any |= in.credit[w];
  return any == 0;
}

void RtlRouter::note_valid() {
  tx_valid_ = credits_ = 0;
  for (std::size_t p = 0; p < held().tx.size(); ++p) {
    tx_valid_ |= std::uint64_t{held().tx[p].valid} << p;
    std::uint64_t any = 0;
    for (unsigned w = 0; w < words_; ++w) any |= held().credit[p * words_ + w];
    credits_ |= std::uint64_t{any != 0} << p;
  }
}

RtlTileRoute::RtlTileRoute(const RouterTileConfig& config)
    : rtl_(RtlLibrary::load({rtl_module(RouteUnit::block(config.route_kind)),
                             rtl_params(route_ports(config)),
                             false,
                             {}})),
      ports_(rtl_, RouteUnit::block(config.route_kind), route_ports(config)) {
  const RouteUnit::PortConfig shape = route_ports(config);
  for (unsigned p = 0; p < config.num_ports && shape.has_table(); ++p) {
    tables_.push_back(shape.config.tables->packed(config.own, p, shape.port_w()));
  }
}

RouteOut RtlTileRoute::operator()(std::uint32_t port, std::uint32_t own, std::uint32_t src,
                                  std::uint32_t dst, bool other_way, bool reverse) {
  ports_.drive(RouteUnit::In{port, own, src, dst, other_way,
                             tables_.empty() ? nullptr : tables_[port].data(), reverse});
  rtl_.eval();
  RouteOut out;
  ports_.sample(out);
  return out;
}

RouteOut CosimTileRoute::operator()(std::uint32_t port, std::uint32_t own, std::uint32_t src,
                                    std::uint32_t dst, bool other_way, bool reverse) {
  const RouteOut model = model_(port, own, src, dst, other_way, reverse);
  const RouteOut rtl = rtl_(port, own, src, dst, other_way, reverse);
  if (rtl.port != model.port) {
    throw Difference({fmt::format("route_port[{}]", port), "port_o", 0,
                      rtl_.instance().port("port_o").width(), rtl.port, model.port});
  }
  if (rtl.set != model.set) {
    throw Difference({fmt::format("route_set[{}]", port), "set_o", 0, kVcSetW,
                      static_cast<std::uint64_t>(rtl.set), static_cast<std::uint64_t>(model.set)});
  }
  return model;
}

bool RtlCrossbar::same_as_last(const Crossbar::In& in) const {
  return !had_words_ &&
         std::none_of(in.rx_valid, in.rx_valid + rx_full_.size(), [](auto w) { return w != 0; }) &&
         std::equal(tx_full_.begin(), tx_full_.end(), in.tx_full);
}

void RtlCrossbar::note_inputs(const Crossbar::In& in) {
  had_words_ =
      std::any_of(in.rx_valid, in.rx_valid + rx_full_.size(), [](auto w) { return w != 0; });
  std::copy_n(in.tx_full, tx_full_.size(), tx_full_.begin());
}

void RtlCrossbar::note_valid() {
  std::fill(tx_valid_.begin(), tx_valid_.end(), 0);
  for (std::size_t i = 0; i < held().tx.size(); ++i) {
    tx_valid_[i / 64] |= std::uint64_t{held().tx[i].valid} << i % 64;
  }
  for (std::size_t w = 0; w < rx_full_.size(); ++w) {
    rx_full_changed_[w] = held().rx_full[w] ^ rx_full_[w];
    rx_full_[w] = held().rx_full[w];
  }
}

}  // namespace weft
