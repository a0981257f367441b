// Injected faults on engine `model`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/runs/node_state.hpp"
#include "sim/runs/packets.hpp"
#include "sim/runs/saved.hpp"

namespace weft {

/// Bits that faults invert on the first link into each node. The digest has the flits as they were
/// sent, and no flit goes further; so a fault is a matter of the interface alone: it changes the
/// packet once that is delivered.
class RunFaults {
 public:
  /// `parity`: flits carry it, and it is checked. `data_w`: width of a flit without it, bits.
  RunFaults(const std::vector<Fault>& faults, std::uint32_t nodes, bool parity, unsigned data_w)
      : parity_(parity), data_w_(data_w), due_(nodes) {
    for (const Fault& fault : faults) due_[fault.node].push_back(fault);
  }

  /// Flits go into node `n`, so that they are on its first link from cycle `from` on, before `end`,
  /// one a cycle: the packet's flit `first` and those that follow it.
  void pass(std::uint32_t n, Cycle from, Cycle end, std::uint32_t packet, std::uint32_t first) {
    std::erase_if(due_[n], [&](const Fault& fault) {
      if (fault.cycle >= end) return false;
      const Cycle cycle = std::max(from, static_cast<Cycle>(fault.cycle));
      put_.push_back({packet, first + (cycle - from), fault.bit, cycle});
      ++count_;
      return true;
    });
  }

  /// What an interface finds in a packet, all of whose flits passed.
  struct Found {
    bool spoilt = false;       ///< One of its flits has the wrong parity.
    std::uint64_t header = 0;  ///< Inverted bits of the header.
  };
  /// The interface checks it, before it is delivered or later. In `header` are bits that `deliver`
  /// has not inverted yet.
  Found accept(std::uint32_t packet) {
    Found found = {spoilt(packet, &Put::accepted), 0};
    for (Put& put : put_) {
      if (put.packet != packet || put.accepted) continue;
      put.accepted = true;
      if (!put.delivered && put.flit == 0 && put.bit < kHdrW) {
        found.header ^= std::uint64_t{1} << put.bit;
      }
    }
    forget();
    return found;
  }
  /// It is delivered: inverts its bits. Returns whether it is spoilt.
  bool deliver(std::uint32_t number, Packets& packets) {
    const bool bad = spoilt(number, &Put::delivered);
    Packet& packet = packets[number];
    for (Put& put : put_) {
      if (put.packet != number || put.delivered) continue;
      put.delivered = true;
      // A header's bits above its fields change nothing but its parity.
      if (put.bit == data_w_ || (put.flit == 0 && put.bit >= kHdrW)) continue;
      if (put.flit >= packet.flits) continue;  // Of a state that was not saved so.
      std::uint64_t* const words =
          put.flit == 0 ? &packet.header : &packets.word(packet, put.flit - 1);
      words[put.bit / 64] ^= std::uint64_t{1} << put.bit % 64;
    }
    forget();
    return bad;
  }

  /// A packet is dropped and counted; `cycle`: of its tail, which may be in the future.
  void drop(Cycle cycle, std::uint32_t& counter) { drops_.push_back({cycle, &counter}); }
  /// The run ends before `cycle`: takes back what was counted for later.
  void end(Cycle cycle) {
    for (const Drop& drop : drops_) *drop.counter -= drop.cycle >= cycle;
  }
  /// Faults put up to a cycle, the last one of the run.
  std::uint64_t count(Cycle cycle) const {
    const auto later =
        std::count_if(put_.begin(), put_.end(), [&](const Put& put) { return put.cycle > cycle; });
    return count_ - static_cast<std::uint64_t>(later);
  }

  /// The state: what a checkpoint keeps. `counters`: the node states that `drop` was told counters
  /// of.
  template <class Archive>
  void serialize(Archive& archive, void* counters) {
    // Of the faults of a node those that are left, in their order.
    for (std::vector<Fault>& due : due_) {
      std::vector<Due> left;
      for (const Fault& fault : due) left.push_back({fault.cycle, fault.bit});
      archive_lists(archive, left);
      auto next = left.begin();
      std::erase_if(due, [&](const Fault& fault) {
        if (next == left.end() || *next != Due{fault.cycle, fault.bit}) return true;
        ++next;
        return false;
      });
    }
    archive_lists(archive, put_);
    auto* const base = static_cast<std::byte*>(counters);
    std::vector<DropAt> drops;
    for (const Drop& drop : drops_) {
      drops.push_back({drop.cycle, reinterpret_cast<std::byte*>(drop.counter) - base});
    }
    archive_lists(archive, drops);
    drops_.clear();
    for (const auto& [cycle, at] : drops) {
      drops_.push_back({static_cast<Cycle>(cycle), reinterpret_cast<std::uint32_t*>(base + at)});
    }
    archive(count_);
  }
  /// Of a state that was loaded: whether faults are in packets, and dropped packets counted by
  /// `counters`, as above, of `own` nodes.
  bool is_good(const Packets& packets, const NodeState* counters, const NodeSet& own) const {
    const auto good_put = [&](const Put& put) {
      return packets.is_made(put.packet) && put.bit <= data_w_;
    };
    const auto good_drop = [&](const Drop& drop) {
      const auto at = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(drop.counter) -
                                               reinterpret_cast<const std::byte*>(counters));
      const std::size_t n = at / sizeof(NodeState), member = at % sizeof(NodeState);
      constexpr std::size_t kStatus = offsetof(NodeState, status);
      return n < due_.size() && own.contains(static_cast<std::uint32_t>(n)) &&
             (member == kStatus + offsetof(NicStatus, rx_parity) ||
              member == kStatus + offsetof(NicStatus, rx_refused));
    };
    return std::all_of(put_.begin(), put_.end(), good_put) &&
           std::all_of(drops_.begin(), drops_.end(), good_drop);
  }

 private:
  // As in a checkpoint.
  struct Due {
    std::uint64_t cycle, bit;
    bool operator==(const Due&) const = default;
  };
  struct DropAt {
    std::uint64_t cycle;
    std::ptrdiff_t at;  // Of the counter.
  };
  struct Put {
    std::uint32_t packet, flit;
    unsigned bit;
    Cycle cycle;
    bool accepted = false, delivered = false;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(packet, flit, bit, cycle, accepted, delivered);
    }
  };
  struct Drop {
    Cycle cycle;
    std::uint32_t* counter;
  };

  // Whether an odd number of bits is inverted in a flit of the packet. `past`: where it is true,
  // the packet is an earlier one with that number.
  bool spoilt(std::uint32_t packet, bool Put::*past) const {
    if (!parity_) return false;
    const auto in_flit = [&](const Put& one) {
      return std::count_if(put_.begin(), put_.end(), [&](const Put& put) {
        return put.packet == packet && !(put.*past) && put.flit == one.flit;
      });
    };
    return std::any_of(put_.begin(), put_.end(), [&](const Put& put) {
      return put.packet == packet && !(put.*past) && in_flit(put) % 2 != 0;
    });
  }
  void forget() {
    std::erase_if(put_, [](const Put& put) { return put.accepted && put.delivered; });
  }

  bool parity_;
  unsigned data_w_;
  std::vector<std::vector<Fault>> due_;  // By node.
  std::vector<Put> put_;                 // In packets that are not both accepted and delivered.
  std::uint64_t count_ = 0;
  std::vector<Drop> drops_;
};

}  // namespace weft
