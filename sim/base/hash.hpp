// Hash of texts and files, to tell whether they have changed.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft {

inline constexpr std::uint64_t kHashStart = 0xcbf29ce484222325u;

/// FNV-1a, 64 bits; `hash`: that of the preceding text.
inline std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = kHashStart) {
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

}  // namespace weft
