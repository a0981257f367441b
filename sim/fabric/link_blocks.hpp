// The blocks in a link between its ends: registers, and blocks that protect it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <variant>
#include <vector>

#include "sim/base/archive.hpp"
#include "sim/config/config.hpp"
#include "sim/fabric/link_counts.hpp"
#include "sim/link/credit_fifo.hpp"
#include "sim/link/credit_gate.hpp"
#include "sim/link/guard_rx.hpp"
#include "sim/link/guard_tx.hpp"
#include "sim/link/link_rx.hpp"
#include "sim/link/link_stage.hpp"
#include "sim/link/link_tx.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// What goes forward between two blocks of a link.
struct LinkWord {
  Flit flit;
  std::uint32_t check = 0;  ///< Numbers and check code of a protected link.

  template <class Archive>
  void serialize(Archive& archive) {
    archive(flit, check);
  }
};

/// A block in a link: a model, Verilated RTL, or a cosimulation pair. All its outputs are
/// registers.
class LinkBlock {
 public:
  struct Out {
    Flit tx;
    std::uint32_t check;
    const std::uint64_t* back;  ///< To the sender; one word for every 64 lines.
  };
  virtual ~LinkBlock() = default;
  virtual Out out() const = 0;
  /// Steps one clock edge. `back`: from the receiver.
  virtual void step(const LinkWord& rx, const std::uint64_t* back) = 0;
  /// Whether a step with inputs of 0 would change nothing; always false for cosimulation pairs.
  virtual bool quiet() const = 0;
  virtual LinkCounts counts() const = 0;
  /// Whether the block, at an end of a dead link, has sent the same flits again too often.
  virtual bool stuck() const = 0;
  /// Continues from the state of a model of the same block; `now`: cycles since reset.
  virtual void load(const LinkBlock& model, std::uint32_t now) = 0;
  /// Saves the state.
  virtual void serialize(SaveArchive& archive) = 0;
  /// Loads the state.
  virtual void serialize(LoadArchive& archive) = 0;
};

/// Names a block of a link, and its configuration: several blocks have the same struct.
template <class BlockT>
struct LinkBlockForm {
  using Block = BlockT;
  const char* name;  ///< Name of the block.
  typename BlockT::Config config;
};
using LinkBlockConfig =
    std::variant<LinkBlockForm<LinkStage>, LinkBlockForm<LinkTx>, LinkBlockForm<LinkRx>,
                 LinkBlockForm<GuardTx>, LinkBlockForm<GuardRx>, LinkBlockForm<CreditGate>,
                 LinkBlockForm<CreditFifo>>;
using MakeLinkBlock = std::function<std::unique_ptr<LinkBlock>(const LinkBlockConfig&)>;

/// The blocks of one link, in the order from the sender to the receiver.
struct LinkChain {
  std::vector<LinkBlockConfig> blocks;
  /// Places of the link's own wires, forward and back. Place i is in front of block i; the last one
  /// is behind all blocks.
  std::uint32_t wire = 0, back_wire = 0;
  std::vector<unsigned> lines = {};  ///< By place: number of lines back.
};
/// Blocks of one link. `parity`: flits carry parity.
LinkChain link_chain(const Graph& graph, std::uint32_t link, bool parity);
/// Number of blocks in all links.
std::size_t blocks_in_links(const Graph& graph, bool parity);

/// Numbers of wires between the blocks at the ends of a link.
struct LinkWires {
  unsigned data = 0;  ///< Data of a flit, with its parity bit.
  unsigned vc = 0, stamp = 0, check = 0;
  unsigned back = 0;  ///< Lines from the receiver.

  // All wires; the two others are `valid` and `last`.
  unsigned all() const { return data + vc + stamp + check + back + 2; }
};
LinkWires link_wires(const Graph& graph, std::uint32_t link, bool parity);

/// A LinkBlock made of a block with the model's interface. Blocks name what comes back by its form:
/// `credit`, `full` or `back`.
template <class T>
class LinkBlockOf final : public LinkBlock {
 public:
  template <class Config, class... More>
  explicit LinkBlockOf(const Config& config, const More&... more)
      : config_(config), block_(config, more...) {}

  Out out() const override {
    const auto& out = block_.out();
    std::uint32_t check = 0;
    if constexpr (requires { out.check; }) check = out.check;
    if constexpr (requires { out.full; }) {
      back_ = out.full;
      return {out.tx, check, &back_};
    } else if constexpr (requires { out.back; }) {
      return {out.tx, check, lines(out.back)};
    } else {
      return {out.tx, check, lines(out.credit)};
    }
  }
  void step(const LinkWord& rx, const std::uint64_t* back) override {
    typename T::In in{.rx = rx.flit};
    if constexpr (requires { in.check; }) in.check = rx.check;
    if constexpr (requires { in.full; }) {
      in.full = (*back & 1) != 0;
    } else if constexpr (requires { in.back; }) {
      in.back = back;
    } else {
      in.credit = back;
    }
    block_.step(in);
  }
  bool quiet() const override {
    if constexpr (requires { block_.quiet(); }) {
      return block_.quiet();
    } else {
      return false;  // The words of a protected link change in every cycle.
    }
  }
  LinkCounts counts() const override {
    const auto& out = block_.out();
    LinkCounts counts;
    if constexpr (requires { out.errors; }) counts.errors = out.errors;
    if constexpr (requires { out.retries; }) counts.retries = out.retries;
    if constexpr (requires { out.lost; }) counts.lost = out.lost;
    return counts;
  }
  bool stuck() const override {
    if constexpr (requires { block_.out().stuck; }) {
      return block_.out().stuck;
    } else {
      return false;
    }
  }
  void load(const LinkBlock& model, [[maybe_unused]] std::uint32_t now) override {
    const Model& from = dynamic_cast<const LinkBlockOf<Model>&>(model).block_;
    if constexpr (std::is_same_v<T, Model>) {
      block_ = from;
    } else {
      block_.load(from, now);
    }
  }
  void serialize(SaveArchive& archive) override { archive_block<Model>(block_, config_, archive); }
  void serialize(LoadArchive& archive) override { archive_block<Model>(block_, config_, archive); }

 private:
  template <class>
  friend class LinkBlockOf;
  template <class Other>
  struct ModelOf {
    using Type = Other;
  };
  template <class Other>
  requires requires { typename Other::BlockModel; }
  struct ModelOf<Other> {
    using Type = typename Other::BlockModel;
  };
  using Model = typename ModelOf<T>::Type;

  static const std::uint64_t* lines(const std::uint64_t* words) { return words; }
  static const std::uint64_t* lines(const std::vector<std::uint64_t>& words) {
    return words.data();
  }
  const std::uint64_t* lines(std::uint64_t word) const {
    back_ = word;
    return &back_;
  }

  typename Model::Config config_;
  T block_;
  mutable std::uint64_t back_ = 0;  // Holds what comes back, for blocks that return it by value.
};

/// Model of a block in a link.
std::unique_ptr<LinkBlock> make_link_model(const LinkBlockConfig& config);

}  // namespace weft
