// The links of a fabric that have registers.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/fabric/wires.hpp"
#include "sim/link/link_stage.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Configuration of a link's registers; `parity`: its words carry parity.
inline LinkStage::Config link_config(const Graph& graph, std::uint32_t link, bool parity) {
  return {.stages = graph.links[link].stages,
          .parity = parity,
          .num_vc = graph.num_vc,
          .data_w = graph.header.data_w};
}

/// The type of link stage that goes with a type of network interface.
template <class NicT>
struct LinkStageOf {
  using Type = LinkStage;
};

/// `StageT`: the model, Verilated RTL, or a cosimulation pair with the model's interface. As of the
/// blocks, `step` reads the wires and `publish` puts the outputs on them; several threads may share
/// either.
template <class StageT>
class StagedLinks {
 public:
  /// `parity`: words carry parity. `more`: further arguments of each link's constructor.
  template <class... More>
  StagedLinks(const Graph& graph, Wires& wires, bool parity, const More&... more) : wires_(wires) {
    first_.reserve(graph.blocks.size() + 1);
    for (const Block& block : graph.blocks) {
      first_.push_back(static_cast<std::uint32_t>(ends_.size()));
      for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
        const std::uint32_t l = graph.out_link[p];
        if (l == kOpen || graph.links[l].stages == 0) continue;
        ends_.push_back({l, p});
        stages_.emplace_back(link_config(graph, l, parity), more...);
      }
    }
    first_.push_back(static_cast<std::uint32_t>(ends_.size()));
    steps_.resize(ends_.size());
  }

  /// Steps the registers in the links out of blocks `first` to `end` - 1; before each
  /// `stepped(link)` is called.
  template <class Stepped>
  void step(std::uint32_t first, std::uint32_t end, Stepped stepped) {
    for (std::uint32_t i = first_[first]; i < first_[end]; ++i) {
      const auto [l, port] = ends_[i];
      const std::uint32_t from = wires_.flit_place[l];
      const std::uint64_t* const back = credits(wires_.credit_place[port]);
      std::uint64_t any = wires_.valid[from];
      for (std::size_t w = 0; w < wires_.credit_words; ++w) any |= back[w];
      steps_[i] = any != 0 || !stages_[i].quiet();
      if (steps_[i] == 0) continue;
      stepped(l);
      stages_[i].step({wires_.valid[from] != 0 ? wires_.flit[from] : Flit{}, back});
    }
  }

  /// Puts what leaves the stages of the links out of these blocks on the wires.
  void publish(std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t i = first_[first]; i < first_[end]; ++i) {
      if (steps_[i] == 0) continue;
      const auto [l, port] = ends_[i];
      const LinkStage::Out out = stages_[i].out();
      wires_.flit[l] = out.tx;
      wires_.valid[l] = out.tx.valid ? 1 : 0;
      std::uint64_t* const credit = credits(port);
      for (std::size_t w = 0; w < wires_.credit_words; ++w) credit[w] = out.back[w];
    }
  }

 private:
  struct Ends {
    std::uint32_t link, port;
  };
  std::uint64_t* credits(std::uint32_t place) {
    return wires_.credit.data() + place * wires_.credit_words;
  }

  Wires& wires_;
  std::vector<std::uint32_t> first_;  // By block: its first link here.
  std::vector<Ends> ends_;
  std::vector<StageT> stages_;
  std::vector<std::uint8_t> steps_;
};

}  // namespace weft
