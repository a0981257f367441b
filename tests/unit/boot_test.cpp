// Start-up over the network, on an ideal network, and its registers: every node receives its own
// job, and its driver then does what it does with a loaded job.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/installation.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "sim/workload/workload.hpp"
#include "tests/unit/hop_runs.hpp"

namespace {

using namespace weft;
using namespace weft::drivers;

using Messages = std::vector<std::vector<ideal::Sent>>;

constexpr std::uint32_t kMemoryBytes = 0x10000;
constexpr std::uint32_t kJobFlits = (sizeof(Job) + 7) / 8;

/// The start-up's messages of one node, as destination, offset and length.
struct Part {
  std::uint32_t dst, off, len;
};
std::vector<Part> startup_of(const Case& c, std::uint32_t rank) {
  const auto where = addresses(c);
  std::vector<Part> result;
  for (std::uint32_t to = 1; to < c.nodes() && rank == 0; ++to) {
    std::uint32_t left = kJobFlits;
    while (left > 0) {
      const std::uint32_t len = std::min(left, c.packet_flits);
      result.push_back({where[to], kJobFlits - left, len});
      left -= len;
    }
  }
  if (c.barrier == WEFT_BARRIER_HARDWARE) return result;
  // First a message to rank 0, then messages from parents to children in a heap.
  if (rank != 0) result.push_back({where[0], 0, 0});
  for (std::uint32_t to = 1; to < c.nodes(); ++to) {
    if ((to - 1) / 2 == rank) result.push_back({where[to], 0, 0});
  }
  return result;
}

/// First error in what was sent: the start-up's messages, then those of the loaded job.
std::string check_sent(const Case& c, const Messages& sent, const Messages& loaded) {
  for (std::uint32_t rank = 0; rank < c.nodes(); ++rank) {
    const auto parts = startup_of(c, rank);
    if (sent[rank].size() != parts.size() + loaded[rank].size()) {
      return fmt::format("node {}: {} messages, {} of them with a loaded job", rank,
                         sent[rank].size(), loaded[rank].size());
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Descriptor& d = sent[rank][i].descriptor;
      // One controller sends them in the order of posting: SENT tells which slot is free.
      if (d.dst != parts[i].dst || d.off != parts[i].off || d.len != parts[i].len || d.tag != 3 ||
          d.ctrl != 1) {
        return fmt::format("node {}: start-up message {} is another", rank, i);
      }
    }
    if (!std::equal(loaded[rank].begin(), loaded[rank].end(),
                    sent[rank].begin() + static_cast<std::ptrdiff_t>(parts.size()),
                    [](const auto& a, const auto& b) { return a.descriptor == b.descriptor; })) {
      return fmt::format("node {}: the driver sends other messages than with a loaded job", rank);
    }
  }
  return {};
}

/// First error on one kind of processor.
template <class Run>
std::string check_start(Case c, Run run) {
  std::string failure;
  std::vector<std::uint32_t> entered, entered_loaded;
  c.start = WEFT_START_LOADED;
  const Messages loaded = run(c, failure, &entered_loaded);
  if (!failure.empty()) return "loaded: " + failure;
  c.start = WEFT_START_NETWORK;
  const Messages sent = run(c, failure, &entered);
  if (failure.empty()) failure = check_sent(c, sent, loaded);
  if (failure.empty()) {
    for (std::uint32_t& n : entered_loaded) n += c.barrier == WEFT_BARRIER_HARDWARE;
    if (entered != entered_loaded) failure = "not one hardware barrier more";
  }
  return failure;
}

std::string check_both(const Case& c) {
  const std::string native = check_start(c, run_native);
  if (!native.empty()) return c.name + " native: " + native;
  const std::string rv32 = check_start(c, run_rv32);
  return rv32.empty() ? "" : c.name + " rv32: " + rv32;
}

/// A driver that sends nothing, and checks for a while that SENT stays 0.
int sends_nothing() {
  for (int look = 0; look < 20'000; ++look) {
    if (weft_sent() != 0) return 9;
  }
  return 0;
}

bool is_zero(const Memory& memory) {
  return std::all_of(memory.data() + WEFT_JOB_BASE, memory.data() + WEFT_PROGRAM_BASE,
                     [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

TEST_CASE("every node receives its own job over the network, then runs as with a loaded one") {
  for (const std::uint32_t barrier : {WEFT_BARRIER_HARDWARE, WEFT_BARRIER_SOFTWARE}) {
    for (const std::uint32_t packet : {1U, 4U, 5U, 15U, 16U, 255U}) {
      for (const hops::Sizes& dims : std::vector<hops::Sizes>{{2}, {3, 4}, {3, 2, 4}}) {
        CAPTURE(barrier);
        CAPTURE(packet);
        CAPTURE(dims.size());
        Case c = hops::hop_case("hop_group", dims, 12, 0, true);
        c.barrier = barrier;
        c.packet_flits = packet;
        CHECK(check_both(c) == "");
        c = {"a2a", dims, 5, 0, WEFT_SYNC_LOCAL, 4, {4, 7, 3}};  // With data under tag 3.
        c.barrier = barrier;
        c.packet_flits = packet;
        CHECK(check_both(c) == "");
      }
    }
  }
}

TEST_CASE("the job starts when the start-up's last message is sent") {
  Case c{"a2a", {5}, 1, 0, WEFT_SYNC_NONE, 1, {4, 7, 3}};
  c.start = WEFT_START_NETWORK;
  c.barrier = WEFT_BARRIER_SOFTWARE;
  std::vector<NativeHost> nodes;
  for (std::uint32_t rank = 0; rank < c.nodes(); ++rank) {
    const Job job = make_job(c, rank);
    nodes.emplace_back(sends_nothing, make_memory(job), job);
  }
  ideal::Fabric<NativeHost> network(nodes, addresses(c), c.network);
  CHECK(network.run(100'000));
  for (const NativeHost& node : nodes) {
    CHECK(node.state() == ProcessorState::kHalted);
    CHECK(node.port().exit_code() == 0);
  }
}

TEST_CASE("one node alone starts without a message") {
  for (const std::uint32_t barrier : {WEFT_BARRIER_HARDWARE, WEFT_BARRIER_SOFTWARE}) {
    Case c{"a2a", {1}, 3, 0, WEFT_SYNC_BARRIER, 1, {4, 7, 3}};
    c.barrier = barrier;
    CHECK(check_both(c) == "");
  }
}

TEST_CASE("start-up is right on any network") {
  CHECK(rc::check("start-up on random ideal networks", [] {
    Case c;
    c.name = *rc::gen::element<std::string>("a2a", "a2and", "a2at");
    c.dims = {*rc::gen::inRange(1U, 7U), *rc::gen::inRange(1U, 7U)};
    c.message_flits = *rc::gen::inRange(0U, 20U);
    c.sync = *rc::gen::element<std::uint32_t>(WEFT_SYNC_NONE, WEFT_SYNC_LOCAL, WEFT_SYNC_BARRIER);
    c.barrier = *rc::gen::element<std::uint32_t>(WEFT_BARRIER_HARDWARE, WEFT_BARRIER_SOFTWARE);
    c.controllers = *rc::gen::inRange(1U, 9U);
    c.packet_flits = *rc::gen::inRange(1U, 30U);
    c.network = {*rc::gen::inRange(1U, 9U), *rc::gen::inRange(0U, 300U), *rc::gen::inRange(0U, 9U)};
    RC_ASSERT(check_both(c) == "");
  }));
}

TEST_CASE("no node but rank 0 has a job before it arrives, and none goes on without it") {
  Case c{"a2a", {4}, 1, 0, WEFT_SYNC_NONE, 1, {4, 7, 3}};
  c.start = WEFT_START_NETWORK;
  const std::string path = build_dir() / "sw/a2a.elf";
  const auto program = std::make_shared<const Rv32Program>(load_elf(path), path);
  const auto check = [&](auto make) {
    const Job first = make_job(c, 0);
    CHECK(make(first).memory().template load<Job>(WEFT_JOB_BASE).nodes == 4);
    auto node = make(make_job(c, 3));
    CHECK(is_zero(node.memory()));
    CHECK(node.port().windows().size[0] == 0);
    NicStatus status;
    status.desc_free = 4;
    for (std::uint64_t cycle = 0; cycle < 2000; ++cycle) {
      if (cycle == 1000) ++status.rx_count[3];  // An event, but no job.
      node.step(status, cycle);
      CHECK_FALSE(node.port().posted());
    }
    CHECK(node.state() == ProcessorState::kSleeping);
    CHECK(node.port().windows().base[0] == WEFT_JOB_BASE / 8);
    // Its window holds the job in flits of any width.
    CHECK(node.port().windows().size[0] == 256 / kWordBytes);
    CHECK_FALSE(node.port().job_start().has_value());
  };
  check([&](const Job& job) { return Rv32Core(program, make_memory(job), job); });
  const auto entry = collective("a2a").entry;
  check([&](const Job& job) { return NativeHost(entry, make_memory(job), job); });
}

/// Job and memory of rank 0.
std::pair<Job, Memory> first_of(const nlohmann::json& topology, const nlohmann::json& workload) {
  const bool combines = collective(workload.at("collective").get<std::string>()).combines != 0;
  const Config config = parse_config(
      {{"topology", topology}, {"combining", combines ? "tree" : "none"}, {"workload", workload}},
      "test");
  const Graph graph = build_graph(config);
  const Collective collective(config, graph);
  return {collective.job(0), collective.memory(0)};
}

/// Job and memory of rank 0 on a network of boards.
std::pair<Job, Memory> of_boards(const char* collective_name) {
  nlohmann::json workload = {{"collective", collective_name}, {"bytes", 256}};
  // The root of this one only waits at first.
  if (std::string(collective_name) == "broadcast_binomial") workload["root"] = 1;
  return first_of({{"kind", "board"}, {"dims", {2, 1, 1, 1}}, {"mains", 2}, {"aggregators", 1}},
                  workload);
}

TEST_CASE("no driver closes the window that is open: others may have started before it") {
  std::size_t count = 0;
  const weft_collective* const all = weft_collectives(&count);
  for (std::size_t i = 0; i < count; ++i) {
    if (all[i].kind == WEFT_TRACE) continue;  // A trace writes no window.
    const std::string path = fmt::format("{}/sw/{}.elf", build_dir().string(), all[i].name);
    CAPTURE(path);
    Case c = hops::hop_case(all[i].name, {3, 3}, 4, 0, true);
    c.gap = 0;
    const bool on_arrays = all[i].kind != WEFT_ALL_TO_ALL && all[i].kind != WEFT_BARRIER;
    auto [job, memory] = on_arrays ? of_boards(all[i].name)
                         : all[i].scheduled != 0
                             ? first_of({{"kind", "torus"}, {"dims", {3, 3}}},
                                        {{"collective", all[i].name}, {"message_flits", 4}})
                             : std::pair(make_job(c, 0), make_memory(make_job(c, 0)));
    const auto program = std::make_shared<const Rv32Program>(load_elf(path), path);
    Rv32Core core(program, std::move(memory), job);
    core.port().set_reduces(on_arrays);
    core.port().set_combines(all[i].combines != 0);
    core.port().set_timed(all[i].timed != 0);
    core.port().write(WEFT_REG_RX_BASE, job.recv_base);
    core.port().write(WEFT_REG_RX_SIZE, job.recv_bytes);
    NicStatus status;
    status.desc_free = 4;
    unsigned posts = 0;
    for (std::uint64_t cycle = 0; cycle < 3000 || (posts == 0 && cycle < 30000); ++cycle) {
      core.step(status, cycle);
      REQUIRE(core.port().windows().base[0] == job.recv_base / 8);
      REQUIRE(core.port().windows().size[0] == job.recv_bytes / 8);
      posts += core.port().posted() || core.port().combines() || core.port().entered();
    }
    CHECK(core.fault() == "");
    CHECK(posts > 0);
  }
}

TEST_CASE("JOB_START leaves the start-up out of the counts, and nothing else") {
  NicPort port(kMemoryBytes, 4);
  NicStatus status;
  status.tx_count = 12;
  status.rx_count = {1, 2, 3, 9};
  status.rx_arrived = {2, 3, 4, 11};
  status.rx_link = {1, 0, 2, 1, 0, 0, 0, 0, 5, 6};
  status.barriers = 5;
  port.begin_cycle(status, 69);
  port.write(WEFT_REG_BARRIER, 1);
  CHECK(port.read(WEFT_REG_LINK_RECEIVED0) == 4);
  port.take_event();
  status.rx_link[9] += 2;
  port.begin_cycle(status, 70);
  CHECK(port.take_event());
  CHECK(port.read(WEFT_REG_SENT) == 12);
  CHECK_FALSE(port.job_start().has_value());
  port.write(WEFT_REG_JOB_START, 7);
  CHECK(port.job_start() == 70);
  CHECK(port.read(WEFT_REG_SENT) == 0);
  CHECK(port.read(WEFT_REG_BARRIER) == 0);
  CHECK(port.read(WEFT_REG_RECEIVED3) == 2);  // Two of the job arrived before its start here.
  CHECK(port.read(WEFT_REG_ARRIVED3) == 4);
  CHECK(port.read(WEFT_REG_RECEIVED0) == 1);
  CHECK(port.read(WEFT_REG_RECEIVED1) == 2);
  CHECK(port.read(WEFT_REG_RECEIVED2) == 3);
  CHECK(port.read(WEFT_REG_ARRIVED0) == 2);
  CHECK(port.read(WEFT_REG_ARRIVED1) == 3);
  CHECK(port.read(WEFT_REG_ARRIVED2) == 4);
  CHECK(port.read(WEFT_REG_LINK_RECEIVED0) == 0);
  CHECK(port.read(WEFT_REG_LINK_RECEIVED0 + 8) == 2);  // Since the barrier was entered.
  CHECK(port.read(WEFT_REG_LINK_TAG_RECEIVED0 + 4 * 8) == 0);
  CHECK(port.read(WEFT_REG_LINK_TAG_RECEIVED0 + 4 * 9) == 2);
  port.begin_cycle(status, 71);
  CHECK_FALSE(port.take_event());  // The driver itself has changed them.
  ++status.tx_count;
  ++status.rx_count[3];
  ++status.barriers;
  port.begin_cycle(status, 72);
  CHECK(port.take_event());
  CHECK(port.read(WEFT_REG_SENT) == 1);
  CHECK(port.read(WEFT_REG_RECEIVED3) == 3);
  CHECK(port.read(WEFT_REG_BARRIER) == 1);
  CHECK(port.job_start() == 70);
  CHECK(port.fault() == "");
  port.write(WEFT_REG_JOB_START, 7);
  CHECK(port.fault() == "JOB_START written twice");
  // Without a barrier what has come so far is the start-up's.
  NicPort plain(kMemoryBytes, 4);
  status.barriers = 0;
  plain.begin_cycle(status, 0);
  plain.write(WEFT_REG_JOB_START, 7);
  CHECK(plain.read(WEFT_REG_LINK_RECEIVED0) == 0);
  CHECK(plain.read(WEFT_REG_LINK_RECEIVED0 + 8) == 0);
  NicPort early(kMemoryBytes, 4);
  early.begin_cycle(status, 0);
  early.write(WEFT_REG_JOB_START, 11);
  CHECK(early.fault() ==
        "write of 0x0000000b to NIC register JOB_START: not so many messages were received under "
        "tag 3");
  CHECK_FALSE(early.job_start().has_value());
}

TEST_CASE("the receive window changes at once, with its size") {
  NicPort port(kMemoryBytes, 4);
  port.write(WEFT_REG_RX_BASE, 0x8000);
  port.write(WEFT_REG_RX_SIZE, 0x8000);
  port.write(WEFT_REG_RX_BASE, 0x100);
  CHECK(port.windows().base[0] == 0x1000);
  CHECK(port.windows().size[0] == 0x1000);
  port.write(WEFT_REG_RX_SIZE, 0x80);
  CHECK(port.windows().base[0] == 0x20);
  CHECK(port.windows().size[0] == 0x10);
  CHECK(port.fault() == "");
}
