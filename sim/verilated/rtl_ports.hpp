// Drives and samples the ports of a Verilated block by the block's port table
// (sim/packet/ports.hpp), and compares them with the outputs of the model. Names are looked up
// once, at construction.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/packet/ports.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft {

/// Bits of an output in which RTL and model differ.
struct PortDifference {
  std::string shown;            ///< Port, element and first bit, for messages.
  std::string port;             ///< Name in rtl/.
  unsigned lsb = 0, width = 0;  ///< The bits of the port: up to 64.
  std::uint64_t rtl = 0, model = 0;
};

/// The first difference between RTL and model. The engine adds cycle and instance.
struct Difference : CheckError {
  explicit Difference(const PortDifference& what)
      : CheckError(
            fmt::format("port {}: RTL {:#x}, model {:#x}", what.shown, what.rtl, what.model)),
        at(what) {}
  /// Of more than these two: `differing_ones` says in words who differs, `text` where.
  Difference(std::string differing_ones, const std::string& text)
      : CheckError(text), who(std::move(differing_ones)) {}

  std::string who = "RTL and model differ";
  PortDifference at;
};

/// Throws CheckError if the ports of a block's table differ from those of the module, except clock
/// and reset. The message names the first port that is missing on one side or differs in width or
/// direction.
void check_ports(const std::string& block, const std::vector<PortShape>& table,
                 const std::vector<RtlPortInfo>& rtl);

/// The ports of a group's fields.
template <std::size_t kFields>
class RtlFields {
 public:
  /// Finds the ports `name` of `elements` elements; if the module gathers the ports of several
  /// blocks, those of block `index`. Throws std::out_of_range for a missing port.
  template <class Fields, class Config>
  void bind(const RtlInstance& rtl, const std::string& name, const Fields& fields,
            const Config& config, unsigned elements, unsigned index = 0) {
    if (port_figure(std::get<0>(fields).width, config) == 0) return;
    elements_ = elements;
    std::size_t f = 0;
    const auto bind_one = [&](const auto& field) {
      const unsigned width = port_figure(field.width, config);
      bound_[f++] = {rtl.port(port_name(name, field.name)), index * elements * width, width};
    };
    std::apply([&](const auto&... field) { (bind_one(field), ...); }, fields);
    words_ = (bound_[0].width + 63) / 64;
  }

  unsigned elements() const { return elements_; }
  unsigned words() const { return words_; }  ///< Words of 64 bits of an element of the first port.
  /// Whether the first port of element `i`, one bit wide, is 1.
  bool raised(unsigned i) const { return bound_[0].port.bits(bound_[0].first + i, 1) != 0; }

  /// Drives element `i`.
  template <class Fields, class Value>
  void drive(const Fields& fields, unsigned i, const Value& value) {
    each(fields, i, [&](const auto& field, RtlPort& port, unsigned lsb, unsigned bits, unsigned w) {
      port.set_bits(lsb, bits, field.access.get(value, w, bits));
    });
  }
  /// Whether the ports of element `i` have the value.
  template <class Fields, class Value>
  bool shows(const Fields& fields, unsigned i, const Value& value) const {
    bool same = true;
    each(fields, i,
         [&](const auto& field, const RtlPort& port, unsigned lsb, unsigned bits, unsigned w) {
           same = same && port.shows(lsb, bits, field.access.get(value, w, bits));
         });
    return same;
  }
  /// Writes the values at the ports of element `i` to `value`.
  template <class Fields, class Value>
  void sample(const Fields& fields, unsigned i, Value&& value) const {
    each(fields, i,
         [&](const auto& field, const RtlPort& port, unsigned lsb, unsigned bits, unsigned w) {
           field.access.set(value, w, bits, port.bits(lsb, bits));
         });
  }
  /// Calls `differ(field's name, word, first bit of the port, bits, RTL, model)` for each word of
  /// element `i` that differs from `value`. Members of a value with fields that have no port must
  /// have their default values.
  template <class Fields, class Value, class Differ>
  void compare(const Fields& fields, unsigned i, const Value& value, Differ differ) const {
    if constexpr (kFields > 1) {
      Value shown;
      sample(fields, i, shown);
      if (shown == value) return;
    }
    each(fields, i,
         [&](const auto& field, const RtlPort& port, unsigned lsb, unsigned bits, unsigned w) {
           const std::uint64_t rtl = port.bits(lsb, bits), model = field.access.get(value, w, bits);
           if (rtl != model) differ(field.name, w, lsb, bits, rtl, model);
         });
    if constexpr (kFields > 1) throw std::logic_error("an output of the model that has no port");
  }

