// A block of a fabric as a SystemC module. Its ports are those of the block's table
// (sim/packet/ports.hpp), with the wires of a link, a descriptor or a reduction as one signal.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <systemc>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/systemc/block_table.hpp"

namespace weft {

/// An sc_vector that can be an element of a tuple.
template <class Element>
struct NamedVector : sc_core::sc_vector<Element> {
  explicit NamedVector(const std::pair<std::string, unsigned>& name_and_size)
      : sc_core::sc_vector<Element>(name_and_size.first.c_str(), name_and_size.second) {}
};

/// For each group of the table a vector of `In` or `Out` of its value.
template <class Block, template <class> class In, template <class> class Out, class Sequence>
class BlockVectors;
template <class Block, template <class> class In, template <class> class Out, std::size_t... g>
class BlockVectors<Block, In, Out, std::index_sequence<g...>> {
  using Table = BlockTable<Block>;

 public:
  /// The elements of a port by its name in rtl/, "tx_o" for "tx_valid_o" and so on; one element
  /// unless there are several elements or lines.
  template <PortLiteral kName>
  auto& vector() {
    return std::get<Table::template index<kName>()>(vectors_);
  }
  template <PortLiteral kName>
  const auto& vector() const {
    return std::get<Table::template index<kName>()>(vectors_);
  }
  /// The first element of a port by its name in rtl/.
  template <PortLiteral kName>
  auto& at() {
    return vector<kName>()[0];
  }
  template <PortLiteral kName>
  const auto& at() const {
    return vector<kName>()[0];
  }
  /// The vector of a group by its number in the table.
  template <std::size_t n>
  auto& group() {
    return std::get<n>(vectors_);
  }
  template <std::size_t n>
  const auto& group() const {
    return std::get<n>(vectors_);
  }

 protected:
  /// If not `links`, the vectors of links are empty.
  BlockVectors(const typename Block::Config& config, bool links)
      : vectors_(std::pair(Table::template kIsPort<g> ? Table::name(std::get<g>(Table::kTable).name)
                                                      : sc_core::sc_gen_unique_name("no_port"),
                           links || std::get<g>(Table::kTable).role != PortRole::kLink
                               ? Table::template signals<g>(config)
                               : 0u)...) {}

 private:
  template <std::size_t n>
  using Element =
      std::conditional_t<Table::template Group<n>::kInput, In<typename Table::template Value<n>>,
                         Out<typename Table::template Value<n>>>;
  std::tuple<NamedVector<Element<g>>...> vectors_;
};

template <class Value>
using BlockSignal = sc_core::sc_signal<Value>;
template <class Block, template <class> class In, template <class> class Out>
using VectorsOf =
    BlockVectors<Block, In, Out, std::make_index_sequence<BlockTable<Block>::kGroups>>;

/// A signal for each port of a block except its links, with the port's name.
template <class Block>
class BlockSignals : public sc_core::sc_module, public VectorsOf<Block, BlockSignal, BlockSignal> {
 public:
  BlockSignals(const sc_core::sc_module_name& name, const typename Block::Config& config)
      : sc_module(name), VectorsOf<Block, BlockSignal, BlockSignal>(config, false) {}
};

/// The ports of a block, for its model and its RTL. All outputs are registers: they change one
/// delta cycle after the rising edge of `clk_i`, and one after the falling edge of `rst_ni`.
template <class Block>
class BlockPorts : public sc_core::sc_module,
                   public VectorsOf<Block, sc_core::sc_in, sc_core::sc_out> {
  using Table = BlockTable<Block>;

 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};  ///< Asynchronous reset, active low.

  const typename Block::Config& config() const { return config_; }

  /// Binds all ports except the links.
  void bind(BlockSignals<Block>& signals) {
    Table::for_each([&]<std::size_t g>() {
      for (unsigned i = 0; i < signals.template group<g>().size(); ++i) {
        this->template group<g>()[i].bind(signals.template group<g>()[i]);
      }
    });
  }

  /// Writes the inputs of the present cycle to `in`: the block's In, or the storage of its values.
  template <class In>
  void read(In& in) const {
    Table::for_each([&]<std::size_t g>() {
      if constexpr (Table::template Group<g>::kInput && Table::template kIsPort<g>) {
        const auto& ports = this->template group<g>();
        for (unsigned i = 0; i < ports.size(); ++i) Table::template put<g>(in, i, ports[i].read());
      }
    });
  }
  /// `out`: the block's Out, or the storage of its outputs.
  template <class Shown>
  void write(const Shown& out) {
    Table::for_each([&]<std::size_t g>() {
      if constexpr (!Table::template Group<g>::kInput) {
        auto& ports = this->template group<g>();
        for (unsigned i = 0; i < ports.size(); ++i) {
          ports[i].write(Table::template get<g>(out, i, Table::template words<g>(config_)));
        }
      }
    });
  }

