// Route unit with a table for each in-port, model of rtl/router/weft_route_table.sv
// (rtl/router/README.md, route_table).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/router/route/route.hpp"

namespace weft {

/// The tables of all routers of a network. In-ports with the same table share its row.
class RouteTables {
 public:
  /// `addresses`: one more than the maximum address of a node.
  explicit RouteTables(std::uint32_t addresses) : addresses_(addresses) {}

  /// One entry: out-port and VC set.
  struct Entry {
    std::uint8_t port = 0;
    VcSet set = VcSet::kAny;

    auto operator<=>(const Entry&) const = default;
  };
  using Row = std::vector<Entry>;

  /// Adds a row, by destination address; addresses that no node has keep the default entry.
  /// `links`: number of ports to neighbours of its router; for local ports the VC set does not
  /// matter. Returns the row's number, or that of an earlier row with the same entries.
  std::uint32_t add_row(const Row& row, unsigned links) {
    if (row.size() != addresses_) throw std::logic_error("route table: a row of another size");
    for (const Entry& entry : row) {
      if (entry.port < links) {
        sets_ |= set_mask(entry.set);
      } else if (entry.set != VcSet::kAny) {
        throw std::logic_error("route table: a VC set at a local port");
      }
    }
    const auto next = static_cast<std::uint32_t>(entries_.size());
    const auto [found, fresh] = known_.try_emplace(row, next);
    if (fresh) entries_.insert(entries_.end(), row.begin(), row.end());
    return found->second;
  }
  /// Adds the next router, whose own address is the number of routers before it. `rows`: by
  /// in-port, the number of its row.
  void add_router(const std::vector<std::uint32_t>& rows) {
    first_.push_back(static_cast<std::uint32_t>(row_of_.size()));
    row_of_.insert(row_of_.end(), rows.begin(), rows.end());
  }
  /// To be called after the last router.
  void finish() { known_.clear(); }

  const Entry& at(std::uint32_t router, std::uint32_t port, std::uint32_t dst) const {
    return entries_[row_of_[first_[router] + port] + dst];
  }
  std::uint32_t addresses() const { return addresses_; }
  /// The row of an in-port as in the RTL: each entry's port in `port_w` bits, its VC set above
  /// that.
  std::vector<std::uint64_t> packed(std::uint32_t router, std::uint32_t port,
                                    unsigned port_w) const {
    const unsigned width = port_w + kVcSetW;
    std::vector<std::uint64_t> words((addresses_ * width + 63) / 64);
    for (std::uint32_t dst = 0; dst < addresses_; ++dst) {
      const Entry& entry = at(router, port, dst);
      const std::uint64_t bits = entry.port | std::uint64_t{static_cast<unsigned>(entry.set)}
                                                  << port_w;
      const std::size_t lsb = std::size_t{dst} * width;
      words[lsb / 64] |= bits << lsb % 64;
      if (lsb % 64 + width > 64) words[lsb / 64 + 1] |= bits >> (64 - lsb % 64);
    }
    return words;
  }
  /// VC sets on links to neighbours (set_mask).
  std::uint32_t sets() const { return sets_; }

 private:
  std::uint32_t addresses_;
  std::vector<std::uint32_t> first_;   // By router: index in `row_of_` of its in-port 0.
  std::vector<std::uint32_t> row_of_;  // By in-port: index in `entries_`.
  std::vector<Entry> entries_;
  std::map<Row, std::uint32_t> known_;
  std::uint32_t sets_ = 0;
};

/// Looks up the destination in the table of the in-port. No state.
class RouteTable {
 public:
  static constexpr const char* kBlock = "route_table";  ///< Name as in rtl/.
  static constexpr RouteTraits kTraits = {.phases = 1};
  /// Number of ports to neighbours.
  static unsigned links(const RouteConfig& config) { return config.num_links; }

  /// Parameters of the module but AddrW.
  static std::vector<RouteParam> params(const RouteConfig& config) {
    return {{"NumDst", std::to_string(config.tables->addresses())},
            {"NumLinks", std::to_string(config.num_links)},
            {"NumLocal", std::to_string(config.num_local)}};
  }

  /// Throws ConfigError without tables.
  explicit RouteTable(const RouteConfig& config) : tables_(config.tables) {
    if (!tables_) throw ConfigError("route_table: no tables");
  }

  /// Route of a packet at router number `own`.
  RouteOut route(std::uint32_t port, std::uint32_t own, std::uint32_t /*src*/, std::uint32_t dst,
                 bool /*other_way*/ = false) const {
    if (dst >= tables_->addresses()) return {};
    const RouteTables::Entry& entry = tables_->at(own, port, dst);
    return {entry.port, entry.set};
  }

  /// VC sets on links to neighbours (set_mask).
  std::uint32_t sets() const { return tables_->sets(); }

 private:
  std::shared_ptr<const RouteTables> tables_;
};

}  // namespace weft
