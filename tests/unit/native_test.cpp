// Native drivers and the NIC port: time, sleeping without a lost wake-up, faults, many nodes.
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/processor/native_host.hpp"
#include "sim/processor/rv32.hpp"
#include "tests/unit/rv32_asm.hpp"

namespace {

using namespace weft;
using namespace weft::rv32_asm;

constexpr std::uint32_t kMemoryBytes = 0x10000;

Job job_of(std::uint32_t rank, std::uint32_t nodes) {
  Job job{};
  job.rank = rank;
  job.nodes = nodes;
  job.memory_bytes = kMemoryBytes;
  return job;
}

NicStatus with_free(std::uint32_t free) {
  NicStatus status;
  status.desc_free = free;
  return status;
}

/// The fault of a driver that is stepped a few cycles with four free slots.
std::string fault_of(NativeHost::Entry entry) {
  NativeHost host(entry, Memory(kMemoryBytes), job_of(0, 1));
  for (unsigned cycle = 0; cycle < 10; ++cycle) host.step(with_free(4), cycle);
  CHECK((host.state() == ProcessorState::kFaulted) == !host.fault().empty());
  return host.fault();
}

int wait_for_one() {
  weft_wait_received(0, 1);
  return 0;
}

/// Posts three empty messages without looking at FREE.
int post_three() {
  for (int i = 0; i < 3; ++i) {
    weft_reg_write(WEFT_REG_DST, static_cast<std::uint32_t>(i));
    weft_reg_write(WEFT_REG_POST, 1);
  }
  return 7;
}

int send_without_end() {
  for (std::uint32_t i = 0;; ++i) weft_send(0, 0, 0, 0, i & 7, i & 255);
}

int poll_without_wfi() {
  while (weft_received(2) == 0) {
  }
  return static_cast<int>(weft_reg_read(WEFT_REG_CYCLE));
}

int pause_twice() {
  weft_pause(5);
  weft_pause(0);
  weft_pause(1);
  return static_cast<int>(weft_reg_read(WEFT_REG_CYCLE));
}

int write_own_rank() {
  auto* memory = static_cast<std::uint32_t*>(weft_mem(0x8000));
  weft_wfi();
  *memory = weft_rank();
  weft_wait_received(1, 3);
  memory[1] = weft_rank() ^ weft_nodes();
  return 0;
}

int name_phases() {
  weft_phase("first");
  weft_pause(3);
  weft_phase("second\n");
  weft_pause(2);
  weft_phase("");
  weft_pause(1);
  weft_phase(nullptr);
  weft_phase("third");
  weft_pause(4);
  return 0;
}

/// Phases as text: name, begin, end.
std::string text_of(const std::vector<ReportedPhase>& phases) {
  std::string text;
  for (const ReportedPhase& p : phases) {
    text += p.name + " " + std::to_string(p.begin) + " " + std::to_string(p.end) + "; ";
  }
  return text;
}

}  // namespace

TEST_CASE("phases have the cycles between the calls that name them") {
  NativeHost host(name_phases, Memory(kMemoryBytes), job_of(0, 1));
  for (unsigned cycle = 10; cycle < 18; ++cycle) host.step(with_free(4), cycle);
  CHECK(text_of(host.port().phases(100)) == "first 10 13; second? 13 15; third 16 100; ");
  for (unsigned cycle = 18; cycle < 30; ++cycle) host.step(with_free(4), cycle);
  CHECK(host.state() == ProcessorState::kHalted);
  CHECK(text_of(host.port().phases(100)) == "first 10 13; second? 13 15; third 16 20; ");
}

TEST_CASE("a program on RV32 names phases by the addresses of texts") {
  const auto run = [](std::uint32_t address) {
    // x6: the address; the name is in memory there.
    const auto text =
        program({lui(5, WEFT_MMIO_BASE), lui(6, address), addi(6, 6, 16), sw(6, 5, WEFT_REG_PHASE),
                 addi(0, 0, 0), sw(0, 5, WEFT_REG_PHASE), sw(0, 5, WEFT_REG_EXIT)});
    Rv32Core core(text, Memory(kMemoryBytes), job_of(0, 1));
    std::ranges::copy(std::string("halo"), core.memory().data() + 0x8010);
    for (unsigned cycle = 0; cycle < 10; ++cycle) core.step(with_free(4), cycle);
    return core.fault() + text_of(core.port().phases(100));
  };
  CHECK(run(0x8000) == "halo 3 5; ");
  CHECK(run(0x10000).find("address 0x00010010 is outside the memory") != std::string::npos);
}

