// An array that grows without moving.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>

#include "sim/base/huge_pages.hpp"

namespace weft {

/// Elements, at first zero, at an address that does not change. Addresses are reserved for all;
/// only used elements take memory.
template <class T>
class ReservedArray {
 public:
  static_assert(std::is_trivially_destructible_v<T>);

  /// At most `most` elements, or fewer where the system does not reserve so many; a power of two.
  explicit ReservedArray(std::size_t most) : size_(most) {
    constexpr std::size_t kLeast = 1 << 12;
    for (;; size_ /= 2) {
      void* const memory = mmap(nullptr, size_ * sizeof(T), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory != MAP_FAILED) {
        data_ = static_cast<T*>(memory);
        return;
      }
      if (size_ <= kLeast) throw std::bad_alloc();
    }
  }
  ~ReservedArray() { munmap(data_, size_ * sizeof(T)); }
  ReservedArray(const ReservedArray&) = delete;
  ReservedArray& operator=(const ReservedArray&) = delete;

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Asks for huge pages for elements `first` to `end` - 1; only speed depends on it.
  void use_huge_pages(std::size_t first, std::size_t end) {
    weft::use_huge_pages(data_ + first, (end - first) * sizeof(T));
  }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

}  // namespace weft
