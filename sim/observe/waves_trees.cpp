// Waves of barrier units and combine units.
#include <fmt/format.h>

#include "sim/observe/waves.hpp"

namespace weft {

void Waves::declare_barrier(std::uint32_t node) {
  BarrierSignals& s = barriers_[node];
  s.state = declare("state", 2);
  s.enter = declare("enter_i", 1);
  s.up_in = declare("up_i", 2);
  s.up_out = declare("up_o", 1);
  s.down_in = declare("down_i", 1);
  s.down_out = declare("down_o", 1);
  s.count = declare("count_o", kCountW);
}

void Waves::sample_barrier(std::uint32_t node, const BarrierView& view) {
  BarrierSignals& s = barriers_[node];
  set(s.state, view.inside);
  set(s.enter, view.in.enter);
  set(s.up_in, view.in.up);
  set(s.up_out, view.out.up);
  set(s.down_in, view.in.down);
  set(s.down_out, view.out.down);
  set(s.count, view.out.count);
}

std::string Waves::barrier_lines(const std::string& scope, const std::string& filters) const {
  std::string text =
      fmt::format("{}^1 {}/barrier.txt\n{}.state[1:0]\n{}", kFiltered, filters, scope, kHex);
  for (const char* signal : {"enter_i", "up_i[1:0]", "up_o", "down_i", "down_o"}) {
    text += fmt::format("{}.{}\n", scope, signal);
  }
  return text + fmt::format("{}{}.count_o[31:0]\n", kDecimal, scope);
}

void Waves::declare_combine(std::uint32_t node) {
  CombineSignals& s = combines_[node];
  s.post = declare("post_i", 1);
  s.full = declare("full_o", 1);
  s.up_in = declare("up_valid_i", CombineUnit::kMostChild);
  s.credit_in = declare("up_credit_i", 1);
  s.up_out = declare("up_valid_o", 1);
  s.some_out = declare("up_some_o", 1);
  s.word_out.signal = declare("up_word_o", graph_.header.data_w);
  s.down_in = declare("down_valid_i", 1);
  s.down_out = declare("down_valid_o", 1);
  s.result.signal = declare("down_word_o", graph_.header.data_w);
  s.done = declare("done_o", kCountW);
}

void Waves::sample_combine(std::uint32_t node, const CombineView& view) {
  CombineSignals& s = combines_[node];
  set(s.post, view.in.post);
  set(s.full, view.out.full);
  set(s.up_in, view.in.up[0].valid | view.in.up[1].valid << 1);
  set(s.credit_in, view.in.credit);
  set(s.up_out, view.out.up.valid);
  set(s.some_out, view.out.up.some);
  set_data(s.word_out, view.out.up.word);
  set(s.down_in, view.in.down.valid);
  set(s.down_out, view.out.down.valid);
  set_data(s.result, view.out.down.word);
  set(s.done, view.out.done);
}

std::string Waves::combine_lines(const std::string& scope) const {
  const std::string word = fmt::format("[{}:0]", graph_.header.data_w - 1);
  std::string text = kHex;
  for (const std::string& signal :
       {std::string("post_i"), std::string("full_o"), std::string("up_valid_i[1:0]"),
        std::string("up_credit_i"), std::string("up_valid_o"), std::string("up_some_o"),
        "up_word_o" + word, std::string("down_valid_i"), std::string("down_valid_o"),
        "down_word_o" + word}) {
    text += fmt::format("{}.{}\n", scope, signal);
  }
  return text + fmt::format("{}{}.done_o[31:0]\n", kDecimal, scope);
}

}  // namespace weft