TEST_CASE("a program that names phases without end is stopped") {
  NicPort port(kMemoryBytes, 4);
  for (std::size_t i = 0; i < NicPort::kMostPhases; ++i) port.enter_phase("again");
  CHECK(port.fault() == "");
  port.enter_phase("once more");
  CHECK(port.fault() == "more than 65536 phases");
  CHECK(port.phases(0).size() == NicPort::kMostPhases);
}

TEST_CASE("a driver lets cycles pass one by one or at once") {
  // How many cycles are passed ahead, of the four after the one in which the first pause begins.
  for (const auto& example : {std::pair{0u, 0u}, {2u, 3u}, {100u, 4u}}) {
    const auto [most, expected] = example;
    CAPTURE(example.first);
    NativeHost host(pause_twice, Memory(kMemoryBytes), job_of(0, 1));
    unsigned passed = 0;
    for (unsigned cycle = 0; host.state() == ProcessorState::kRunning; ++cycle) {
      REQUIRE(cycle < 10);
      host.step(with_free(4), cycle);
      const std::uint32_t ahead = host.run_ahead(most);
      CHECK(ahead <= most);
      passed += ahead;
      cycle += ahead;
    }
    CHECK(passed == expected);
    CHECK(host.port().exit_code() == 6);
  }
}

TEST_CASE("FREE leaves out exactly the posts that the status does not show") {
  NicPort port(kMemoryBytes, 4);
  port.begin_cycle(with_free(3), 0);
  CHECK(port.read(WEFT_REG_FREE) == 3);
  port.write(WEFT_REG_POST, 1);
  CHECK(port.posted());
  CHECK(port.read(WEFT_REG_FREE) == 2);
  port.begin_cycle(with_free(3), 1);  // The post is in flight.
  CHECK_FALSE(port.posted());
  CHECK(port.read(WEFT_REG_FREE) == 2);
  port.write(WEFT_REG_POST, 1);
  CHECK(port.read(WEFT_REG_FREE) == 1);
  port.begin_cycle(with_free(2), 2);  // Shows the first, not the second.
  CHECK(port.read(WEFT_REG_FREE) == 1);
  port.begin_cycle(with_free(1), 3);
  CHECK(port.read(WEFT_REG_FREE) == 1);
  port.begin_cycle(with_free(2), 4);  // One was sent.
  CHECK(port.read(WEFT_REG_FREE) == 2);
}

TEST_CASE("an event is a change of what registers read") {
  NicPort port(kMemoryBytes, 4);
  port.begin_cycle(with_free(1), 0);
  CHECK(port.take_event());  // Out of reset.
  CHECK_FALSE(port.take_event());
  port.begin_cycle(with_free(1), 1);
  CHECK_FALSE(port.take_event());
  port.write(WEFT_REG_POST, 1);
  port.begin_cycle(with_free(1), 2);  // FREE read 0 after the post and reads 0 now.
  CHECK_FALSE(port.take_event());
  // The queue took the post and passed a descriptor on: the status is the same, FREE is not.
  port.begin_cycle(with_free(1), 3);
  CHECK(port.read(WEFT_REG_FREE) == 1);
  CHECK(port.take_event());
  const std::vector<std::function<void(NicStatus&)>> changes = {
      [](NicStatus& s) { ++s.tx_count; },    [](NicStatus& s) { ++s.rx_count[0]; },
      [](NicStatus& s) { ++s.rx_count[3]; }, [](NicStatus& s) { ++s.rx_parity; },
      [](NicStatus& s) { ++s.rx_refused; },  [](NicStatus& s) { ++s.barriers; },
      [](NicStatus& s) { ++s.desc_free; },   [](NicStatus& s) { ++s.rx_arrived[2]; },
      [](NicStatus& s) { ++s.rx_link[31]; },
  };
  NicStatus status = with_free(1);
  for (const auto& change : changes) {
    change(status);
    port.begin_cycle(status, 4);
    port.begin_cycle(status, 5);  // The flag stays until it is taken.
    CHECK(port.take_event());
    CHECK_FALSE(port.take_event());
  }
}

