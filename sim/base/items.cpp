// States of which several processes save a part each.
#include "sim/base/items.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace weft {
namespace {

struct Item {
  std::uint32_t number;
  std::string_view bytes;  // The item, with number and length before it.
};

template <class Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

// Adds the items of a list that archive_items saved.
void add_items(std::string_view list, std::vector<Item>& items) {
  constexpr std::size_t kCount = sizeof(std::uint32_t), kHead = kCount + sizeof(std::uint64_t);
  list.remove_prefix(kCount);
  while (!list.empty()) {
    const std::size_t size = kHead + number_at<std::uint64_t>(list, kCount);
    items.push_back({number_at<std::uint32_t>(list, 0), list.substr(0, size)});
    list.remove_prefix(size);
  }
}

void append_merged(std::vector<Item>& items, std::string& all) {
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return a.number < b.number; });
  const auto twice =
      std::adjacent_find(items.begin(), items.end(),
                         [](const Item& a, const Item& b) { return a.number == b.number; });
  if (twice != items.end()) throw std::logic_error("two processes save the same item");
  const auto count = static_cast<std::uint32_t>(items.size());
  all.append(reinterpret_cast<const char*>(&count), sizeof count);
  for (const Item& item : items) all += item.bytes;
}

// Bytes between lists `i` - 1 and `i`, or after the last one.
std::string_view common(const SavedState& state, std::size_t i) {
  const std::uint64_t from = i == 0 ? 0 : state.lists[i - 1][1];
  const std::uint64_t to = i == state.lists.size() ? state.bytes.size() : state.lists[i][0];
  return std::string_view(state.bytes).substr(from, to - from);
}

}  // namespace

std::string merged(const std::vector<SavedState>& states) {
  const SavedState& first = states.front();
  std::string all;
  for (std::size_t i = 0; i <= first.lists.size(); ++i) {
    const bool last = i == first.lists.size();
    std::vector<Item> items;
    for (const SavedState& state : states) {
      if (state.lists.size() != first.lists.size() || common(state, i) != common(first, i)) {
        throw std::logic_error("processes differ in what they have in common");
      }
      if (last) continue;
      const auto& [from, to] = state.lists[i];
      add_items(std::string_view(state.bytes).substr(from, to - from), items);
    }
    all += common(first, i);
    if (!last) append_merged(items, all);
  }
  return all;
}

}  // namespace weft
