// A block's port table at run time: what the Verilated adapters, the comparison of RTL and model,
// and the emitter read. It is made once for each block from the table of sim/packet/ports.hpp, so
// that those who read it are no templates.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/packet/port_shape.hpp"

namespace weft {

/// The value of a row's element as words of up to 64 bits: for each field, lowest bits first, as
/// many words as its width takes. `widths`: those of the row's fields, bits.
using PortWords = std::uint64_t*;

/// A row of a port table. `config`, `values`: the block's configuration, and its inputs, outputs or
/// the storage of its outputs, of the types of `PortTypes`.
struct PortRow {
  struct Field {
    const char* name;  ///< Replaces the `*` in the row's name.
    unsigned (*width)(const void* config);
  };

  const char* name;  ///< Name as in rtl/; `*` stands for the names of the fields.
  bool input;
  PortRole role;
  bool always;  ///< For a flit: it need not be 0 without `valid`.
  std::vector<Field> fields;
  unsigned (*count)(const void* config);  ///< Number of elements.
  bool (*used)(const void* config);       ///< Whether the port is used.
  /// The value that the port has always; null if it is no member of the configuration.
  std::uint64_t (*constant)(const void* config) = nullptr;
  /// Reads elements `first` to `end` - 1 of the inputs or outputs, one after the other.
  void (*read)(const void* values, unsigned first, unsigned end, const unsigned* widths,
               PortWords to) = nullptr;
  /// Writes elements `first` to `end` - 1 of the storage of the outputs; null for inputs, and where
  /// it has none.
  void (*write)(void* values, unsigned first, unsigned end, const unsigned* widths,
                const std::uint64_t* from) = nullptr;
  /// Whether element `i` equals a value with these words in all its members, also in those without
  /// a port; null for a row of one field.
  bool (*equals)(const void* values, unsigned i, const unsigned* widths,
                 const std::uint64_t* from) = nullptr;
  /// Whether element `i` of the storage is a valid flit; null if it is no flit.
  bool (*valid)(const void* values, unsigned i) = nullptr;
};
using PortList = std::vector<PortRow>;

/// Configuration of a block without parameters.
struct NoConfig {};

/// The types that a block's port table reads and writes.
template <class Block>
struct PortTypes {
 private:
  static auto of_config() {
    if constexpr (requires { typename Block::PortConfig; }) {
      return std::type_identity<typename Block::PortConfig>();
    } else if constexpr (requires { typename Block::Config; }) {
      return std::type_identity<typename Block::Config>();
    } else {
      return std::type_identity<NoConfig>();
    }
  }
  static auto of_in() {
    if constexpr (requires { typename Block::PortIn; }) {
      return std::type_identity<typename Block::PortIn>();
    } else {
      return std::type_identity<typename Block::In>();
    }
  }
  static auto of_out() {
    if constexpr (requires { typename Block::Shown; }) {
      return std::type_identity<typename Block::Shown>();
    } else if constexpr (requires { typename Block::Out; }) {
      return std::type_identity<typename Block::Out>();
    } else {
      return std::type_identity<Block>();
    }
  }
  static auto of_held() {
    if constexpr (requires { typename Block::Held; }) {
      return std::type_identity<typename Block::Held>();
    } else {
      return of_out();
    }
  }

 public:
  using Config = typename decltype(of_config())::type;  ///< Widths and counts follow from it.
  using In = typename decltype(of_in())::type;
  /// What has the outputs: all that the module shows, or the block where its functions give them.
  using Out = typename decltype(of_out())::type;
  using Held = typename decltype(of_held())::type;  ///< Storage of the outputs.
  static Held make_held(const Config& config) {
    if constexpr (requires { typename Block::Held; }) {
      return Held(config);
    } else {
      return {};
    }
  }
};

/// The table of a block. Those of a network's blocks are made in sim/verilated/port_lists.cpp, of
/// the blocks inside them in tb/lib/port_lists.cpp, for benches and tests.
template <class Block>
const PortList& port_list();

/// The ports of a table in one configuration, in its order.
std::vector<PortShape> port_shapes(const PortList& list, const void* config);
template <class Block>
std::vector<PortShape> port_shapes(const typename PortTypes<Block>::Config& config) {
  return port_shapes(port_list<Block>(), &config);
}

}  // namespace weft
