// Memory for large arrays that are read here and there.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace weft {

/// Allocator that asks the system for huge pages where an array is large, so that most accesses
/// find their page's address in the processor. A system without them gives others.
template <class T>
struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}

  T* allocate(std::size_t count) {
    constexpr std::size_t kPage = std::size_t{1} << 21;
    const std::size_t bytes = (count * sizeof(T) + kPage - 1) / kPage * kPage;
    const bool large = count * sizeof(T) >= 2 * kPage;
    void* const memory = large ? std::aligned_alloc(kPage, bytes)
                               : std::aligned_alloc(64, (count * sizeof(T) + 63) / 64 * 64);
    if (memory == nullptr) throw std::bad_alloc();
    if (large) (void)madvise(memory, bytes, MADV_HUGEPAGE);  // Only speed depends on it.
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }

  friend bool operator==(HugePages, HugePages) { return true; }
};

template <class T>
using LargeArray = std::vector<T, HugePages<T>>;

}  // namespace weft
