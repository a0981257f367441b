// The port table of a block (sim/packet/ports.hpp) as ports and signals of SystemC: their numbers,
// names and values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sim/packet/ports.hpp"
#include "sim/systemc/signals.hpp"

namespace weft {

/// The name of a port as a template argument.
template <std::size_t kSize>
struct PortLiteral {
  constexpr PortLiteral(const char (&name)[kSize]) {  // NOLINT: written as "tx_o"
    std::copy_n(name, kSize, text);
  }
  char text[kSize] = {};
};

/// The table of a block as ports and signals.
template <class Block>
class BlockTable {
 public:
  using Config = typename Block::Config;
  static constexpr auto kTable = Block::ports();
  static constexpr std::size_t kGroups = std::tuple_size_v<std::remove_const_t<decltype(kTable)>>;
  template <std::size_t g>
  using Group = std::tuple_element_t<g, std::remove_const_t<decltype(kTable)>>;

  /// Number of the first group whose name is chosen.
  template <class Chosen>
  static constexpr std::size_t first(Chosen chosen) {
    std::size_t found = kGroups, at = 0;
    const auto look = [&](const char* name) {
      if (found == kGroups && chosen(name)) found = at;
      ++at;
    };
    std::apply([&](const auto&... group) { (look(group.name), ...); }, kTable);
    return found;
  }
  /// All ports but clock, reset and those that show the configuration. Groups of one name are the
  /// fields of one value (a descriptor and its start), so only the first is a port.
  template <std::size_t g>
  static constexpr bool kIsPort =
      !kIsA<OfConfig, decltype(Group<g>::access)> &&
      first([](std::string_view name) { return name == std::get<g>(kTable).name; }) == g;
  template <std::size_t g>
  static constexpr bool kApart = std::get<g>(kTable).lines;
  /// Type of an element of a port.
  template <std::size_t g>
  using Element = std::remove_cvref_t<decltype(std::get<g>(kTable).access(
      std::declval<std::conditional_t<Group<g>::kInput, const typename Block::In,
                                      const typename Block::Out>&>(),
      0u, 1u))>;
  /// Whether a group is the single credit line of a link without VCs, as into an interface, which
  /// is a number; links with VCs return words of lines.
  template <std::size_t g>
  static constexpr bool one_credit() {
    if constexpr (std::string_view(std::get<g>(kTable).name) == "rx_credit_o") {
      return std::is_integral_v<Element<g>>;
    } else {
      return false;
    }
  }
  template <std::size_t g>
  static constexpr bool kOneCredit = one_credit<g>();

  /// Value of one signal.
  template <std::size_t g>
  static auto value_of() {
    if constexpr (!kIsPort<g>) {
      return false;
    } else if constexpr (kOneCredit<g> || (std::is_pointer_v<Element<g>> && !kApart<g>)) {
      return CreditLines{};
    } else if constexpr (kApart<g>) {
      return false;
    } else {
      return Element<g>{};
    }
  }
  template <std::size_t g>
  using Value = decltype(value_of<g>());

  /// Signals of a group: one for each element, or for each line of a group of separate lines.
  template <std::size_t g>
  static unsigned signals(const Config& config) {
    const auto& group = std::get<g>(kTable);
    if constexpr (!kIsPort<g>) {
      return 0;
    } else {
      if (!std::invoke(group.used, config)) return 0;
      const unsigned count = port_figure(group.count, config);
      return kApart<g> ? count * port_figure(std::get<0>(group.fields).width, config) : count;
    }
  }
  template <std::size_t g>
  static constexpr bool kCredits = std::is_same_v<Value<g>, CreditLines>;
  /// Words of 64 bits of an element.
  template <std::size_t g>
  static unsigned words(const Config& config) {
    return (port_figure(std::get<0>(std::get<g>(kTable).fields).width, config) + 63) / 64;
  }
  /// A port's name without the fields: "tx_o" for "tx_*_o".
  static std::string name(const char* group) {
    std::string text = group;
    if (const auto star = text.find("*_"); star != std::string::npos) text.erase(star, 2);
    return text;
  }
  /// Number of the group with a name, without the fields.
  static constexpr std::size_t find(const char* wanted) {
    return first([wanted](const char* group) {
      const char* w = wanted;
      while (*group != 0) {
        if (*group == '*') {
          group += 2;
          continue;
        }
        if (*w++ != *group++) return false;
      }
      return *w == 0;
    });
  }
  template <PortLiteral kName>
  static constexpr std::size_t index() {
    constexpr std::size_t g = find(kName.text);
    static_assert(g < kGroups, "the block has no such port");
    return g;
  }

  /// Whether there is such a port.
  template <PortLiteral kName>
  static constexpr bool has() {
    return find(kName.text) < kGroups;
  }

  /// Value of element or line `i` of the group in `from`: an In or Out of the block, or the storage
  /// of its outputs if its Out is a view; `words`: 64-bit words of an element.
  template <std::size_t g, class Struct>
  static Value<g> get(const Struct& from, unsigned i, unsigned words = 1) {
    const auto& group = std::get<g>(kTable);
    const auto element = [&](unsigned number, unsigned of) -> decltype(auto) {
      if constexpr (std::is_convertible_v<const Struct&, const typename Block::Out&> ||
                    std::is_convertible_v<const Struct&, const typename Block::In&>) {
        return group.access(from, number, of);
      } else {
        return group.store(from, number, of);
      }
    };
    if constexpr (kApart<g>) {
      const bool line =
          (std::get<0>(group.fields).access.get(element(0, 1), i / 64, 64) >> i % 64 & 1) != 0;
      if constexpr (kOneCredit<g>) {
        return {line, {}};
      } else {
        return line;
      }
    } else if constexpr (kOneCredit<g>) {
      return {element(i, 1), {}};
    } else if constexpr (kCredits<g>) {
      return CreditLines::of(element(i, words), words);
    } else {
      return element(i, 1);
    }
  }
  /// Writes a value to its member of `to`, an In or the storage of its values.
  template <std::size_t g, class Struct>
  static void put(Struct& to, unsigned i, const Value<g>& value) {
    const auto& group = std::get<g>(kTable);
    if constexpr (kCredits<g>) {
      return;  // The block's In has a pointer to the lines, BlockInputs the lines.
    } else if constexpr (kApart<g>) {
      const auto& access = std::get<0>(group.fields).access;
      auto&& whole = group.store(to, 0, 1);
      const std::uint64_t bit = std::uint64_t{1} << i % 64;
      const std::uint64_t word = access.get(whole, i / 64, 64);
      access.set(whole, i / 64, 64, value ? word | bit : word & ~bit);
    } else if constexpr (requires { group.store(to, i, 1) = value; }) {
      group.store(to, i, 1) = value;
    }
  }

  /// Calls `visit.template operator()<g>()` for every group.
  template <class Visit>
  static void for_each(Visit visit) {
    [&]<std::size_t... g>(std::index_sequence<g...>) {
      (visit.template operator()<g>(), ...);
    }
    (std::make_index_sequence<kGroups>{});
  }
};

}  // namespace weft
