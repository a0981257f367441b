// Test of the TLM-2.0 sockets: registers and memories of two interfaces that are linked to each
// other, loosely and approximately timed, and everything that they refuse.
#include <fmt/format.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/systemc/memory_initiator.hpp"
#include "sim/systemc/memory_target.hpp"
#include "sim/systemc/nic_registers.hpp"

namespace {

using namespace weft;
using sc_core::sc_time;

constexpr Nic::Config kNic = {.num_ctrl = 1, .packet_flits = 16, .queue_depth = 4};
constexpr std::uint32_t kBytes = 4096;
const sc_time kPeriod(10, sc_core::SC_NS), kLatency(7, sc_core::SC_NS);

/// An interface with its registers and its memory.
struct Node : sc_core::sc_module {
  Node(const sc_core::sc_module_name& name, std::uint32_t address, sc_core::sc_clock& clk,
       sc_core::sc_signal<bool>& rst_n)
      : sc_module(name) {
    for (auto* port : {&nic.clk_i, &registers.clk_i, &dma.clk_i}) port->bind(clk);
    for (auto* port : {&nic.rst_ni, &registers.rst_ni}) port->bind(rst_n);
    nic.bind(signals);
    signals.at<"node_i">() = address;
    dma.socket.bind(target.socket);
    nic.at<"tx_o">()(link);
    nic.at<"tx_full_i">()(full);
  }

  Memory memory{kBytes};
  NicModule<Nic> nic{"nic", kNic};
  BlockSignals<Nic> signals{"signals", kNic};
  NicRegisters registers{"registers", {signals}, kNic, kBytes};
  MemoryInitiator dma{"dma", 8, signals};
  MemoryTarget target{"memory", memory, kLatency};
  sc_core::sc_signal<Flit> link{"link"};
  sc_core::sc_signal<bool> full{"full"};
};

struct Tester : sc_core::sc_module {
  SC_HAS_PROCESS(Tester);

  using Socket = tlm_utils::simple_initiator_socket_tagged<Tester>;

  Tester(const sc_core::sc_module_name& name, Node& a, Node& b)
      : sc_module(name), first(a), second(b) {
    for (unsigned i = 0; i < 4; ++i) {
      sockets.push_back(std::make_unique<Socket>(fmt::format("socket_{}", i).c_str()));
      sockets[i]->register_nb_transport_bw(this, &Tester::answer, static_cast<int>(i));
    }
    // The memory is bound to its interface; a second target of it is for the tester.
    sockets[0]->bind(a.registers.socket);
    sockets[1]->bind(b.registers.socket);
    sockets[2]->bind(beside.socket);
    sockets[3]->bind(further.socket);
    SC_THREAD(run);
  }

  void require(bool good, const std::string& what) {
    if (!good) throw CheckError("tlm: " + what);
  }

  // One access by b_transport.
  tlm::tlm_response_status access(unsigned socket, tlm::tlm_command command, std::uint64_t address,
                                  std::uint32_t& value, unsigned length = 4, unsigned width = 4,
                                  bool enables = false) {
    unsigned char enable = 0xff;
    tlm::tlm_generic_payload payload;
    std::uint64_t data[4] = {value, 0, 0, 0};
    set(payload, command, address, data, length, width);
    if (enables) {
      payload.set_byte_enable_ptr(&enable);
      payload.set_byte_enable_length(1);
    }
    (*sockets[socket])->b_transport(payload, delay);
    value = static_cast<std::uint32_t>(data[0]);
    return payload.get_response_status();
  }
  static void set(tlm::tlm_generic_payload& payload, tlm::tlm_command command,
                  std::uint64_t address, void* data, unsigned length, unsigned width) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(length);
    payload.set_streaming_width(width);
  }
  std::uint32_t read(unsigned socket, std::uint32_t reg) {
    std::uint32_t value = 0;
    require(access(socket, tlm::TLM_READ_COMMAND, reg, value) == tlm::TLM_OK_RESPONSE,
            fmt::format("read of register {:#x}", reg));
    return value;
  }
  void write(unsigned socket, std::uint32_t reg, std::uint32_t value) {
    require(access(socket, tlm::TLM_WRITE_COMMAND, reg, value) == tlm::TLM_OK_RESPONSE,
            fmt::format("write of register {:#x}", reg));
  }
  void refuses(tlm::tlm_response_status expected, unsigned socket, tlm::tlm_command command,
               std::uint64_t address, std::uint32_t value, unsigned length = 4, unsigned width = 4,
               bool enables = false) {
    const auto got = access(socket, command, address, value, length, width, enables);
    require(got == expected, fmt::format("access to {:#x} of socket {}: response {}, expected: {}",
                                         address, socket, int(got), int(expected)));
  }

