// Registers of a Verilated instance by name, to be set to the state of the block's model.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft {

/// An element of a register, which is set from its lowest bit on: the fields of a concatenation,
/// the last one first. A field that does not fit throws CheckError.
class RtlWord {
 public:
  RtlWord(std::string name, RtlPort port) : name_(std::move(name)), port_(port) {}

  RtlWord& put(std::uint64_t value, unsigned bits) {
    if (at_ + bits > port_.width() || (bits < 64 && value >> bits != 0)) {
      throw CheckError(
          fmt::format("register {}: {:#x} of {} bits from bit {} on, expected: {} bits", name_,
                      value, bits, at_, port_.width()));
    }
    if (bits != 0) port_.set_bits(at_, bits, value);
    at_ += bits;
    return *this;
  }
  /// Appends the data of a flit.
  RtlWord& put_data(const std::uint64_t* words, unsigned data_w) {
    for (unsigned lsb = 0; lsb < data_w; lsb += 64)
      put(words[lsb / 64], std::min(64u, data_w - lsb));
    return *this;
  }
  RtlWord& put_flit(const Flit& flit, unsigned data_w, bool parity) {
    for (unsigned lsb = 0; lsb < data_w; lsb += 64)
      put(flit.word(lsb / 64), std::min(64u, data_w - lsb));
    return put(flit.parity, parity ? 1 : 0);
  }
  /// Sets the word to bit `n` alone, or to 0 if it has no such bit.
  RtlWord& put_bit(unsigned n) {
    const unsigned width = port_.width();
    clear();
    if (n < width) port_.set_bits(n, 1, 1);
    at_ = width;
    return *this;
  }
  /// Sets the bits from `n` on, and clears the others.
  RtlWord& put_from(unsigned n) {
    const unsigned width = port_.width();
    for (unsigned i = 0; i < width; ++i) port_.set_bits(i, 1, i >= n ? 1 : 0);
    at_ = width;
    return *this;
  }
  void clear() {
    const unsigned width = port_.width();
    for (unsigned lsb = 0; lsb < width; lsb += 64)
      port_.set_bits(lsb, std::min(64u, width - lsb), 0);
  }

  unsigned width() const { return port_.width(); }
  /// Whether all bits were set.
  bool whole() const { return at_ == port_.width(); }

 private:
  std::string name_;
  RtlPort port_;
  unsigned at_ = 0;
};

/// All registers of an instance whose library is `loadable`. Each must be set; `finish` finds those
/// that were not.
class RtlRegisters {
 public:
  explicit RtlRegisters(const RtlInstance& rtl);

  /// Calls `put(RtlWord&)` for element `i` of a register. Throws CheckError if there is no such
  /// register or element, or if the word is not put as a whole.
  template <class Put>
  void set(const std::string& name, unsigned i, Put put) {
    Register& reg = find(name, i);
    RtlWord word(name, element(reg.info, i));
    put(word);
    if (!word.whole()) {
      throw CheckError(
          fmt::format("register {} is wider than what is loaded: {} bits", name, reg.info.width));
    }
    reg.is_set[i] = true;
  }
  /// Clears the elements of a memory that were not set: they have no value, or one that nothing
  /// reads.
  void clear_rest(const std::string& name);
  bool has(const std::string& name) const { return registers_.count(name) != 0; }

  /// Throws CheckError with the name of a register of which not every element was set.
  void finish() const;

  /// The storage of an element.
  static RtlPort element(const RtlRegisterInfo& info, unsigned i) {
    const unsigned bytes = info.width <= 8    ? 1
                           : info.width <= 16 ? 2
                           : info.width <= 32 ? 4
                           : info.width <= 64 ? 8
                                              : (info.width + 31) / 32 * 4;
    return {static_cast<std::uint8_t*>(info.data) + std::size_t{i} * bytes, info.width};
  }

 private:
  struct Register {
    RtlRegisterInfo info;
    std::vector<bool> is_set;
  };
  Register& find(const std::string& name, unsigned i);

  std::map<std::string, Register> registers_;
};

/// The registers of a module or generated block inside an instance.
class RtlScope {
 public:
  explicit RtlScope(RtlRegisters& all, std::string prefix = {})
      : all_(&all), prefix_(std::move(prefix)) {}

  RtlScope in(const std::string& name) const { return RtlScope(*all_, prefix_ + name + "."); }
  RtlScope in(const char* name, unsigned i) const { return in(fmt::format("{}[{}]", name, i)); }
  bool has(const std::string& name) const { return all_->has(prefix_ + name); }

  /// Sets a register of up to 64 bits, whose width `value` must fit.
  template <class Value>
  requires std::integral<Value> || std::is_enum_v<Value>
  void set(const char* name, Value value) const {
    set(name, 0, [&](RtlWord& word) { word.put(static_cast<std::uint64_t>(value), word.width()); });
  }
  template <class Put>
  requires std::invocable<Put, RtlWord&>
  void set(const char* name, Put put) const { set(name, 0, put); }
  template <class Put>
  requires std::invocable<Put, RtlWord&>
  void set(const char* name, unsigned i, Put put) const { all_->set(prefix_ + name, i, put); }
  /// Sets element `i` of a memory of up to 64 bits.
  template <class Value>
  requires std::integral<Value>
  void set(const char* name, unsigned i, Value value) const {
    set(name, i, [&](RtlWord& word) { word.put(static_cast<std::uint64_t>(value), word.width()); });
  }
  void set_data(const char* name, const std::uint64_t* words, unsigned data_w) const {
    set(name, [&](RtlWord& word) { word.put_data(words, data_w); });
  }
  /// Sets a register that only assertions need, if the library has assertions.
  template <class Value>
  requires std::integral<Value>
  void set_checked(const char* name, Value value) const {
    if (has(name)) set(name, value);
  }
  void clear(const char* name) const { all_->clear_rest(prefix_ + name); }

 private:
  RtlRegisters* all_;
  std::string prefix_;
};

}  // namespace weft
