// Runs the all-to-all drivers on the ideal network, natively or on RV32, for the tests of them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/installation.hpp"
#include "sim/processor/elf.hpp"
#include "sim/processor/native_host.hpp"
#include "sim/processor/rv32.hpp"
#include "sw/include/weft_collective.h"
#include "tests/unit/ideal_network.hpp"

namespace weft::drivers {

/// One all-to-all to run.
struct Case {
  std::string name;
  std::vector<std::uint32_t> dims;
  std::uint32_t message_flits = 1;
  std::uint32_t gap = 0;
  std::uint32_t sync = WEFT_SYNC_NONE;
  std::uint32_t controllers = 1;
  ideal::Settings network;
  std::uint32_t barrier = WEFT_BARRIER_SOFTWARE;
  bool torus = true;
  std::uint32_t areas = 0;
  std::uint32_t packet_flits = 128;
  std::uint32_t part_flits = UINT32_MAX;  ///< Longest message of the all-to-alls that cut parts.
  std::uint32_t start = WEFT_START_LOADED;

  std::uint32_t nodes() const {
    std::uint32_t product = 1;
    for (const std::uint32_t size : dims) product *= size;
    return product;
  }
};

/// Width of a digit's field. One bit more than it needs, so that fields and radices differ.
inline std::uint32_t digit_bits(std::uint32_t size) {
  return static_cast<std::uint32_t>(std::bit_width(size));
}

/// Address by counting through all digits, not by division.
inline std::vector<std::uint32_t> addresses(const Case& c) {
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

inline const weft_collective& collective(const std::string& name) {
  std::size_t count = 0;
  const weft_collective* all = weft_collectives(&count);
  for (std::size_t i = 0; i < count; ++i) {
    if (all[i].name == name) return all[i];
  }
  throw std::runtime_error("no collective " + name);
}

inline Job make_job(const Case& c, std::uint32_t rank) {
  const std::uint32_t area = c.nodes() * c.message_flits * kWordBytes;
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
  job.recv_bytes = collective(c.name).buffers * area;
  job.memory_bytes = job.recv_base + job.recv_bytes;
  job.controllers = c.controllers;
  job.packet_flits = c.packet_flits;
  job.flit_bytes = kWordBytes;
  job.part_flits = std::min(c.part_flits, c.message_flits);
  job.barrier = c.barrier;
  job.wraps = c.torus ? (1U << c.dims.size()) - 1 : 0;
  job.areas = c.areas;
  job.start = c.start;
  return job;
}

/// Contents of a flit: from whom, to whom, which.
inline std::uint64_t pattern(std::uint64_t from, std::uint64_t to, std::uint64_t index) {
  return (from << 40 | to << 20 | index) * 0x9E3779B97F4A7C15ULL + 1;
}

inline Memory make_memory(const Job& job) {
  Memory memory(job.memory_bytes);
  for (std::uint32_t to = 0; to < job.nodes; ++to) {
    for (std::uint32_t i = 0; i < job.message_flits; ++i) {
      memory.write_word(job.send_base / 8 + to * job.message_flits + i, pattern(job.rank, to, i));
    }
  }
  return memory;
}

/// The first error after the run, or an empty text.
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
        if (node.memory().read_word(job.recv_base / 8 + from * job.message_flits + i) !=
            pattern(from, rank, i)) {
          return fmt::format("node {}: flit {} of the block from {} is wrong", rank, i, from);
        }
      }
    }
  }
  return {};
}

/// Runs a collective; the messages by source. A failure goes to `failure`, and the
/// hardware barriers that each node entered go to `entered` unless it is null.
template <class P, class Make>
std::vector<std::vector<ideal::Sent>> run(const Case& c, Make make, std::string& failure,
                                          std::vector<std::uint32_t>* entered) {
  std::vector<P> nodes;
  for (std::uint32_t rank = 0; rank < c.nodes(); ++rank) {
    const Job job = make_job(c, rank);
    nodes.push_back(make(make_memory(job), job));
  }
  ideal::Fabric<P> network(nodes, addresses(c), c.network);
  if (!network.run(10'000'000)) failure = "does not end";
  if (!network.error.empty()) failure = network.error;
  if (failure.empty()) failure = check_result(c, nodes);
  if (entered != nullptr) *entered = network.entered;
  return std::move(network.sent);
}

inline std::vector<std::vector<ideal::Sent>> run_native(
    const Case& c, std::string& failure, std::vector<std::uint32_t>* entered = nullptr) {
  const auto entry = collective(c.name).entry;
  return run<NativeHost>(
      c, [&](Memory memory, const Job& job) { return NativeHost(entry, std::move(memory), job); },
      failure, entered);
}

inline std::vector<std::vector<ideal::Sent>> run_rv32(
    const Case& c, std::string& failure, std::vector<std::uint32_t>* entered = nullptr) {
  const std::string path = (build_dir() / "sw/").string() + c.name + ".elf";
  const auto program = std::make_shared<const Rv32Program>(load_elf(path), path);
  return run<Rv32Core>(
      c, [&](Memory memory, const Job& job) { return Rv32Core(program, std::move(memory), job); },
      failure, entered);
}

}  // namespace weft::drivers