  void run() {
    wait(3.3 * kPeriod);
    loosely_timed();
    refusals();
    memories();
    approximately_timed();
    done = true;
    sc_core::sc_stop();
  }

  void loosely_timed() {
    const sc_time before = sc_core::sc_time_stamp();
    delay = 2 * kPeriod;  // Ahead by two cycles: the target waits for it.
    require(read(0, WEFT_REG_FREE) == kNic.queue_depth, "FREE is the queue's depth");
    require(delay == sc_core::SC_ZERO_TIME, "a register access leaves nobody ahead");
    require(sc_core::sc_time_stamp() - before >= 2 * kPeriod, "the access comes after the delay");
    const sc_time one = sc_core::sc_time_stamp();
    read(0, WEFT_REG_FREE);
    require(sc_core::sc_time_stamp() - one == kPeriod, "an access takes a cycle");

    for (std::uint32_t i = 0; i < 20; ++i) first.memory.write_word(i, 0x100 + i);
    write(1, WEFT_REG_RX_BASE, 1024);
    write(1, WEFT_REG_RX_SIZE, 1024);
    write(0, WEFT_REG_DST, 1);
    write(0, WEFT_REG_ADDR, 0);
    write(0, WEFT_REG_LEN, 20);
    write(0, WEFT_REG_OFFSET, 16);
    write(0, WEFT_REG_TAG_GAP, 2);
    write(0, WEFT_REG_POST, 1);
    write(0, WEFT_REG_POST, 1);  // One in each cycle.
    unsigned events = 0;
    for (unsigned cycles = 0; read(1, WEFT_REG_RECEIVED2) != 2; ++cycles) {
      require(cycles < 1000, "two messages arrive");
      events += second.registers.event_o.read();  // A read takes a cycle.
    }
    require(events >= 2 && events < 10, fmt::format("{} cycles with an event", events));
    for (std::uint32_t i = 0; i < 20; ++i) {
      require(second.memory.read_word(128 + 2 + i) == 0x100 + i, "the message is in the memory");
    }
    require(read(0, WEFT_REG_SENT) == 2, "two messages were sent");
  }

  void refusals() {
    constexpr auto kRead = tlm::TLM_READ_COMMAND, kWrite = tlm::TLM_WRITE_COMMAND;
    refuses(tlm::TLM_ADDRESS_ERROR_RESPONSE, 0, kRead, WEFT_REG_DST, 0);
    refuses(tlm::TLM_ADDRESS_ERROR_RESPONSE, 0, kWrite, WEFT_REG_SENT, 0);
    refuses(tlm::TLM_ADDRESS_ERROR_RESPONSE, 0, kRead, WEFT_REG_FREE + 1, 0);
    refuses(tlm::TLM_ADDRESS_ERROR_RESPONSE, 0, kRead, 0x1000, 0);
    refuses(tlm::TLM_GENERIC_ERROR_RESPONSE, 0, kWrite, WEFT_REG_LEN, 1u << 20);
    refuses(tlm::TLM_GENERIC_ERROR_RESPONSE, 0, kWrite, WEFT_REG_RX_BASE, 2 * kBytes);
    refuses(tlm::TLM_BURST_ERROR_RESPONSE, 0, kRead, WEFT_REG_FREE, 0, 8, 8);
    refuses(tlm::TLM_BURST_ERROR_RESPONSE, 0, kRead, WEFT_REG_FREE, 0, 4, 2);
    refuses(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, 0, kWrite, WEFT_REG_LEN, 1, 4, 4, true);
    refuses(tlm::TLM_COMMAND_ERROR_RESPONSE, 0, tlm::TLM_IGNORE_COMMAND, WEFT_REG_FREE, 0);
    require(read(0, WEFT_REG_FREE) == kNic.queue_depth, "what was refused had no effect");
    require(read(0, WEFT_REG_REFUSED_WRITES) == 3, "writes of words that were refused");

    refuses(tlm::TLM_ADDRESS_ERROR_RESPONSE, 2, kRead, kBytes - 2, 0);
    refuses(tlm::TLM_ADDRESS_ERROR_RESPONSE, 2, kRead, std::uint64_t{1} << 32, 0);
    refuses(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, 2, kWrite, 0, 1, 4, 4, true);
    refuses(tlm::TLM_BURST_ERROR_RESPONSE, 2, kWrite, 0, 1, 8, 4);
  }

