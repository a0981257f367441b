// A network of SystemC modules, made from the network graph of a configuration.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>
#include <utility>
#include <variant>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "sim/fabric/barrier_tree.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/fabric/combine_tree.hpp"
#include "sim/fabric/link_blocks.hpp"
#include "sim/fabric/unit_tree.hpp"
#include "sim/link/credit_fifo_ports.hpp"
#include "sim/link/credit_gate_ports.hpp"
#include "sim/link/credit_rx_ports.hpp"
#include "sim/link/credit_tx_ports.hpp"
#include "sim/link/guard_rx_ports.hpp"
#include "sim/link/guard_tx_ports.hpp"
#include "sim/link/link_rx_ports.hpp"
#include "sim/link/link_stage_ports.hpp"
#include "sim/link/link_tx_ports.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/systemc/crossbar_module.hpp"
#include "sim/systemc/edge_registers.hpp"
#include "sim/systemc/link_monitor.hpp"
#include "sim/systemc/nic_module.hpp"
#include "sim/systemc/router_module.hpp"
#include "sim/systemc/unit_modules.hpp"
#include "sim/topology/graph.hpp"
#include "sim/verilated/rtl_link.hpp"

namespace weft {

/// Contents of the modules of a network, by kind of block; they may be mixed.
enum class BlockCore : std::uint8_t { kModel, kRtl };
struct NetworkCores {
  BlockCore interfaces = BlockCore::kModel;
  BlockCore switches = BlockCore::kModel;  ///< Crossbars, or routers with their route units.
  BlockCore units = BlockCore::kModel;     ///< Blocks in links, barrier and combine units.
};

/// All blocks of a network with their links. What is outside is the nodes: they drive and read the
/// signals of their interfaces, `nic(n)`, and of their units.
class NetworkModule : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};  ///< Asynchronous reset, active low.
  /// Holds what is between the interfaces in reset, too, for a restart (rtl/nic/README.md, nic):
  /// true in the cycle after `restart_i` of the interfaces.
  sc_core::sc_signal<bool> network_reset{"network_reset"};

  SC_HAS_PROCESS(NetworkModule);
  /// `graph`: from build_graph(config), or with the checks of `weft run` from check_network.
  /// Neither argument is needed afterwards. Throws ConfigError for features that SystemC networks
  /// do not have.
  NetworkModule(const sc_core::sc_module_name& name, const Config& config, const Graph& graph,
                NetworkCores cores = {})
      : sc_module(name), cores_(cores), monitor_("monitor", graph.header.flit_words()) {
    if (!config.faults.empty()) {
      config.source.refuse("/faults", to_json(config).at("faults"),
                           "no faults: they are injected by `weft run` alone");
    }
    SC_METHOD(drive_reset);
    sensitive << rst_ni << network_reset;
    monitor_.clk_i(clk_i);
    monitor_.rst_ni(rst_ni);
    add_nics(config, graph);
    if (graph.has_routers()) {
      add_switches<RouterBlock, RouterTile, RtlRouterTile>(routers_, config, graph);
    } else {
      add_switches<Crossbar, Crossbar, RtlCrossbar>(crossbars_, config, graph);
    }
    add_links(config, graph);
    if (config.derived.barrier_units) add_barriers(graph);
    if (config.derived.combine_units) add_combines(graph);
  }

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(nics_.size()); }
  /// Signals of the ports of a node's interface except its links; the own address is set.
  BlockSignals<Nic>& nic(std::uint32_t node) { return *nic_signals_[node]; }
  /// Signals of a node's barrier unit; null if there is none.
  BlockSignals<BarrierUnit>* barrier(std::uint32_t node) {
    return barriers_.empty() ? nullptr : barrier_signals_[node].get();
  }
  BlockSignals<CombineUnit>* combine(std::uint32_t node) {
    return combines_.empty() ? nullptr : combine_signals_[node].get();
  }
  /// Flits at the sender's end of a link, by its number in the network graph; for waves.
  const sc_core::sc_signal<Flit>& flit(std::uint32_t link) const { return sent_[link]->flit; }
  /// Cycles, digest and counts.
  const LinkMonitor& monitor() const { return monitor_; }

 private:
  /// A place in a link, before, between or behind its blocks: the flits that go forward, and what
  /// the block there returns.
  struct LinkEnd {
    sc_core::sc_signal<Flit> flit;
    sc_core::sc_signal<std::uint32_t> check;
    sc_core::sc_signal<CreditLines> credit;
    sc_core::sc_signal<bool> full;
  };
  template <class Block>
  using Modules = std::vector<std::unique_ptr<BlockPorts<Block>>>;

  void drive_reset() { network_rst_n_ = rst_ni.read() && !network_reset.read(); }

  // `Reset`: signal or port of the block's reset.
  template <class Block, class Model, class Rtl, class Reset, class... More>
  BlockPorts<Block>& add(Modules<Block>& modules, const std::string& block_name,
                         const typename Block::Config& config, BlockCore core, Reset& rst_n,
                         const More&... more) {
    const char* const at = block_name.c_str();
    if (core == BlockCore::kModel) {
      modules.push_back(std::make_unique<BlockModule<Block, Model>>(at, config, more...));
    } else {
      modules.push_back(std::make_unique<BlockModule<Block, Rtl>>(at, config, more...));
    }
    modules.back()->clk_i(clk_i);
    modules.back()->rst_ni(rst_n);
    return *modules.back();
  }
  template <class Block>
  BlockSignals<Block>& add_signals(std::vector<std::unique_ptr<BlockSignals<Block>>>& all,
                                   const std::string& block_name, BlockPorts<Block>& block) {
    all.push_back(
        std::make_unique<BlockSignals<Block>>((block_name + "_signals").c_str(), block.config()));
    block.bind(*all.back());
    return *all.back();
  }

  void add_nics(const Config& config, const Graph& graph) {
    const Nic::Config form = nic_config(config, graph);
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      const std::string& block_name = graph.blocks[n].name;
      NicPorts& block = add<Nic, Nic, RtlNic>(nics_, block_name, form, cores_.interfaces, rst_ni);
      add_signals(nic_signals_, block_name, block).template at<"node_i">() = graph.blocks[n].own;
    }
  }

  template <class Block, class Model, class Rtl>
  void add_switches(Modules<Block>& modules, const Config& config, const Graph& graph) {
    const bool parity = config.link.parity;
    for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
      const auto form = [&]() -> typename Block::Config {
        if constexpr (std::is_same_v<Block, RouterBlock>) {
          return {graph.router_config(b), parity};
        } else {
          return graph.crossbar_config(b);
        }
      }();
      add<Block, Model, Rtl>(modules, graph.blocks[b].name, form, cores_.switches, network_rst_n_,
                             parity);
    }
  }

  void add_links(const Config& config, const Graph& graph) {
    std::vector<LinkEnd*> received;
    for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
      const Link& link = graph.links[l];
      LinkEnd& sent = *sent_.emplace_back(std::make_unique<LinkEnd>());
      received.push_back(&sent);
      if (link.src_block == kOpen) continue;
      monitor_.watch(l, sent.flit, link.src_block < graph.nodes);
      for (const LinkBlockConfig& any : link_chain(graph, l, config.link.parity).blocks) {
        LinkEnd& before = *received[l];
        received[l] = further_.emplace_back(std::make_unique<LinkEnd>()).get();
        std::visit([&](const auto& form) { add_link_block(form, l, before, *received[l]); }, any);
      }
    }
    for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
      const Block& block = graph.blocks[b];
      for (std::uint32_t i = 0; i < block.num_in; ++i) {
        bind_end<"rx_i", "rx_credit_o", "rx_full_o">(graph, b, i, *received[block.first_in + i]);
      }
      for (std::uint32_t i = 0; i < block.num_out; ++i) {
        const std::uint32_t l = graph.out_link[block.first_out + i];
        // Nothing arrives at the edge of a mesh, and nothing is sent there.
        bind_end<"tx_o", "tx_credit_i", "tx_full_i">(
            graph, b, i,
            l != kOpen ? *sent_[l] : *further_.emplace_back(std::make_unique<LinkEnd>()));
      }
    }
  }

  // Adds a block in link `l`, between two places.
  template <class BlockT>
  void add_link_block(const LinkBlockForm<BlockT>& form, std::uint32_t l, LinkEnd& before,
                      LinkEnd& behind) {
    const std::string block_name = fmt::format("link_{}_{}", l, form.name);
    Modules<BlockT> module;
    BlockPorts<BlockT>& block = add<BlockT, BlockT, RtlLinkBlock<BlockT>>(
        module, block_name, form.config, cores_.units, network_rst_n_, form.name);
    std::vector<std::unique_ptr<BlockSignals<BlockT>>> counters;
    add_signals(counters, block_name, block);
    in_links_.push_back(std::move(module.front()));
    in_links_.push_back(std::move(counters.front()));
    join<"rx_i">(block, before.flit);
    join<"rx_check_i">(block, before.check);
    join<"rx_back_o">(block, before.credit);
    join<"rx_credit_o">(block, before.credit);
    join<"rx_full_o">(block, before.full);
    join<"tx_o">(block, behind.flit);
    join<"tx_check_o">(block, behind.check);
    join<"tx_back_i">(block, behind.credit);
    join<"tx_credit_i">(block, behind.credit);
    join<"tx_full_i">(block, behind.full);
  }
  // Binds a port, if the block has it.
  template <PortLiteral kName, class BlockT, class Signal>
  static void join(BlockPorts<BlockT>& block, Signal& signal) {
    if constexpr (BlockTable<BlockT>::template has<kName>()) {
      auto& ports = block.template vector<kName>();
      if (ports.size() != 0) ports[0](signal);
    }
  }

  // Binds link port `i` of a block to an end of its link: the flit, and what goes back: credits, or
  // in networks of crossbars Buffer-Full.
  template <PortLiteral kFlit, PortLiteral kCredit, PortLiteral kFull>
  void bind_end(const Graph& graph, std::uint32_t b, std::uint32_t i, LinkEnd& end) {
    const auto with_credit = [&](auto& block) {
      block.template vector<kFlit>()[i](end.flit);
      block.template vector<kCredit>()[i](end.credit);
    };
    const auto with_full = [&](auto& block) {
      block.template vector<kFlit>()[i](end.flit);
      block.template vector<kFull>()[i](end.full);
    };
    if (graph.has_routers()) {
      b < graph.nodes ? with_credit(*nics_[b]) : with_credit(*routers_[b - graph.nodes]);
    } else {
      b < graph.nodes ? with_full(*nics_[b]) : with_full(*crossbars_[b - graph.nodes]);
    }
  }

  // A signal with the value that `from` had `delay` cycles before.
  template <class Value>
  sc_core::sc_signal<Value>& later(const std::string& name, sc_core::sc_signal<Value>& from,
                                   unsigned delay) {
    if (delay == 0) return from;
    auto registers = std::make_unique<EdgeRegisters<Value>>(name.c_str(), delay);
    registers->clk_i(clk_i);
    registers->rst_ni(rst_ni);
    registers->from_i(from);
    sc_core::sc_signal<Value>& signal = registers->later;
    edges_.push_back(std::move(registers));
    return signal;
  }

  void add_barriers(const Graph& graph) {
    const UnitTree tree(graph);
    barrier_up_.init(tree.nodes());
    barrier_down_.init(tree.nodes());
    const auto first_link = static_cast<std::uint32_t>(graph.links.size());
    for (std::uint32_t n = 0; n < tree.nodes(); ++n) {
      const std::string unit_name = "barrier_" + std::to_string(n);
      auto& unit = add<BarrierUnit, BarrierUnit, RtlBarrierUnit>(
          barriers_, unit_name, barrier_config(tree, n), cores_.units, rst_ni);
      add_signals(barrier_signals_, unit_name, unit);
      auto& up = unit.vector<"up_i">();
      for (std::uint32_t c = 0; c < up.size(); ++c) {
        const std::uint32_t child = tree[n].children[c];
        up[c](child == kOpen ? never_
                             : later(fmt::format("barrier_edge_up_{}", child), barrier_up_[child],
                                     tree[child].cycles - 1));
      }
      unit.at<"up_o">()(barrier_up_[n]);
      unit.at<"down_i">()(n == tree.root()
                              ? never_
                              : later(fmt::format("barrier_edge_down_{}", n),
                                      barrier_down_[tree[n].parent], tree[n].cycles - 1));
      unit.at<"down_o">()(barrier_down_[n]);
      monitor_.watch(first_link + 2 * n, barrier_up_[n]);
      monitor_.watch(first_link + 2 * n + 1, barrier_down_[n]);
    }
  }

  void add_combines(const Graph& graph) {
    const UnitTree tree(graph);
    const std::uint32_t nodes = tree.nodes();
    combine_up_.init(nodes);
    combine_down_.init(nodes);
    combine_credit_.init(UnitTree::kMostChildren * nodes);  // By parent; some lead nowhere.
    const auto first_link = static_cast<std::uint32_t>(first_combine_link(graph));
    for (std::uint32_t n = 0; n < nodes; ++n) {
      const std::string unit_name = "combine_" + std::to_string(n);
      auto& unit = add<CombineUnit, CombineUnit, RtlCombineUnit>(
          combines_, unit_name, combine_config(tree, n, graph.header), cores_.units, rst_ni);
      add_signals(combine_signals_, unit_name, unit);
      for (std::uint32_t c = 0; c < UnitTree::kMostChildren; ++c) {
        const std::uint32_t child = tree[n].children[c];
        unit.vector<"up_i">()[c](child == kOpen
                                     ? no_up_
                                     : later(fmt::format("combine_edge_up_{}", child),
                                             combine_up_[child], tree[child].cycles - 1));
        unit.vector<"up_credit_o">()[c](combine_credit_[UnitTree::kMostChildren * n + c]);
      }
      unit.at<"up_o">()(combine_up_[n]);
      unit.at<"down_o">()(combine_down_[n]);
      monitor_.watch(first_link + 2 * n, combine_up_[n]);
      monitor_.watch(first_link + 2 * n + 1, combine_down_[n]);
      if (n == tree.root()) {
        unit.at<"up_credit_i">()(never_);
        unit.at<"down_i">()(no_down_);
        continue;
      }
      const UnitTree::Unit& at = tree[n];
      unit.at<"up_credit_i">()(
          later(fmt::format("combine_edge_credit_{}", n),
                combine_credit_[UnitTree::kMostChildren * at.parent + at.number], at.cycles - 1));
      unit.at<"down_i">()(
          later(fmt::format("combine_edge_down_{}", n), combine_down_[at.parent], at.cycles - 1));
    }
  }

  NetworkCores cores_;
  sc_core::sc_signal<bool> network_rst_n_{"network_rst_n"};
  LinkMonitor monitor_;
  Modules<Nic> nics_;
  Modules<RouterBlock> routers_;
  Modules<Crossbar> crossbars_;
  // Blocks in links, and their signals.
  std::vector<std::unique_ptr<sc_core::sc_module>> in_links_;
  std::vector<std::unique_ptr<sc_core::sc_module>> edges_;  // Registers of trees.
  Modules<BarrierUnit> barriers_;
  Modules<CombineUnit> combines_;
  std::vector<std::unique_ptr<BlockSignals<Nic>>> nic_signals_;
  std::vector<std::unique_ptr<BlockSignals<BarrierUnit>>> barrier_signals_;
  std::vector<std::unique_ptr<BlockSignals<CombineUnit>>> combine_signals_;
  std::vector<std::unique_ptr<LinkEnd>> sent_;     // By link: its sender's end.
  std::vector<std::unique_ptr<LinkEnd>> further_;  // Places behind the blocks of links; unconnected
                                                   // ports.
  sc_core::sc_vector<sc_core::sc_signal<bool>> barrier_up_{"barrier_up"};
  sc_core::sc_vector<sc_core::sc_signal<bool>> barrier_down_{"barrier_down"};
  sc_core::sc_vector<sc_core::sc_signal<bool>> combine_credit_{"combine_credit"};
  sc_core::sc_vector<sc_core::sc_signal<CombineUnit::Up>> combine_up_{"combine_up"};
  sc_core::sc_vector<sc_core::sc_signal<CombineUnit::Down>> combine_down_{"combine_down"};
  sc_core::sc_signal<bool> never_{"never"};
  sc_core::sc_signal<CombineUnit::Up> no_up_{"no_up"};
  sc_core::sc_signal<CombineUnit::Down> no_down_{"no_down"};
};

}  // namespace weft
