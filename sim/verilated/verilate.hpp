// Verilated RTL at run time: one shared library for each module and parameter set, built once and
// cached; any number of instances, each with its ports by name.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

/// Value of a parameter: a number, or a SystemVerilog literal for wide values ("48'h000400040004").
struct RtlValue {
  std::string text;
  template <std::integral T>
  RtlValue(T value) : text(std::to_string(value)) {}  // NOLINT: a number is a value
  explicit RtlValue(std::string literal) : text(std::move(literal)) {}
};
using RtlParams = std::vector<std::pair<std::string, RtlValue>>;

/// Specification of a library: the module to be verilated.
struct RtlSpec {
  std::string top;                           ///< Module name.
  RtlParams params;                          ///< Parameters, by name.
  bool assertions = false;                   ///< Check the assertions in the RTL.
  std::vector<std::filesystem::path> extra;  ///< Sources outside rtl/ (an emitted top).
  bool loadable = false;  ///< Registers can be set (`RtlInstance::registers`); runs more slowly.
  /// With `assertions`: records which antecedents of the top module's properties were true
  /// (`RtlInstance::record`).
  bool covered = false;
  /// Of gates alone (sim/gates): the liberty file to whose cells they are mapped; empty: generic
  /// gates. Verilated libraries are the same with any.
  std::filesystem::path liberty = {};
};

/// A port of a Verilated instance: its storage, read and written in place.
class RtlPort {
 public:
  RtlPort() = default;
  RtlPort(void* data, unsigned width) : data_(data), width_(width) {}

  unsigned width() const { return width_; }

  /// The whole value of a port of up to 64 bits.
  std::uint64_t get() const {
    if (width_ <= 8) return *static_cast<const std::uint8_t*>(data_);
    if (width_ <= 16) return *static_cast<const std::uint16_t*>(data_);
    if (width_ <= 32) return *static_cast<const std::uint32_t*>(data_);
    if (width_ <= 64) return *static_cast<const std::uint64_t*>(data_);
    return bits(0, 64);
  }

  /// Sets the whole value of a port of up to 64 bits; `value` must fit.
  void set(std::uint64_t value) {
    if (width_ <= 8) {
      *static_cast<std::uint8_t*>(data_) = static_cast<std::uint8_t>(value);
    } else if (width_ <= 16) {
      *static_cast<std::uint16_t*>(data_) = static_cast<std::uint16_t>(value);
    } else if (width_ <= 32) {
      *static_cast<std::uint32_t*>(data_) = static_cast<std::uint32_t>(value);
    } else if (width_ <= 64) {
      *static_cast<std::uint64_t*>(data_) = value;
    } else {
      set_bits(0, 64, value);
    }
  }

  /// `count` bits (1 to 64) from bit `lsb` of a port of any width.
  std::uint64_t bits(unsigned lsb, unsigned count) const {
    if (width_ <= 64) return get() >> lsb & mask(count);
    const auto* words = static_cast<const std::uint32_t*>(data_);
    const unsigned word = lsb / 32, shift = lsb % 32;
    std::uint64_t value = words[word] >> shift;
    for (unsigned have = 32 - shift, i = word + 1; have < count; have += 32, ++i) {
      value |= std::uint64_t{words[i]} << have;
    }
    return value & mask(count);
  }

  /// Whether `count` bits from bit `lsb` have the value of the lowest bits of `value`.
  bool shows(unsigned lsb, unsigned count, std::uint64_t value) const {
    return bits(lsb, count) == (value & mask(count));
  }

  /// Sets `count` bits (1 to 64) from bit `lsb` to the lowest ones of `value`.
  void set_bits(unsigned lsb, unsigned count, std::uint64_t value) {
    if (width_ <= 64) {
      set((get() & ~(mask(count) << lsb)) | (value & mask(count)) << lsb);
      return;
    }
    auto* words = static_cast<std::uint32_t*>(data_);
    for (unsigned done = 0; done < count;) {
      const unsigned word = (lsb + done) / 32, shift = (lsb + done) % 32;
      const unsigned take = std::min(32 - shift, count - done);
      const auto field = static_cast<std::uint32_t>(mask(take)) << shift;
      words[word] = (words[word] & ~field) |
                    (static_cast<std::uint32_t>(value >> done & mask(take)) << shift);
      done += take;
    }
  }

 private:
  static constexpr std::uint64_t mask(unsigned count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }

  void* data_ = nullptr;
  unsigned width_ = 0;
};

/// A port as the module declares it.
struct RtlPortInfo {
  std::string name;
  unsigned width = 0;
  bool input = false;
};

/// A register of a Verilated instance: a variable of rtl/ whose name ends with `_q`.
struct RtlRegisterInfo {
  std::string name;       ///< Name with its scope below the top module: "gen_in[0].u_in.credit_q".
  void* data = nullptr;   ///< Storage of its elements, one after the other.
  unsigned width = 0;     ///< Width of an element, bits.
  unsigned elements = 1;  ///< Words of a memory; else 1.
};

/// A register as in a library's C interface: module and scope, and the name in it.
struct RtlRegisterText {
  const char* scope;
  const char* name;
  void* data;
  unsigned width, elements;
};

