// The network of the SystemC bench: seed 002 fig. 1 with rows of four nodes and columns of two.
// Built from models or from Verilated RTL; everything else in it is the same.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "sim/crossbar/crossbar.hpp"
#include "sim/systemc/crossbar_module.hpp"
#include "sim/systemc/memory_module.hpp"
#include "sim/systemc/nic_module.hpp"

namespace weft::tb {

inline constexpr unsigned kColumns = 4, kRows = 2, kNodes = kColumns * kRows;
inline constexpr unsigned kLinks = 4 * kNodes;
inline constexpr std::uint32_t kSlot = 512;               ///< Words that one node sends another.
inline constexpr std::uint32_t kSource = 1024;            ///< Words of a node to send from.
inline constexpr std::uint32_t kWindow = kNodes * kSlot;  ///< Receive window, words, above those.
inline constexpr Nic::Config kNic = {.num_ctrl = 2,
                                     .parity = true,
                                     .packet_flits = 16,
                                     .queue_depth = 4,
                                     .reduce = true,
                                     .timed = true};

/// Reset, and random stops of all links.
struct Drive {
  sc_core::sc_signal<bool> rst_n{"rst_n"};
  sc_core::sc_vector<sc_core::sc_signal<bool>> stop{"stop", kLinks};
};

/// A link whose sender sees Buffer-Full of the receiver, or a stop.
class StoppedLink : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(StoppedLink);

  sc_core::sc_signal<Flit> flit{"flit"};
  sc_core::sc_signal<bool> full_in{"full_in"}, full_out{"full_out"};
  sc_core::sc_in<bool> stop_i{"stop_i"};

  explicit StoppedLink(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_METHOD(combine);
    sensitive << full_in << stop_i;
  }

 private:
  void combine() { full_out.write(full_in.read() || stop_i.read()); }
};

/// Row crossbars have a detour, which leads to the column crossbars; blocks are numbered rows
/// first.
inline Crossbar::Config row_config(unsigned row) {
  return {.num_out = kColumns,
          .detour = true,
          .num_in = 2 * kColumns,
          .first_in = 2,
          .in_depth = 8,
          .out_depth = 4,
          .route = Route::kDigit,
          .digit_lsb = 0,
          .digit_w = 2,
          .own = row * kColumns};
}
inline Crossbar::Config column_config() {
  return {.num_out = kRows,
          .detour = false,
          .num_in = kRows,
          .first_in = kRows,
          .in_depth = 4,
          .out_depth = 2,
          .route = Route::kDigit,
          .digit_lsb = 2,
          .digit_w = 1,
          .own = 0};
}

/// Nodes, crossbars and links. Node x + 4y is in row y and column x.
class CrossbarSystem : public sc_core::sc_module {
 public:
  std::vector<std::unique_ptr<NicPorts>> nics;
  std::vector<std::unique_ptr<CrossbarPorts>> crossbars;
  std::vector<std::unique_ptr<MemoryModule>> memories;
  std::vector<std::unique_ptr<BlockSignals<Nic>>> signals;  ///< Signals of `nics`.
  sc_core::sc_vector<StoppedLink> links{"link", kLinks};

  /// `Core`s are models or Verilated blocks.
  template <class NicCore, class CrossbarCore>
  static std::unique_ptr<CrossbarSystem> make(const char* name, sc_core::sc_clock& clk,
                                              Drive& drive) {
    return std::unique_ptr<CrossbarSystem>(new CrossbarSystem(
        name, clk, drive, std::in_place_type<NicCore>, std::in_place_type<CrossbarCore>));
  }

 private:
  template <class NicCore, class CrossbarCore>
  CrossbarSystem(const sc_core::sc_module_name& name, sc_core::sc_clock& clk, Drive& drive,
                 std::in_place_type_t<NicCore>, std::in_place_type_t<CrossbarCore>)
      : sc_module(name) {
    for (unsigned n = 0; n < kNodes; ++n) {
      const std::string number = std::to_string(n);
      nics.push_back(std::make_unique<NicModule<NicCore>>(("nic_" + number).c_str(), kNic));
      add_node(n, clk, drive);
    }
    for (unsigned b = 0; b < kRows + kColumns; ++b) {
      const std::string xb =
          b < kRows ? "row_" + std::to_string(b) : "column_" + std::to_string(b - kRows);
      crossbars.push_back(std::make_unique<CrossbarModule<CrossbarCore>>(
          xb.c_str(), b < kRows ? row_config(b) : column_config(), kNic.parity));
      crossbars[b]->clk_i(clk);
      crossbars[b]->rst_ni(drive.rst_n);
    }
    for (unsigned i = 0; i < kLinks; ++i) links[i].stop_i(drive.stop[i]);
    for (unsigned n = 0; n < kNodes; ++n) connect_node(n);
  }

  void add_node(unsigned n, sc_core::sc_clock& clk, Drive& drive);
  void connect_node(unsigned n);
};

inline void CrossbarSystem::add_node(unsigned n, sc_core::sc_clock& clk, Drive& drive) {
  const std::string number = std::to_string(n);
  memories.push_back(std::make_unique<MemoryModule>(("memory_" + number).c_str(), kNic.lanes(),
                                                    kSource + kWindow));
  signals.push_back(std::make_unique<BlockSignals<Nic>>(("signals_" + number).c_str(), kNic));
  NicPorts& nic = *nics[n];
  BlockSignals<Nic>& s = *signals[n];
  join_memory(*memories[n], s);
  memories[n]->clk_i(clk);
  nic.clk_i(clk);
  nic.rst_ni(drive.rst_n);
  nic.bind(s);
  s.at<"node_i">() = n;
  s.at<"rx_base_i">() = kSource;
  s.at<"rx_size_i">() = kWindow;
}

inline void CrossbarSystem::connect_node(unsigned n) {
  const unsigned x = n % kColumns, y = n / kColumns;
  CrossbarPorts& row = *crossbars[y];
  CrossbarPorts& column = *crossbars[kRows + x];
  const auto connect = [this](unsigned link, auto& out, auto& out_full, auto& in, auto& in_full) {
    out(links[link].flit);
    out_full(links[link].full_out);
    in(links[link].flit);
    in_full(links[link].full_in);
  };
  const auto tx = [](CrossbarPorts & crossbar, unsigned i) -> auto& {
    return crossbar.vector<"tx_o">()[i];
  };
  const auto tx_full = [](CrossbarPorts & crossbar, unsigned i) -> auto& {
    return crossbar.vector<"tx_full_i">()[i];
  };
  const auto rx = [](CrossbarPorts & crossbar, unsigned i) -> auto& {
    return crossbar.vector<"rx_i">()[i];
  };
  const auto rx_full = [](CrossbarPorts & crossbar, unsigned i) -> auto& {
    return crossbar.vector<"rx_full_o">()[i];
  };
  NicPorts& nic = *nics[n];
  const unsigned detour = kColumns + x;
  connect(n, nic.at<"tx_o">(), nic.at<"tx_full_i">(), rx(row, x), rx_full(row, x));
  connect(kNodes + n, tx(row, x), tx_full(row, x), nic.at<"rx_i">(), nic.at<"rx_full_o">());
  connect(2 * kNodes + n, tx(row, detour), tx_full(row, detour), rx(column, y), rx_full(column, y));
  connect(3 * kNodes + n, tx(column, y), tx_full(column, y), rx(row, detour), rx_full(row, detour));
}

}  // namespace weft::tb
