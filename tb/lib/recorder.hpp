// The inputs of a bench's RTL as a file, for what drives the same block elsewhere.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "sim/verilated/rtl_load.hpp"

namespace weft::tb {

/// Writes the inputs of each edge of an instance's clock. A text comes first: the module, its
/// parameters as NAME=VALUE and the input ports as NAME WIDTH (all but the clock), each kind on a
/// line of its own. Then each record has a byte, 1 for an edge and 0 where inputs matter without
/// one, and the ports' bits in that order, lowest first, eight a byte. Records without an edge are
/// those while `rst_ni` is 0, which acts at once, and all of a block without a clock. Where the
/// bench sets a counter of the RTL, a byte 2 comes between records, then NAME LSB BITS VALUE as a
/// line: the BITS bits of the register from LSB on are those of VALUE from the next record on.
class InputRecorder {
 public:
  /// `rtl` was reset and must outlive this; throws ConfigError if `path` cannot be written.
  InputRecorder(const std::string& path, const RtlSpec& spec, RtlInstance& rtl);
  InputRecorder(const InputRecorder&) = delete;
  InputRecorder& operator=(const InputRecorder&) = delete;

  /// Part of a register was set to the lowest bits of `value`.
  void note_set(const RtlCounter::Part& part, std::uint32_t value);

 private:
  void look();
  void write(char kind);

  std::string path_;
  std::ofstream file_;
  std::vector<RtlPort> ports_;
  RtlPort clk_, rst_;
  bool clocked_ = false, resettable_ = false, high_ = false;
  std::string record_, last_;  // Kind and bits.
};

}  // namespace weft::tb