/// The shared library of one module and parameter set.
class RtlLibrary {
 public:
  /// Verilates and compiles `spec` unless it is in the cache, then loads it. The RTL is read from
  /// `rtl_dir()`, the cache is `cache_dir()`; if another process builds the entry, waits for that.
  /// Throws ConfigError with the tool's message if Verilator or the compiler fails.
  static std::shared_ptr<const RtlLibrary> load(const RtlSpec& spec);

  ~RtlLibrary();
  RtlLibrary(const RtlLibrary&) = delete;
  RtlLibrary& operator=(const RtlLibrary&) = delete;

  const std::vector<RtlPortInfo>& ports() const { return ports_; }
  const RtlSpec& spec() const { return spec_; }

 private:
  friend class RtlInstance;
  static std::shared_ptr<const RtlLibrary> load_from_cache(const RtlSpec& spec);
  RtlLibrary() = default;

  void* handle_ = nullptr;
  void* (*create_)() = nullptr;
  void (*destroy_)(void*) = nullptr;
  void (*eval_)(void*) = nullptr;
  void* (*port_)(void*, unsigned) = nullptr;
  void* (*state_)(void*, std::size_t*) = nullptr;
  void (*registers_)(void*, void (*)(void*, const RtlRegisterText&), void*) = nullptr;
  std::vector<RtlPortInfo> ports_;
  RtlSpec spec_;
};

/// One instance. `reset` and `tick` drive `clk_i` and `rst_ni`; for a combinational module, which
/// has neither, they only settle the outputs.
class RtlInstance {
 public:
  explicit RtlInstance(std::shared_ptr<const RtlLibrary> library);
  ~RtlInstance();
  RtlInstance(RtlInstance&&) noexcept;
  RtlInstance& operator=(RtlInstance&&) noexcept;
  RtlInstance(const RtlInstance&) = delete;
  RtlInstance& operator=(const RtlInstance&) = delete;

  /// The port `name`; throws std::out_of_range if there is none.
  RtlPort port(std::string_view name) const;
  const RtlLibrary& library() const { return *library_; }
  /// Registers of a `loadable` library, records of antecedents (`Antecedent::record`) of a
  /// `covered` one.
  std::vector<RtlRegisterInfo> registers() const;

  /// For a `covered` library: when the instance is destroyed, adds to `seen` which antecedents of
  /// the top module's properties were true, by the names of their records.
  void record(std::map<std::string, bool>& seen) { seen_ = &seen; }
  /// Calls `before(self)` before each `eval`, for what looks at the inputs.
  void observe(void (*before)(void* self), void* self) {
    before_ = before;
    self_ = self;
  }

  /// All inputs 0, two cycles of reset, reset released, clock low.
  void reset();
  /// Asserts reset in the middle of a run, for `cycles` edges, with the other inputs unchanged.
  void pulse_reset(unsigned cycles);
  /// Settles combinational outputs after a change of inputs, without a clock edge.
  void eval() {
    if (before_ != nullptr) before_(self_);
    library_->eval_(model_);
  }
  /// One rising edge with the present inputs, then the falling edge. Throws CheckError if an
  /// assertion fails.
  void tick() {
    clk_.set(1);
    eval();
    clk_.set(0);
    eval();
  }
  /// As `tick`. Returns true if it left the instance's whole memory as it was, that is all
  /// registers and signals: until an input changes, every further tick would do the same and may be
  /// skipped. Always false for a module that has state elsewhere (random numbers, DPI, queues).
  bool tick_at_rest();

 private:
  std::shared_ptr<const RtlLibrary> library_;
  void* model_ = nullptr;
  std::map<std::string, bool>* seen_ = nullptr;
  void (*before_)(void*) = nullptr;
  void* self_ = nullptr;
  std::unique_ptr<std::uint8_t> no_port_;  // Replaces a clock or reset that the module lacks.
  RtlPort clk_, rst_;
  void* state_ = nullptr;  // Memory of the instance.
  std::size_t bytes_ = 0;  // Bytes of the memory; 0: not all state is in it.
};

/// The module of a block: rtl/<group>/weft_<block>.sv.
inline std::string rtl_module(const std::string& block) {
  return "weft_" + block;
}
/// Folder of the SystemVerilog sources: $WEFT_RTL_DIR, else rtl/ of the source tree.
std::filesystem::path rtl_dir();
/// The files of `rtl_dir()` that `roots` need and the roots themselves, packages first.
std::vector<std::filesystem::path> rtl_sources(const std::vector<std::filesystem::path>& roots);
/// The files that a module needs, packages first; with `spec.extra` those of these. Throws
/// ConfigError if there is no such module.
std::vector<std::filesystem::path> rtl_sources_of(const RtlSpec& spec);
/// Module and parameters, as the name of a library.
std::string rtl_name(const RtlSpec& spec);
/// Folder of the built libraries: $WEFT_CACHE, else `verilated` in the build folder; empty, for
/// none that are kept, if WEFT_CACHE is "off".
std::filesystem::path cache_dir();

}  // namespace weft