TEST_CASE("every register reads its part of the status") {
  NicPort port(kMemoryBytes, 4);
  NicStatus status;
  status.desc_free = 11;
  status.tx_count = 12;
  status.rx_count = {13, 14, 15, 16};
  status.rx_parity = 17;
  status.rx_refused = 18;
  status.barriers = 23;
  status.rx_arrived = {19, 20, 21, 22};
  for (std::uint32_t i = 0; i < 32; ++i) status.rx_link[i] = 31 + i;
  port.begin_cycle(status, 0x500000009ULL);
  CHECK(port.read(WEFT_REG_FREE) == 11);
  CHECK(port.read(WEFT_REG_SENT) == 12);
  CHECK(port.read(WEFT_REG_RECEIVED0) == 13);
  CHECK(port.read(WEFT_REG_RECEIVED1) == 14);
  CHECK(port.read(WEFT_REG_RECEIVED2) == 15);
  CHECK(port.read(WEFT_REG_RECEIVED3) == 16);
  CHECK(port.read(WEFT_REG_PARITY_ERRORS) == 17);
  CHECK(port.read(WEFT_REG_REFUSED) == 18);
  CHECK(port.read(WEFT_REG_CYCLE) == 9);
  CHECK(port.read(WEFT_REG_BARRIER) == 23);
  CHECK(port.read(WEFT_REG_ARRIVED0) == 19);
  CHECK(port.read(WEFT_REG_ARRIVED1) == 20);
  CHECK(port.read(WEFT_REG_ARRIVED2) == 21);
  CHECK(port.read(WEFT_REG_ARRIVED3) == 22);
  for (std::uint32_t link = 0; link < 8; ++link) {
    CHECK(port.read(WEFT_REG_LINK_RECEIVED0 + 4 * link) == 4 * 31 + 16 * link + 6);
    for (std::uint32_t tag = 0; tag < 4; ++tag) {
      CHECK(port.read(WEFT_REG_LINK_TAG_RECEIVED0 + 16 * link + 4 * tag) == 31 + 4 * link + tag);
    }
  }
  CHECK_FALSE(port.faulted());
}

TEST_CASE("an order has the units and limits of the packet format") {
  NicPort port(kMemoryBytes, 4);
  port.begin_cycle(with_free(1), 0);
  port.write(WEFT_REG_DST, 0xFFFF);
  port.write(WEFT_REG_ADDR, 0x8008);
  port.write(WEFT_REG_LEN, 0xFFF);
  port.write(WEFT_REG_OFFSET,
             0x7F8008);  // The body ends with the last flit that an offset can name.
  port.write(WEFT_REG_TAG_GAP, 0xFF07 | WEFT_CONTROLLER(4));
  port.write(WEFT_REG_RX_BASE, 0x100);
  port.write(WEFT_REG_RX_SIZE, kMemoryBytes - 0x100);
  port.write(WEFT_REG_POST, 0);
  CHECK(port.fault() == "");
  CHECK(port.descriptor() == Descriptor{0xFFFF, 0x1001, 0xFFF, 0xFF001, 7, 0xFF, 4});
  CHECK(port.windows().base[0] == 0x20);
  CHECK(port.windows().size[0] == (kMemoryBytes - 0x100) / 8);
}

