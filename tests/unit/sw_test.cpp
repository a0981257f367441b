// The collectives on an ideal network: native and RV32 send the same messages in the same order,
// and leave what the collective promises.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/processor/elf.hpp"
#include "sim/processor/native_host.hpp"
#include "sim/processor/rv32.hpp"
#include "tests/unit/ideal_network.hpp"

namespace {

using namespace weft;

/// One all-to-all to run.
struct Case {
  std::vector<std::uint32_t> dims;
  std::uint32_t message_flits = 1;
  std::uint32_t gap = 0;
  std::uint32_t sync = WEFT_SYNC_NONE;
  ideal::Settings network;

  std::uint32_t nodes() const {
    std::uint32_t product = 1;
    for (const std::uint32_t size : dims) product *= size;
    return product;
  }
};

/// Width of a digit's field. One bit more than it needs, so that fields and radices differ.
std::uint32_t digit_bits(std::uint32_t size) {
  return static_cast<std::uint32_t>(std::bit_width(size));
}

/// Address by counting through all digits, not by division.
std::vector<std::uint32_t> addresses(const Case& c) {
  std::vector<std::uint32_t> digits(c.dims.size(), 0);
  std::vector<std::uint32_t> result;
  for (std::uint32_t rank = 0; rank < c.nodes(); ++rank) {
    std::uint32_t address = 0;
    for (std::size_t d = c.dims.size(); d-- > 0;) {
      address = address << digit_bits(c.dims[d]) | digits[d];
    }
    result.push_back(address);
    for (std::size_t d = 0; d < c.dims.size() && ++digits[d] == c.dims[d]; ++d) digits[d] = 0;
  }
  return result;
}

Job make_job(const Case& c, std::uint32_t rank) {
  const std::uint32_t area = c.nodes() * c.message_flits * kFlitBytes;
  Job job{};
  job.rank = rank;
  job.nodes = c.nodes();
  job.dim_count = static_cast<std::uint32_t>(c.dims.size());
  for (std::size_t d = 0; d < c.dims.size(); ++d) {
    job.dims[d] = c.dims[d];
    job.dim_bits[d] = digit_bits(c.dims[d]);
  }
  job.message_flits = c.message_flits;
  job.gap = c.gap;
  job.sync = c.sync;
  job.send_base = WEFT_BUFFER_BASE;
  job.recv_base = WEFT_BUFFER_BASE + area;
  job.recv_bytes = area;
  job.memory_bytes = WEFT_BUFFER_BASE + 2 * area;
  return job;
}

/// Contents of a flit: from whom, to whom, which.
std::uint64_t pattern(std::uint64_t from, std::uint64_t to, std::uint64_t index) {
  return (from << 40 | to << 20 | index) * 0x9E3779B97F4A7C15ULL + 1;
}

Memory make_memory(const Job& job) {
  Memory memory(job.memory_bytes);
  for (std::uint32_t to = 0; to < job.nodes; ++to) {
    for (std::uint32_t i = 0; i < job.message_flits; ++i) {
      memory.write_flit(job.send_base / 8 + to * job.message_flits + i, pattern(job.rank, to, i));
    }
  }
  return memory;
}

const weft_collective& collective(const std::string& name) {
  std::size_t count = 0;
  const weft_collective* all = weft_collectives(&count);
  for (std::size_t i = 0; i < count; ++i) {
    if (all[i].name == name) return all[i];
  }
  throw std::runtime_error("no collective " + name);
}

/// First thing wrong after the run, or an empty text.
template <class P>
std::string check_result(const Case& c, const std::vector<P>& nodes) {
  for (std::uint32_t rank = 0; rank < c.nodes(); ++rank) {
    const P& node = nodes[rank];
    if (node.state() != ProcessorState::kHalted)
      return fmt::format("node {}: {}", rank, node.fault());
    if (node.port().exit_code() != 0) return fmt::format("node {}: non-zero exit", rank);
    const Job job = make_job(c, rank);
    for (std::uint32_t from = 0; from < job.nodes; ++from) {
      for (std::uint32_t i = 0; i < job.message_flits; ++i) {
        if (node.memory().read_flit(job.recv_base / 8 + from * job.message_flits + i) !=
            pattern(from, rank, i)) {
          return fmt::format("node {}: flit {} of the block from {} is wrong", rank, i, from);
        }
      }
    }
  }
  return {};
}

/// Runs a2a; the messages by source. A failure goes to `failure`.
template <class P, class Make>
std::vector<std::vector<ideal::Sent>> run(const Case& c, Make make, std::string& failure) {
  std::vector<P> nodes;
  for (std::uint32_t rank = 0; rank < c.nodes(); ++rank) {
    const Job job = make_job(c, rank);
    nodes.push_back(make(make_memory(job), job));
  }
  ideal::Network<P> network(nodes, addresses(c), c.network);
  if (!network.run(10'000'000)) failure = "does not end";
  if (!network.error.empty()) failure = network.error;
  if (failure.empty()) failure = check_result(c, nodes);
  return std::move(network.sent);
}

std::vector<std::vector<ideal::Sent>> run_native(const Case& c, std::string& failure) {
  const auto entry = collective("a2a").entry;
  return run<NativeHost>(
      c, [&](Memory memory, const Job& job) { return NativeHost(entry, std::move(memory), job); },
      failure);
}

std::vector<std::vector<ideal::Sent>> run_rv32(const Case& c, std::string& failure) {
  const std::string path = WEFT_BINARY_DIR "/sw/a2a.elf";
  const auto program = std::make_shared<const Rv32Program>(load_elf(path), path);
  return run<Rv32Core>(
      c, [&](Memory memory, const Job& job) { return Rv32Core(program, std::move(memory), job); },
      failure);
}

/// Whether the messages are those of seed 004's A2A, in its order.
std::string check_messages(const Case& c, const std::vector<std::vector<ideal::Sent>>& sent) {
  const auto where = addresses(c);
  for (std::uint32_t rank = 0; rank < c.nodes(); ++rank) {
    if (sent[rank].size() != c.nodes() - 1)
      return fmt::format("node {}: {} messages", rank, sent[rank].size());
    const Job job = make_job(c, rank);
    for (std::uint32_t i = 1; i < c.nodes(); ++i) {
      const std::uint32_t to = (rank + i) % c.nodes();
      const Descriptor expected{where[to],
                                job.send_base / 8 + to * c.message_flits,
                                c.message_flits,
                                rank * c.message_flits,
                                0,
                                c.gap};
      if (sent[rank][i - 1].descriptor != expected) {
        return fmt::format("node {}: message {} is not the one to {}", rank, i, to);
      }
      if (c.sync == WEFT_SYNC_LOCAL && sent[rank][i - 1].received_before < i - 1) {
        return fmt::format("node {}: message {} posted after only {} were received", rank, i,
                           sent[rank][i - 1].received_before);
      }
    }
  }
  return {};
}

void check_both(const Case& c) {
  std::string failure;
  const auto native = run_native(c, failure);
  CHECK_MESSAGE(failure.empty(), "native: ", failure);
  CHECK(check_messages(c, native) == "");
  failure.clear();
  const auto rv32 = run_rv32(c, failure);
  CHECK_MESSAGE(failure.empty(), "rv32: ", failure);
  CHECK(check_messages(c, rv32) == "");
}

}  // namespace

