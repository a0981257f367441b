// Crossbar model against algorithms of another kind: latencies counted from the pipeline of the
// specification, delivery per packet, fairness, and a crossbar built from the small blocks.
#include "sim/crossbar/crossbar.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/buffer/output_buffer.hpp"
#include "sim/crossbar/switch_unit.hpp"

using namespace weft;

namespace {

using Mask = std::vector<std::uint64_t>;

Mask make_mask(std::size_t bits) {
  return Mask((bits + 63) / 64, 0);
}
bool test(const std::uint64_t* mask, std::size_t n) {
  return (mask[n / 64] >> n % 64 & 1) != 0;
}
void put(Mask& mask, std::size_t n, bool value) {
  const std::uint64_t bit = std::uint64_t{1} << n % 64;
  mask[n / 64] = value ? mask[n / 64] | bit : mask[n / 64] & ~bit;
}

// A crossbar and the words on its links.
struct Rig {
  explicit Rig(const Crossbar::Config& config)
      : crossbar(config),
        rx(config.num_in),
        valid(make_mask(config.num_in)),
        tx_full(make_mask(config.num_tx())) {}

  void step() {
    for (std::size_t i = 0; i < rx.size(); ++i) put(valid, i, rx[i].valid);
    crossbar.step({rx.data(), valid.data(), tx_full.data()});
    std::fill(rx.begin(), rx.end(), Flit{});
  }

  Crossbar crossbar;
  std::vector<Flit> rx;
  Mask valid, tx_full;
};

// Senders that obey Buffer-Full, with queues of packets.
struct Senders {
  explicit Senders(std::size_t links) : queue(links) {}

  void packet(std::size_t link, std::uint64_t header, unsigned flits) {
    for (unsigned k = 0; k < flits; ++k) {
      queue[link].push_back({k == 0 ? header : header << 20 | k, k + 1 == flits, false, true});
    }
  }

  // Loads the links for the next cycle.
  void load(Rig& rig) {
    for (std::size_t i = 0; i < queue.size(); ++i) {
      if (queue[i].empty() || test(rig.crossbar.out().rx_full, i)) continue;
      rig.rx[i] = queue[i].front();
      queue[i].pop_front();
    }
  }

  // Loads the links for the next cycle, without regard to Buffer-Full.
  void load_all(Rig& rig) {
    for (std::size_t i = 0; i < queue.size(); ++i) {
      if (queue[i].empty()) continue;
      rig.rx[i] = queue[i].front();
      queue[i].pop_front();
    }
  }

  std::vector<std::deque<Flit>> queue;
};

constexpr Crossbar::Config kTwoStage = {4, true, 8, 2, 8, 4, Route::kDigit, 0, 2, 0};
constexpr Crossbar::Config kOneStage = {4, false, 4, 4, 8, 4, Route::kDigit, 0, 2, 0};

// Cycles from a header on the incoming link to the header on the outgoing link.
unsigned latency(const Crossbar::Config& config, unsigned input, std::uint64_t dst, unsigned tx) {
  Rig rig(config);
  rig.rx[input] = {dst, true, false, true};
  for (unsigned cycle = 1; cycle < 100; ++cycle) {
    rig.step();
    if (test(rig.crossbar.out().tx_valid, tx)) return cycle;
  }
  return 0;
}

// The same crossbar built from the models of its blocks, with loops over all of them.
class Composed {
 public:
  explicit Composed(const Crossbar::Config& c)
      : config_(c), num_first_((c.num_in + c.first_in - 1) / c.first_in) {
    for (unsigned i = 0; i < c.num_in; ++i) {
      const bool detour = c.detour && i < c.num_out;
      inputs_.emplace_back(InputBuffer::Config{c.in_depth, c.num_out + detour, detour, c.route,
                                               c.digit_lsb, c.digit_w, c.own});
    }
    for (unsigned o = 0; o < c.num_out; ++o) {
      for (unsigned f = 0; f < num_first_; ++f) first_.emplace_back(SwitchUnit::Config{c.first_in});
      second_.emplace_back(SwitchUnit::Config{num_first_});
      outputs_.emplace_back(OutputBuffer::Config{c.out_depth});
    }
    if (c.detour) detours_.assign(c.num_out, OutputBuffer({0}));
  }

