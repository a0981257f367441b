// The inputs that a bench gave its block (tb/lib/recorder.hpp), for lanes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "sim/gates/gate_block.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft::grade {

/// What a bench recorded.
struct Recording {
  struct Port {
    std::string name;
    unsigned width = 0;
  };
  RtlSpec spec;
  std::vector<Port> ports;
  /// Bits of a register that the bench set before a record.
  struct Setting {
    std::size_t record = 0;
    std::string name;
    unsigned lsb = 0, bits = 32;
    std::uint32_t value = 0;
  };
  std::vector<Setting> settings;   ///< In the order of their records.
  std::size_t record_size = 1;     ///< Bytes of a record: its kind, then its bits.
  std::vector<std::uint8_t> data;  ///< The records.

  std::size_t records() const { return data.size() / record_size; }
  bool edge(std::size_t record) const { return data[record * record_size] != 0; }
  bool bit(std::size_t record, std::size_t index) const {
    return data[record * record_size + 1 + index / 8] >> index % 8 & 1;
  }
};

/// Throws ConfigError for a file that is none.
Recording read_recording(const std::filesystem::path& path);

/// Gives all lanes of a block of one group the same recorded inputs.
class Stimulus {
 public:
  Stimulus(const Recording& recording, const GateLibrary& library);

  const Recording& recording() const { return recording_; }
  /// Writes the inputs of record `record` where they differ from what was written last, and sets
  /// the registers that the bench set before it. Records follow each other from 0 on.
  void drive(GateBlock& block, std::size_t record);
  /// After GateBlock::reset.
  void restart() {
    known_ = false;
    next_setting_ = 0;
  }
  /// By input bit of the netlist: the value that it has in all records, or -1.
  std::vector<std::int8_t> held(std::uint32_t inputs) const;
  /// Whether the block is out of reset in this record.
  bool running(std::size_t record) const {
    return reset_bit_ == ~std::size_t{0} || recording_.bit(record, reset_bit_);
  }

 private:
  const Recording& recording_;
  std::vector<std::uint32_t> vectors_;  // Of each bit.
  std::vector<bool> last_;
  std::vector<std::vector<std::uint32_t>> flops_;  // Of each setting.
  std::size_t next_setting_ = 0;
  std::size_t reset_bit_ = ~std::size_t{0};
  bool known_ = false;
};

}  // namespace weft::grade
