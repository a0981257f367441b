// Builds the emitted top and reads its observation ports.
#include "sim/engine/rtl_top.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/file_writer.hpp"
#include "sim/base/temporary_folder.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/router/tile_ports.hpp"

namespace weft {
namespace {

std::shared_ptr<const RtlLibrary> top_library(const Config& config, const Graph& graph) {
  // The texts are the key of the cached library; the files are needed only during the build.
  const TemporaryFolder folder;
  std::vector<std::filesystem::path> files;
  for (const auto& [name, text] : emit_modules(config, graph, {.observe = true})) {
    files.push_back(folder.path() / (name + ".sv"));
    write_file(files.back(), text);
  }
  // No assertions with faults, as of engine `cosim`: wrong words break what blocks assume of links.
  const bool assertions = config.faults.empty();
  return RtlLibrary::load({"weft_top", {}, assertions, files});
}

}  // namespace

RtlTop::RtlTop(const Config& config, const Graph& graph, ArrivalMonitor arrivals)
    : graph_(graph),
      tables_(table_ports(config, graph)),
      rtl_(top_library(config, graph)),
      inputs_(graph.nodes),
      outputs_(graph.nodes),
      wires_(graph),
      monitor_(std::move(arrivals)) {
  const Nic::Config nic = nic_config(config, graph);
  data_w_ = nic.header.data_w;
  flit_w_ = kFlitWidth(nic);
  vc_w_ = index_width(nic.num_vc);
  valid_ = rtl_.port("link_valid_o");
  last_ = rtl_.port("link_last_o");
  data_ = rtl_.port("link_data_o");
  if (graph.has_routers()) {
    vc_ = rtl_.port("link_vc_o");
    stamp_ = rtl_.port("link_stamp_o");
    credit_ = rtl_.port("link_credit_o");
  } else {
    full_ = rtl_.port("link_full_o");
  }
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    ports_.emplace_back(rtl_, "", nic, n);
    ports_[n].sample(outputs_[n]);
  }
  if (!config.nic.reliable) return;
  set_tables(graph);
  rtl_.port(kNetworkReset).set(1);
  rtl_.eval();
}

void RtlTop::set_tables(const Graph& graph) {
  for (const TablePort& table : tables_) {
    const RouterTileConfig router = graph.router_config(table.router);
    const unsigned port_w = route_ports(router).port_w();
    const unsigned row_w = router.route.tables->addresses() * (port_w + kVcSetW);
    RtlPort port = rtl_.port(table.name);
    for (unsigned p = 0; p < router.num_ports; ++p) {
      const std::vector<std::uint64_t> row = router.route.tables->packed(router.own, p, port_w);
      for (unsigned bit = 0; bit < row_w; bit += 64) {
        port.set_bits(p * row_w + bit, std::min(64u, row_w - bit), row[bit / 64]);
      }
    }
  }
}

void RtlTop::restart(const Graph& graph) {
  set_tables(graph);
  links_->restart();
  RtlPort reset = rtl_.port(kNetworkReset);
  reset.set(0);
  rtl_.eval();
  reset.set(1);
  rtl_.eval();
  wires_.clear();
  monitor_.restart();
}

// Whether a flit is at an end of a link; reads it into `flit`.
bool RtlTop::read_end(std::uint32_t end, Flit& flit) {
  wires_.valid[end] = valid_.bits(end, 1) != 0;
  if (wires_.valid[end] == 0) return false;
  flit.valid = true;
  flit.last = last_.bits(end, 1) != 0;
  for (unsigned w = 0; w < data_w_ / 64; ++w) flit.word(w) = data_.bits(end * flit_w_ + w * 64, 64);
  flit.parity = flit_w_ != data_w_ && data_.bits(end * flit_w_ + data_w_, 1) != 0;
  if (!graph_.has_routers()) return true;
  flit.vc = static_cast<std::uint16_t>(vc_.bits(end * vc_w_, vc_w_));
  flit.stamp = static_cast<std::uint16_t>(stamp_.bits(end * kStampW, kStampW));
  return true;
}

void RtlTop::publish(const BlockRange&, std::uint64_t cycle, Counters& counters) {
  for (std::uint32_t l = 0; l < graph_.links.size(); ++l) {
    const Link& link = graph_.links[l];
    if (link.src_block == kOpen) continue;
    const std::uint32_t port = graph_.blocks[link.src_block].first_out + link.src_port;
    if (!graph_.has_routers()) wires_.full[port] = static_cast<std::uint8_t>(full_.bits(l, 1));
    const std::uint32_t sent = wires_.flit_place[l];
    for (unsigned v = 0; v < graph_.num_vc && graph_.has_routers(); v += 64) {
      wires_.credit[port * wires_.credit_words + v / 64] =
          credit_.bits(sent * graph_.num_vc + v, std::min(64u, graph_.num_vc - v));
    }
    Flit flit;
    if (sent != l && read_end(l, flit)) wires_.flit[l] = flit;
    if (read_end(sent, flit)) {
      wires_.put(l, flit, cycle, counters);
      if (link.src_block < graph_.nodes) counters.entered(flit);
    }
  }
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) ports_[n].sample(outputs_[n]);
}

// Faults of this cycle may have changed the receiver's end since it was read.
void RtlTop::read_links(std::uint32_t node, std::uint64_t cycle) {
  const Block& block = graph_.blocks[node];
  for (std::uint32_t l = block.first_in; l < block.first_in + block.num_in; ++l) {
    Flit flit;
    if (graph_.links[l].injected && read_end(l, flit)) wires_.flit[l] = flit;
    if (wires_.arrives(l)) monitor_.note(l, wires_.arriving(l), cycle, inputs_[node].windows);
  }
}

}  // namespace weft
