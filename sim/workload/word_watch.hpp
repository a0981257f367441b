// A watch on an element of one node's memory: finds what wrote it last.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/nic/nic.hpp"
#include "sim/packet/arriving_packet.hpp"
#include "sim/workload/wrong_data.hpp"

namespace weft {

/// A watch on the wrong element of a run. It takes part only in a repetition of that run: the
/// engine notifies it of what is written to the memory of its node.
class WordWatch {
 public:
  /// Watches the element of `wrong`.
  WordWatch(const Config& config, const Graph& graph, const WrongData& wrong);
  /// Forgets all: the run begins again.
  void restart();

  std::uint32_t node() const { return node_; }
  /// Address of the watched word, in 64-bit words.
  std::uint32_t address() const { return address_; }
  PacketForm form() const { return graph_.header; }  ///< Form of the packets' headers.

  /// Notes that the interface writes `flits` flits of a packet from an address on, one a cycle from
  /// `cycle` on.
  void write(const Header& packet, std::uint32_t address, std::uint32_t flits,
             std::uint64_t cycle) {
    if (flit_ - address < flits) record(packet, cycle + (flit_ - address));
  }
  /// Notes a flit on a link into the node, whose interface has the inputs `in`. Used where every
  /// flit is stepped.
  void arrive(unsigned link, const Flit& flit, const Nic::In& in);
  /// Notes that the interface writes a flit that it received on a link. It writes the packets of a
  /// link in the order of their arrival. Used where every flit is stepped.
  void write(unsigned link, std::uint32_t address, std::uint64_t cycle);
  /// Notes that the combine unit writes a word.
  void combine(std::uint32_t address, std::uint64_t cycle);
  /// Notes a step of the endpoint that may have changed the watched word. A store of the same value
  /// is not noticed.
  void step(std::uint64_t before, std::uint64_t after, std::uint64_t cycle);

  const LastWriter& last_writer() const { return last_; }

 private:
  // A packet on its way into memory.
  struct Packet {
    Header header;
    std::uint32_t first = 0;    // Memory address of its body, in flits.
    std::uint32_t written = 0;  // Flits of its body that are in memory.
  };
  struct Receiving {
    ArrivingPacket packet;
    std::deque<Packet> accepted;  // Packets whose bodies are not in memory yet.
  };

  void record(const Header& packet, std::uint64_t cycle);

  const Graph& graph_;
  std::uint32_t node_, address_;
  std::uint32_t flit_;  // Flit address of the watched word.
  std::uint64_t mask_;  // Bits of the word that belong to the element.
  bool parity_, reduces_;
  std::vector<Receiving> links_;
  LastWriter last_;
};

}  // namespace weft