TEST_CASE("a2a sends the same messages natively and on RV32") {
  for (const std::uint32_t sync : {WEFT_SYNC_NONE, WEFT_SYNC_LOCAL}) {
    for (const std::vector<std::uint32_t>& dims :
         {std::vector<std::uint32_t>{1}, {2}, {3, 3}, {5, 5}, {4, 3, 2}, {2, 2, 2, 2, 2}, {61}}) {
      for (const std::uint32_t flits : {0U, 1U, 7U, 100U}) {
        CAPTURE(sync);
        CAPTURE(dims.size());
        CAPTURE(dims.front());
        CAPTURE(flits);
        check_both({dims, flits, flits % 3, sync, {4, 7}});
      }
    }
  }
}

TEST_CASE("a2a is right for any network") {
  CHECK(rc::check("a2a on random ideal networks", [] {
    Case c;
    c.dims =
        *rc::gen::suchThat(rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(1U, 6U)),
                           [](const auto& dims) { return !dims.empty() && dims.size() <= 4; });
    RC_PRE(c.nodes() <= 64);
    c.message_flits = *rc::gen::inRange(0U, 40U);
    c.gap = *rc::gen::inRange(0U, 256U);
    c.sync = *rc::gen::element<std::uint32_t>(WEFT_SYNC_NONE, WEFT_SYNC_LOCAL);
    c.network = {*rc::gen::inRange(1U, 9U), *rc::gen::inRange(0U, 50U)};
    std::string failure;
    const auto native = run_native(c, failure);
    RC_ASSERT(failure == "");
    RC_ASSERT(check_messages(c, native) == "");
    const auto rv32 = run_rv32(c, failure);
    RC_ASSERT(failure == "");
    RC_ASSERT(check_messages(c, rv32) == "");
  }));
}

TEST_CASE("without sync the queue is kept full; with local sync a message waits for its turn") {
  std::string failure;
  Case c{{8}, 100, 0, WEFT_SYNC_NONE, {4, 1000}};
  const auto none = run_native(c, failure);
  CHECK(failure == "");
  CHECK(none[0][3].cycle == 3);  // Depth 4: the fifth must wait for the first.
  CHECK(none[0][4].cycle > 100);
  CHECK(none[0][6].received_before == 0);
  c.sync = WEFT_SYNC_LOCAL;
  const auto local = run_native(c, failure);
  CHECK(failure == "");
  CHECK(local[0][1].cycle > 1000);
}

TEST_CASE("the RV32 driver keeps a network of 100-flit messages busy") {
  std::string failure;
  const Case c{{5, 5}, 100, 0, WEFT_SYNC_NONE, {4, 7}};
  const auto sent = run_rv32(c, failure);
  CHECK(failure == "");
  // 24 messages of 101 cycles; the queue of 4 lets the last one wait that long.
  CHECK(sent[0].back().cycle < 20 * 101 + 200);
}

TEST_CASE("a2a refuses a barrier with its own code") {
  const Case c{{4}, 1, 0, WEFT_SYNC_BARRIER, {4, 7}};
  const Job job = make_job(c, 0);
  NativeHost host(collective("a2a").entry, make_memory(job), job);
  host.step(NicStatus{}, 0);
  CHECK(host.state() == ProcessorState::kHalted);
  CHECK(host.port().exit_code() == WEFT_UNSUPPORTED_SYNC);
}

TEST_CASE("the register names every collective, and each has its program") {
  std::size_t count = 0;
  const weft_collective* all = weft_collectives(&count);
  REQUIRE(count >= 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = all[i].name;
    CAPTURE(name);
    if (i > 0) CHECK(std::string(all[i - 1].name) < name);
    CHECK(std::string(all[i].description).size() > 10);
    CHECK((all[i].entry != nullptr));
    const std::string path = fmt::format("{}/sw/{}.elf", WEFT_BINARY_DIR, name);
    CHECK_NOTHROW(Rv32Program(load_elf(path), path));
  }
  CHECK(collective("a2a").kind == WEFT_ALL_TO_ALL);
}
