// The remote serial protocol of gdb for one core, over a stream of bytes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/processor/gdb_packets.hpp"
#include "sim/processor/rv32.hpp"

namespace weft {

/// Gives gdb access to a core ("Debugging with GDB", appendix E): registers, memory, single steps,
/// breakpoints, watchpoints on writes, interrupts. While gdb holds the core, `before`, `ended`,
/// `poll` and `run_ended` do not return, so that the simulation stands still.
///
/// A watchpoint stops before the core's own store, as gdb expects of this architecture, and before
/// the core's next instruction after a change by anything else (a message, the combining tree).
class GdbStub : public Rv32Debugger {
 public:
  static constexpr std::size_t kMostWatches = 16;
  static constexpr std::uint32_t kMostWatched = 64;  ///< Most bytes of a watchpoint.

  /// `stream` must outlive it. The core stops at its first instruction.
  explicit GdbStub(ByteStream& stream) : packets_(stream), stream_(stream) {}

  /// Throws CheckError when gdb kills the program.
  bool before(Rv32Core& core) override;
  /// Reports how the program ended; after a fault gdb may inspect the core until it continues.
  void ended(Rv32Core& core) override;

  /// To be called from time to time between two cycles: handles an interrupt of the program by gdb.
  /// A sleeping core stops at once, another one before its next instruction. Throws as `before`.
  void poll(Rv32Core& core);
  /// Reports that the run ends, and why, although this program has not: gdb may inspect the core
  /// until it continues.
  void run_ended(Rv32Core& core, const std::string& why);

  /// Whether gdb has left: it has detached, the connection is closed, or the program has ended.
  bool gone() const { return mode_ == Mode::kGone; }

 private:
  enum class Mode : std::uint8_t { kStopped, kRunning, kStepping, kGone };
  struct Watch {
    std::uint32_t address, bytes;
    auto operator<=>(const Watch&) const = default;
  };

  std::string why_stop(const Rv32Core& core);
  void stop(Rv32Core& core, std::string reply);
  void serve(Rv32Core& core);
  std::string answer(Rv32Core& core, const std::string& packet);
  std::string query(const Rv32Core& core, const std::string& packet);
  std::string command(const Rv32Core& core, std::string_view hex) const;
  std::string write_registers(Rv32Core& core, std::string_view hex);
  std::string read_register(const Rv32Core& core, std::string_view arguments) const;
  std::string write_register(Rv32Core& core, std::string_view arguments);
  std::string read_memory(const Rv32Core& core, std::string_view arguments) const;
  std::string write_memory(Rv32Core& core, std::string_view arguments, bool binary);
  std::string set_point(const Rv32Core& core, std::string_view arguments, bool insert);

  GdbPackets packets_;
  ByteStream& stream_;
  Mode mode_ = Mode::kStopped;
  bool interrupt_ = false;
  std::string last_stop_ = "S05";                       // Answer to '?'.
  std::set<std::uint32_t> breaks_;                      // Addresses of breakpoints.
  std::map<Watch, std::vector<std::uint8_t>> watches_;  // Watchpoints, with the bytes last seen
                                                        // there.
};

}  // namespace weft
