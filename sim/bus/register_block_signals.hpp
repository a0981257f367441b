// Configuration, inputs, outputs and port table of the registers of a network interface.
#pragma once

#include <bit>
#include <cstdint>
#include <tuple>

#include "sim/nic/nic_signals.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Base of RegisterBlock.
struct RegisterBlockSignals {
  static constexpr unsigned kRegAddrW = 12;  ///< Byte address of a register, bits.

  struct Config {
    unsigned num_ctrl = 1;            ///< Send controllers of the interface, 1 to 8.
    unsigned num_links = 1;           ///< Incoming links of the interface, 1 to 8.
    std::uint32_t queue_depth = 8;    ///< Depth of the interface's descriptor queue, 1 or more.
    PacketForm header = {};           ///< Form of packets: width of a flit, and fields of the
                                      ///< header.
    bool timed = false;               ///< Messages may have a start.
    bool reduce = false;              ///< The interface reduces.
    bool barrier = false;             ///< There is a barrier unit.
    bool combine = false;             ///< There is a combine unit.
    std::uint32_t mem_flits = 65536;  ///< Size of the node's memory, flits: 1 to 2^24.
    unsigned windows = 1;             ///< Receive windows, 1 to kMaxWindows; 1 without keys.

    /// Number of counts by link and tag.
    unsigned link_counts() const { return num_links * kNumRxCounts; }
    /// Configuration for an interface, as far as it follows from that of the interface.
    static Config of(const NicSignals::Config& nic) {
      return {.num_ctrl = nic.num_ctrl,
              .num_links = nic.links(),
              .queue_depth = nic.queue_depth,
              .header = nic.header,
              .timed = nic.timed,
              .reduce = nic.reduce,
              .windows = nic.windows};
    }
  };
  struct In {
    bool wen = false;         ///< A register is written.
    std::uint32_t waddr = 0;  ///< Byte address of the register, 12 bits.
    std::uint32_t wdata = 0;
    std::uint32_t raddr = 0;  ///< Byte address of the register that is read, 12 bits.
    NicStatus status;         ///< Status that interface and units show; 0 for links that do not
                              ///< exist.
    std::uint32_t memory_errors = 0;  ///< Accesses that the memory answered with an error.
  };
  struct Out {
    bool wrefused = false;    ///< The write in this cycle has no effect.
    std::uint32_t rdata = 0;  ///< Value read in this cycle; 0 if refused.
    bool rrefused = false;    ///< No register can be read at the address of this cycle.
    bool event = false;       ///< In this cycle a register reads differently from before, CYCLE
                              ///< aside.
    bool desc_valid = false;  ///< A descriptor was posted in the cycle before.
    Descriptor desc;          ///< The order registers, in every cycle.
    ReceiveWindows windows;
    Reduction reduction;         ///< All 0 without `reduce`.
    bool barrier_enter = false;  ///< The node enters its next barrier.
    bool combine_post = false;   ///< An order was posted in the cycle before.
    CombineOrder order;          ///< Order registers, in every cycle; all 0 without `combine`.
  };

  static constexpr auto ports();  // sim/bus/register_block_ports.hpp
};

}  // namespace weft
