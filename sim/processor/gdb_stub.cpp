// The remote serial protocol of gdb: the answers to its packets.
#include "sim/processor/gdb_stub.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "sim/base/error.hpp"

namespace weft {
namespace {

constexpr unsigned kRegisters = 33;  // x0 to x31, pc.
constexpr unsigned kPc = 32;
constexpr int kInterrupt = 0x03;

// Errors are numbers that gdb shows.
const std::string kInvalid = "E16";   // EINVAL: a malformed packet, or a value out of range.
const std::string kNoAccess = "E0e";  // EFAULT: an address that does not exist.

// gdb's numbers of signals, which are not those of Linux.
unsigned signal_of(Rv32Fault fault) {
  switch (fault) {
    case Rv32Fault::kIllegal:
      return 4;  // SIGILL
    case Rv32Fault::kEbreak:
      return 5;  // SIGTRAP
    case Rv32Fault::kMisaligned:
      return 10;  // SIGBUS
    case Rv32Fault::kAccess:
      return 11;  // SIGSEGV
    case Rv32Fault::kEcall:
      return 12;  // SIGSYS
    default:
      return 6;  // SIGABRT
  }
}

std::string word_in_hex(std::uint32_t value) {
  std::array<std::uint8_t, 4> bytes;
  std::memcpy(bytes.data(), &value, bytes.size());
  return to_hex(bytes.data(), bytes.size());
}
std::uint32_t word_of(const std::uint8_t* bytes) {
  std::uint32_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::uint32_t get(const Rv32Core& core, unsigned index) {
  return index == kPc ? core.pc() : core.reg(index);
}
void set(Rv32Core& core, unsigned index, std::uint32_t value) {
  index == kPc ? core.set_pc(value) : core.set_reg(index, value);
}

std::string target_description() {
  std::string xml =
      "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
      "<architecture>riscv:rv32</architecture><feature name=\"org.gnu.gdb.riscv.cpu\">";
  for (unsigned i = 0; i < kPc; ++i) {
    xml += fmt::format("<reg name=\"x{}\" bitsize=\"32\" regnum=\"{}\" type=\"{}\"/>", i, i,
                       i == 2   ? "data_ptr"
                       : i == 1 ? "code_ptr"
                                : "int");
  }
  return xml + fmt::format(
                   "<reg name=\"pc\" bitsize=\"32\" regnum=\"{}\" type=\"code_ptr\"/></feature>"
                   "</target>",
                   kPc);
}

std::vector<std::uint8_t> bytes_at(const Rv32Core& core, std::uint32_t address,
                                   std::uint32_t count) {
  const std::uint8_t* const first = core.memory().data() + address;
  return {first, first + count};
}

}  // namespace

bool GdbStub::before(Rv32Core& core) {
  if (mode_ == Mode::kStopped) {
    serve(core);  // The first instruction.
  } else if (mode_ != Mode::kGone) {
    std::string reply = why_stop(core);
    if (!reply.empty()) stop(core, std::move(reply));
  }
  return mode_ != Mode::kGone;
}

void GdbStub::ended(Rv32Core& core) {
  if (mode_ == Mode::kGone) return;
  if (core.state() == ProcessorState::kHalted) {
    packets_.send(fmt::format("W{:02x}", core.port().exit_code() & 0xFF));
  } else {
    packets_.print(fmt::format("cycle {}: {}\n", core.port().cycle(), core.fault()));
    stop(core, fmt::format("S{:02x}", signal_of(core.fault_kind())));
    if (mode_ != Mode::kGone) packets_.send(fmt::format("X{:02x}", signal_of(core.fault_kind())));
  }
  mode_ = Mode::kGone;
}

void GdbStub::run_ended(Rv32Core& core, const std::string& why) {
  if (mode_ == Mode::kGone) return;
  if (mode_ != Mode::kStopped) {
    packets_.print(fmt::format("the run ends: {}\n", why));
    stop(core, "S06");
  }
  if (mode_ != Mode::kGone) packets_.send("X06");
  mode_ = Mode::kGone;
}

void GdbStub::poll(Rv32Core& core) {
  if (mode_ != Mode::kRunning && mode_ != Mode::kStepping) return;
  while (!interrupt_) {
    const int byte = stream_.read(false);
    if (byte == ByteStream::kNothing) return;
    if (byte == ByteStream::kClosed) mode_ = Mode::kGone;
    if (mode_ == Mode::kGone) return;
    interrupt_ = byte == kInterrupt;  // Other bytes are acknowledgements.
  }
  if (core.state() == ProcessorState::kSleeping) stop(core, "S02");
}

// Why the core stops before its next instruction; empty: it does not.
std::string GdbStub::why_stop(const Rv32Core& core) {
  std::string changed;
  for (auto& [watch, bytes] : watches_) {
    std::vector<std::uint8_t> now = bytes_at(core, watch.address, watch.bytes);
    if (now == bytes) continue;
    bytes = std::move(now);
    changed = fmt::format("T05watch:{:x};", watch.address);
  }
  if (interrupt_) return "S02";
  if (!changed.empty()) return changed;
  if (mode_ == Mode::kStepping || breaks_.contains(core.pc())) return "S05";
  const auto [address, count] = core.next_store();
  for (const auto& [watch, bytes] : watches_) {
    if (count != 0 && address < watch.address + watch.bytes && watch.address < address + count) {
      return fmt::format("T05watch:{:x};", watch.address);
    }
  }
  return {};
}

void GdbStub::stop(Rv32Core& core, std::string reply) {
  interrupt_ = false;
  mode_ = Mode::kStopped;
  last_stop_ = std::move(reply);
  packets_.send(last_stop_);
  serve(core);
}

// Answers packets until gdb lets the program continue, or leaves.
void GdbStub::serve(Rv32Core& core) {
  while (mode_ == Mode::kStopped) {
    const std::optional<std::string> packet = packets_.receive();
    if (!packet) {
      mode_ = Mode::kGone;
      return;
    }
    const std::string reply = answer(core, *packet);
    if (mode_ == Mode::kStopped || !reply.empty()) packets_.send(reply);
  }
}

// The reply; empty for an unknown packet, and if the program continues.
std::string GdbStub::answer(Rv32Core& core, const std::string& packet) {
  if (packet.empty()) return {};
  std::string_view rest(packet);
  rest.remove_prefix(1);
  switch (packet.front()) {
    case '?':
      return last_stop_;
    case 'g': {
      std::string all;
      for (unsigned i = 0; i < kRegisters; ++i) all += word_in_hex(get(core, i));
      return all;
    }
    case 'G':
      return write_registers(core, rest);
    case 'p':
      return read_register(core, rest);
    case 'P':
      return write_register(core, rest);
    case 'm':
      return read_memory(core, rest);
    case 'M':
      return write_memory(core, rest, false);
    case 'X':
      return write_memory(core, rest, true);
    case 'Z':
      return set_point(core, rest, true);
    case 'z':
      return set_point(core, rest, false);
    case 'C':
    case 'S':  // A signal to the program, which has no handler for it.
      if (!take_number(rest) || !(rest.empty() || take_prefix(rest, ";"))) return kInvalid;
      [[fallthrough]];
    case 'c':
    case 's': {
      const bool steps = packet.front() == 's' || packet.front() == 'S';
      if (!rest.empty()) {
        const auto address = take_number(rest);
        if (!address || !rest.empty()) return kInvalid;
        core.set_pc(*address);
      }
      mode_ = steps ? Mode::kStepping : Mode::kRunning;
      return {};
    }
    case 'D':
      mode_ = Mode::kGone;
      return "OK";
    case 'k':
      mode_ = Mode::kGone;
      throw CheckError("gdb has killed the program");
    case 'H':
    case 'T':  // There is one thread.
      return "OK";
    case 'q':
    case 'Q':
      return query(core, packet);
    default:
      return {};
  }
}

std::string GdbStub::query(const Rv32Core& core, const std::string& packet) {
  std::string_view rest(packet);
  if (take_prefix(rest, "qSupported")) {
    return fmt::format("PacketSize={:x};qXfer:features:read+;QStartNoAckMode+",
                       GdbPackets::kMostBytes);
  }
  if (rest == "QStartNoAckMode") {
    packets_.stop_acknowledging();
    return "OK";
  }
  if (take_prefix(rest, "qAttached")) return "1";  // gdb detaches when it ends.
  if (take_prefix(rest, "qRcmd,")) return command(core, rest);
  if (!take_prefix(rest, "qXfer:features:read:")) return {};
  if (!take_prefix(rest, "target.xml:")) return "E00";
  const auto range = take_two(rest, ",", "");
  if (!range) return kInvalid;
  const std::string xml = target_description();
  const auto [offset, most] = *range;
  if (offset >= xml.size()) return "l";
  const std::string part = xml.substr(offset, most);
  return (offset + part.size() == xml.size() ? "l" : "m") + part;
}

// The command `monitor ...`.
std::string GdbStub::command(const Rv32Core& core, std::string_view hex) const {
  const auto bytes = from_hex(hex);
  if (!bytes) return kInvalid;
  const std::string words(bytes->begin(), bytes->end());
  if (words != "cycle") return to_hex("monitor cycle: the cycle of the simulation\n");
  return to_hex(fmt::format("{}\n", core.port().cycle()));
}

std::string GdbStub::write_registers(Rv32Core& core, std::string_view hex) {
  const auto bytes = from_hex(hex);
  if (!bytes || bytes->size() != std::size_t{kRegisters} * 4) return kInvalid;
  for (unsigned i = 0; i < kRegisters; ++i)
    set(core, i, word_of(bytes->data() + std::size_t{4} * i));
  return "OK";
}

std::string GdbStub::read_register(const Rv32Core& core, std::string_view arguments) const {
  const auto index = take_number(arguments);
  if (!index || !arguments.empty() || *index >= kRegisters) return kInvalid;
  return word_in_hex(get(core, *index));
}

std::string GdbStub::write_register(Rv32Core& core, std::string_view arguments) {
  const auto index = take_number(arguments);
  if (!index || *index >= kRegisters || !take_prefix(arguments, "=")) return kInvalid;
  const auto bytes = from_hex(arguments);
  if (!bytes || bytes->size() != 4) return kInvalid;
  set(core, *index, word_of(bytes->data()));
  return "OK";
}

// The existing bytes of those asked for. NIC registers are left out: reading them may have effects.
std::string GdbStub::read_memory(const Rv32Core& core, std::string_view arguments) const {
  const auto range = take_two(arguments, ",", "");
  if (!range || (*range)[1] == 0) return kInvalid;
  const auto [address, count] = *range;
  const Memory& memory = core.memory();
  if (!memory.contains(address, 1)) return kNoAccess;
  const std::uint32_t most =
      std::min<std::uint32_t>(memory.bytes() - address, GdbPackets::kMostBytes / 2);
  return to_hex(memory.data() + address, std::min(count, most));
}

std::string GdbStub::write_memory(Rv32Core& core, std::string_view arguments, bool binary) {
  const auto range = take_two(arguments, ",", ":");
  if (!range) return kInvalid;
  const auto [address, count] = *range;
  const auto bytes = binary ? from_escaped(arguments) : from_hex(arguments);
  if (!bytes || bytes->size() != count) return kInvalid;
  if (count == 0) return "OK";  // gdb asks whether there is X.
  if (!core.memory().contains(address, count) || core.in_text(address, count)) return kNoAccess;
  std::memcpy(core.memory().data() + address, bytes->data(), count);
  // What gdb itself writes does not stop the program.
  for (auto& [watch, seen] : watches_) seen = bytes_at(core, watch.address, watch.bytes);
  return "OK";
}

// Types: 0 and 1 breakpoints, 2 a watchpoint on writes.
std::string GdbStub::set_point(const Rv32Core& core, std::string_view arguments, bool insert) {
  if (!take_prefix(arguments, "0,") && !take_prefix(arguments, "1,")) {
    if (!take_prefix(arguments, "2,")) return {};
    const auto range = take_two(arguments, ",", "");
    if (!range) return kInvalid;
    const Watch watch{(*range)[0], (*range)[1]};
    if (!insert) return watches_.erase(watch) != 0 ? "OK" : kInvalid;
    if (watch.bytes == 0 || watch.bytes > kMostWatched || watches_.size() >= kMostWatches ||
        !core.memory().contains(watch.address, watch.bytes)) {
      return kNoAccess;
    }
    watches_[watch] = bytes_at(core, watch.address, watch.bytes);
    return "OK";
  }
  const auto range = take_two(arguments, ",", "");
  if (!range) return kInvalid;
  const std::uint32_t address = (*range)[0];
  if (!insert) return breaks_.erase(address) != 0 ? "OK" : kInvalid;
  if (address % 4 != 0 || !core.in_text(address, 4)) return kNoAccess;
  breaks_.insert(address);
  return "OK";
}

}  // namespace weft
