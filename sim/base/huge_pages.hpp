// Memory for large arrays with scattered reads.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

namespace weft {

inline constexpr std::size_t kHugePage = std::size_t{1} << 21;

/// Asks the system for huge pages for these bytes, where they cover whole ones; only speed depends
/// on it.
inline void use_huge_pages(void* memory, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t from = (begin + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t to = (begin + bytes) / kHugePage * kHugePage;
  if (from < to) (void)madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
}

/// Allocator that asks the system for huge pages if an array is large, so that most accesses find
/// their page's address in the processor. A system without them gives others.
template <class T>
struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t page = count * sizeof(T) >= 2 * kHugePage ? kHugePage : 64;
    const std::size_t bytes = (count * sizeof(T) + page - 1) / page * page;
    void* const memory = std::aligned_alloc(page, bytes);
    if (memory == nullptr) throw std::bad_alloc();
    use_huge_pages(memory, bytes);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }

  friend bool operator==(HugePages, HugePages) { return true; }
};

template <class T>
using LargeArray = std::vector<T, HugePages<T>>;

}  // namespace weft
