// Digest and counts of all flits in a SystemC network, as in the engines of `weft run`.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "sim/fabric/digest.hpp"
#include "sim/systemc/unit_modules.hpp"

namespace weft {

/// Reads the signals of all links at each falling edge of the clock, when the values that the
/// rising edge put on them have settled. Cycles are counted from the first rising edge without
/// reset, cycle 0; the outputs that change at that edge are the values of cycle 1.
class LinkMonitor : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(LinkMonitor);

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};  ///< All counts start again.

  /// `flit_words`: 64-bit words in a flit.
  LinkMonitor(const sc_core::sc_module_name& name, unsigned flit_words)
      : sc_module(name), flit_words_(flit_words) {
    SC_METHOD(rise);
    dont_initialize();
    sensitive << clk_i.pos();
    SC_METHOD(fall);
    dont_initialize();
    sensitive << clk_i.neg();
  }

  /// Watches a link by its number in the network graph; `entry`: it leaves an interface.
  void watch(std::uint32_t link, const sc_core::sc_signal<Flit>& flit, bool entry) {
    links_.push_back({link, entry, &flit});
  }
  /// Watches a link of the barrier tree.
  void watch(std::uint32_t link, const sc_core::sc_signal<bool>& pulse) {
    pulses_.push_back({link, &pulse});
  }
  void watch(std::uint32_t link, const sc_core::sc_signal<CombineUnit::Up>& word) {
    ups_.push_back({link, &word});
  }
  void watch(std::uint32_t link, const sc_core::sc_signal<CombineUnit::Down>& word) {
    downs_.push_back({link, &word});
  }

  /// Rising edges so far without reset: the number of the present cycle.
  std::uint64_t cycle() const { return cycle_; }
  std::uint64_t digest() const { return digest_.value(); }
  std::uint64_t flit_hops() const { return flit_hops_; }  ///< Flits on links, each link counted.
  std::uint64_t flits() const { return flits_; }          ///< Flits that have entered the network.
  /// Packets that have entered the network.
  std::uint64_t packets() const { return packets_; }
  /// The last cycle with a flit, or a word of the combining tree, on a link.
  std::uint64_t last_move() const { return last_move_; }

 private:
  template <class Value>
  struct Watched {
    std::uint32_t link;
    const sc_core::sc_signal<Value>* signal;
  };
  struct WatchedLink {
    std::uint32_t link;
    bool entry;
    const sc_core::sc_signal<Flit>* signal;
  };

  void rise() {
    if (rst_ni.read()) {
      ++cycle_;
      return;
    }
    cycle_ = seen_ = flit_hops_ = flits_ = packets_ = last_move_ = 0;
    digest_ = {};
  }

  void fall() {
    if (seen_ == cycle_) return;
    seen_ = cycle_;
    for (const WatchedLink& link : links_) {
      const Flit& flit = link.signal->read();
      if (!flit.valid) continue;
      digest_.add(cycle_, digest_term(digest_factor(link.link, flit.vc), flit, flit_words_));
      ++flit_hops_;
      flits_ += link.entry;
      packets_ += link.entry && flit.last;
      last_move_ = cycle_;
    }
    for (const auto& pulse : pulses_) {
      if (pulse.signal->read()) add(pulse.link, 0, 1);
    }
    for (const auto& up : ups_) {
      const CombineUnit::Up& word = up.signal->read();
      if (word.valid) add_word(up.link, word.word, word.some ? 3 : 1);
    }
    for (const auto& down : downs_) {
      if (down.signal->read().valid) add_word(down.link, down.signal->read().word, 1);
    }
  }

  // A pulse or a word of a tree counts as a flit.
  void add(std::uint32_t link, std::uint64_t data, std::uint64_t sides) {
    digest_.add(cycle_, digest_term(digest_factor(link, 0), data, sides));
  }
  void add_word(std::uint32_t link, const FlitData& data, std::uint64_t sides) {
    add(link, fold_data(data.word[0], &data.word[1], flit_words_ - 1), sides);
    last_move_ = cycle_;
  }

  unsigned flit_words_;
  std::vector<WatchedLink> links_;
  std::vector<Watched<bool>> pulses_;
  std::vector<Watched<CombineUnit::Up>> ups_;
  std::vector<Watched<CombineUnit::Down>> downs_;
  std::uint64_t cycle_ = 0, seen_ = 0;
  std::uint64_t flit_hops_ = 0, flits_ = 0, packets_ = 0, last_move_ = 0;
  Digest digest_;
};

}  // namespace weft
