// Networks in lanes, and their nodes.
#include "tests/grade/network_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "sim/base/error.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/random.hpp"
#include "sim/base/temporary_folder.hpp"
#include "sim/emit/emit.hpp"
#include "sim/emit/tile.hpp"
#include "sim/engine/check_network.hpp"
#include "sim/fabric/blocks.hpp"

namespace weft::grade {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};
// Cycles without new packets after which nothing is left on its way.
constexpr std::uint32_t kDrain = 256;

std::shared_ptr<const GateLibrary> top_library(const Config& config, const Graph& graph) {
  const TemporaryFolder folder;
  RtlSpec spec{.top = "weft_top", .params = {}, .extra = {}};
  for (const auto& [name, text] : emit_modules(config, graph, {})) {
    spec.extra.push_back(folder.path() / (name + ".sv"));
    write_file(spec.extra.back(), text);
  }
  return GateLibrary::load(spec);
}

// An index into words of a memory that were never sent.
std::uint64_t other_word(std::uint64_t index) {
  return mix64(~index);
}

}  // namespace

std::uint64_t Traffic::sent(std::uint32_t node, std::uint32_t w) {
  return mix64(std::uint64_t{node} << 32 | w);
}

std::uint64_t Traffic::received(std::uint32_t node, std::uint32_t w) const {
  const std::uint32_t message = w / flits;
  return sent((node + nodes - 1 - message % (nodes - 1)) % nodes, w);
}

Report report_of(const std::string& port, bool repairs) {
  for (const char* const name :
       {"rx_parity_o", "rx_refused_o", "counted_lost_o", "counted_stuck_o"}) {
    if (port == name) return Report::kLoss;
  }
  if (port == "counted_errors_o") return repairs ? Report::kRepair : Report::kLoss;
  for (const char* const name : {"counted_retries_o", "tx_resent_o", "rx_repeated_o"}) {
    if (port == name) return Report::kRepair;
  }
  return Report::kNone;
}

NetworkLanes::NetworkLanes(const Config& config, std::uint32_t messages, std::uint32_t flits) {
  RouteChecks checks;
  const CheckedNetwork network = check_network(config, checks);
  const Graph& graph = network.graph;
  const Nic::Config nic = nic_config(config, graph);
  if (graph.nodes < 2 || graph.header.data_w != 64 || graph.header.key_w != 0 || nic.reduce ||
      nic.timed || nic.mem_ready) {
    throw ConfigError(
        "a network in lanes: expected: 2 nodes or more, flits of 64 bits, plain messages");
  }
  traffic_ = {.nodes = graph.nodes, .messages = messages, .flits = flits};
  read_lanes_ = nic.lanes();
  links_ = nic.links();
  repairs_ = config.link.protection == Protection::kRetry;
  restarts_ = config.nic.reliable;
  expected_ = messages * (nic.by_packet() ? (flits + nic.packet_flits - 1) / nic.packet_flits : 1);
  addresses_ = {graph.address.begin(), graph.address.begin() + graph.nodes};
  for (const TablePort& table : table_ports(config, graph)) {
    tables_.emplace_back(table.name, tile_position(graph.router_config(table.router)).value);
  }
  auto library = top_library(config, graph);
  block_ = std::make_unique<GateBlock>(library, weft::lanes(library->width()));
  words_ = block_->words();
  const std::uint32_t reads = graph.nodes * read_lanes_, writes = graph.nodes * links_;
  ren_ = port("mem_ren_o", reads);
  raddr_ = port("mem_raddr_o", reads);
  rdata_ = port("mem_rdata_i", reads);
  wen_ = port("mem_wen_o", writes);
  waddr_ = port("mem_waddr_o", writes);
  wdata_ = port("mem_wdata_o", writes);
  free_ = port("desc_free_o", graph.nodes);
  desc_valid_ = port("desc_valid_i", graph.nodes);
  dst_ = port("desc_dst_i", graph.nodes);
  addr_ = port("desc_addr_i", graph.nodes);
  len_ = port("desc_len_i", graph.nodes);
  off_ = port("desc_off_i", graph.nodes);
  tx_count_ = port("tx_count_o", graph.nodes);
  rx_count_ = port("rx_count_o", graph.nodes * kNumRxCounts);
  rx_arrived_ = port("rx_arrived_o", graph.nodes * kNumRxCounts);
  for (const GatePort& from : library->netlist().ports) {
    const Report report = report_of(from.name, repairs_);
    if (report != Report::kNone) counters_.push_back({from.first, from.width, report});
    if (!restarts_ || (from.name != "overdue_o" && from.name != "counted_stuck_o")) continue;
    for (std::uint32_t b = 0; b < from.width; ++b) alarms_.push_back(from.first + b);
  }
  reset();
}

