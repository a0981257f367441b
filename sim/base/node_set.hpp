// Sets of nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft {

/// Successive nodes, `first` to `end` - 1.
struct NodeRange {
  std::uint32_t first = 0, end = 0;
};

/// A set of nodes, in ascending order.
class NodeSet {
 public:
  class Iterator {
   public:
    /// An iterator at the first node of a range.
    explicit Iterator(const NodeRange* range) : range_(range) {}
    std::uint32_t operator*() const { return range_->first + at_; }
    Iterator& operator++() {
      if (++at_ == range_->end - range_->first) {
        ++range_;
        at_ = 0;
      }
      return *this;
    }
    bool operator==(const Iterator& other) const = default;

   private:
    const NodeRange* range_;
    std::uint32_t at_ = 0;
  };

  NodeSet() = default;
  /// Nodes `first` to `end` - 1.
  NodeSet(std::uint32_t first, std::uint32_t end) {
    if (first < end) ranges_.push_back({first, end});
  }
  /// Adds a node with a higher number than all others.
  void add(std::uint32_t n) {
    if (ranges_.empty() || ranges_.back().end != n) ranges_.push_back({n, n});
    ranges_.back().end = n + 1;
  }

  const std::vector<NodeRange>& ranges() const { return ranges_; }
  /// Whether the nodes are successive.
  bool one_range() const { return ranges_.size() <= 1; }
  std::uint32_t size() const {
    std::uint32_t size = 0;
    for (const NodeRange& range : ranges_) size += range.end - range.first;
    return size;
  }
  bool contains(std::uint32_t n) const {
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [n](const NodeRange& range) { return n >= range.first && n < range.end; });
  }
  Iterator begin() const { return Iterator(ranges_.data()); }
  Iterator end() const { return Iterator(ranges_.data() + ranges_.size()); }

 private:
  std::vector<NodeRange> ranges_;
};

}  // namespace weft