TEST_CASE("every misuse of the port is named with its value") {
  const auto fault = [](std::vector<std::pair<std::uint32_t, std::uint32_t>> writes) {
    NicPort port(kMemoryBytes, 4);
    port.begin_cycle(with_free(1), 0);
    for (const auto& [reg, value] : writes) port.write(reg, value);
    return port.fault();
  };
  CHECK(fault({{WEFT_REG_DST, 0x10000}}) ==
        "write of 0x00010000 to NIC register DST: more than 16 bits");
  CHECK(fault({{WEFT_REG_ADDR, 0x8004}}) ==
        "write of 0x00008004 to NIC register ADDR: not a multiple of 8");
  CHECK(fault({{WEFT_REG_ADDR, 0x10008}}) ==
        "write of 0x00010008 to NIC register ADDR: outside the memory");
  CHECK(fault({{WEFT_REG_LEN, 1U << 20}}) ==
        "write of 0x00100000 to NIC register LEN: over 2^20 - 1 flits");
  CHECK(fault({{WEFT_REG_OFFSET, 12}}) ==
        "write of 0x0000000c to NIC register OFFSET: not a multiple of 8");
  CHECK(fault({{WEFT_REG_OFFSET, 8U << 20}}) ==
        "write of 0x00800000 to NIC register OFFSET: over 2^20 - 1 flits");
  CHECK(fault({{WEFT_REG_TAG_GAP, 16}}).find("TAG_GAP") != std::string::npos);
  CHECK(fault({{WEFT_REG_TAG_GAP, 0x100000}}).find("TAG_GAP") != std::string::npos);
  CHECK(fault({{WEFT_REG_TAG_GAP, WEFT_CONTROLLER(5)}}) ==
        "write of 0x00050000 to NIC register TAG_GAP: there is no such controller");
  CHECK(fault({{WEFT_REG_BARRIER, 1}, {WEFT_REG_BARRIER, 1}}) ==
        "two barriers entered in one cycle");
  CHECK(fault({{WEFT_REG_RX_BASE, 4}}).find("RX_BASE: not a multiple") != std::string::npos);
  CHECK(fault({{WEFT_REG_RX_SIZE, 4}}).find("RX_SIZE: not a multiple") != std::string::npos);
  CHECK(fault({{WEFT_REG_RX_BASE, 8}, {WEFT_REG_RX_SIZE, kMemoryBytes}})
            .find("RX_SIZE: puts the receive window outside") != std::string::npos);
  CHECK(fault({{WEFT_REG_RX_BASE, 0xFFFFFFF8}}).find("RX_BASE: puts the receive window outside") !=
        std::string::npos);
  CHECK(fault({{WEFT_REG_FREE, 1}}) ==
        "write of 0x00000001 to NIC register 0x18, which cannot be written");
  CHECK(fault({{0x88, 1}}).find("0x88") != std::string::npos);
  CHECK(fault({{WEFT_REG_REDUCE, 1}}) ==
        "write of 0x00000001 to NIC register REDUCE: this interface has no reduction, expected: "
        "operation 0 (workload.reduces of a program of your own, or a collective with .reduces, "
        "gives "
        "it)");
  CHECK(fault({{WEFT_REG_REDUCE, 0x00070008}}).empty());
  CHECK(fault({{WEFT_REG_ADDR, 0xFFF8}, {WEFT_REG_LEN, 2}, {WEFT_REG_POST, 1}}) ==
        "POST of 2 flits from 0x0000fff8, which end outside the memory of 0x10000 bytes");
  CHECK(fault({{WEFT_REG_ADDR, 0xFFF8}, {WEFT_REG_LEN, 1}, {WEFT_REG_POST, 1}}).empty());
  CHECK(fault({{WEFT_REG_POST, 1}, {WEFT_REG_POST, 1}}) == "two POSTs in one cycle");
  NicPort full(kMemoryBytes, 4);
  full.begin_cycle(with_free(0), 0);
  full.write(WEFT_REG_POST, 1);
  CHECK(full.fault() == "POST while FREE is 0: the descriptor queue is full");
  CHECK_FALSE(full.posted());
  CHECK(full.read(0x44) == 0);
  full.write(WEFT_REG_LEN, 1U << 20);
  CHECK(full.fault() == "POST while FREE is 0: the descriptor queue is full");  // The first stays.
}

TEST_CASE("a result of the combining tree stays out of the program's text") {
  for (const std::uint32_t to : {0xFF8U, 0x1000U, 0x1FF8U, 0x2000U}) {
    for (const std::uint32_t also : {0U, std::uint32_t{WEFT_COMBINE_DISCARD}}) {
      CAPTURE(to);
      NicPort port(kMemoryBytes, 4);
      port.set_combines(true);
      port.set_text(0x1000, 0x1000);
      port.begin_cycle(with_free(1), 0);
      port.write(WEFT_REG_COMBINE_TO, to);
      port.write(WEFT_REG_COMBINE_LEN, 1);
      port.write(WEFT_REG_COMBINE_POST, 1 | also);
      const bool over = to >= 0x1000 && to < 0x2000 && also == 0;
      CHECK(port.faulted() == over);
      CHECK(port.combines() == !over);
      if (over)
        CHECK(port.fault().find("the result lies over the program's text") != std::string::npos);
    }
  }
}

TEST_CASE("a driver may post so many messages and no more") {
  NicPort port(kMemoryBytes, 4);
  port.set_most_messages(2);
  for (std::uint64_t cycle = 0; cycle < 3; ++cycle) {
    port.begin_cycle(with_free(3), cycle);
    port.write(WEFT_REG_POST, 1);
    CHECK(port.posted() == (cycle < 2));
  }
  CHECK(
      port.fault() ==
      "POST of a message after 2 of this node, which max_messages allows: a program that posts for "
      "ever?");
}

