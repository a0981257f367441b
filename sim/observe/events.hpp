// Where packets wait, as a trace-event file for Perfetto or Chrome.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_set>
#include <vector>

#include "sim/base/file_writer.hpp"
#include "sim/observe/held_packets.hpp"

namespace weft {

/// Writes {"traceEvents": [...]} during the run: a slice for each interval in which a packet waited
/// in a router's buffer for one cause. The process is the router, the thread is in-port and VC,
/// with further threads for the packets behind the first. One microsecond is one cycle. The file
/// gets its name only when it is complete, also if the run fails.
class WaitEvents {
 public:
  /// Throws ConfigError if the file cannot be written.
  WaitEvents(const std::filesystem::path& file, const Graph& graph);

  /// Notes that the packet at the front of a buffer leaves at the clock edge before `cycle`.
  void gone(HeldVc& vc, const HeldPackets& packets, std::uint64_t cycle) {
    close(vc, vc.packets.front(), packets, cycle);
  }
  /// Records what each buffered packet waited for at the clock edge before `cycle`.
  void add(HeldPackets& packets, const Wires& wires, std::uint64_t cycle);
  /// Ends the slices before `cycle`.
  void end_waits(HeldPackets& packets, std::uint64_t cycle) {
    packets.for_each([&](HeldVc& vc) {
      for (HeldPacket& packet : vc.packets) close(vc, packet, packets, cycle);
    });
  }
  /// Ends the slices and the file, and gives the file its name. Throws ConfigError if it could not
  /// be written.
  void finish(HeldPackets& packets, std::uint64_t cycle);

 private:
  void close(const HeldVc& vc, HeldPacket& packet, const HeldPackets& packets, std::uint64_t cycle);
  void write(const std::string& event);

  const Graph& graph_;
  FileWriter out_;
  std::unordered_set<std::uint64_t> named_;  // Threads whose names are written.
  bool first_ = true;
};

}  // namespace weft