 private:
  struct Bound {
    RtlPort port;
    unsigned first = 0, width = 0;
  };

  template <class Fields, class Visit>
  void each(const Fields& fields, unsigned i, Visit visit) const {
    [&]<std::size_t... f>(std::index_sequence<f...>) {
      (each_word(std::get<f>(fields), bound_[f], i, visit), ...);
    }
    (std::make_index_sequence<kFields>{});
  }
  template <class Field, class Visit>
  static void each_word(const Field& field, const Bound& bound, unsigned i, Visit& visit) {
    const unsigned lsb = bound.first + i * bound.width;
    RtlPort port = bound.port;
    for (unsigned done = 0; done < bound.width; done += 64) {
      visit(field, port, lsb + done, std::min(64u, bound.width - done), done / 64);
    }
  }

  std::array<Bound, kFields> bound_;
  unsigned elements_ = 0, words_ = 1;
};

/// All ports of a block.
template <class Block>
class RtlPorts {
 public:
  /// The ports of the module `block` in this configuration, which must be all ports of the module.
  /// Throws CheckError as `check_ports`.
  template <class Config>
  RtlPorts(const RtlInstance& rtl, const std::string& block, const Config& config) {
    check_ports(block, port_shapes<Block>(config), rtl.library().ports());
    for_each([&](const auto& group, auto& fields, auto& last) {
      if (!kIsInput<decltype(group)> || std::invoke(group.used, config))
        bind(rtl, group, fields, last, config, "", 0);
      if constexpr (kShowsConfig<decltype(group)>) {
        fields.drive(group.fields, 0, std::invoke(group.access.member, config));
      }
    });
  }
  /// The ports of block `index` in a module whose ports are vectors over several blocks, named
  /// `prefix` and the block's port; ports that the module lacks are skipped.
  template <class Config>
  RtlPorts(const RtlInstance& rtl, const std::string& prefix, const Config& config,
           unsigned index) {
    for_each([&](const auto& group, auto& fields, auto& last) {
      const std::string first = prefix + port_name(group.name, std::get<0>(group.fields).name);
      const auto& ports = rtl.library().ports();
      if (std::any_of(ports.begin(), ports.end(),
                      [&](const RtlPortInfo& port) { return port.name == first; })) {
        bind(rtl, group, fields, last, config, prefix, index);
      }
    });
  }

  /// Drives the inputs of a cycle. Nothing else may drive them, because a value with fields that is
  /// equal to that of the last call is not driven again. Returns whether an input has changed.
  template <class In>
  bool drive(const In& in) {
    bool changed = false;
    for_each([&](const auto& group, auto& fields, auto& last) {
      if constexpr (kIsInput<decltype(group)> && !kShowsConfig<decltype(group)>) {
        for (unsigned i = 0; i < fields.elements(); ++i) {
          const auto& value = group.access(in, i, fields.words());
          if (same(group, fields, last, i, value)) continue;
          if constexpr (kHasFields<decltype(group)>) last[i] = value;
          fields.drive(group.fields, i, value);
          changed = true;
        }
      }
    });
    return changed;
  }

  /// Whether `drive(in)` would change no input.
  template <class In>
  bool driven(const In& in) const {
    bool all = true;
    for_each([&](const auto& group, const auto& fields, const auto& last) {
      if constexpr (kIsInput<decltype(group)> && !kShowsConfig<decltype(group)>) {
        for (unsigned i = 0; all && i < fields.elements(); ++i) {
          all = same(group, fields, last, i, group.access(in, i, fields.words()));
        }
      }
    });
    return all;
  }

