// Many instances of a block, stepped at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/huge_pages.hpp"
#include "sim/gates/gate_library.hpp"

namespace weft {

/// Instances ("lanes") of a block in groups of the kernel's width. Inputs, outputs and state are
/// arrays [group][bit][words of a vector]; bit l of a vector is that of lane group * width + l.
/// Unused lanes of the last group have all inputs 0 but `rst_ni`, which costs nothing so.
///
/// `rst_ni` is an input like others, with effect at once in its lanes, as in the RTL: also on the
/// outputs of the cycle. A cycle is `outputs`, then `step`. Groups are independent of each other
/// and may be stepped by different threads.
class GateBlock {
 public:
  GateBlock(std::shared_ptr<const GateLibrary> library, std::uint32_t lanes);

  const GateLibrary& library() const { return *library_; }
  std::uint32_t lanes() const { return lanes_; }
  std::uint32_t groups() const { return groups_; }
  std::uint32_t words() const { return words_; }  ///< 64-bit words of a vector.

  std::uint64_t* in(std::uint32_t group) { return &in_[std::size_t{group} * in_words_]; }
  const std::uint64_t* out(std::uint32_t group) const {
    return &out_[std::size_t{group} * out_words_];
  }
  LaneLayout in_layout() const { return {in_words_, words_}; }
  LaneLayout out_layout() const { return {out_words_, words_}; }
  /// Vectors by GateLibrary::state_place.
  std::uint64_t* state(std::uint32_t group) { return &state_[std::size_t{group} * state_words_]; }

  /// All inputs 0, all lanes reset, reset released. Registers without a reset and memories are 0.
  void reset();
  /// Outputs from the state and, where paths lead there, the inputs.
  void outputs();
  void outputs(std::uint32_t group) { outputs(std::span(&group, 1)); }
  /// Several groups together are faster than one by one.
  void outputs(std::span<const std::uint32_t> groups);
  /// An edge of the clock: the next state from state and inputs.
  void step();
  void step(std::uint32_t group) { step(std::span(&group, 1)); }
  void step(std::span<const std::uint32_t> groups);

  /// Sets an input of one lane; `value` has its bits, lowest first.
  void set(const GatePort& port, std::uint32_t lane, std::span<const std::uint64_t> value);
  void set(const GatePort& port, std::uint32_t lane, std::uint64_t value) {
    set(port, lane, std::span(&value, 1));
  }
  /// The value of a port of one lane, an input's or the output's of the last `outputs`; `value` has
  /// (width + 63) / 64 words.
  void get(const GatePort& port, std::uint32_t lane, std::span<std::uint64_t> value) const;
  /// `count` bits (1 to 64) from `lsb` on.
  std::uint64_t bits(const GatePort& port, std::uint32_t lane, unsigned lsb, unsigned count) const;

  bool state_bit(std::uint32_t place, std::uint32_t lane) const;
  void set_state_bit(std::uint32_t place, std::uint32_t lane, bool value);
  /// Sets a flop in all lanes in which it is not forced.
  void set_flop(std::uint32_t flop, bool value);
  /// Words of 64 bits of word `address` of a memory in one lane.
  std::span<std::uint64_t> memory_word(std::uint32_t memory, std::uint32_t lane,
                                       std::uint32_t address);

  /// Of a library that is `forced`: net `net`, a gate's or a flop's, of one lane has this value
  /// from now on.
  void force(NetId net, std::uint32_t lane, bool value);
  /// No net is forced any more.
  void release();

 private:
  struct Memory {
    std::uint32_t words = 0, word_size = 0;  // In words of 64 bits.
    LargeArray<std::uint64_t> data;          // [lane][address][word].
  };
  struct Self {
    GateBlock* block;
    std::uint32_t group;
  };
  static void read_now(void* self, unsigned memory, unsigned port, const std::uint64_t* address,
                       std::uint64_t* data);
  template <class Use>
  void with_groups(std::span<const std::uint32_t> groups, std::uint64_t* out, std::size_t out_words,
                   Use use);
  KernelMasks masks(std::uint32_t group) const;
  bool in_reset(std::uint32_t group) const;
  void step_memories(std::uint32_t group);
  // Forces what was loaded into `width` flops from `flop` on.
  void hold_loaded(std::uint32_t group, std::uint32_t flop, unsigned width);
  void read(std::uint32_t group, const Memory& memory, unsigned width, const std::uint64_t* enable,
            const std::uint64_t* address, std::size_t address_bits, std::uint64_t* data) const;
  void write(std::uint32_t group, Memory& memory, unsigned width, const std::uint64_t* enable,
             const std::uint64_t* address, std::size_t address_bits, const std::uint64_t* data);
  std::size_t at(std::uint32_t lane, std::size_t group_words, std::uint32_t bit) const {
    const std::uint32_t width = words_ * 64;
    return lane / width * group_words + std::size_t{bit} * words_ + lane % width / 64;
  }

  std::shared_ptr<const GateLibrary> library_;
  std::uint32_t lanes_, groups_, words_;
  std::size_t in_words_, out_words_, state_words_, operand_words_, mask_words_ = 0;  // Of a group.
  LargeArray<std::uint64_t> in_, out_, state_, operands_, keep_, set_;
  std::vector<Memory> memories_;
};

}  // namespace weft
