// The blocks in a link, by the network graph.
#include <algorithm>

#include "sim/fabric/link_blocks.hpp"
#include "sim/packet/port_shape.hpp"

namespace weft {
namespace {

// Times that a sender repeats words in vain before its link counts as dead.
constexpr unsigned kTries = 16;

template <class BlockT>
LinkBlockForm<BlockT> block(const char* name, typename BlockT::Config config) {
  return {name, std::move(config)};
}

// One link.
class Maker {
 public:
  Maker(const Graph& graph, std::uint32_t link, bool parity)
      : graph_(graph),
        link_(graph.links[link]),
        parity_(parity),
        into_interface_(link_.dst_block < graph.nodes) {}

  LinkChain chain() const {
    LinkChain chain;
    const auto add = [&](unsigned lines, auto form) {
      chain.lines.push_back(lines);  // Lines back before the block.
      chain.blocks.push_back(std::move(form));
    };
    const bool full = !graph_.has_routers();
    const bool is_protected = graph_.protection != Protection::kNone;
    const unsigned lines = full ? 1 : graph_.num_vc, data_w = graph_.header.data_w;
    unsigned back_w = lines, check_w = 1;
    const bool converts = full && graph_.two_ends(link_) && (is_protected || link_.stages != 0);
    if (converts) {
      add(lines, block<CreditGate>("credit_gate", {slots(), parity_, data_w}));
    }
    if (graph_.protection == Protection::kRetry) {
      LinkTx::Config tx{link_form()};
      tx.timeout = 2 * round_trip() + 8;
      tx.limit = kTries;
      add(tx.num_vc, block<LinkTx>("link_tx", tx));
      back_w = tx.back_w();
      check_w = tx.check_w();
    } else if (graph_.protection == Protection::kParity) {
      const GuardForm tx = guard_form();
      add(tx.num_vc, block<GuardTx>("guard_tx", tx));
      back_w = tx.back_w();
      check_w = tx.check_w();
    }
    chain.wire = static_cast<std::uint32_t>(chain.blocks.size());
    if (link_.stages != 0) {
      add(back_w, block<LinkStage>("link_stage", {.stages = link_.stages,
                                                  .parity = parity_,
                                                  .num_vc = graph_.num_vc,
                                                  .data_w = data_w,
                                                  .check_w = check_w,
                                                  .back_w = back_w}));
    }
    chain.back_wire = static_cast<std::uint32_t>(chain.blocks.size());
    if (graph_.protection == Protection::kRetry) {
      add(back_w, block<LinkRx>("link_rx", link_form()));
    } else if (graph_.protection == Protection::kParity) {
      GuardRx::Config rx{guard_form()};
      rx.max_coords.clear();
      for (const std::uint32_t size : graph_.dims) rx.max_coords.push_back(size - 1);
      rx.addr_w = graph_.header.addr_w;
      add(back_w, block<GuardRx>("guard_rx", rx));
    }
    if (converts) {
      add(1, block<CreditFifo>("credit_fifo", {slots(), parity_, data_w}));
    }
    chain.lines.push_back(lines);
    return chain;
  }

 private:
  // VCs of the link.
  unsigned num_vc() const { return into_interface_ ? 1 : graph_.num_vc; }
  // Cycles from a flit to its acknowledgement.
  unsigned round_trip() const { return 2 * (link_.stages + Graph::kProtectedCycles); }
  // Slots of a VC in the receiver; for a link with Buffer-Full the slots of its FIFO, enough for
  // the round trip.
  unsigned slots() const {
    if (!graph_.has_routers()) return round_trip() + 4;
    const RouterTileConfig& router = graph_.router_shapes.front();
    return into_interface_ ? router.local_depth : router.depth;
  }
  LinkForm link_form() const {
    return {.parity = parity_,
            .data_w = graph_.header.data_w,
            .field_vcs = graph_.num_vc,
            .num_vc = num_vc(),
            .depth = slots()};
  }
  GuardForm guard_form() const {
    return {.num_vc = num_vc(),
            .field_vcs = graph_.num_vc,
            .depth = slots(),
            .data_w = graph_.header.data_w};
  }

  const Graph& graph_;
  const Link& link_;
  const bool parity_, into_interface_;
};

}  // namespace

LinkChain link_chain(const Graph& graph, std::uint32_t link, bool parity) {
  return Maker(graph, link, parity).chain();
}

std::size_t blocks_in_links(const Graph& graph, bool parity) {
  std::size_t blocks = 0;
  for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
    if (graph.two_ends(graph.links[l])) blocks += link_chain(graph, l, parity).blocks.size();
  }
  return blocks;
}

LinkWires link_wires(const Graph& graph, std::uint32_t link, bool parity) {
  LinkWires wires{.data = graph.header.data_w + (parity ? 1u : 0u)};
  if (graph.has_routers()) {
    wires.vc = index_width(graph.num_vc);
    wires.stamp = kStampW;
  }
  const LinkChain chain = link_chain(graph, link, parity);
  wires.back = chain.lines[chain.back_wire];
  if (graph.protection == Protection::kNone) {
    if (graph.links[link].dst_block < graph.nodes) wires.back = 1;
    return wires;
  }
  std::visit(
      [&](const auto& form) {
        if constexpr (requires { form.config.check_w(); }) wires.check = form.config.check_w();
      },
      chain.blocks[chain.wire - 1]);
  return wires;
}

}  // namespace weft
