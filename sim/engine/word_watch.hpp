// A watch on an element of one node's memory: finds what wrote it last.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/engine/wrong_data.hpp"
#include "sim/nic/nic.hpp"

namespace weft {

/// Takes part in a run that repeats one with wrong data, and in no other: `Nodes` tells it of one
/// node what enters its interface and what is written to its memory. An interface writes the
/// packets of a link in the order of their arrival, which tells the message of each write.
class WordWatch {
 public:
  /// Watches the element of `wrong`.
  WordWatch(const Config& config, const Graph& graph, const WrongData& wrong);

  std::uint32_t node() const { return node_; }
  std::uint32_t address() const { return address_; }  ///< Of its word: flits.

  /// A flit is on a link into the node, whose interface has the inputs `in`.
  void arrive(unsigned link, const Flit& flit, const Nic::In& in);
  /// The interface writes a word that it received on a link,
  void write(unsigned link, std::uint32_t address, std::uint64_t cycle);
  /// the combine unit writes one,
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
    std::uint32_t arrived = 0;  // Flits of its body,
    std::uint32_t written = 0;  // and those that are in memory.
    bool bad = false;           // A parity error.
  };
  struct Receiving {
    bool inside = false;  // The header of `packet` has arrived, and its tail has not.
    Packet packet;
    std::deque<Packet> accepted;  // Their bodies are not in memory yet.
  };

  const Graph& graph_;
  std::uint32_t node_, address_;
  std::uint64_t mask_;  // The element's bits of the word.
  bool parity_, reduces_;
  std::vector<Receiving> links_;
  LastWriter last_;
};

}  // namespace weft
