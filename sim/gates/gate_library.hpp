// A block as a compiled kernel of gates, which steps 64, 256 or 512 instances at once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/gates/lanes.hpp"
#include "sim/gates/netlist.hpp"
#include "sim/gates/schedule.hpp"

namespace weft {

/// Where a bit of a register is.
struct RegisterBit {
  static constexpr std::uint32_t kConstant = ~std::uint32_t{0};
  std::uint32_t place = kConstant;  ///< Vector of the state.
  bool value = false;               ///< Of a bit that always has this value.
};

/// What a kernel calls for memories that it reads while it computes.
struct KernelHost {
  void* self = nullptr;
  /// Reads a port of a memory: vectors of the address, then those of the data.
  void (*read)(void* self, unsigned memory, unsigned port, const std::uint64_t* address,
               std::uint64_t* data) = nullptr;
};
/// By gate, then by flop, a vector: `value & keep | set`.
struct KernelMasks {
  const std::uint64_t *keep = nullptr, *set = nullptr;
};

/// What a kernel computes with. `out`: the outputs, or in a step the operands of memories.
struct KernelGroup {
  std::uint64_t* state;
  const std::uint64_t* in;
  std::uint64_t* out;
  const KernelHost* host;
  KernelMasks masks;
};

/// The kernel of one module, parameter set and width. A vector has one bit of each lane, the
/// instance, of a group: words(width()) words of 64 bits, lane 0 lowest.
class GateLibrary {
 public:
  /// Synthesises and compiles `spec` (top and params) unless it is in the cache, then loads it.
  /// With `forced` nets can be forced (GateBlock::force), and it runs slower. Throws ConfigError
  /// with the tool's message if Yosys or the compiler fails, for a block that Yosys cannot read,
  /// for a liberty file as `synthesise`, and if the cache cannot be written.
  static std::shared_ptr<const GateLibrary> load(const RtlSpec& spec,
                                                 LaneWidth width = lane_width(),
                                                 bool forced = false);
  /// Whether `load` finds the netlist in the cache.
  static bool is_cached(const RtlSpec& spec);
  /// The same of a netlist, `name` being the beginning of its entry's name.
  static std::shared_ptr<const GateLibrary> load(const Netlist& netlist, const std::string& name,
                                                 LaneWidth width = lane_width(),
                                                 bool forced = false);

  /// The netlist of `spec`, from the cache or by Yosys; errors as `load`.
  static Netlist netlist_of(const RtlSpec& spec);

  ~GateLibrary();
  GateLibrary(const GateLibrary&) = delete;
  GateLibrary& operator=(const GateLibrary&) = delete;

  const Netlist& netlist() const { return netlist_; }
  LaneWidth width() const { return width_; }
  bool forced() const { return forced_; }
  std::uint32_t inputs() const { return netlist_.inputs; }  ///< Vectors of all inputs.
  std::uint32_t outputs() const { return static_cast<std::uint32_t>(netlist_.outputs.size()); }
  std::uint32_t state() const { return static_cast<std::uint32_t>(netlist_.flops.size()); }

  /// The port's vectors: `first` and `width` among the inputs or the outputs. Throws
  /// std::out_of_range if there is none; the clock is none.
  const GatePort& port(std::string_view name) const;
  /// Likewise, but null if there is none.
  const GatePort* find_port(std::string_view name) const;
  /// Input ports from which a combinational path leads to an output port.
  std::vector<std::string> paths_to(std::string_view output) const;

  /// Bits of the register "scope.name", lowest first, as far as Yosys left any: one that does not
  /// change or that nothing reads may be missing. A word of a memory that became flops is
  /// "scope.name[3]". Empty if there is none.
  std::vector<RegisterBit> find_register(std::string_view name) const;
  /// The state's vector of a flop.
  std::uint32_t state_place(std::uint32_t flop) const { return places_[flop]; }

  /// For GateBlock: the kernel's functions. Groups that are given together are stepped faster, as
  /// each part of the code is read once.
  void (*step)(const KernelGroup* groups, unsigned count) = nullptr;
  void (*outputs_of)(const KernelGroup* groups, unsigned count) = nullptr;
  void (*reset)(std::uint64_t* state, const std::uint64_t* in, KernelMasks masks) = nullptr;
  const OperandPlaces& operands() const { return operands_; }

 private:
  GateLibrary() = default;

  Netlist netlist_;
  LaneWidth width_ = LaneWidth::k64;
  bool forced_ = false;
  void* handle_ = nullptr;
  std::vector<std::uint32_t> places_;
  OperandPlaces operands_;
};

}  // namespace weft
