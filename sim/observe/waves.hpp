// Waves of a run for GTKWave: the flits on every link and the state of every node.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/file_writer.hpp"
#include "sim/fabric/barrier_tree.hpp"
#include "sim/fabric/combine_tree.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/node_view.hpp"

namespace weft {

/// Writes FILE.fst, and beside it FILE.gtkw (a save file with the signals grouped by node and
/// crossbar, which opens where the first packet moves) and FILE.filters/ (names for the values of
/// decoded signals). A cycle is two time units. The files get these names in `finish`.
class Waves {
 public:
  /// `barriers`, `combines`: nodes have barrier units, combine units. Throws ConfigError if the
  /// file cannot be written.
  Waves(const std::filesystem::path& file, const Graph& graph, bool barriers, bool combines);
  ~Waves();
  Waves(const Waves&) = delete;
  Waves& operator=(const Waves&) = delete;

  /// Records the values on the wires in one cycle. Throws ConfigError if the disk is full; that may
  /// be noticed only in `finish`.
  void sample(std::uint64_t cycle, const Wires& wires, const std::vector<NodeView>& nodes);
  /// Ends the files and gives them their names. Throws ConfigError if one could not be written.
  void finish();

 private:
  struct Signal {
    std::uint32_t handle = 0;
    unsigned bits = 1;
    std::uint64_t value = ~std::uint64_t{0};
  };
  struct DataSignal {
    Signal signal;
    FlitData shown;  ///< Value that is shown.
  };
  /// Signals of one link.
  struct LinkSignals {
    Signal flit, dst, src, len, tag, vc;
    DataSignal data;
    Signal back;                                   ///< Buffer-Full or credits.
    std::array<std::uint64_t, 64> in_packet = {};  ///< By VC.
  };
  struct NodeSignals {
    Signal state, pc, desc_free, tx_count, rx_parity, rx_refused;
    std::array<Signal, kNumRxCounts> rx_count;
  };
  /// Signals of a barrier unit, named as its ports.
  struct BarrierSignals {
    Signal state, enter, up_in, up_out, down_in, down_out, count;
  };
  /// Signals of a combine unit, named as its ports.
  struct CombineSignals {
    Signal post, full, up_in, credit_in, up_out, some_out, down_in, down_out, done;
    DataSignal word_out, result;
  };
  struct FstClose {
    void operator()(void* context) const;
  };

  static constexpr unsigned kMaxShownVcs = 64;  ///< Credits of further VCs are not shown.
  // GTKWave's flags: right-justified hexadecimal; decimal; hexadecimal through a filter file.
  static constexpr const char* kHex = "@22\n";
  static constexpr const char* kDecimal = "@24\n";
  static constexpr const char* kFiltered = "@2022\n";
  static constexpr const char* kBarrierFilter = "0 out\n1 ?green?waits\n";

  template <class Visit>
  void for_each_port(std::uint32_t block, Visit visit) const;
  std::uint64_t shown_mask() const {
    return shown_vcs_ < 64 ? low_mask(shown_vcs_) : ~std::uint64_t{0};
  }
  void declare_link(std::uint32_t link);
  void declare_barrier(std::uint32_t node);
  void sample_barrier(std::uint32_t node, const BarrierView& view);
  void declare_combine(std::uint32_t node);
  void sample_combine(std::uint32_t node, const CombineView& view);
  // Lines of the save file for signals in `scope`.
  std::string link_lines(const std::string& scope, const std::string& filters) const;
  std::string barrier_lines(const std::string& scope, const std::string& filters) const;
  std::string combine_lines(const std::string& scope) const;
  Signal declare(const std::string& name, unsigned bits, std::uint32_t alias = 0);
  void set(Signal& signal, std::uint64_t value);
  void set_data(DataSignal& of, const FlitData& data);
  void write_save_file() const;

  const Graph& graph_;
  std::filesystem::path file_;
  Draft draft_;
  std::unique_ptr<void, FstClose> fst_;
  unsigned shown_vcs_;  // 0 if links have Buffer-Full.
  std::vector<LinkSignals> links_;
  std::vector<NodeSignals> nodes_;
  std::vector<BarrierSignals> barriers_;  // By node; empty without barrier units.
  std::vector<CombineSignals> combines_;  // By node; empty without combine units.
  Signal clk_, cycle_;
  std::optional<std::uint64_t> first_flit_;  // Cycle in which the first flit is on a link.
};

}  // namespace weft
