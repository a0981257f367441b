// What interfaces read from a node's memory and write to it, in the order of time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/runs/packets.hpp"

namespace weft {

/// Transfers between a node's memory and the bodies of packets, one word a cycle each, that are
/// carried out when somebody looks. Reads of a cycle come before its writes.
class NodeMemory {
 public:
  /// The body of a packet is read from `address` on, its first word in `cycle`.
  void read(std::uint32_t packet, std::uint32_t address, Cycle cycle, std::uint32_t flits) {
    reads_.push_back({packet, address, cycle, flits, 0, 0});
  }
  /// The body of a packet that came on link `link` is written to `address`, its first word in
  /// `cycle`. The packet is freed afterwards.
  void write(std::uint32_t packet, std::uint32_t link, std::uint32_t address, Cycle cycle,
             std::uint32_t flits) {
    writes_.push_back({packet, address, cycle, flits, 0, link});
  }

  /// Carries out reads of cycles before `reads_end`, and writes of cycles before `writes_end`, which
  /// is that or one less.
  template <class E>
  void catch_up(E& endpoint, Packets& packets, Cycle reads_end, Cycle writes_end) {
    if (reads_.empty() && writes_.empty()) return;
    if (overlap()) {
      // Cycle by cycle.
      Cycle cycle = kNever;
      for (const Transfer& t : reads_) cycle = std::min(cycle, t.cycle + t.done);
      for (const Transfer& t : writes_) cycle = std::min(cycle, t.cycle + t.done);
      for (; cycle < std::max(reads_end, writes_end); ++cycle) {
        read_all(endpoint, packets, std::min(reads_end, cycle + 1));
        write_all(endpoint, packets, std::min(writes_end, cycle + 1));
      }
    } else {
      read_all(endpoint, packets, reads_end);
      write_all(endpoint, packets, writes_end);
    }
    std::erase_if(reads_, [](const Transfer& t) { return t.done == t.flits; });
    std::erase_if(writes_, [&](const Transfer& t) {
      if (t.done != t.flits) return false;
      packets.free(t.packet);
      return true;
    });
  }

 private:
  struct Transfer {
    std::uint32_t packet, address;
    Cycle cycle;
    std::uint32_t flits, done, link;
  };

  // The words of `t` that are due before `end`.
  static std::uint32_t due(const Transfer& t, Cycle end) {
    return end > t.cycle ? std::min(end - t.cycle, t.flits) : 0;
  }
  static bool meet(const Transfer& a, const Transfer& b) {
    return a.address < b.address + b.flits && b.address < a.address + a.flits;
  }
  bool overlap() const {
    for (std::size_t i = 0; i < writes_.size(); ++i) {
      for (const Transfer& r : reads_) {
        if (meet(r, writes_[i])) return true;
      }
      for (std::size_t j = i + 1; j < writes_.size(); ++j) {
        if (meet(writes_[i], writes_[j])) return true;
      }
    }
    return false;
  }
  template <class E>
  void read_all(E& endpoint, Packets& packets, Cycle end) {
    for (Transfer& t : reads_) {
      for (const std::uint32_t last = due(t, end); t.done < last; ++t.done) {
        packets.word(packets[t.packet], t.done) = endpoint.read_flit(t.address + t.done);
      }
    }
  }
  template <class E>
  void write_all(E& endpoint, Packets& packets, Cycle end) {
    for (Transfer& t : writes_) {
      for (const std::uint32_t last = due(t, end); t.done < last; ++t.done) {
        endpoint.write_flit(t.link, t.address + t.done, packets.word(packets[t.packet], t.done));
      }
    }
  }

  std::vector<Transfer> reads_, writes_;
};

}  // namespace weft
