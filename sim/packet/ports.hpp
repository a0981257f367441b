// Port tables: each port of a block once, by its name in rtl/, its width and the member of the
// block's inputs or outputs that it carries. The Verilated adapters, the comparison of RTL and
// model, the emitter, the SystemC modules and the benches are made from a block's table.
//
// A block `<name>.hpp` declares a static member `ports()`, which `<name>_ports.hpp` defines, so
// that only files that use ports compile it:
//
//   constexpr auto Block::ports() {
//     return port_table(input("req_i", &Config::num_req, &In::req), input("done_i", 1, &In::done),
//                       output("gnt_o", &Config::num_req, &Out::gnt));
//   }
//
// Clock and reset are not listed.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/packet/packet.hpp"
#include "sim/packet/port_list.hpp"

namespace weft {

/// Width of an address by the configuration's header, bits.
inline constexpr auto kAddrWidth = [](const auto& c) { return c.header.addr_w; };
/// Width of an offset in the receive window, bits.
inline constexpr auto kOffWidth = [](const auto& c) { return c.header.off_w(); };
/// Width of the port of a receive window's key, bits.
inline constexpr auto kKeyWidth = [](const auto& c) { return std::max(1u, c.header.key_w); };
/// Whether receive windows have keys.
inline constexpr auto kHasKeys = [](const auto& c) { return c.header.key_w != 0; };
/// Access to a member of the receive windows `windows`.
inline constexpr auto of_windows = [](auto member) {
  return [member](auto& s) -> auto& {
    return s.windows.*member;
  };
};

/// A width or count of a table: a number, a member of the configuration, or a function of it. In a
/// configuration in which a group's ports have width 0 the module does not have them.
template <class Value, class Config>
constexpr unsigned port_figure(const Value& value, const Config& config) {
  if constexpr (std::is_integral_v<Value>) {
    return value;
  } else {
    return static_cast<unsigned>(std::invoke(value, config));
  }
}

// ---- Fields: the ports of one value, moved in words of up to 64 bits. An access gets or sets the
// `bits` bits of word `word` of a value.

/// The value itself: a number, a truth value, an enumerator, the data of a flit, or a pointer to
/// words of 64 bits, where null means zeros.
struct WholeValue {
  template <class Value>
  static std::uint64_t get(const Value& value, unsigned word, unsigned /*bits*/) {
    if constexpr (std::is_pointer_v<Value>) {
      return value == nullptr ? 0 : value[word];
    } else if constexpr (std::is_same_v<Value, FlitData>) {
      return value.word[word];
    } else {
      return static_cast<std::uint64_t>(value);
    }
  }
  template <class Value>
  static void set(Value&& value, unsigned word, unsigned /*bits*/, std::uint64_t number) {
    if constexpr (std::is_pointer_v<std::remove_cvref_t<Value>>) {
      value[word] = number;
    } else if constexpr (std::is_same_v<std::remove_cvref_t<Value>, FlitData>) {
      value.word[word] = number;
    } else {
      value = static_cast<std::remove_cvref_t<Value>>(number);
    }
  }
};

/// A member of the value.
template <class Member>
struct MemberValue {
  Member member;
  template <class Value>
  std::uint64_t get(const Value& value, unsigned word, unsigned bits) const {
    return WholeValue::get(value.*member, word, bits);
  }
  template <class Value>
  void set(Value& value, unsigned word, unsigned bits, std::uint64_t number) const {
    WholeValue::set(value.*member, word, bits, number);
  }
};

/// Data of a flit, parity above them: the only word of one bit.
struct FlitWord {
  static std::uint64_t get(const Flit& flit, unsigned word, unsigned bits) {
    return bits == 1 ? flit.parity : flit.word(word);
  }
  static void set(Flit& flit, unsigned word, unsigned bits, std::uint64_t number) {
    bits == 1 ? void(flit.parity = number != 0) : void(flit.word(word) = number);
  }
};

/// One port of a group; `name` replaces the `*` in the group's name.
template <class Width, class Access>
struct PortField {
  const char* name;
  Width width;  ///< Width of one element, bits.
  Access access;
};

template <class Width, class Member>
constexpr auto port_field(const char* name, Width width, Member member) {
  if constexpr (std::is_member_object_pointer_v<Member>) {
    return PortField<Width, MemberValue<Member>>{name, width, {member}};
  } else {
    return PortField<Width, Member>{name, width, member};
  }
}

/// A link without VCs; the configuration says whether it has `parity`.
inline constexpr auto kWordFields =
    std::make_tuple(port_field("valid", 1, &Flit::valid), port_field("last", 1, &Flit::last),
                    port_field("data", kFlitWidth, FlitWord{}));
/// VCs that a flit's field can name: those of the network, which may be more than the link's.
template <class Config>
constexpr unsigned field_vcs(const Config& config) {
  if constexpr (requires { config.field_vcs; }) {
    return config.field_vcs;
  } else {
    return config.num_vc;
  }
}
/// A link with `num_vc` VCs.
inline constexpr auto kFlitFields = std::tuple_cat(
    kWordFields,
    std::make_tuple(port_field(
                        "vc", [](const auto& c) { return index_width(field_vcs(c)); }, &Flit::vc),
                    port_field("stamp", kStampW, &Flit::stamp)));
/// A message, as a send controller takes it.
inline constexpr auto kMessageFields = std::make_tuple(
    port_field("dst", kAddrWidth, &Descriptor::dst),
    port_field("addr", kMemAddrW, &Descriptor::addr), port_field("len", kMsgLenW, &Descriptor::len),
    port_field("off", kOffWidth, &Descriptor::off), port_field("tag", kTagW, &Descriptor::tag),
    port_field("gap", kGapW, &Descriptor::gap));
/// A message with the send controller that it is for.
inline constexpr auto kDescriptorFields =
    std::tuple_cat(kMessageFields, std::make_tuple(port_field("ctrl", kCtrlW, &Descriptor::ctrl)));
/// The start time of a message.
inline constexpr auto kStartFields = std::make_tuple(
    port_field("timed", 1, &Descriptor::timed), port_field("start", kStartW, &Descriptor::start));
inline constexpr auto kReductionFields =
    std::make_tuple(port_field("op", kReduceOpW, &Reduction::op),
                    port_field("type", kReduceTypeW, &Reduction::type),
                    port_field("count", kMeanCountW, &Reduction::count));
/// An order to the combining tree.
inline constexpr auto kOrderFields = std::make_tuple(
    port_field("addr", kMemAddrW, &CombineOrder::addr),
    port_field("to", kMemAddrW, &CombineOrder::to), port_field("len", kMsgLenW, &CombineOrder::len),
    port_field("op", kReduceOpW, &CombineOrder::op),
    port_field("type", kReduceTypeW, &CombineOrder::type),
    port_field("count", kMeanCountW, &CombineOrder::count),
    port_field("silent", 1, &CombineOrder::silent),
    port_field("discard", 1, &CombineOrder::discard));

// ---- Groups: a value or several equal ones side by side.

/// Element `i` of a member of the inputs or outputs: of an array, of lines in words of 64
/// bits (`words` for each element), or the member itself.
template <class Member>
struct ElementOf {
  Member member;
  template <class Struct>
  constexpr decltype(auto) operator()(Struct& s, unsigned i, unsigned words) const {
    auto& whole = std::invoke(member, s);
    using Whole = std::remove_cvref_t<decltype(whole)>;
    if constexpr (std::is_same_v<Whole, std::uint64_t*> ||
                  std::is_same_v<Whole, const std::uint64_t*>) {
      return whole == nullptr ? nullptr : whole + std::size_t{i} * words;
    } else if constexpr (std::is_same_v<Whole, std::vector<std::uint64_t>>) {
      return whole.data() + std::size_t{i} * words;
    } else if constexpr (requires { whole[i]; }) {
      return (whole[i]);
    } else {
      return (whole);
    }
  }
};

/// The port is always used.
struct Always {
  template <class Config>
  constexpr bool operator()(const Config&) const {
    return true;
  }
};

/// A row of a table: the ports `name` with the elements of one member, element 0 lowest.
template <bool kIn, class Fields, class Count, class Access, class Store, class Used>
struct PortGroup {
  static constexpr bool kInput = kIn;
  static constexpr std::size_t kFields = std::tuple_size_v<Fields>;

