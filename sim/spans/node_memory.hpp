// What interfaces read from a node's memory and write to it, in order of time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/reduce/reduce_word.hpp"
#include "sim/spans/packets.hpp"
#include "sim/spans/saved.hpp"
#include "sim/workload/word_watch.hpp"

namespace weft {

/// Transfers between a node's memory and the bodies of packets, one flit a cycle each, carried out
/// only when the words are needed. In a cycle reads come before writes.
class NodeMemory {
 public:
  /// Adds the read of a packet's body from `address` on, its first word in `cycle`.
  void read(std::uint32_t packet, std::uint32_t address, Cycle cycle, std::uint32_t flits) {
    add_read({packet, address, cycle, flits});
  }
  /// Adds the write of the body of a packet that came on link `link` to `address`, its first word
  /// in `cycle`. The packet is freed afterwards. `delay`: cycles that its words are on their way to
  /// memory before that, if the interface reduces. Throws NotBySpans if a word would then wait for
  /// another one.
  void write(std::uint32_t packet, std::uint32_t link, std::uint32_t address, Cycle cycle,
             std::uint32_t flits, Cycle delay = 0) {
    add_write({packet, address, cycle, flits, 0, link, delay});
  }
  /// Adds the combination of a packet's body with the memory: each word is combined with what the
  /// memory has in the word's cycle, and written `delay` cycles later. Throws NotBySpans if a word
  /// waits for another one that is on its way to memory.
  void combine(std::uint32_t packet, std::uint32_t link, std::uint32_t address, Cycle cycle,
               std::uint32_t flits, const Reduction& how, Cycle delay) {
    Transfer read{packet, address, cycle, flits};
    read.combines = true;
    read.how = how;
    Transfer write{packet, address, cycle + delay, flits, 0, link, delay};
    write.combines = true;
    add_write(write);
    add_read(read);
  }

  /// Notifies `watch` of what is written from now on.
  void watch(WordWatch* watch) { watch_ = watch; }

  /// Whether so many writes are pending that adding one takes long.
  bool crowded() const { return writes_.size() >= 64; }

  /// Carries out the reads of cycles before `reads_end`, and the writes of cycles before
  /// `writes_end`, which is equal or one less. Throws NotBySpans if one has an address outside the
  /// memory.
  template <class E>
  void catch_up(E& endpoint, Packets& packets, Cycle reads_end, Cycle writes_end) {
    if (next_ >= std::max(reads_end, writes_end)) return;
    try {
      carry_out(endpoint, packets, reads_end, writes_end);
    } catch (const CheckError& error) {
      // The cycle of the error is not known here; stepping flit by flit reports it.
      throw NotBySpans(error.what());
    }
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive_lists(archive, reads_, writes_);
    archive(next_, meets_);
  }
  /// Whether all transfers of a loaded state are between memory and bodies.
  bool is_good(const Packets& packets) const {
    constexpr std::uint32_t kMostFlits = 255;
    const auto good = [&](const Transfer& t) {
      return packets.is_made(t.packet) && t.flits <= kMostFlits && t.done <= t.flits &&
             packets.has_words(t.packet, t.flits);
    };
    return std::all_of(reads_.begin(), reads_.end(), good) &&
           std::all_of(writes_.begin(), writes_.end(), good);
  }

 private:
  struct Transfer {
    std::uint32_t packet, address;
    Cycle cycle;
    std::uint32_t flits, done = 0, link = 0;
    Cycle delay = 0;  // For a write: cycles that a word is on its way to memory.
    bool combines = false;
    Reduction how = {};

    template <class Archive>
    void serialize(Archive& archive) {
      archive(packet, address, cycle, flits, done, link, delay, combines, how);
    }
  };

  void add_write(const Transfer& write) {
    meets_ = meets_ || std::any_of(reads_.begin(), reads_.end(), [&](const Transfer& read) {
               // The memory's words are read for the combination before they are overwritten.
               return read.packet != write.packet && meet(read, write);
             });
    for (const Transfer& other : writes_) {
      if (!meet(other, write)) continue;
      meets_ = true;
      if (waits(other, write)) throw NotBySpans("a word is reduced on its way to memory");
    }
    // If several links write a word in a cycle, that of the last link remains.
    writes_.insert(
        std::upper_bound(writes_.begin(), writes_.end(), write,
                         [](const Transfer& a, const Transfer& b) { return a.link < b.link; }),
        write);
    next_ = std::min(next_, write.cycle);
  }