  void step(const std::vector<Flit>& rx, const Mask& tx_full) {
    std::vector<char> taken(config_.num_in);
    std::vector<Flit> offers(num_first_ * config_.first_in), firsts(num_first_);
    for (unsigned o = 0; o < config_.num_out; ++o) {
      for (unsigned i = 0; i < config_.num_in; ++i) {
        offers[i] = inputs_[i].out().word;
        offers[i].valid = offers[i].valid && inputs_[i].out().dest == o;
      }
      const auto first_in = [&](unsigned f, bool ready) {
        return SwitchUnit::In{&offers[f * config_.first_in], ready};
      };
      SwitchUnit* first = &first_[o * num_first_];
      for (unsigned f = 0; f < num_first_; ++f) firsts[f] = first[f].eval(first_in(f, false)).word;
      const bool full = test(tx_full.data(), o);
      SwitchUnit::Out out{firsts[0], outputs_[o].ready(full)};
      if (num_first_ > 1) {
        const SwitchUnit::In in{firsts.data(), outputs_[o].ready(full)};
        out = second_[o].eval(in);
        second_[o].tick(in);
      }
      for (unsigned f = 0; f < num_first_; ++f) {
        const SwitchUnit::In in = first_in(f, (out.ready >> f & 1) != 0);
        const std::uint64_t ready = first[f].eval(in).ready;
        for (unsigned k = 0; k < config_.first_in; ++k) {
          if ((ready >> k & 1) != 0) taken[f * config_.first_in + k] = 1;
        }
        first[f].tick(in);
      }
      outputs_[o].step({out.word, full});
    }
    for (unsigned d = 0; d < detours_.size(); ++d) {
      const InputBuffer::Out& in = inputs_[d].out();
      Flit offer = in.word;
      offer.valid = offer.valid && in.dest == config_.num_out;
      const bool full = test(tx_full.data(), config_.num_out + d);
      if (offer.valid && detours_[d].ready(full)) taken[d] = 1;
      detours_[d].step({offer, full});
    }
    for (unsigned i = 0; i < config_.num_in; ++i) inputs_[i].step({rx[i], taken[i] != 0});
  }

  const Flit& tx(unsigned t) const {
    return t < config_.num_out ? outputs_[t].out() : detours_[t - config_.num_out].out();
  }
  bool rx_full(unsigned i) const { return inputs_[i].out().full; }

 private:
  Crossbar::Config config_;
  unsigned num_first_;
  std::vector<InputBuffer> inputs_;
  std::vector<SwitchUnit> first_, second_;
  std::vector<OutputBuffer> outputs_, detours_;
};

// With `errors` senders ignore Buffer-Full, and digits of destinations may name none.
void check_same_as_composed(const Crossbar::Config& config, unsigned cycles, bool errors = false) {
  Rig rig(config);
  Composed composed(config);
  Senders senders(config.num_in);
  RandomStream random(7);
  std::uint64_t words = 0;
  bool same = true;
  for (unsigned cycle = 0; cycle < cycles && same; ++cycle) {
    for (unsigned i = 0; i < config.num_in; ++i) {
      if (!senders.queue[i].empty() || !random.chance(0.2)) continue;
      const bool away = config.detour && random.chance(0.3);
      const std::uint64_t digits = errors ? std::uint64_t{1} << config.digit_w : config.num_out;
      senders.packet(i, random.below(digits) | std::uint64_t{away} << config.digit_w,
                     1 + static_cast<unsigned>(random.below(9)));
    }
    errors ? senders.load_all(rig) : senders.load(rig);
    if (cycle % 16 == 0) {
      for (unsigned t = 0; t < config.num_tx(); ++t) put(rig.tx_full, t, random.chance(0.3));
    }
    composed.step(rig.rx, rig.tx_full);
    rig.step();
    const Crossbar::Out out = rig.crossbar.out();
    for (unsigned t = 0; t < config.num_tx(); ++t) {
      same = same && out.tx[t] == composed.tx(t) && test(out.tx_valid, t) == out.tx[t].valid;
      words += out.tx[t].valid;
    }
    for (unsigned i = 0; i < config.num_in; ++i) {
      same = same && test(out.rx_full, i) == composed.rx_full(i);
    }
  }
  CHECK(same);
  CHECK(words > (errors ? cycles / 2 : cycles));  // Some go to no destination.
}

}  // namespace

