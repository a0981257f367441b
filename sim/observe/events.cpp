// Where packets wait, as a trace-event file for Perfetto or Chrome.
#include "sim/observe/events.hpp"

#include <fmt/format.h>

namespace weft {
namespace {

constexpr const char* kCauses[] = {"none",         "credit", "vc",   "hol_blocked",
                                   "gap_upstream", "tail",   "link", "pipeline"};

// Names and reasons consist of instance names and numbers: nothing in them needs an escape.
std::string name_event(const char* what, std::uint64_t pid, std::uint64_t tid,
                       const std::string& name) {
  return fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":"{}"}}}})", what,
                     pid, tid, name);
}

}  // namespace

WaitEvents::WaitEvents(const std::filesystem::path& file, const Graph& graph)
    : graph_(graph), out_(file) {
  out_.write(R"({"displayTimeUnit":"ms","otherData":{"unit":"1 us is 1 cycle"},"traceEvents":[)");
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    write(name_event("process_name", b, 0, graph.blocks[b].name));
  }
}

void WaitEvents::write(const std::string& event) {
  out_.write(first_ ? "\n" : ",\n");
  out_.write(event);
  first_ = false;
}

void WaitEvents::close(const HeldVc& vc, HeldPacket& packet, const HeldPackets& packets,
                       std::uint64_t cycle) {
  if (packet.wait == Wait::kNone) return;
  // Viewers sort threads by number: this keeps the packets of one buffer together.
  const std::uint64_t tid =
      (std::uint64_t{vc.port} * graph_.num_vc + vc.vc) * 10000 + packet.lane + 1;
  if (named_.insert(std::uint64_t{vc.block} << 40 | tid).second) {
    const std::string buffer = fmt::format("in {} vc {}", vc.port, vc.vc);
    write(name_event("thread_name", vc.block, tid,
                     packet.lane == 0 ? buffer : fmt::format("{} +{}", buffer, packet.lane)));
  }
  write(fmt::format(R"({{"ph":"X","name":"{}","cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},)"
                    R"("args":{{"cause":"{}","for":"{}"}}}})",
                    packets.name(packet.header), kCauses[static_cast<unsigned>(packet.wait)],
                    vc.block, tid, packet.since, cycle - packet.since,
                    kCauses[static_cast<unsigned>(packet.wait)], packet.reason));
  packet.wait = Wait::kNone;
}

void WaitEvents::add(HeldPackets& packets, const Wires& wires, std::uint64_t cycle) {
  packets.for_each([&](HeldVc& vc) {
    for (std::size_t i = 0; i < vc.packets.size(); ++i) {
      HeldPacket& packet = vc.packets[i];
      const Wait wait = packets.wait_of(vc, i);
      if (wait == packet.wait) continue;
      // The packet did not move at the clock edge of the cycle before.
      close(vc, packet, packets, cycle - 1);
      if (wait == Wait::kNone) continue;
      packet.wait = wait;
      packet.since = cycle - 1;
      packet.reason = packets.reason(vc, i, wires);
    }
  });
}

void WaitEvents::finish(HeldPackets& packets, std::uint64_t cycle) {
  end_waits(packets, cycle);
  out_.write("\n]}\n");
  out_.finish();
}

}  // namespace weft
