// The blocks in a link between its ends: registers, and what protects it.
#pragma once

#include <cstdint>
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
    const std::uint64_t* back;  ///< To the sender; a word for each 64 lines.
  };
  virtual ~LinkBlock() = default;
  virtual Out out() const = 0;
  /// One clock edge. `back`: from the receiver.
  virtual void step(const LinkWord& rx, const std::uint64_t* back) = 0;
  /// Whether a step with inputs of 0 would change nothing; of pairs never.
  virtual bool quiet() const = 0;
  virtual LinkCounts counts() const = 0;
  /// Whether it has sent the same flits again too often; the end of a dead link.
  virtual bool stuck() const = 0;
  /// Goes on from the state of a model of the same block; `now`: cycles since reset.
  virtual void load(const LinkBlock& model, std::uint32_t now) = 0;
  /// Its state: saves it,
  virtual void serialize(SaveArchive& archive) = 0;
  /// or loads it.
  virtual void serialize(LoadArchive& archive) = 0;
};

/// Which block of a link, and its configuration: of several blocks the same struct is.
template <class BlockT>
struct LinkBlockForm {
  using Block = BlockT;
  const char* name;  ///< Of the block.
  typename BlockT::Config config;
};
using LinkBlockConfig =
    std::variant<LinkBlockForm<LinkStage>, LinkBlockForm<LinkTx>, LinkBlockForm<LinkRx>,
                 LinkBlockForm<GuardTx>, LinkBlockForm<GuardRx>, LinkBlockForm<CreditGate>,
                 LinkBlockForm<CreditFifo>>;
using MakeLinkBlock = std::unique_ptr<LinkBlock> (*)(const LinkBlockConfig&);

/// The blocks of one link, in the order from the sender to the receiver.
struct LinkChain {
  std::vector<LinkBlockConfig> blocks;
  /// Of the places between these, 0 before the first: that of the wires themselves, forward and
  /// back.
  std::uint32_t wire = 0, back_wire = 0;
  std::vector<unsigned> lines = {};  ///< Lines back at each of these places.
};
/// `parity`: flits carry it.
LinkChain link_chain(const Graph& graph, std::uint32_t link, bool parity);
/// Blocks in all links.
std::size_t blocks_in_links(const Graph& graph, bool parity);

/// The wires of a link between its sender's and its receiver's blocks, bits.
struct LinkWires {
  unsigned data = 0;  ///< Of a flit, with its parity bit.
  unsigned vc = 0, stamp = 0, check = 0;
  unsigned back = 0;  ///< That the receiver returns.

  unsigned all() const { return data + vc + stamp + check + back + 2; }  // `valid` and `last`.
};
LinkWires link_wires(const Graph& graph, std::uint32_t link, bool parity);

/// A LinkBlock of a block with the model's interface. Blocks name what comes back by its form:
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
  mutable std::uint64_t back_ = 0;  // What comes back, of blocks that hold it as a value.
};

/// The models of such blocks.
std::unique_ptr<LinkBlock> make_link_model(const LinkBlockConfig& config);

}  // namespace weft