TEST_CASE("a lone header takes as many cycles as the pipeline has registers") {
  // Input register, transfer buffer, read register, output register: 4. Then request flag and grant
  // for each stage (2 each; the word passes in the cycle of the last grant), output buffer, link.
  CHECK(latency(kOneStage, 1, 3, 3) == 4 + 2 + 2);
  CHECK(latency(kTwoStage, 1, 3, 3) == 4 + 2 + 2 + 2);
  CHECK(latency(kTwoStage, 7, 0, 0) == 4 + 2 + 2 + 2);
  // The detour has neither switches nor a buffer.
  CHECK(latency(kTwoStage, 1, 4, 4 + 1) == 4 + 1);
}

TEST_CASE("a lone packet follows its header without a gap") {
  Rig rig(kTwoStage);
  Senders senders(8);
  senders.packet(2, 1, 12);
  unsigned cycle = 0, words = 0;
  for (; cycle < 40; ++cycle) {
    if (rig.crossbar.out().tx[1].valid) {
      CHECK(cycle == 10 + 1 + words);  // the header is on the incoming link in cycle 1
      CHECK(rig.crossbar.out().tx[1].last == (words == 11));
      ++words;
    }
    rig.step();
    senders.load(rig);
  }
  CHECK(words == 12);
}

TEST_CASE("every word arrives once, in order, packets are not interleaved") {
  const Crossbar::Config config = {5, true, 10, 4, 4, 2, Route::kDigit, 1, 3, 0x20};
  Rig rig(config);
  Senders senders(config.num_in);
  RandomStream random(3);
  // The expected words, by (input, output): the naive reference is a queue for each pair.
  std::map<std::pair<unsigned, unsigned>, std::deque<Flit>> expected;
  std::size_t sent = 0, arrived = 0;
  for (unsigned i = 0; i < config.num_in; ++i) {
    for (unsigned p = 0; p < 200; ++p) {
      const auto digit = static_cast<unsigned>(random.below(config.num_out));
      const bool away = i < config.num_out && random.chance(0.3);
      const unsigned tx = away ? config.num_out + i : digit;
      const std::uint64_t dst = (away ? 0x30 : 0x20) | digit << 1 | (p & 1);
      const auto flits = 1 + static_cast<unsigned>(random.below(7));
      const std::size_t begin = senders.queue[i].size();
      senders.packet(i, dst | std::uint64_t{i} << 32 | std::uint64_t{p} << 36, flits);
      auto& pair = expected[{i, tx}];
      pair.insert(pair.end(), senders.queue[i].begin() + static_cast<std::ptrdiff_t>(begin),
                  senders.queue[i].end());
      sent += flits;
    }
  }
  std::vector<int> owner(config.num_tx(), -1);
  bool right = true;
  for (unsigned cycle = 0; cycle < 20'000 && arrived < sent && right; ++cycle) {
    if (cycle % 8 == 0) {
      for (unsigned t = 0; t < config.num_tx(); ++t) put(rig.tx_full, t, random.chance(0.4));
    }
    senders.load(rig);
    rig.step();
    for (unsigned t = 0; t < config.num_tx() && right; ++t) {
      const Flit& word = rig.crossbar.out().tx[t];
      if (!word.valid) continue;
      if (owner[t] < 0) owner[t] = static_cast<int>(word.data >> 32 & 15);
      auto& pair = expected[{static_cast<unsigned>(owner[t]), t}];
      right = !pair.empty() && pair.front() == word;
      if (right) pair.pop_front();
      if (word.last) owner[t] = -1;
      ++arrived;
    }
  }
  CHECK(right);
  CHECK(arrived == sent);
}