  const char* name;  ///< Name as in rtl/; `*` stands for the names of the fields.
  Fields fields;
  Count count;    ///< Number of elements.
  Access access;  ///< Reads an element: (In or Out, number, words of an element).
  Store store;    ///< Writes an element that was read elsewhere; mostly the same as `access`.
  Used used;      ///< Whether the port is used; an unused output shows 0.
  PortRole role = PortRole::kNode;
  bool lines = false;   ///< Its bits are separate lines, to or from several other blocks.
  bool always = false;  ///< For a flit: it need not be 0 without `valid`.

  constexpr PortGroup link() const { return with(PortRole::kLink, lines); }
  constexpr PortGroup without_flit() const {
    PortGroup copy = *this;
    copy.always = true;
    return copy;
  }
  constexpr PortGroup own() const { return with(PortRole::kOwn, lines); }
  constexpr PortGroup apart() const { return with(role, true); }
  template <class Condition>
  constexpr auto when(Condition condition) const {
    return PortGroup<kIn, Fields, Count, Access, Store, Condition>{
        name, fields, count, access, store, condition, role, lines, always};
  }
  /// For a block whose In or Out are views and cannot be written: `member` of what holds the
  /// values.
  template <class Member>
  constexpr auto held_in(Member member) const {
    return PortGroup<kIn, Fields, Count, Access, ElementOf<Member>, Used>{
        name, fields, count, access, {member}, used, role, lines, always};
  }

