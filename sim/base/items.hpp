// States of which several processes save and load a part each: numbered items, such as blocks and
// links, beside what all processes have in common.
#pragma once

#include <array>
#include <cstdint>
#include <ios>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/archive.hpp"

namespace weft {

/// State that a process has saved: bytes, and where in them the lists of items are.
struct SavedState {
  using List = std::array<std::uint64_t, 2>;  ///< First byte, and one after the last.
  std::string bytes;
  std::vector<List> lists;  ///< Lists in their order.
};

/// The state that one process would have saved, from those of all: each list has the items of all,
/// by number. Throws std::logic_error if the rest is not the same in all of them, or if two have an
/// item of the same number.
std::string merged(const std::vector<SavedState>& states);

/// Saves a state, including lists of items.
class StateSaver : public SaveArchive {
 public:
  explicit StateSaver(std::ostringstream& out) : SaveArchive(out), out_(out) {}

  std::uint64_t at() const { return static_cast<std::uint64_t>(out_.tellp()); }
  void add_list(const SavedState::List& list) { lists_.push_back(list); }
  /// Replaces a number that was saved at `at`.
  template <class Number>
  void replace(std::uint64_t at, Number number) {
    const auto end = out_.tellp();
    out_.seekp(static_cast<std::streamoff>(at));
    (*this)(number);
    out_.seekp(end);
  }
  SavedState take() { return {std::move(out_).str(), std::move(lists_)}; }

 private:
  std::ostringstream& out_;
  std::vector<SavedState::List> lists_;
};

/// Loads a state, including lists of items.
class StateLoader : public RunArchive {
 public:
  StateLoader(std::istringstream& in, std::uint64_t cycle) : RunArchive(in, cycle) {}

  void skip(std::uint64_t bytes) {
    if (bytes > left()) throw std::runtime_error("it is too short");
    in_.seekg(static_cast<std::streamoff>(bytes), std::ios::cur);
  }
};

/// Saves or loads, of `count` items, those with `owns(number)`: `item(number)` passes an item to
/// the archive, a StateSaver or StateLoader. A loaded list must have all items, otherwise
/// std::runtime_error is thrown; those of others are skipped.
template <class Archive, class Owns, class Item>
void archive_items(Archive& archive, std::uint32_t count, const Owns& owns, Item item) {
  std::uint32_t number = 0, items = 0;
  std::uint64_t bytes = 0;
  if constexpr (Archive::is_loading::value) {
    auto& state = dynamic_cast<StateLoader&>(archive);
    archive(items);
    if (items != count) throw std::runtime_error("another number of items");
    std::vector<bool> found(count);
    for (; items != 0; --items) {
      archive(number, bytes);
      if (number >= count || found[number]) throw std::runtime_error("an item that is none");
      found[number] = true;
      if (!owns(number)) {
        state.skip(bytes);
        continue;
      }
      const std::uint64_t before = state.left();
      item(number);
      if (before - state.left() != bytes) throw std::runtime_error("an item of another size");
    }
  } else {
    auto& state = dynamic_cast<StateSaver&>(archive);
    const std::uint64_t first = state.at();
    archive(items);
    for (; number < count; ++number) {
      if (!owns(number)) continue;
      ++items;
      archive(number, bytes);
      const std::uint64_t begin = state.at();
      item(number);
      state.replace(begin - sizeof bytes, state.at() - begin);
    }
    state.replace(first, items);
    state.add_list({first, state.at()});
  }
}

}  // namespace weft
