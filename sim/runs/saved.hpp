// How the state of packets that move as runs is saved: as the bytes that it is in this build of
// weft, which alone resumes it (sim/engine/checkpoint.hpp).
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

/// Saves or loads how many elements there are, and these: by their members where some of their
/// bytes belong to none.
template <class Archive, class... List>
void archive_lists(Archive& archive, List&... lists) {
  const auto one = [&](auto& list) {
    std::size_t count = list.size();
    archive(count);
    using Element = std::remove_reference_t<decltype(list[0])>;
    if constexpr (Archive::is_loading::value) {
      // Members take as many bytes as the element less its padding.
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