  /// Writes the outputs to `out`: the block's Out, or the storage of its values
  /// (PortGroup::held_in). For a link without a flit nothing else is read, unless it is protected
  /// (PortGroup::without_flit).
  template <class Out>
  void sample(Out& out) const {
    for_each([&](const auto& group, const auto& fields, const auto&) {
      if constexpr (!kIsInput<decltype(group)>) {
        for (unsigned i = 0; i < fields.elements(); ++i) {
          auto&& value = group.store(out, i, fields.words());
          if constexpr (std::is_same_v<decltype(value), Flit&>) {
            if (!group.always && !value.valid && !fields.raised(i)) continue;
          }
          fields.sample(group.fields, i, value);
        }
      }
    });
  }

  /// Calls `differ(PortDifference)` for each output that differs from `model`.
  template <class Out, class Differ>
  void compare(const Out& model, Differ differ) const {
    for_each([&](const auto& group, const auto& fields, const auto&) {
      if constexpr (!kIsInput<decltype(group)>) {
        for (unsigned i = 0; i < fields.elements(); ++i) {
          fields.compare(group.fields, i, group.access(model, i, fields.words()),
                         [&](const char* field, unsigned word, unsigned lsb, unsigned bits,
                             std::uint64_t rtl, std::uint64_t wanted) {
                           const std::string port = port_name(group.name, field);
                           std::string shown = port;
                           if (fields.elements() > 1) shown += fmt::format("[{}]", i);
                           if (word > 0) shown += fmt::format(" from bit {}", word * 64);
                           differ(PortDifference{shown, port, lsb, bits, rtl, wanted});
                         });
        }
      }
    });
  }

 private:
  static constexpr auto kTable = Block::ports();
  using Table = std::remove_const_t<decltype(kTable)>;
  static constexpr auto kGroups = std::make_index_sequence<std::tuple_size_v<Table>>{};

  template <class Group>
  static constexpr bool kIsInput = std::remove_cvref_t<Group>::kInput;
  template <class Group>
  static constexpr bool kShowsConfig = kIsA<OfConfig, decltype(std::remove_cvref_t<Group>::access)>;
  /// Whether a group is an input that is a value with fields; its last value is kept.
  template <class Group>
  static constexpr bool kHasFields = kIsInput<Group>&& std::remove_cvref_t<Group>::kFields > 1;

  template <class Group, class Fields, class Last, class Value>
  static bool same(const Group& group, const Fields& fields, const Last& last, unsigned i,
                   const Value& value) {
    if constexpr (kHasFields<Group>) {
      return value == last[i];
    } else {
      return fields.shows(group.fields, i, value);
    }
  }

  struct Nothing {};
  template <class Group>
  static auto last_of() {
    if constexpr (kHasFields<Group>) {
      const typename Block::In* const in = nullptr;
      return std::vector<
          std::remove_cvref_t<decltype(std::declval<const Group&>().access(*in, 0u, 1u))>>();
    } else {
      return Nothing{};
    }
  }

  template <class... Groups>
  static auto fields_of(const std::tuple<Groups...>&) -> std::tuple<RtlFields<Groups::kFields>...>;
  template <class... Groups>
  static auto max_coords_of(const std::tuple<Groups...>&)
      -> std::tuple<decltype(last_of<Groups>())...>;

  template <class Group, class Fields, class Last, class Config>
  static void bind(const RtlInstance& rtl, const Group& group, Fields& fields, Last& last,
                   const Config& config, const std::string& prefix, unsigned index) {
    fields.bind(rtl, prefix + group.name, group.fields, config, port_figure(group.count, config),
                index);
    if constexpr (kHasFields<Group>) {
      last.resize(fields.elements());
      for (unsigned i = 0; i < fields.elements(); ++i) fields.sample(group.fields, i, last[i]);
    }
  }

  // Calls `visit(group, its ports, the value driven last)` for each row of the table.
  template <class Visit>
  void for_each(Visit visit) {
    [&]<std::size_t... g>(std::index_sequence<g...>) {
      (visit(std::get<g>(kTable), std::get<g>(fields_), std::get<g>(max_coords_)), ...);
    }
    (kGroups);
  }
  template <class Visit>
  void for_each(Visit visit) const {
    [&]<std::size_t... g>(std::index_sequence<g...>) {
      (visit(std::get<g>(kTable), std::get<g>(fields_), std::get<g>(max_coords_)), ...);
    }
    (kGroups);
  }

  decltype(fields_of(kTable)) fields_;
  decltype(max_coords_of(kTable)) max_coords_;
};

}  // namespace weft
