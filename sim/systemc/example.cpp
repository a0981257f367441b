// Example of a SystemC platform: a cycle model of a network interface sends a message to a
// Verilated one, each with its memory. `systemc_example [WAVES]` writes WAVES.vcd.
#include <algorithm>
#include <cstdio>

#include "sim/systemc/memory_module.hpp"
#include "sim/systemc/nic_module.hpp"

namespace {

using namespace weft;
using sc_core::sc_signal;

constexpr Nic::Config kConfig = {
    .num_ctrl = 1, .parity = true, .packet_flits = 16, .queue_depth = 4};
constexpr std::uint32_t kMemory = 256, kWindow = 128;  // In words; the window is the upper half.

// A node; its outgoing link and the ports that a processor would use are signals.
template <class Core>
struct Node : sc_core::sc_module {
  Node(const sc_core::sc_module_name& name, std::uint32_t address) : sc_module(name) {
    nic.clk_i(clk_i);
    nic.rst_ni(rst_ni);
    nic.bind(signals);
    signals.template at<"node_i">() = address;
    signals.template at<"rx_base_i">() = kWindow;
    signals.template at<"rx_size_i">() = kMemory - kWindow;
    nic.template at<"tx_o">()(link);
    nic.template at<"tx_full_i">()(link_full);
    memory.clk_i(clk_i);
    join_memory(memory, signals);
  }

  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  NicModule<Core> nic{"nic", kConfig};
  BlockSignals<Nic> signals{"signals", kConfig};
  MemoryModule memory{"memory", kConfig.lanes(), kMemory};
  sc_signal<Flit> link{"link"};
  sc_signal<bool> link_full{"link_full"};
};

}  // namespace

int sc_main(int argc, char** argv) {
  const sc_core::sc_time period(1, sc_core::SC_NS);
  // The first rising edge is after half a period.
  sc_core::sc_clock clk("clk", period, 0.5, 0.5 * period);
  sc_signal<bool> rst_n("rst_n");

  Node<Nic> sender("sender", 0);
  Node<RtlNic> receiver("receiver", 1);
  for (auto* port : {&sender.clk_i, &receiver.clk_i}) port->bind(clk);
  for (auto* port : {&sender.rst_ni, &receiver.rst_ni}) port->bind(rst_n);
  receiver.nic.at<"rx_i">()(sender.link);
  receiver.nic.at<"rx_full_o">()(sender.link_full);
  sender.nic.at<"rx_i">()(receiver.link);
  sender.nic.at<"rx_full_o">()(receiver.link_full);

  sc_core::sc_trace_file* waves = nullptr;
  if (argc > 1) {
    waves = sc_core::sc_create_vcd_trace_file(argv[1]);
    sc_trace(waves, clk, "clk");
    sc_trace(waves, sender.signals.at<"desc_i">(), "desc");
    sc_trace(waves, sender.link, "link");
    sc_trace(waves, sender.link_full, "link_full");
  }

  for (std::uint32_t i = 0; i < kWindow; ++i) sender.memory.words[i].word[0] = 0x100 + i;
  sc_core::sc_start(4 * period);
  rst_n = true;
  sender.signals.at<"desc_i">() =
      Descriptor{.dst = 1, .addr = 0, .len = 100, .off = 8, .tag = 2, .gap = 0};
  sender.signals.at<"desc_valid_i">() = true;
  sc_core::sc_start(period);
  sender.signals.at<"desc_valid_i">() = false;
  unsigned cycles = 1;
  for (; receiver.signals.vector<"rx_count_o">()[2].read() == 0 && cycles < 1000; ++cycles)
    sc_core::sc_start(period);
  if (waves != nullptr) sc_core::sc_close_vcd_trace_file(waves);

  const auto& words = receiver.memory.words;
  if (!std::equal(words.begin() + kWindow + 8, words.begin() + kWindow + 108,
                  sender.memory.words.begin())) {
    std::puts("systemc example: the message did not arrive");
    return 1;
  }
  std::printf("systemc example: 100 flits from a model to RTL in %u cycles\n", cycles);
  return 0;
}