TEST_CASE("an output that all inputs request grants them round-robin") {
  for (const Crossbar::Config& config : {kOneStage, kTwoStage}) {
    Rig rig(config);
    Senders senders(config.num_in);
    for (unsigned i = 0; i < config.num_in; ++i) {
      for (unsigned p = 0; p < 50; ++p) senders.packet(i, 2 | std::uint64_t{i} << 32, 3);
    }
    std::vector<unsigned> order;
    bool head = true;
    for (unsigned cycle = 0; order.size() < 40 * config.num_in && cycle < 20'000; ++cycle) {
      senders.load(rig);
      rig.step();
      const Flit& word = rig.crossbar.out().tx[2];
      if (!word.valid) continue;
      if (head) order.push_back(static_cast<unsigned>(word.data >> 32));
      head = word.last;
    }
    REQUIRE(order.size() == 40 * config.num_in);
    bool fair = true;
    for (std::size_t k = 0; k + config.num_in <= order.size(); ++k) {
      std::vector<unsigned> window(order.begin() + static_cast<std::ptrdiff_t>(k),
                                   order.begin() + static_cast<std::ptrdiff_t>(k + config.num_in));
      std::sort(window.begin(), window.end());
      for (unsigned i = 0; i < config.num_in; ++i) fair = fair && window[i] == i;
    }
    CHECK(fair);
  }
}

