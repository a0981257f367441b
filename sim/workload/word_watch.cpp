// A watch on an element of one node's memory.
#include "sim/workload/word_watch.hpp"

#include <algorithm>

namespace weft {

WordWatch::WordWatch(const Config& config, const Graph& graph, const WrongData& wrong)
    : graph_(graph),
      node_(wrong.rank),
      address_(wrong.word.address),
      flit_(address_ / graph.header.flit_words()),
      mask_(wrong.bits == 64                         ? ~std::uint64_t{0}
            : wrong.memory_address % kWordBytes == 0 ? low_mask(32)
                                                     : ~low_mask(32)),
      parity_(config.link.parity),
      reduces_(config.derived.reduces),
      links_(graph.nic_links) {}

void WordWatch::restart() {
  links_.assign(links_.size(), {});
  last_ = {};
}

void WordWatch::record(const Header& packet, std::uint64_t cycle) {
  const auto node = std::find(graph_.address.begin(), graph_.address.end(), packet.src);
  last_ = {.by = LastWriter::By::kMessage,
           .cycle = cycle,
           .tag = packet.tag,
           .reduced = reduces_ && reduces(packet.tag)};
  if (node != graph_.address.end()) {
    last_.source = static_cast<std::uint32_t>(node - graph_.address.begin());
  }
}

void WordWatch::arrive(unsigned link, const Flit& flit, const Nic::In& in) {
  Receiving& receiving = links_[link];
  const ArrivingPacket& packet = receiving.packet;
  if (!receiving.packet.take(flit, graph_.header, parity_) || packet.header.len == 0) return;
  const auto place = packet.place(graph_.address[node_], in.windows, graph_.header);
  if (place) receiving.accepted.push_back({packet.header, *place});
}

void WordWatch::write(unsigned link, std::uint32_t address, std::uint64_t cycle) {
  std::deque<Packet>& packets = links_[link].accepted;
  const auto next = [&] { return packets.front().first + packets.front().written; };
  while (!packets.empty() && address != next()) packets.pop_front();
  if (packets.empty()) {  // The window was moved while a packet arrived.
    if (address == flit_) last_ = {.by = LastWriter::By::kUnknown, .cycle = cycle};
    return;
  }
  Packet& packet = packets.front();
  if (address == flit_) record(packet.header, cycle);
  if (++packet.written == packet.header.len) packets.pop_front();
}

void WordWatch::combine(std::uint32_t address, std::uint64_t cycle) {
  if (address == flit_) {
    last_ = {.by = LastWriter::By::kCombiningTree, .cycle = cycle};
  }
}

void WordWatch::step(std::uint64_t before, std::uint64_t after, std::uint64_t cycle) {
  if (((before ^ after) & mask_) != 0) {
    last_ = {.by = LastWriter::By::kProcessor, .cycle = cycle};
  }
}

}  // namespace weft