 protected:
  BlockPorts(const sc_core::sc_module_name& name, const typename Block::Config& config)
      : sc_module(name),
        VectorsOf<Block, sc_core::sc_in, sc_core::sc_out>(config, true),
        config_(config) {}

 private:
  typename Block::Config config_;
};

/// Inputs of a block from its ports, in the block's own form.
template <class Block>
class StoredInputs {
  using Table = BlockTable<Block>;

 public:
  explicit StoredInputs(const typename Block::Config& config) : in_(make(config)) {
    Table::for_each([&]<std::size_t g>() {
      if constexpr (kReturned<g>) {
        lines_[g].resize(std::size_t{Table::template words<g>(config)} *
                         Table::template signals<g>(config));
      }
    });
  }
  /// `now`: cycles since reset, which a block's RTL counts itself. Valid until the next call.
  const typename Block::In& read(const BlockPorts<Block>& ports, std::uint32_t now) {
    ports.read(in_);
    Table::for_each([&]<std::size_t g>() {
      if constexpr (kReturned<g>) read_lines<g>(ports);
    });
    if constexpr (requires { in_.now; }) in_.now = now;
    return in_;
  }

 private:
  template <std::size_t g>
  static constexpr bool kReturned = Table::template Group<g>::kInput&& Table::template kCredits<g>;

  static typename Block::In make(const typename Block::Config& config) {
    if constexpr (std::is_constructible_v<typename Block::In, const typename Block::Config&>) {
      return typename Block::In(config);
    } else {
      return {};
    }
  }
  // The block reads credit lines through a pointer, null for none.
  template <std::size_t g>
  void read_lines(const BlockPorts<Block>& ports) {
    const auto& signals = ports.template group<g>();
    if (signals.size() == 0) return;
    const unsigned words = Table::template words<g>(ports.config());
    for (unsigned i = 0; i < signals.size(); ++i)
      signals[i].read().store(&lines_[g][i * words], words);
    std::invoke(std::get<g>(Table::kTable).access.member, in_) = lines_[g].data();
  }

  typename Block::In in_;
  std::array<std::vector<std::uint64_t>, Table::kGroups> lines_;
};

/// Inputs with which the block is stepped; blocks whose In is a view have their own.
template <class Block>
class BlockInputs : public StoredInputs<Block> {
 public:
  using StoredInputs<Block>::StoredInputs;
};

/// The cycle model of a block.
template <class Block>
struct ModelOf {
  using Type = Block;
};

/// A block as a module; `Core` is its cycle model or its Verilated RTL, which has the assertions of
/// the RTL and is built once for each configuration and kept in WEFT_CACHE.
template <class Block, class Core>
class BlockModule : public BlockPorts<Block> {
 public:
  SC_HAS_PROCESS(BlockModule);

  /// `more`: further arguments of the RTL's constructor. Throws ConfigError for an invalid
  /// configuration.
  template <class... More>
  BlockModule(const sc_core::sc_module_name& name, const typename Block::Config& config,
              const More&... more)
      : BlockPorts<Block>(name, config), inputs_(config), make_([=] {
          if constexpr (std::is_same_v<Core, typename ModelOf<Block>::Type>) {
            return Core(config);
          } else {
            return Core(config, more..., true);
          }
        }) {
    core_.emplace(make_());
    SC_METHOD(edge);
    this->dont_initialize();
    this->sensitive << this->clk_i.pos() << this->rst_ni.neg();
  }

 private:
  void start_of_simulation() override { this->write(core_->out()); }

  void edge() {
    if (this->rst_ni.read()) {
      core_->step(inputs_.read(*this, now_++));
      fresh_ = false;
    } else if (!fresh_) {
      core_.emplace(make_());
      now_ = 0;
      fresh_ = true;
    }
    this->write(core_->out());
  }

  BlockInputs<Block> inputs_;
  std::function<Core()> make_;
  std::optional<Core> core_;
  std::uint32_t now_ = 0;  // cycles since reset
  bool fresh_ = true;      // in the reset state
};

}  // namespace weft
