// A network as blocks and links: what a topology builds, and all that the engines, the emitter and
// the analysis know of it.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/core/config.hpp"
#include "sim/crossbar/crossbar.hpp"

namespace weft {

/// One block of a network.
struct Block {
  enum class Kind { kNic, kCrossbar };
  Kind kind = Kind::kNic;
  std::string name;  ///< Instance name, a SystemVerilog identifier: "nic_12", "xxb_0", "yxb_63".
  std::uint32_t own = 0;                      ///< Own place in the address space.
  std::uint32_t shape = 0;                    ///< Index into `Graph::shapes` (crossbars).
  std::uint32_t num_in = 0, num_out = 0;      ///< Link ports.
  std::uint32_t first_in = 0, first_out = 0;  ///< Place in the link and out-port arrays.
};

/// Links are numbered by where they end: link `block.first_in + port` enters `port` of `block`.
struct Link {
  std::uint32_t src_block = 0, src_port = 0;
  std::uint32_t dst_block = 0, dst_port = 0;
};

/// A network. Blocks 0 to `nodes` - 1 are the network interfaces, by rank.
struct Graph {
  std::uint32_t nodes = 0;
  std::vector<std::uint32_t> dims;       ///< Sizes, fastest dimension first.
  std::vector<std::uint32_t> dim_bits;   ///< Width of each address digit.
  std::vector<std::uint32_t> address;    ///< Network address of each rank.
  std::vector<Crossbar::Config> shapes;  ///< Distinct crossbars; `own` is 0, a block has its own.
  std::vector<Block> blocks;
  std::vector<Link> links;
  std::vector<std::uint32_t> out_link;  ///< Link of each out-port: `out_link[first_out + port]`.

  /// Adds a block with unconnected ports and returns its number; interfaces come first.
  std::uint32_t add_nic(std::string name, std::uint32_t own);
  std::uint32_t add_crossbar(std::string name, std::uint32_t own, const Crossbar::Config& shape);
  /// Joins an out-port to an in-port. Throws std::logic_error if either is taken.
  void connect(std::uint32_t src, std::uint32_t src_port, std::uint32_t dst,
               std::uint32_t dst_port);
  /// Checks that every port is joined. Throws std::logic_error naming the first that is not.
  void check() const;
  /// "xxb_0 out 3 -> yxb_3 in 0".
  std::string link_name(std::uint32_t link) const;

  /// Out-port that a packet for `dst_address` takes when it is in `block`, having come in by
  /// `in_port`: the decision of the block's own destination decoder (seed 002 [0021], [0057]; fig.
  /// 9: Y first). 0 for interfaces. Throws CheckError for an address that the block does not know.
  std::uint32_t route(std::uint32_t block, std::uint32_t in_port, std::uint32_t dst_address) const;

  /// Calls `visit` with each link from rank `src` to rank `dst`, in order. Throws CheckError when
  /// the destination is not reached.
  template <class Visit>
  void walk(std::uint32_t src, std::uint32_t dst, Visit visit) const {
    std::uint32_t link = out_link[blocks[src].first_out];
    for (std::uint32_t hop = 0;; ++hop) {
      visit(link);
      const Link& l = links[link];
      if (l.dst_block < nodes) {
        check_arrival(l.dst_block, src, dst);
        return;
      }
      check_hop(hop, src, dst);
      const Block& b = blocks[l.dst_block];
      link = out_link[b.first_out + route(l.dst_block, l.dst_port, address[dst])];
    }
  }

 private:
  std::uint32_t add_block(Block block);
  void check_arrival(std::uint32_t at, std::uint32_t src, std::uint32_t dst) const;
  void check_hop(std::uint32_t hop, std::uint32_t src, std::uint32_t dst) const;
};

/// A topology as it registers itself (one file each in sim/topology).
struct Topology {
  std::string kind;
  std::string description;  ///< One line, for `weft list`.
  /// Parameters with an example, for error messages: `{"dims": [64, 4]}`.
  std::string parameters;
  std::function<Graph(const Config&)> build;
  /// Selector inputs times outputs over the whole network (seed 002's amount of hardware), or 0.
  std::function<std::uint64_t(const Graph&)> crosspoints;
};

/// All topologies, by name.
const std::vector<Topology>& topologies();
/// The topology of that name; throws ConfigError where there is none.
const Topology& find_topology(const std::string& kind);

/// The network that `config.topology` describes, every port joined, and every rank in the
/// configuration one of its nodes. Throws ConfigError.
Graph build_graph(const Config& config);

/// Registers one at start-up: `const RegisterTopology r{{...}};` in its file.
struct RegisterTopology {
  explicit RegisterTopology(Topology topology);
};

}  // namespace weft
