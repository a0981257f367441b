// A network interface (NIC) with a plain memory, for its tests.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/nic/nic.hpp"

namespace weft::nodes {

inline constexpr std::uint32_t kMemory = 1 << 14;  // Flits.
inline constexpr std::uint32_t kBase = 1 << 12;    // Receive windows; below is what is sent from.
inline constexpr std::uint32_t kWindow = kMemory - kBase;

using Packet = std::vector<std::uint64_t>;

// A node: the NIC with a memory, and what it sent, packet by packet.
struct Node {
  Node(const Nic::Config& config, std::uint32_t address, RandomStream& random)
      : nic(config), memory(kMemory) {
    std::generate(memory.begin(), memory.begin() + kBase, [&] { return random(); });
    in.node = address;
    in.windows.base[0] = kBase;
    in.windows.size[0] = kWindow;
  }

  // The memory as the NIC sees it at the end of a cycle, then the edge.
  void step() {
    const Nic::Out& out = nic.out();
    for (unsigned c = 0; c < Nic::kMaxLanes; ++c) {
      if ((pending >> c & 1) != 0) in.mem_rdata[c].word[0] = words[c];
      if ((out.mem_ren >> c & 1) != 0) words[c] = memory.at(out.mem_raddr[c]);
    }
    pending = out.mem_ren;
    for (unsigned i = 0; i < Nic::kMaxLinks; ++i) {
      if ((out.mem_wen >> i & 1) != 0) memory.at(out.mem_waddr[i]) = out.mem_wdata[i].word[0];
      const Flit& flit = out.tx[i];
      if (!flit.valid) continue;
      if (!inside[i]) {
        open[i] = sent.size();
        sent.emplace_back();
      }
      sent[open[i]].push_back(flit.data);
      inside[i] = !flit.last;
    }
    nic.step(in);
  }

  Nic nic;
  Nic::In in;
  std::vector<std::uint64_t> memory;
  std::vector<Packet> sent;
  std::array<std::uint64_t, Nic::kMaxLanes> words = {};
  std::uint16_t pending = 0;
  std::array<std::size_t, Nic::kMaxLinks> open = {};  // Index into `sent` of the packet on a link.
  std::array<bool, Nic::kMaxLinks> inside = {};
};

}  // namespace weft::nodes
