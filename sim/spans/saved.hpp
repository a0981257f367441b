// Saving of the state of packets that move as spans: as its bytes in this build of weft, which
// alone resumes it (sim/engine/checkpoint.hpp).
#pragma once

#include <cstddef>
#include <ios>
#include <type_traits>

namespace weft {

/// Saves or loads elements.
template <class Archive, class T>
void archive_bytes(Archive& archive, T* data, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  if constexpr (Archive::is_loading::value) {
    archive.loadBinary(data, static_cast<std::streamsize>(count * sizeof(T)));
  } else {
    archive.saveBinary(data, static_cast<std::streamsize>(count * sizeof(T)));
  }
}

/// Saves or loads elements of which the configuration has set some members: `good(before, loaded)`
/// tells whether a loaded element fits the one before.
template <class Archive, class T, class Good>
void archive_elements(Archive& archive, T* data, std::size_t count, Good good) {
  if constexpr (Archive::is_loading::value) {
    for (std::size_t i = 0; i < count; ++i) {
      const T before = data[i];
      archive_bytes(archive, data + i, 1);
      archive.require(good(before, data[i]));
    }
  } else {
    archive_bytes(archive, data, count);
  }
}

/// Whether loaded bytes are values of bool.
template <class... Bool>
bool are_bools(const Bool&... flags) {
  return ((static_cast<unsigned>(*reinterpret_cast<const unsigned char*>(&flags)) <= 1) && ...);
}

/// Saves or loads the sizes and elements of lists; elements member by member if they have padding.
template <class Archive, class... List>
void archive_lists(Archive& archive, List&... lists) {
  const auto one = [&](auto& list) {
    std::size_t count = list.size();
    archive(count);
    using Element = std::remove_reference_t<decltype(list[0])>;
    if constexpr (Archive::is_loading::value) {
      // Members take as many bytes as the element without its padding.
      archive.require(count <= 2 * archive.left() / sizeof(Element));
      list.resize(count);
    }
    if constexpr (std::has_unique_object_representations_v<Element> ||
                  !requires(Element element) { element.serialize(archive); }) {
      archive_bytes(archive, list.data(), count);
    } else {
      for (Element& element : list) element.serialize(archive);
    }
  };
  (one(lists), ...);
}

}  // namespace weft
