// A watch on an element of one node's memory: finds what wrote it last.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/nic/nic.hpp"
#include "sim/packet/arriving_packet.hpp"
#include "sim/workload/wrong_data.hpp"

namespace weft {

/// Takes part in a run that repeats one with wrong data, and in no other: the engine tells it what
/// is written to the memory of its node.
class WordWatch {
 public:
  /// Watches the element of `wrong`.
  WordWatch(const Config& config, const Graph& graph, const WrongData& wrong);
  /// The run begins again.
  void restart();

  std::uint32_t node() const { return node_; }
  std::uint32_t address() const { return address_; }  ///< Of its word, in words of 64 bits.
  PacketForm form() const { return graph_.header; }   ///< Of the packets' headers.

  /// The interface writes `flits` flits of a packet from an address on, one a cycle from `cycle`
  /// on.
  void write(const Header& packet, std::uint32_t address, std::uint32_t flits,
             std::uint64_t cycle) {
    if (flit_ - address < flits) record(packet, cycle + (flit_ - address));
  }
  /// The same where every flit is stepped: a flit is on a link into the node, whose interface has
  /// the inputs `in`,
  void arrive(unsigned link, const Flit& flit, const Nic::In& in);
  /// and the interface writes a flit that it received on a link. It writes the packets of a link in
  /// the order of their arrival.
  void write(unsigned link, std::uint32_t address, std::uint64_t cycle);
  /// The combine unit writes a word,
  void combine(std::uint32_t address, std::uint64_t cycle);
  /// or the endpoint has taken a step that may have changed the watched word. What stores the same
  /// value again is not noticed.
  void step(std::uint64_t before, std::uint64_t after, std::uint64_t cycle);

  const LastWriter& last_writer() const { return last_; }

 private:
  // A packet on its way into memory.
  struct Packet {
    Header header;
    std::uint32_t first = 0;    // Of its body in the memory: flits.
    std::uint32_t written = 0;  // Flits of its body that are in memory.
  };
  struct Receiving {
    ArrivingPacket packet;
    std::deque<Packet> accepted;  // Their bodies are not in memory yet.
  };

  void record(const Header& packet, std::uint64_t cycle);

  const Graph& graph_;
  std::uint32_t node_, address_;
  std::uint32_t flit_;  // The address of its flit.
  std::uint64_t mask_;  // The element's bits of the word.
  bool parity_, reduces_;
  std::vector<Receiving> links_;
  LastWriter last_;
};

}  // namespace weft
