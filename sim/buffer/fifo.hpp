// Synchronous FIFO, cycle model of rtl/buffer/weft_fifo.sv (rtl/README.md, fifo).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/packet/packet.hpp"

namespace weft {

/// A ring of `depth` words of type `T`. Its storage is allocated once, at construction.
template <class T>
class Fifo {
 public:
  /// Configuration of the RTL, whose words are numbers.
  struct PortConfig {
    unsigned data_w = 64;  ///< Bits of a word.
    unsigned depth = 8;
  };
  struct In {
    bool push = false, pop = false;
    T data = {};
  };
  struct Out {
    T data = {};  ///< The oldest word; 0 if empty.
    std::uint32_t count = 0;
  };
  static constexpr auto ports();  // sim/buffer/fifo_ports.hpp

  explicit Fifo(std::uint32_t depth) : ring_(depth) {}

  void reset() { head_ = count_ = 0; }

  std::uint32_t depth() const { return static_cast<std::uint32_t>(ring_.size()); }
  std::uint32_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  bool full() const { return count_ == ring_.size(); }

  /// Oldest word; the FIFO is not empty.
  const T& front() const { return ring_[head_]; }
  /// Word `i`, the oldest first; below `count()`.
  const T& word(std::uint32_t i) const { return ring_[(head_ + i) % ring_.size()]; }

  /// Drops the oldest word; the FIFO is not empty.
  void pop() {
    head_ = head_ + 1 == ring_.size() ? 0 : head_ + 1;
    --count_;
  }

  /// Stores a word (in one cycle `pop` comes first). Only faults on the wires of its sender can
  /// bring a word to a full FIFO: it is lost.
  void push(const T& word) {
    if (full()) return;
    std::uint32_t tail = head_ + count_;
    if (tail >= ring_.size()) tail -= static_cast<std::uint32_t>(ring_.size());
    ring_[tail] = word;
    ++count_;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(ring_, head_, count_);
    archive.require((head_ == 0 || head_ < ring_.size()) && count_ <= ring_.size());
  }

 private:
  std::vector<T> ring_;
  std::uint32_t head_ = 0, count_ = 0;
};

}  // namespace weft