NetworkLanes::Port NetworkLanes::port(const char* name, std::uint32_t elements) const {
  const GatePort& from = library().port(name);
  return {from.first, from.width / elements};
}

// Sets an input of all lanes to `value`, which repeats after `width` bits.
void NetworkLanes::set_all(const std::string& name, const std::vector<std::uint64_t>& value,
                           std::uint32_t width) {
  const GatePort& to = library().port(name);
  for (std::uint32_t b = 0; b < to.width; ++b) {
    const bool one = (value[b % width / 64] >> b % width % 64 & 1) != 0;
    std::fill_n(in(to.first + b), words_, one ? kAll : 0);
  }
}

void NetworkLanes::reset(bool clear) {
  if (clear) {
    block_->reset();
  } else {
    std::fill_n(block_->in(0), std::size_t{library().inputs()} * words_, 0);
    for (unsigned i = 0; i < 2; ++i) block_->step();
    set_all("rst_ni", {kAll}, 1);
  }
  for (const auto& [name, value] : tables_) {
    set_all(name, value, static_cast<std::uint32_t>(value.size()) * 64);
  }
  if (restarts_) set_all(kNetworkReset, {kAll}, 1);
  // The windows of all nodes have the words behind those that are sent.
  for (const char* const name : {"rx_base_i", "rx_size_i"}) {
    set_all(name, {traffic_.area()}, kMemAddrW);
  }
  cycle_ = 0;
  const std::uint32_t nodes = traffic_.nodes, area = traffic_.area();
  lanes_.assign(lanes(), {.left = 2 * nodes});
  nodes_.assign(std::size_t{lanes()} * nodes, {});
  data_.assign(std::size_t{lanes()} * nodes * 2 * area, 0);
  for (std::uint32_t l = 0; l < lanes(); ++l) {
    for (std::uint32_t n = 0; n < nodes; ++n) {
      for (std::uint32_t w = 0; w < area; ++w) memory(l, n)[w] = Traffic::sent(n, w);
    }
  }
  counted_.assign(std::size_t{nodes} * 2 * kCountW * words_, 0);
  restarting_.assign(words_, 0);
  held_since_.assign(lanes(), 0);
}

void NetworkLanes::step() {
  // The outputs stay those of this cycle; what the nodes drive counts from the next one on.
  block_->step();
  read_memories();
  write_memories();
  look_at_counts();
  post();
  if (restarts_) recover();
  ++cycle_;
}

// A read returns the word before the writes of the same cycle.
void NetworkLanes::read_memories() {
  std::array<std::uint64_t, 64> at, rows;
  const std::uint32_t words = 2 * traffic_.area();
  for (std::uint32_t c = 0; c < traffic_.nodes * read_lanes_; ++c) {
    for (std::uint32_t k = 0; k < words_; ++k) {
      const std::uint64_t on = out(ren_.first + c)[k];
      if (on == 0) continue;
      gather_lanes(out(raddr_.of(c)) + k, words_, raddr_.width, at.data());
      rows.fill(0);
      for (std::uint64_t m = on; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        rows[i] = at[i] < words ? memory(k * 64 + i, c / read_lanes_)[at[i]] : other_word(at[i]);
      }
      transpose64(rows.data());
      for (unsigned b = 0; b < 64; ++b) in(rdata_.of(c) + b)[k] = rows[b];
    }
  }
}