TEST_CASE("START is for the next POST alone, where messages have starts") {
  NicPort port(kMemoryBytes, 4);
  port.set_timed(true);
  port.begin_cycle(with_free(3), 0);
  CHECK(port.write_order(WEFT_REG_START, 0xFFFFFFF0));
  port.write(WEFT_REG_POST, 1);
  CHECK(port.descriptor().timed);
  CHECK(port.descriptor().start == 0xFFFFFFF0);
  port.begin_cycle(with_free(3), 1);
  port.write(WEFT_REG_POST, 1);
  CHECK_FALSE(port.descriptor().timed);
  CHECK(port.fault() == "");
  NicPort other(kMemoryBytes, 4);
  CHECK_FALSE(other.write_order(WEFT_REG_START, 5));
  other.write(WEFT_REG_START, 5);
  CHECK(other.fault() ==
        "write of 0x00000005 to NIC register START: messages have no start here (workload.timed of "
        "a program of your own, or a collective with .timed, gives them one)");
}

TEST_CASE("REDUCE sets the reduction of messages, and refuses unknown values") {
  NicPort port(kMemoryBytes, 4);
  port.set_reduces(true);
  CHECK(port.reduction() == Reduction{ReduceOp::kStore, ReduceType::kInt32, 1});
  port.write(WEFT_REG_REDUCE, 0xFFFF0015);
  CHECK(port.reduction() == Reduction{ReduceOp::kMean, ReduceType::kFp32, 0xFFFF});
  port.write(WEFT_REG_REDUCE, 0x0B);
  CHECK(port.reduction() == Reduction{ReduceOp::kMax, ReduceType::kInt64, 0});
  CHECK(port.fault() == "");
  const auto fault = [](std::uint32_t value) {
    NicPort other(kMemoryBytes, 4);
    other.set_reduces(true);
    other.write(WEFT_REG_REDUCE, value);
    CHECK(other.reduction() == Reduction{});
    return other.fault();
  };
  CHECK(
      fault(0x00010006).find("expected: 0 store, 1 sum, 2 product, 3 maximum, 4 minimum, 5 mean") !=
      std::string::npos);
  CHECK(fault(0x00010019).find("expected: 0 int32, 1 int64, 2 fp32") != std::string::npos);
  CHECK(fault(0x00010021).find("bits outside") != std::string::npos);
  CHECK(fault(0x00018001).find("bits outside") != std::string::npos);
  CHECK(fault(0x00000005) ==
        "write of 0x00000005 to NIC register REDUCE: the count (31:16) of a mean is 0, expected: 1 "
        "to 65535");
  CHECK_FALSE(fault(0xFFFFFFFF).empty());
}

TEST_CASE("the port counts barriers by messages, from the first order to the last read") {
  NicPort port(kMemoryBytes, 4);
  const auto at = [&](std::uint64_t cycle) { port.begin_cycle(with_free(1), cycle); };
  const auto order = [&](std::uint32_t tag) { port.write(WEFT_REG_TAG_GAP, tag); };
  port.read(WEFT_REG_ARRIVED1);
  order(3);
  CHECK(port.barriers_begun() == 0);
  at(10);
  order(WEFT_OF_BARRIER | 1);
  CHECK(port.barriers_begun() == 1);
  port.write(WEFT_REG_DST, 1);
  port.write(WEFT_REG_POST, 1);
  CHECK(port.descriptor().tag == 1);
  at(14);
  port.read(WEFT_REG_ARRIVED1);
  port.read(WEFT_REG_FREE);
  order(WEFT_OF_BARRIER | 2);
  CHECK(port.barriers_begun() == 1);
  at(17);
  port.read(WEFT_REG_ARRIVED2);
  CHECK(port.barriers_ended() == 0);
  at(20);
  order(0);
  CHECK(port.barriers_ended() == 1);
  CHECK(port.barrier_end() == 17);
  for (const std::uint32_t reg :
       {WEFT_REG_RECEIVED0, WEFT_REG_SENT, WEFT_REG_ARRIVED0, WEFT_REG_RECEIVED3}) {
    const std::uint32_t before = port.barriers_ended();
    order(WEFT_OF_BARRIER | 1);
    port.read(WEFT_REG_ARRIVED3);
    CHECK(port.barriers_ended() == before);
    port.read(reg);
    CHECK(port.barriers_ended() == before + 1);
  }
  order(WEFT_OF_BARRIER | 1);
  port.write(WEFT_REG_EXIT, 0);
  CHECK(port.barriers_ended() == 6);
  CHECK(port.barriers_begun() == 6);
  CHECK(port.fault() == "");
}