  // Whether a word that both write would be on its way to memory twice at a time, combined in one
  // of them. The cycles of both for an address are the same distance apart for every address.
  static bool waits(const Transfer& a, const Transfer& b) {
    if (!a.combines && !b.combines) return false;
    const Cycle in_a = a.cycle - a.delay + b.address, in_b = b.cycle - b.delay + a.address;
    return in_a < in_b ? in_b - in_a <= a.delay : in_a - in_b <= b.delay;
  }

  template <class E>
  void carry_out(E& endpoint, Packets& packets, Cycle reads_end, Cycle writes_end) {
    if (meets_) {
      // Cycle by cycle.
      for (Cycle cycle = next_; cycle < std::max(reads_end, writes_end); ++cycle) {
        read_all(endpoint, packets, std::min(reads_end, cycle + 1));
        write_all(endpoint, packets, std::min(writes_end, cycle + 1));
      }
    } else {
      read_all(endpoint, packets, reads_end);
      write_all(endpoint, packets, writes_end);
    }
    next_ = kNever;
    remove_done(reads_, [&](const Transfer& t) {
      if (!t.combines) packets.complete(t.packet);
    });
    remove_done(writes_, [&](const Transfer& t) { packets.free(t.packet); });
    if (next_ == kNever) meets_ = false;
  }

  // Number of words of `t` that are due before `end` and not done.
  static std::uint32_t due(const Transfer& t, Cycle end) {
    const std::uint32_t all = end > t.cycle ? std::min(end - t.cycle, t.flits) : 0;
    return all - std::min(t.done, all);
  }
  // Removes transfers that are done; calls `use` for each. Of the others, the next word may come
  // first.
  template <class Use>
  void remove_done(std::vector<Transfer>& transfers, Use use) {
    auto to = transfers.begin();
    for (auto t = to; t != transfers.end(); ++t) {
      if (t->done == t->flits) {
        use(*t);
      } else {
        next_ = std::min(next_, t->cycle + t->done);
        if (to != t) *to = *t;
        ++to;
      }
    }
    transfers.erase(to, transfers.end());
  }
  static bool meet(const Transfer& a, const Transfer& b) {
    return a.address < b.address + b.flits && b.address < a.address + a.flits;
  }
  void add_read(const Transfer& read) {
    meets_ = meets_ || std::any_of(writes_.begin(), writes_.end(), [&](const Transfer& write) {
               return read.packet != write.packet && meet(read, write);
             });
    reads_.push_back(read);
    next_ = std::min(next_, read.cycle);
  }
  template <class E>
  void read_all(E& endpoint, Packets& packets, Cycle end) {
    const unsigned size = packets.flit_words();
    for (Transfer& t : reads_) {
      const std::uint32_t count = due(t, end);
      if (count == 0) continue;
      std::uint64_t* const words = &packets.word(packets[t.packet], t.done);
      if (t.combines) {
        std::array<std::uint64_t, 256 * kMaxFlitWords> held;  // Large enough for any packet.
        endpoint.memory().read_words((t.address + t.done) * size, count * size, held.data());
        reduce_words(t.how, count * size, held.data(), words);
      } else {
        endpoint.memory().read_words((t.address + t.done) * size, count * size, words);
      }
      t.done += count;
    }
  }
  template <class E>
  void write_all(E& endpoint, Packets& packets, Cycle end) {
    const unsigned size = packets.flit_words();
    for (Transfer& t : writes_) {
      const std::uint32_t count = due(t, end);
      if (count == 0) continue;
      if (watch_ != nullptr) [[unlikely]] {
        watch_->write(Header::unpack(packets[t.packet].header, watch_->form()), t.address + t.done,
                      count, t.cycle + t.done);
      }
      endpoint.memory().write_words((t.address + t.done) * size, count * size,
                                    &packets.word(packets[t.packet], t.done));
      t.done += count;
    }
  }

  std::vector<Transfer> reads_, writes_;
  Cycle next_ = kNever;  // Cycle of the first word of any transfer that is still to come.
  WordWatch* watch_ = nullptr;
  bool meets_ = false;  // Some transfers had words in common, so that their order matters.
};

}  // namespace weft
