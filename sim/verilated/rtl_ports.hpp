// Drives and samples the ports of a Verilated block by the block's port table
// (sim/packet/port_list.hpp), and compares them with the outputs of the model. Names are looked up
// once, at construction.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/packet/port_list.hpp"
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

/// The ports of a block by its table; RtlPorts gives the pointers their types (`PortTypes`).
class BoundPorts {
 public:
  BoundPorts(const PortList& list, const RtlInstance& rtl, const std::string& block,
             const void* config);
  BoundPorts(const PortList& list, const RtlInstance& rtl, const std::string& prefix,
             const void* config, unsigned index);

  bool drive(const void* in);
  bool driven(const void* in) const;
  void sample(void* held) const;
  void compare(const void* out, const std::function<void(const PortDifference&)>& differ) const;

 private:
  struct Field {
    RtlPort port;
    const char* name;
    unsigned first;  // Bit of the port at which element 0 begins.
    unsigned width;  // Of an element, bits.
  };
  struct Row {
    const PortRow* row;
    unsigned elements, fields;
    std::size_t first_field;  // Of `fields_` and `widths_`.
    unsigned words;           // Of an element.
  };

  void bind(const PortRow& row, const RtlInstance& rtl, const std::string& prefix,
            const void* config, unsigned index);
  template <class Visit>
  void each_word(const Row& row, unsigned i, Visit visit) const;
  void show(const Row& row, unsigned i, PortWords to) const;
  bool changed(const void* in) const;

  std::vector<Row> inputs_, outputs_;
  std::vector<Field> fields_;
  std::vector<unsigned> widths_;             // By field, as in `fields_`.
  std::vector<std::uint64_t> last_;          // The words of all inputs, as they were driven last,
  mutable std::vector<std::uint64_t> next_;  // and as they are to be.
  mutable std::vector<std::uint64_t> rtl_words_;    // Of the elements of one row of outputs.
  mutable std::vector<std::uint64_t> model_words_;  // Of one element.
};

/// All ports of a block.
template <class Block>
class RtlPorts {
 public:
  using Types = PortTypes<Block>;
  using Config = typename Types::Config;

  /// The ports of the module `block` in this configuration, which must be all ports of the module.
  /// Throws CheckError as `check_ports`.
  RtlPorts(const RtlInstance& rtl, const std::string& block, const Config& config)
      : ports_(port_list<Block>(), rtl, block, &config) {}
  /// The ports of block `index` in a module whose ports are vectors over several blocks, named
  /// `prefix` and the block's port; ports that the module lacks are skipped.
  RtlPorts(const RtlInstance& rtl, const std::string& prefix, const Config& config, unsigned index)
      : ports_(port_list<Block>(), rtl, prefix, &config, index) {}

  /// Drives the inputs of a cycle. Nothing else may drive them, because a value that is equal to
  /// that of the last call is not driven again. Returns whether one has changed.
  bool drive(const typename Types::In& in) { return ports_.drive(&in); }
  /// Whether `drive(in)` would change no input.
  bool driven(const typename Types::In& in) const { return ports_.driven(&in); }
  /// Writes the outputs to their storage. For a link without a flit nothing else is read, unless it
  /// is protected (PortGroup::without_flit).
  void sample(typename Types::Held& held) const { ports_.sample(&held); }
  /// Calls `differ(PortDifference)` for each output that differs from `model`.
  void compare(const typename Types::Out& model,
               const std::function<void(const PortDifference&)>& differ) const {
    ports_.compare(&model, differ);
  }

 private:
  BoundPorts ports_;
};

}  // namespace weft
