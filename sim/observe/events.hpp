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

/// Writes {"traceEvents": [...]} while the run goes on: for each packet a slice wherever it waited
/// in a router's buffer, over the cycles of one cause. Process: the router. Thread: in-port and VC;
/// a packet behind others there has a line of its own. One microsecond is one cycle. The file has
/// another name until it is whole, also when the run fails.
class WaitEvents {
 public:
  /// Throws ConfigError where the file cannot be written.
  WaitEvents(const std::filesystem::path& file, const Graph& graph);

  /// A packet leaves the front of a buffer in the clock edge before `cycle`.
  void gone(HeldVc& vc, const HeldPackets& packets, std::uint64_t cycle) {
    close(vc, vc.packets.front(), packets, cycle);
  }
  /// What each packet in a buffer waited for in the clock edge before `cycle`.
  void add(HeldPackets& packets, const Wires& wires, std::uint64_t cycle);
  /// Ends the slices and the file, which takes its name. Throws ConfigError where it could not be
  /// written whole.
  void finish(HeldPackets& packets, std::uint64_t cycle);

 private:
  void close(const HeldVc& vc, HeldPacket& packet, const HeldPackets& packets, std::uint64_t cycle);
  void write(const std::string& event);

  const Graph& graph_;
  FileWriter out_;
  std::unordered_set<std::uint64_t> named_;  // Lines that have their name.
  bool first_ = true;
};

}  // namespace weft