TEST_CASE("quiet from the last word on the outgoing link to the next arrival, and no longer") {
  Rig rig(kTwoStage);
  CHECK(rig.crossbar.quiet());
  RandomStream random(5);
  unsigned quiet = 0;
  // Words on the links at both sides and between, counted from outside. A packet is cut into words
  // with long pauses, so that grants are also held while nothing moves.
  long held = 0;
  unsigned left = 0;
  for (unsigned cycle = 0; cycle < 20'000; ++cycle) {
    if (random.chance(0.03)) {
      if (left == 0) left = 1 + static_cast<unsigned>(random.below(4));
      rig.rx[3] = {random.below(8), --left == 0, false, true};
      ++held;
    }
    if (rig.crossbar.quiet() && !rig.rx[3].valid) {
      ++quiet;
      Crossbar skipped = rig.crossbar;
      rig.step();
      for (unsigned t = 0; t < 8; ++t) CHECK(rig.crossbar.out().tx[t] == skipped.out().tx[t]);
      rig.crossbar = skipped;  // The step is skipped, as an engine does.
    } else {
      held -= std::count_if(rig.crossbar.out().tx, rig.crossbar.out().tx + 8,
                            [](const Flit& word) { return word.valid; });
      rig.step();
    }
    CHECK(rig.crossbar.quiet() == (held == 0));
  }
  CHECK(quiet > 1000);
  CHECK(quiet < 19'000);
}

TEST_CASE("equal to a crossbar built from the models of its blocks") {
  check_same_as_composed(kOneStage, 5000);
  check_same_as_composed(kTwoStage, 5000);
  check_same_as_composed({40, true, 80, 32, 8, 4, Route::kDigit, 0, 6, 0}, 2000);
  check_same_as_composed({70, false, 130, 3, 5, 1, Route::kDigit, 0, 7, 0}, 1000);
  check_same_as_composed({64, true, 128, 32, 8, 4, Route::kDigit, 0, 6, 0}, 1000);
  check_same_as_composed({3, false, 2048, 64, 3, 2, Route::kDigit, 0, 2, 0}, 300);
  check_same_as_composed({1024, true, 2048, 64, 4, 2, Route::kDigit, 0, 10, 0}, 20);
  check_same_as_composed({5, true, 10, 4, 7, 2, Route::kDigit, 0, 3, 0}, 5000, true);
  check_same_as_composed({3, false, 5, 5, 3, 1, Route::kDigit, 0, 2, 0}, 5000, true);
}

TEST_CASE("words sent against Buffer-Full are lost, packets to no destination are discarded") {
  for (const unsigned depth : {3u, 4u, 7u, 8u}) {
    Crossbar::Config config = kTwoStage;
    config.in_depth = depth;
    Rig rig(config);
    rig.tx_full[0] = 0xff;
    std::vector<std::uint64_t> sent, left;
    // One packet, whose other words come after arbitration, so that nothing makes room in between.
    const auto word = [&](unsigned k) { return 1 | std::uint64_t{k} << 32; };
    for (unsigned k = 0; k < 40; ++k) {
      sent.push_back(word(k));
      rig.rx[0] = {word(k), false, false, true};
      for (unsigned wait = k == 0 ? 20 : 1; wait > 0; --wait) rig.step();
    }
    for (unsigned k = 0; k < 5; ++k) rig.step();
    CHECK(test(rig.crossbar.out().rx_full, 0));
    rig.tx_full[0] = 0;
    for (unsigned k = 0; k < 100; ++k) {
      if (k == 50) rig.rx[0] = {word(40), true, false, true};
      rig.step();
      if (const Flit& flit = rig.crossbar.out().tx[1]; flit.valid) left.push_back(flit.data);
    }
    // Words in the transfer buffer, in the read and the output register and in the output's buffer.
    sent.resize(depth + 2 + config.out_depth);
    sent.push_back(word(40));
    CHECK(left == sent);
    CHECK(rig.crossbar.quiet());
  }
  Rig rig({3, false, 3, 3, 8, 4, Route::kDigit, 0, 2, 0});
  Senders senders(3);
  senders.packet(0, 3, 5);
  senders.packet(0, 2, 4);
  unsigned words = 0;
  for (unsigned k = 0; k < 60; ++k) {
    senders.load(rig);
    rig.step();
    for (unsigned t = 0; t < 3; ++t) {
      words += rig.crossbar.out().tx[t].valid;
      if (rig.crossbar.out().tx[t].valid) CHECK(t == 2);
    }
  }
  CHECK(words == 4);
  CHECK(rig.crossbar.quiet());
}

TEST_CASE("unusable configurations are refused") {
  const auto with = [](auto change) {
    Crossbar::Config config = kTwoStage;
    change(config);
    return config;
  };
  using C = Crossbar::Config;
  CHECK_THROWS_AS(Crossbar(with([](C& c) { c.num_in = 7; })), ConfigError);
  CHECK_THROWS_AS(Crossbar(with([](C& c) { c.first_in = 0; })), ConfigError);
  CHECK_THROWS_AS(Crossbar(with([](C& c) { c.first_in = 9; })), ConfigError);
  CHECK_THROWS_AS(Crossbar(with([](C& c) { c.in_depth = 2; })), ConfigError);
  CHECK_THROWS_AS(Crossbar(with([](C& c) { c.out_depth = 0; })), ConfigError);
  CHECK_THROWS_AS(Crossbar(with([](C& c) { c.digit_lsb = 15; })), ConfigError);
  CHECK_THROWS_AS(Crossbar(with([](C& c) { c = C{2, false, 130, 1}; })), ConfigError);
  CHECK_THROWS_AS(RrArbiter({65}), ConfigError);
}