void NetworkLanes::write_memories() {
  std::array<std::uint64_t, 64> at, rows;
  const std::uint32_t words = 2 * traffic_.area();
  for (std::uint32_t c = 0; c < traffic_.nodes * links_; ++c) {
    for (std::uint32_t k = 0; k < words_; ++k) {
      const std::uint64_t on = out(wen_.first + c)[k];
      if (on == 0) continue;
      gather_lanes(out(waddr_.of(c)) + k, words_, waddr_.width, at.data());
      gather_lanes(out(wdata_.of(c)) + k, words_, 64, rows.data());
      for (std::uint64_t m = on; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        Lane& lane = lanes_[k * 64 + i];
        lane.times += mix64(mix64(rows[i]) ^ mix64(at[i] << 32 | c) ^ cycle_);
        if (at[i] < words) {
          memory(k * 64 + i, c / links_)[at[i]] = rows[i];
        } else {
          ++lane.wrong;
        }
      }
    }
  }
}

// As software does that waits until its messages are sent, and those to it are there.
void NetworkLanes::look_at_counts() {
  const auto reached = [](std::uint64_t count, std::uint32_t target) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(count) - target) >= 0;
  };
  std::uint64_t* before = counted_.data();
  for (std::uint32_t n = 0; n < traffic_.nodes; ++n) {
    for (const bool rx : {false, true}) {
      const std::uint32_t first = rx ? rx_count_.of(n * kNumRxCounts) : tx_count_.of(n);
      std::array<std::uint64_t, 8> changed = {};
      for (std::uint32_t b = 0; b < kCountW; ++b) {
        for (std::uint32_t k = 0; k < words_; ++k, ++before) {
          changed[k] |= *before ^ out(first + b)[k];
          *before = out(first + b)[k];
        }
      }
      for (std::uint32_t k = 0; k < words_; ++k) {
        for (std::uint64_t m = changed[k]; m != 0; m &= m - 1) {
          const std::uint32_t l = k * 64 + static_cast<std::uint32_t>(std::countr_zero(m));
          Node& node = nodes_[std::size_t{l} * traffic_.nodes + n];
          bool& done = rx ? node.received : node.sent;
          if (done || !reached(out_bits(first, kCountW, l), rx ? expected_ : traffic_.messages)) {
            continue;
          }
          done = true;
          if (rx) {
            lanes_[l].wrong += wrong_words(l, n);
          } else {
            for (std::uint32_t w = 0; w < traffic_.area(); ++w) memory(l, n)[w] = other_word(w);
          }
          if (--lanes_[l].left == 0) lanes_[l].ended = cycle_;
        }
      }
    }
  }
}

// A descriptor in each cycle in which the queue has a free slot; that of the present cycle is not
// yet counted in `desc_free_o`.
void NetworkLanes::post() {
  for (std::uint32_t l = 0; l < lanes(); ++l) {
    for (std::uint32_t n = 0; n < traffic_.nodes; ++n) {
      Node& node = nodes_[std::size_t{l} * traffic_.nodes + n];
      const bool now = node.next < traffic_.messages &&
                       out_bits(free_.of(n), free_.width, l) > (node.posts ? 1u : 0u);
      if (now != node.posts) set_in(desc_valid_.of(n), 1, l, now);
      node.posts = now;
      if (!now) continue;
      const std::uint32_t word = node.next * traffic_.flits;
      set_in(dst_.of(n), dst_.width, l, addresses_[traffic_.destination(n, node.next)]);
      set_in(addr_.of(n), addr_.width, l, word);
      set_in(len_.of(n), len_.width, l, traffic_.flits);
      set_in(off_.of(n), off_.width, l, word);
      ++node.next;
    }
  }
}