  void memories() {
    delay = sc_core::SC_ZERO_TIME;
    const sc_time before = sc_core::sc_time_stamp();
    std::uint32_t value = 0x12345678;
    require(access(2, tlm::TLM_WRITE_COMMAND, 2001, value, 3, 3) == tlm::TLM_OK_RESPONSE, "write");
    require(first.memory.load<std::uint32_t>(2001) == 0x345678, "three bytes were written");
    value = 0;
    require(access(2, tlm::TLM_READ_COMMAND, 2001, value) == tlm::TLM_OK_RESPONSE, "read");
    require(value == 0x345678, "they are read");
    require(delay == 2 * kLatency, "each access adds its latency");
    require(sc_core::sc_time_stamp() == before, "none of them waits");
    tlm::tlm_generic_payload payload;
    tlm::tlm_dmi dmi;
    require((*sockets[2])->get_direct_mem_ptr(payload, dmi), "direct memory interface");
    require(dmi.get_dmi_ptr() == first.memory.data() && dmi.get_end_address() == kBytes - 1 &&
                dmi.get_read_latency() == kLatency,
            "its range and latency");
    set(payload, tlm::TLM_READ_COMMAND, 2001, &value, 4, 4);
    require((*sockets[2])->transport_dbg(payload) == 4, "debug access");
    require(!(*sockets[0])->get_direct_mem_ptr(payload, dmi), "registers are no direct memory");
  }

  // Two transactions that begin together.
  void approximately_timed() {
    tlm::tlm_generic_payload payloads[2];
    std::uint32_t values[2] = {0, 0};
    for (unsigned i = 0; i < 2; ++i) {
      set(payloads[i], tlm::TLM_READ_COMMAND, i == 0 ? 2001 : 0, &values[i], 4, 4);
      begin(2, payloads[i]);
    }
    wait(10 * kPeriod);
    require(phases == "2:END_REQ 2:BEGIN_RESP 2:END_REQ 2:BEGIN_RESP ", "phases: " + phases);
    require(times[1] - times[0] == kLatency, "the latency lies between request and response");
    require(values[0] == 0x345678 && values[1] == 0x100, "both values were read");

    phases.clear();
    set(payloads[0], tlm::TLM_READ_COMMAND, WEFT_REG_SENT, &values[0], 4, 4);
    begin(0, payloads[0]);
    wait(10 * kPeriod);
    require(phases == "0:END_REQ 0:BEGIN_RESP ", "phases: " + phases);
    require(values[0] == 2 && payloads[0].is_response_ok(), "the register was read");
    phases.clear();
    set(payloads[0], tlm::TLM_READ_COMMAND, WEFT_REG_DST, &values[0], 4, 4);
    begin(0, payloads[0]);
    wait(10 * kPeriod);
    require(payloads[0].get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE, "and refused");
  }
  void begin(unsigned socket, tlm::tlm_generic_payload& payload) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time none;
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    require((*sockets[socket])->nb_transport_fw(payload, phase, none) == tlm::TLM_ACCEPTED,
            "BEGIN_REQ is accepted");
  }
  tlm::tlm_sync_enum answer(int socket, tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                            sc_time&) {
    phases += fmt::format("{}:{} ", socket, phase.get_name());
    times.push_back(sc_core::sc_time_stamp());
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }

  Node& first;
  Node& second;
  MemoryTarget beside{"beside", first.memory, kLatency}, further{"further", second.memory};
  std::vector<std::unique_ptr<Socket>> sockets;
  sc_time delay;
  std::string phases;
  std::vector<sc_time> times;
  bool done = false;
};

void simulate(const std::string& fault) {
  sc_core::sc_clock clk("clk", kPeriod, 0.5, 0.5 * kPeriod);
  sc_core::sc_signal<bool> rst_n("rst_n");
  Node first("first", 0, clk, rst_n), second("second", 1, clk, rst_n);
  const auto connect = [](Node& from, Node& to) {
    to.nic.at<"rx_i">()(from.link);
    to.nic.at<"rx_full_o">()(from.full);
  };
  connect(first, second);
  connect(second, first);
  std::unique_ptr<Tester> tester;
  if (fault != "unbound") tester = std::make_unique<Tester>("tester", first, second);
  sc_core::sc_start(2 * kPeriod);
  rst_n = true;
  sc_core::sc_start(100'000 * kPeriod);
  if (!tester->done) throw CheckError("tlm: the test did not end");
}

}  // namespace

// systemc_tlm [unbound]: a platform with sockets that nobody has bound.
int sc_main(int argc, char** argv) {
  try {
    simulate(argc > 1 ? argv[1] : "");
  } catch (const sc_core::sc_report& report) {
    fmt::print(stderr, "{}\n", report.what());
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
