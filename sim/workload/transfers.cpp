// Single messages, posted directly to the network interfaces without a driver.
#include "sim/workload/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/analysis/analysis.hpp"
#include "sim/fabric/blocks.hpp"

namespace weft {

Transfers::Transfers(const Config& config, const Graph& graph)
    : config_(config),
      graph_(graph),
      packets_overtake_(nic_config(config, graph).by_packet()),
      sent_(graph.nodes),
      received_(graph.nodes),
      expected_(graph.nodes) {
  std::vector<std::uint64_t> sent(graph.nodes), received(graph.nodes);
  for (const Transfer& t : config.workload.transfers) {
    const auto number = static_cast<std::uint32_t>(placed_.size());
    placed_.push_back(
        {t, static_cast<std::uint32_t>(sent[t.from]), static_cast<std::uint32_t>(received[t.to])});
    if (!graph.connected(t.from, t.to)) continue;  // The transfer is left out.
    sent[t.from] += t.flits;
    received[t.to] += t.flits;
    sent_[t.from].push_back(number);
    received_[t.to].push_back(number);
    const std::uint64_t packets = wire_flits(t.flits, config.nic.packet_flits) - t.flits;
    expected_[t.to] += packets_overtake_ ? static_cast<std::uint32_t>(packets) : 1;
    words_ += std::uint64_t{t.flits} * graph.header.flit_words();
  }
  const std::uint64_t send_flits = *std::max_element(sent.begin(), sent.end());
  const std::uint64_t recv_flits = *std::max_element(received.begin(), received.end());
  const std::uint64_t window = graph.header.window_flits();
  if (recv_flits > window) {
    config.source.refuse("/workload/transfers", recv_flits,
                         fmt::format("a receive window of up to {} flits on one node", window));
  }
  layout_ = place_areas(send_flits, recv_flits, graph.header, config.source);
}

void Transfers::fill(std::uint32_t rank, Memory& memory) const {
  const std::uint32_t words = graph_.header.flit_words();
  for (const std::uint32_t i : sent_[rank]) {
    const Placed& p = placed_[i];
    const std::uint32_t first = layout_.send_base / kWordBytes + p.send_flit * words;
    for (std::uint32_t k = 0; k < p.transfer.flits * words; ++k) {
      memory.write_word(first + k, sent_word(config_.seed, i, 0, k));
    }
  }
}

void Transfers::compare(std::uint32_t rank, const Memory& memory, const OnWrongWord& wrong) const {
  const std::uint32_t words = graph_.header.flit_words();
  for (const std::uint32_t i : received_[rank]) {
    const Placed& p = placed_[i];
    const std::uint32_t first = layout_.recv_base / kWordBytes + p.recv_flit * words;
    for (std::uint32_t k = 0; k < p.transfer.flits * words; ++k) {
      const std::uint32_t address = first + k;
      const std::uint64_t expected = sent_word(config_.seed, i, 0, k);
      const std::uint64_t found = memory.read_word(address);
      if (found == expected) continue;
      wrong({.address = address,
             .expected = expected,
             .found = found,
             .part = WrongWord::Part::kTransfer,
             .index = k,
             .owner = p.transfer.from,
             .transfer = i});
    }
  }
}

Bound Transfers::bound() const {
  LinkLoad load(graph_);
  for (const Placed& p : placed_) {
    if (!graph_.connected(p.transfer.from, p.transfer.to)) continue;
    load.add(p.transfer.from, p.transfer.to,
             wire_flits(p.transfer.flits, config_.nic.packet_flits));
  }
  return {load.bound(), "links of the routes"};
}

TransferEndpoint::TransferEndpoint(const Transfers& transfers, std::uint32_t rank)
    : expected_(transfers.expected_count(rank)),
      flit_words_(transfers.graph().header.flit_words()),
      window_base_(transfers.layout().recv_base / transfers.graph().header.flit_bytes()),
      window_flits_(transfers.layout().recv_bytes / transfers.graph().header.flit_bytes()),
      memory_(transfers.layout().memory_bytes) {
  for (const std::uint32_t i : transfers.sent_by(rank)) {
    const Transfers::Placed& p = transfers.placed()[i];
    orders_.push_back(
        {p.transfer.start,
         {.dst = transfers.graph().address[p.transfer.to],
          .addr =
              transfers.layout().send_base / transfers.graph().header.flit_bytes() + p.send_flit,
          .len = p.transfer.flits,
          .off = p.recv_flit,
          .tag = 0,
          .gap = p.transfer.gap,
          .timed = p.transfer.at != 0,
          .start = p.transfer.at}});
  }
  transfers.fill(rank, memory_);
}

void TransferEndpoint::step(const NicStatus& status, std::uint64_t cycle, RegionSums&) {
  // Last cycle's post is not in `desc_free` yet.
  const std::uint32_t free = status.desc_free - (posted_ ? 1 : 0);
  posted_ = next_ < orders_.size() && free > 0 && cycle >= orders_[next_].start;
  if (posted_) ++next_;
  done_ = status.tx_count == orders_.size() && status.rx_count[0] == expected_;
}

}  // namespace weft