 private:
  constexpr PortGroup with(PortRole new_role, bool new_lines) const {
    PortGroup copy = *this;
    copy.role = new_role;
    copy.lines = new_lines;
    return copy;
  }
};

/// Access to a value that is read or shown as a whole, without a member's name.
struct Itself {
  template <class Value>
  constexpr Value& operator()(Value& value) const {
    return value;
  }
};
/// Marks an access that returns an element by value: (In or Out, number, words of an element).
template <class Get>
struct EachElement {
  Get get;
  template <class Struct>
  constexpr auto operator()(const Struct& s, unsigned i, unsigned words) const {
    return get(s, i, words);
  }
};
template <class Get>
EachElement(Get) -> EachElement<Get>;
/// Marks a port that shows a member of the configuration.
template <class Member>
struct OfConfig {
  Member member;
};

template <template <class...> class Template, class Type>
inline constexpr bool kIsA = false;
template <template <class...> class Template, class... Types>
inline constexpr bool kIsA<Template, Template<Types...>> = true;

/// A row. `fields`: a tuple of fields, or the width of a single port. `access`: a member, a
/// function that returns a reference to one, an EachElement or OfConfig.
template <bool kIn, class Fields, class Access, class Count>
constexpr auto port_group(const char* name, Fields fields, Access access, Count count) {
  if constexpr (!kIsA<std::tuple, Fields>) {
    return port_group<kIn>(name, std::make_tuple(port_field("", fields, WholeValue{})), access,
                           count);
  } else if constexpr (kIsA<EachElement, Access> || kIsA<OfConfig, Access>) {
    return PortGroup<kIn, Fields, Count, Access, Access, Always>{name,   fields, count,
                                                                 access, access, {}};
  } else {
    using Element = ElementOf<Access>;
    return PortGroup<kIn, Fields, Count, Element, Element, Always>{name,     fields,   count,
                                                                   {access}, {access}, {}};
  }
}

template <class Fields, class Access, class Count = unsigned>
constexpr auto input(const char* name, Fields fields, Access access, Count count = 1) {
  return port_group<true>(name, fields, access, count);
}
template <class Fields, class Access, class Count = unsigned>
constexpr auto output(const char* name, Fields fields, Access access, Count count = 1) {
  return port_group<false>(name, fields, access, count);
}
/// An input that shows a member of the configuration.
template <class Width, class Member>
constexpr auto config_input(const char* name, Width width, Member member) {
  return port_group<true>(name, width, OfConfig<Member>{member}, 1u).own();
}

template <class... Groups>
constexpr auto port_table(Groups... groups) {
  return std::tuple<Groups...>(groups...);
}

}  // namespace weft