TEST_CASE("a native driver posts once a cycle and ends with its code") {
  NativeHost host(post_three, Memory(kMemoryBytes), job_of(0, 1));
  for (std::uint32_t cycle = 0; cycle < 3; ++cycle) {
    CHECK(host.state() == ProcessorState::kRunning);
    host.step(with_free(cycle < 2 ? 8 : 8 - (cycle - 1)), cycle);
    REQUIRE(host.port().posted());
    CHECK(host.port().descriptor().dst == cycle);
  }
  CHECK(host.state() == ProcessorState::kHalted);
  CHECK(host.port().exit_code() == 7);
  host.step(with_free(8), 3);
  CHECK_FALSE(host.port().posted());
  CHECK(host.fault().empty());
}

TEST_CASE("a native driver enters one barrier a cycle, and the release wakes it") {
  NativeHost host(
      [] {
        weft_barrier_enter();
        weft_barrier_enter();
        while (!weft_barrier_done(2)) weft_wfi();
        return 0;
      },
      Memory(kMemoryBytes), job_of(0, 1));
  NicStatus status;
  std::vector<bool> entered;
  for (std::uint32_t cycle = 0; cycle < 5; ++cycle) {
    status.barriers = cycle < 3 ? 0 : cycle - 2;
    host.step(status, cycle);
    entered.push_back(host.port().entered());
    CHECK((host.state() == ProcessorState::kHalted) == (cycle == 4));
  }
  CHECK(entered == std::vector<bool>{true, true, false, false, false});
}

TEST_CASE("a native driver that polls without wfi lets time pass") {
  NativeHost host(poll_without_wfi, Memory(kMemoryBytes), job_of(0, 1));
  NicStatus status;
  for (unsigned cycle = 0; cycle < 5; ++cycle) host.step(status, cycle);
  CHECK(host.state() == ProcessorState::kRunning);
  status.rx_count[2] = 1;
  host.step(status, 5);
  CHECK(host.state() == ProcessorState::kHalted);
  CHECK(host.port().exit_code() == 5);
}

TEST_CASE("no wake-up is lost, whenever the message arrives") {
  // Loop: read RECEIVED0; leave when it is not 0; wfi. The message arrives before, between and
  // after these.
  const auto text = program({lui(5, WEFT_MMIO_BASE), lw(1, 5, WEFT_REG_RECEIVED0),
                             b_type(1, 1, 0, 12), wfi(), j_type(0, -12), sw(0, 5, WEFT_REG_EXIT)});
  for (unsigned when = 0; when < 30; ++when) {
    Rv32Core core(text, Memory(kMemoryBytes), job_of(0, 1));
    NativeHost host(wait_for_one, Memory(kMemoryBytes), job_of(0, 1));
    NicStatus status;
    for (unsigned cycle = 0; cycle < when + 8; ++cycle) {
      if (cycle == when) ++status.rx_count[0];
      core.step(status, cycle);
      host.step(status, cycle);
      if (cycle + 1 == when && when > 8) CHECK(core.state() == ProcessorState::kSleeping);
      if (cycle + 1 == when) CHECK(host.state() == ProcessorState::kSleeping);
    }
    CAPTURE(when);
    CHECK(core.state() == ProcessorState::kHalted);
    CHECK(host.state() == ProcessorState::kHalted);
  }
}

TEST_CASE("a full queue wakes its sender even when the status does not change") {
  // Depth 1, and a NIC that takes a descriptor and passes one on in the same cycle.
  NativeHost host(send_without_end, Memory(kMemoryBytes), job_of(0, 1));
  unsigned posts = 0;
  for (unsigned cycle = 0; cycle < 100; ++cycle) {
    host.step(with_free(1), cycle);
    posts += host.port().posted();
  }
  CHECK(host.fault() == "");
  CHECK(posts >= 45);
}