// The part of a fabric manager: when an interface waits too long for an acknowledgement or a link
// is dead, interfaces issue nothing until nothing is on its way; then all else is reset, and what
// is not acknowledged is sent again.
void NetworkLanes::recover() {
  const GatePort &hold = library().port("hold_i"), &restart = library().port("restart_i"),
                 &reset = library().port(kNetworkReset);
  for (std::uint32_t k = 0; k < words_; ++k) {
    std::uint64_t alarm = 0;
    for (const std::uint32_t bit : alarms_) alarm |= out(bit)[k];
    for (std::uint64_t m = alarm & ~restarting_[k]; m != 0; m &= m - 1) {
      const std::uint32_t l = k * 64 + static_cast<std::uint32_t>(std::countr_zero(m));
      held_since_[l] = cycle_;
      ++lanes_[l].restarts;
      set_in(hold.first, hold.width, l, kAll);
    }
    restarting_[k] |= alarm;
    for (std::uint64_t m = restarting_[k]; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(m));
      const std::uint32_t l = k * 64 + i, since = cycle_ - held_since_[l];
      if (since == kDrain) set_in(restart.first, restart.width, l, kAll);
      if (since == kDrain + 1) {
        set_in(restart.first, restart.width, l, 0);
        set_in(reset.first, 1, l, 0);
      }
      if (since != kDrain + 2) continue;
      set_in(reset.first, 1, l, 1);
      set_in(hold.first, hold.width, l, 0);
      restarting_[k] &= ~(std::uint64_t{1} << i);
    }
  }
}

std::uint32_t NetworkLanes::wrong_words(std::uint32_t l, std::uint32_t node) const {
  std::uint32_t wrong = 0;
  for (std::uint32_t w = 0; w < traffic_.area(); ++w) {
    wrong += memory(l, node)[traffic_.area() + w] != traffic_.received(node, w) ? 1 : 0;
  }
  return wrong;
}

std::uint32_t NetworkLanes::wrong_words(std::uint32_t l) const {
  std::uint32_t wrong = 0;
  for (std::uint32_t n = 0; n < traffic_.nodes; ++n) wrong += wrong_words(l, n);
  return wrong;
}

bool NetworkLanes::wrong_counts(std::uint32_t l) const {
  for (std::uint32_t n = 0; n < traffic_.nodes; ++n) {
    if (out_bits(tx_count_.of(n), kCountW, l) != traffic_.messages) return true;
    for (unsigned tag = 0; tag < kNumRxCounts; ++tag) {
      const std::uint32_t planned = tag == 0 ? expected_ : 0, at = n * kNumRxCounts + tag;
      if (out_bits(rx_count_.of(at), kCountW, l) != planned) return true;
      if (out_bits(rx_arrived_.of(at), kCountW, l) != planned) return true;
    }
  }
  return false;
}

bool NetworkLanes::reports(std::uint32_t l, Report report) const {
  if (report == Report::kRepair && lanes_[l].restarts != 0) return true;
  return std::ranges::any_of(counters_, [&](const Counter& counter) {
    for (std::uint32_t b = 0; b < counter.width && counter.report == report; ++b) {
      if ((out(counter.first + b)[l / 64] >> l % 64 & 1) != 0) return true;
    }
    return false;
  });
}

std::uint64_t NetworkLanes::out_bits(std::uint32_t first, std::uint32_t width,
                                     std::uint32_t l) const {
  std::uint64_t value = 0;
  for (std::uint32_t b = 0; b < width; ++b) {
    value |= (out(first + b)[l / 64] >> l % 64 & 1) << b;
  }
  return value;
}

// Bits of `value` beyond the 64th repeat it.
void NetworkLanes::set_in(std::uint32_t first, std::uint32_t width, std::uint32_t l,
                          std::uint64_t value) {
  const std::uint64_t mask = std::uint64_t{1} << l % 64;
  for (std::uint32_t b = 0; b < width; ++b) {
    std::uint64_t& word = in(first + b)[l / 64];
    word = (value >> b % 64 & 1) != 0 ? word | mask : word & ~mask;
  }
}

}  // namespace weft::grade
