// States that several processes save a part each of.
#include "sim/base/items.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft {
namespace {

using Owns = std::function<bool(std::uint32_t)>;
bool all(std::uint32_t) {
  return true;
}

// Something in common, two lists and something in common again.
struct State {
  std::uint32_t before = 7;
  std::vector<std::string> texts = {"a", "", "ccc", "dd", "e"};
  std::vector<std::uint16_t> numbers = {1, 2, 3};
  std::uint64_t behind = 9;

  template <class Archive>
  void serialize(Archive& archive, const Owns& owns) {
    archive(before);
    archive_items(archive, static_cast<std::uint32_t>(texts.size()), owns,
                  [&](std::uint32_t i) { archive(texts[i]); });
    archive_items(archive, static_cast<std::uint32_t>(numbers.size()), owns,
                  [&](std::uint32_t i) { archive(numbers[i]); });
    archive(behind);
  }
};

SavedState saved(State state, const Owns& owns) {
  std::ostringstream out(std::ios::binary);
  StateSaver archive(out);
  state.serialize(static_cast<SaveArchive&>(archive), owns);
  return archive.take();
}

// Loads into a state; returns what is left of the bytes.
std::uint64_t load(State& state, const std::string& bytes, const Owns& owns) {
  std::istringstream in(bytes, std::ios::binary);
  StateLoader archive(in, 0);
  state.serialize(static_cast<LoadArchive&>(archive), owns);
  return archive.left();
}

Owns part(unsigned of, unsigned parts) {
  return [=](std::uint32_t i) { return i * 5 % parts == of; };
}

std::vector<SavedState> in_parts(unsigned parts) {
  std::vector<SavedState> states;
  for (unsigned p = 0; p < parts; ++p) states.push_back(saved(State(), part(p, parts)));
  return states;
}

TEST_CASE("a state that is saved in parts is the one that is saved in one") {
  const std::string whole = saved(State(), all).bytes;
  CHECK(merged({saved(State(), all)}) == whole);
  for (const unsigned parts : {2u, 3u, 4u, 7u}) CHECK(merged(in_parts(parts)) == whole);
}

TEST_CASE("a process loads its own items alone") {
  const std::string whole = saved(State(), all).bytes;
  for (const unsigned parts : {1u, 2u, 3u}) {
    for (unsigned p = 0; p < parts; ++p) {
      State state{0, std::vector<std::string>(5, "none"), {100, 100, 100}, 0};
      CHECK(load(state, whole, part(p, parts)) == 0);
      CHECK(state.before == 7);
      CHECK(state.behind == 9);
      for (std::uint32_t i = 0; i < 5; ++i) {
        CHECK(state.texts[i] == (part(p, parts)(i) ? State().texts[i] : "none"));
        if (i < 3) CHECK(state.numbers[i] == (part(p, parts)(i) ? i + 1 : 100));
      }
    }
  }
}

TEST_CASE("parts that do not fit together are refused") {
  std::vector<SavedState> twice = in_parts(3);
  twice.push_back(saved(State(), [](std::uint32_t i) { return i == 4; }));
  CHECK_THROWS_AS(merged(twice), std::logic_error);
  for (const bool first : {true, false}) {
    State other;
    other.before += first;
    other.behind += !first;
    CHECK_THROWS_AS(merged({saved(State(), part(0, 2)), saved(other, part(1, 2))}),
                    std::logic_error);
  }
}

TEST_CASE("an item that is missing, comes twice or has another size is refused") {
  const SavedState whole = saved(State(), all);
  const auto refused = [](const std::string& bytes) {
    State state;
    CHECK_THROWS_AS(load(state, bytes, all), std::runtime_error);
    // Whoever owns none of them finds what is missing, too.
    CHECK_THROWS_AS(load(state, bytes, [](std::uint32_t) { return false; }), std::runtime_error);
  };
  std::vector<SavedState> parts = in_parts(3);
  parts.pop_back();
  refused(merged(parts));
  const std::uint64_t list = whole.lists[0][0];
  std::string bytes = whole.bytes;
  bytes[list + 4] = 1;  // The number of the first item is that of the second.
  refused(bytes);
  bytes[list + 4] = 5;  // Behind the last one.
  refused(bytes);
  bytes = whole.bytes;
  bytes[list + 8] = 120;  // More than there is.
  refused(bytes);
  bytes = whole.bytes;
  ++bytes[list + 8];  // One more than the item takes.
  State state;
  CHECK_THROWS_AS(load(state, bytes, all), std::runtime_error);
}

}  // namespace
}  // namespace weft
