// Configuration, inputs, outputs and port table of a network interface.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/nic/packet_id.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Base of Nic and of its Verilated form.
struct NicSignals {
  static constexpr unsigned kMaxCtrl = 8;                      ///< Most send controllers.
  static constexpr unsigned kMaxLinks = kMaxNicLinks;          ///< Most links in each direction.
  static constexpr unsigned kMaxLanes = kMaxCtrl + kMaxLinks;  ///< Most read lanes of the memory.

  struct Config {
    unsigned num_ctrl = 1;             ///< Send controllers, 1 to 8.
    bool parity = false;               ///< Links carry parity.
    std::uint32_t packet_flits = 128;  ///< Most body flits of a packet, 1 to 255.
    std::uint32_t queue_depth = 8;     ///< Descriptors that can wait, 1 or more.
    bool credit = false;    ///< A credit link in each direction for each controller; else one link
                            ///< with Buffer-Full.
    unsigned num_vc = 1;    ///< Credit links: VCs of a link, 1 to 65535.
    unsigned vc_depth = 8;  ///< Credit links: receiver's buffer of each VC, flits.
    bool by_dest = false;   ///< Credit links: a VC for each destination; else round-robin.
    bool age = false;       ///< Credit links: flits carry the cycle of their packet's injection.
    std::vector<std::uint32_t> max_coords =
        {};                  ///< With `by_dest`: maximum coordinate by dimension.
    PacketForm header = {};  ///< Form of packets.
    bool reduce = false;  ///< Messages whose tag has the bit `kTagReduce` are reduced into memory.
    /// Credit links: VC 0, or the first of its class, for every packet; not with `by_dest`.
    bool in_order = false;
    /// With `in_order`: the network keeps the order of packets with the same destination and tag
    /// that enter it by the same link and VC.
    bool keeps_order = false;
    bool timed = false;  ///< Messages may have a start time.
    /// Credit links: packets whose tag is odd take the upper half of the VCs, others the lower
    /// half.
    bool classes = false;
    /// The memory has `ready`, and a packet is sent once all of it is read; not with `reduce`.
    bool mem_ready = false;
    unsigned windows = 1;  ///< Receive windows, 1 to kMaxWindows; 1 without keys (`header.key_w`).
    /// Packets of each controller that may wait to be acknowledged: 2, 4, 8 or 16, not with
    /// `timed`; 0: packets are not acknowledged. `header.id_w` is that of `ids()`.
    unsigned slots = 0;
    std::uint32_t addresses = 16;  ///< With `slots`: one above the highest address of a node.
    std::uint32_t timeout = 4096;  ///< With `slots`: cycles until a packet is overdue, 1 to 2^20.
    unsigned rx_depth = kRxDepth;  ///< FIFO of an incoming link, words, kRxDepth to kMaxRxDepth.

    IdForm ids() const { return {num_ctrl, slots}; }

    unsigned links() const { return credit ? num_ctrl : 1; }  ///< Links in each direction.
    /// Number of counts by link and tag.
    unsigned link_counts() const { return links() * kNumRxCounts; }
    /// Read lanes of the memory: one for each controller, then with `reduce` one for each incoming
    /// link.
    unsigned lanes() const { return num_ctrl + (reduce ? links() : 0); }
    /// Whether the packets of one message, which leave by one controller, may overtake each other,
    /// so that the receive counters count packets, not messages. Packets that are sent again may
    /// overtake.
    bool by_packet() const {
      return slots != 0 || (credit && num_vc > 1 && !by_dest && !(in_order && keeps_order));
    }
  };
  /// Inputs; a caller keeps an In and updates it. The members that are read in every cycle are in
  /// the first cache line.
  struct alignas(64) In {
    bool tx_full = false;     ///< Outgoing link: Buffer-Full; not for credit links.
    bool hold = false;        ///< With `slots`: no packet is issued.
    bool restart = false;     ///< With `slots`, under `hold`: packets are issued again.
    bool desc_valid = false;  ///< A descriptor is written; ignored while `desc_free` is 0.
    /// Accepted reads: one bit for each lane; used only with `mem_ready`.
    std::uint16_t mem_rready = 0xffff;
    std::uint32_t node = 0;  ///< Own address.
    std::uint32_t now = 0;   ///< Cycles since reset; used with `age` or `timed`.
    /// Accepted writes: one bit for each link; used only with `mem_ready`.
    std::uint8_t mem_wready = 0xff;
    /// Credits on the outgoing credit links: (num_vc + 63) / 64 words for each link, side by side;
    /// bit v of them is the credit line of VC v. Null: none.
    const std::uint64_t* tx_credit = nullptr;
    std::array<Flit, kMaxLinks> rx = {};  ///< Incoming links.
    Descriptor desc;
    /// Flits read in the cycle before; used for the lanes whose `Out::mem_ren` was accepted then.
    std::array<FlitData, kMaxLanes> mem_rdata = {};
    Reduction reduction;  ///< With `reduce`; takes effect while no word is on its way to memory.
    ReceiveWindows windows;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(tx_full, hold, restart, desc_valid, mem_rready, node, now, mem_wready, rx, desc,
              mem_rdata, reduction, windows);
    }
  };
  struct Out {
    bool rx_full = false;        ///< Incoming link: Buffer-Full; not for credit links.
    std::uint8_t rx_credit = 0;  ///< Incoming credit links: credit, one bit for each link.
    std::uint8_t mem_wen = 0;    ///< Memory is written: one bit for each link.
    std::uint16_t mem_ren = 0;   ///< Memory is read: one bit for each lane.
    std::array<std::uint32_t, kMaxLanes> mem_raddr = {};  ///< Read addresses; 0 without read.
    std::array<std::uint32_t, kMaxLinks> mem_waddr = {};  ///< Write addresses; 0 without write.
    std::array<FlitData, kMaxLinks> mem_wdata = {};       ///< Flits to write; 0 without write.
    std::array<Flit, kMaxLinks> tx = {};                  ///< Outgoing links.
    NicStatus status;
    /// Further words of the burst that is read or written; 0 without `mem_ready`.
    std::array<std::uint8_t, kMaxLanes> mem_rleft = {};
    std::array<std::uint8_t, kMaxLinks> mem_wleft = {};
    bool waits = false;    ///< A packet is not acknowledged, or an acknowledgement not sent.
    bool overdue = false;  ///< A packet has waited too long.

    bool operator==(const Out&) const = default;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(rx_full, rx_credit, mem_wen, mem_ren, mem_raddr, mem_waddr, mem_wdata, tx, status,
              mem_rleft, mem_wleft, waits, overdue);
    }
  };

  static constexpr auto ports();  // sim/nic/nic_ports.hpp
};

}  // namespace weft