TEST_CASE("faults of native drivers are named") {
  CHECK(fault_of([] { return 0; }) == "");
  CHECK(fault_of([] {
          weft_reg_read(WEFT_REG_DST);
          return 0;
        }) == "read of NIC register 0x00, which cannot be read");
  CHECK(fault_of([] {
          weft_send(0, 4, 1, 0, 0, 0);
          return 0;
        }) == "write of 0x00000004 to NIC register ADDR: not a multiple of 8");
  CHECK(fault_of([] {
          weft_mem(0x10001);
          return 0;
        }) == "address 0x00010001 is outside the memory of 0x10000 bytes");
  NativeHost host(post_three, Memory(kMemoryBytes), job_of(0, 1));
  for (unsigned cycle = 0; cycle < 5; ++cycle) host.step(with_free(cycle == 0 ? 1 : 0), cycle);
  CHECK(host.fault() == "POST while FREE is 0: the descriptor queue is full");
}

TEST_CASE("a driver may end by writing EXIT") {
  NativeHost host(
      [] {
        weft_reg_write(WEFT_REG_EXIT, 9);
        return 1;
      },
      Memory(kMemoryBytes), job_of(0, 1));
  host.step(NicStatus{}, 0);
  CHECK(host.state() == ProcessorState::kHalted);
  CHECK(host.port().exit_code() == 9);
}

TEST_CASE("4,096 native nodes run on two threads, and stop in the middle cleanly") {
  constexpr std::uint32_t kNodes = 4096;
  std::vector<NativeHost> hosts;
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    hosts.emplace_back(write_own_rank, Memory(kMemoryBytes), job_of(i, kNodes));
  }
  const auto run_half = [&](std::uint32_t first) {
    for (unsigned cycle = 0; cycle < 40; ++cycle) {
      NicStatus status = with_free(1);  // An event out of reset: the first wfi returns at once.
      for (std::uint32_t i = first; i < kNodes; i += 2) {
        status.rx_count[1] = i % 3 == 0 ? 0 : cycle / 10;  // Every third waits for ever.
        hosts[i].step(status, cycle);
      }
    }
  };
  std::thread other(run_half, 1);
  run_half(0);
  other.join();
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    const bool waits = i % 3 == 0;
    const auto state = waits ? ProcessorState::kSleeping : ProcessorState::kHalted;
    const std::uint32_t second = waits ? 0 : i ^ kNodes;
    REQUIRE(hosts[i].state() == state);
    REQUIRE(hosts[i].memory().load<std::uint32_t>(0x8000) == i);
    REQUIRE(hosts[i].memory().load<std::uint32_t>(0x8004) == second);
  }
}

TEST_CASE("a stack for which the system has no more maps of memory is an error, not an abort") {
  // Pages that are not merged to one map, until there is none left; then one or two are.
  std::vector<void*> pages;
  for (;;) {
    const int access = pages.size() % 2 == 0 ? PROT_READ : PROT_READ | PROT_WRITE;
    void* const page = mmap(nullptr, 4096, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) break;
    pages.push_back(page);
  }
  const auto give_back = [&] {
    munmap(pages.back(), 4096);
    pages.pop_back();
  };
  Memory memory(1 << 16), other(1 << 16);
  give_back();
  CHECK_THROWS_AS(NativeHost(wait_for_one, std::move(memory), job_of(0, 1)), ConfigError);
  while (!pages.empty()) give_back();
  CHECK_NOTHROW(NativeHost(wait_for_one, std::move(other), job_of(0, 1)));
}

TEST_CASE("memory checks its size and its bounds") {
  CHECK_THROWS_AS(Memory(0), ConfigError);
  CHECK_THROWS_AS(Memory(12), ConfigError);
  CHECK_THROWS_AS(Memory((1U << 30) + 8), ConfigError);
  CHECK_NOTHROW(Memory(1U << 27));
  Memory memory(64);
  memory.write_word(7, 0x1122334455667788);
  CHECK(memory.read_word(7) == 0x1122334455667788);
  CHECK(memory.load<std::uint8_t>(56) == 0x88);
  CHECK(memory.load<std::uint16_t>(62) == 0x1122);
  CHECK(memory.read_word(6) == 0);
  CHECK_THROWS_AS(memory.read_word(8), CheckError);
  CHECK_THROWS_AS(memory.read_word(0x20000007), CheckError);  // Would wrap to flit 7.
  CHECK_THROWS_AS(memory.load<std::uint32_t>(61), CheckError);
  CHECK_THROWS_AS(memory.store<std::uint8_t>(64, 1), CheckError);
  CHECK_THROWS_AS(NativeHost(wait_for_one, Memory(0x100), job_of(0, 1)), CheckError);
}
