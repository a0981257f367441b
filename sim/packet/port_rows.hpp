// Makes a block's port list (sim/packet/port_list.hpp) from its table. Included only where the
// lists are compiled, because of what it costs there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sim/packet/ports.hpp"

namespace weft {

template <class Block>
inline constexpr auto kPortTable = Block::ports();

/// Calls `visit(field, word of the field, bits of the word)` for each word of an element.
template <class Fields, class Visit>
void for_each_word(const Fields& fields, const unsigned* widths, Visit visit) {
  const auto words_of = [&](const auto& field, unsigned width) {
    for (unsigned done = 0; done < width; done += 64) {
      visit(field, done / 64, std::min(64u, width - done));
    }
  };
  std::apply([&](const auto&... field) { (words_of(field, *widths++), ...); }, fields);
}
template <class Fields, class Value>
PortWords get_words(const Fields& fields, const Value& value, const unsigned* widths,
                    PortWords to) {
  for_each_word(fields, widths, [&](const auto& field, unsigned word, unsigned bits) {
    *to++ = field.access.get(value, word, bits);
  });
  return to;
}
template <class Fields, class Value>
const std::uint64_t* set_words(const Fields& fields, Value&& value, const unsigned* widths,
                               const std::uint64_t* from) {
  for_each_word(fields, widths, [&](const auto& field, unsigned word, unsigned bits) {
    field.access.set(value, word, bits, *from++);
  });
  return from;
}

/// Whether the fields can be written to a value: some only show one in another form, and views
/// cannot be written.
template <class Fields, class Value>
constexpr bool can_set(const Fields& fields) {
  using Plain = std::remove_reference_t<Value>;
  if constexpr (std::is_const_v<Plain> || std::is_const_v<std::remove_pointer_t<Plain>>) {
    return false;
  } else {
    const auto sets = []<class Access>(const Access& access) {
      return requires(Plain & value) {
        access.set(value, 0u, 0u, std::uint64_t{});
      };
    };
    return std::apply([&](const auto&... field) { return (sets(field.access) && ...); }, fields);
  }
}

/// The functions of row `g` of the table of `Block`.
template <class Block, std::size_t g>
struct PortRowOf {
  using Types = PortTypes<Block>;
  using Config = typename Types::Config;
  static constexpr const auto& kRow = std::get<g>(kPortTable<Block>);
  using Row = std::remove_cvref_t<decltype(kRow)>;
  using Values = std::conditional_t<Row::kInput, typename Types::In, typename Types::Out>;
  static constexpr bool kConstant = kIsA<OfConfig, decltype(Row::access)>;

  static const Config& of(const void* config) { return *static_cast<const Config*>(config); }
  static decltype(auto) element(const void* values, unsigned i, const unsigned* widths) {
    return kRow.access(*static_cast<const Values*>(values), i, (widths[0] + 63) / 64);
  }

  template <std::size_t f>
  static unsigned width(const void* config) {
    return port_figure(std::get<f>(kRow.fields).width, of(config));
  }
  static unsigned count(const void* config) { return port_figure(kRow.count, of(config)); }
  static bool used(const void* config) {
    return static_cast<bool>(std::invoke(kRow.used, of(config)));
  }
  static std::uint64_t constant(const void* config) {
    return std::invoke(kRow.access.member, of(config));
  }
  static void read(const void* values, unsigned first, unsigned end, const unsigned* widths,
                   PortWords to) {
    for (unsigned i = first; i < end; ++i) {
      to = get_words(kRow.fields, element(values, i, widths), widths, to);
    }
  }
  static void write(void* values, unsigned first, unsigned end, const unsigned* widths,
                    const std::uint64_t* from) {
    for (unsigned i = first; i < end; ++i) {
      auto&& value =
          kRow.store(*static_cast<typename Types::Held*>(values), i, (widths[0] + 63) / 64);
      from = set_words(kRow.fields, value, widths, from);
    }
  }
  static bool equals(const void* values, unsigned i, const unsigned* widths,
                     const std::uint64_t* from) {
    const auto& value = element(values, i, widths);
    std::remove_cvref_t<decltype(value)> shown;
    set_words(kRow.fields, shown, widths, from);
    return shown == value;
  }
  static bool valid(const void* values, unsigned i) {
    return kRow.store(*static_cast<const typename Types::Held*>(values), i, 1).valid;
  }

  static PortRow make() {
    PortRow row{kRow.name, Row::kInput, kRow.role, kRow.always, {}, count, used};
    [&]<std::size_t... f>(std::index_sequence<f...>) {
      row.fields = {{std::get<f>(kRow.fields).name, width<f>}...};
    }
    (std::make_index_sequence<Row::kFields>{});
    if constexpr (kConstant) {
      row.constant = constant;
    } else {
      row.read = read;
      if constexpr (!Row::kInput) {
        using Value = std::remove_cvref_t<decltype(element(nullptr, 0, nullptr))>;
        if constexpr (Row::kFields > 1) row.equals = equals;
        if constexpr (!kIsA<EachElement, decltype(Row::store)>) {
          using Stored = decltype(kRow.store(std::declval<typename Types::Held&>(), 0u, 1u));
          if constexpr (can_set<decltype(kRow.fields), Stored>(kRow.fields)) row.write = write;
          if constexpr (std::is_same_v<Value, Flit>) row.valid = valid;
        }
      }
    }
    return row;
  }
};

template <class Block>
const PortList& port_list() {
  static const PortList kList = []<std::size_t... g>(std::index_sequence<g...>) {
    return PortList{PortRowOf<Block, g>::make()...};
  }
  (std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(kPortTable<Block>)>>>{});
  return kList;
}

}  // namespace weft
