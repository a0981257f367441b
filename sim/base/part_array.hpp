// An array of which only a part need exist.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/huge_pages.hpp"
#include "sim/base/node_set.hpp"

namespace weft {

/// Elements with the numbers that they have in the whole network; a process constructs only those
/// that it uses. The others take addresses, but no memory; they read as zero if T is trivial.
template <class T>
class PartArray {
 public:
  PartArray() = default;
  /// Numbers 0 to `size` - 1; no element exists yet. `scattered`: the elements that will exist lie
  /// between others, for which huge pages would take memory.
  explicit PartArray(std::size_t size, bool scattered = false) : size_(size) {
    if (size == 0) return;
    void* const memory = mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(memory);
    if (!scattered && size * sizeof(T) >= 2 * kHugePage) use_huge_pages(data_, size * sizeof(T));
  }
  PartArray(PartArray&& other) noexcept { swap(other); }
  PartArray& operator=(PartArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~PartArray() {
    for (const auto& [first, end] : made_) std::destroy(data_ + first, data_ + end);
    if (data_ != nullptr) munmap(data_, size_ * sizeof(T));
  }

  /// Constructs elements `first` to `end` - 1, which do not exist yet.
  template <class... Arguments>
  void make(std::size_t first, std::size_t end, const Arguments&... arguments) {
    for (std::size_t i = first; i < end; ++i) make_at(i, arguments...);
  }
  /// Constructs the elements of some nodes, `each` successive ones per node.
  template <class... Arguments>
  void make(const NodeSet& nodes, std::size_t each, const Arguments&... arguments) {
    for (const NodeRange& range : nodes.ranges()) {
      make(range.first * each, range.end * each, arguments...);
    }
  }
  /// Constructs one element and returns it.
  template <class... Arguments>
  T& make_at(std::size_t i, Arguments&&... arguments) {
    T* const element = new (data_ + i) T(std::forward<Arguments>(arguments)...);
    if constexpr (!std::is_trivially_destructible_v<T>) {
      if (made_.empty() || made_.back().second != i) made_.emplace_back(i, i);
      made_.back().second = i + 1;
    }
    return *element;
  }

  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* data() { return data_; }
  std::size_t size() const { return size_; }  ///< One more than the highest number.

 private:
  void swap(PartArray& other) {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    std::swap(made_, other.made_);
  }

  std::size_t size_ = 0;
  T* data_ = nullptr;
  // Ranges of elements to destroy: from, to.
  std::vector<std::pair<std::size_t, std::size_t>> made_;
};

}  // namespace weft
