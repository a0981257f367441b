// Links whose errors are contained: sender, `guard_tx`, wires with errors of any bit, `guard_rx`,
// receiver. What the receiver gets is compared with a list of the flits whose words were wrong.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <type_traits>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/link/guard_rx.hpp"
#include "sim/link/guard_tx.hpp"

using namespace weft;

namespace {

struct GuardTrial {
  GuardRx::Config config;
  unsigned stages = 0;
  double error_rate = 0;    // Error rate of a word, each way.
  unsigned burst = 1;       // Most words in a row that are wrong.
  unsigned most_flits = 6;  // Most flits of a packet.
  double drain = 0.5;       // Drain rate of a VC in a cycle.
  bool wrong_heads = true;  // Some have no destination, or wrong parity.
  unsigned cycles = 6000;
};

// A word on the wires, and its bits in the order of the specification.
struct GuardWord {
  Flit flit;
  std::uint32_t check = 0;

  static unsigned width(const GuardForm& form) {
    return form.data_w + 1 + 16 + form.vc_w() + 2 + form.check_w();
  }
  // Inverts bit `i` if `invert`; returns it as it was.
  bool bit(const GuardForm& form, unsigned i, bool invert = false) {
    const auto of = [&](auto& field, unsigned at) {
      const bool was = (field >> at & 1) != 0;
      if (invert)
        field = static_cast<std::remove_reference_t<decltype(field)>>(field ^ (1ull << at));
      return was;
    };
    const auto flag = [&](bool& field) {
      const bool was = field;
      field = field != invert;
      return was;
    };
    if (i < form.data_w) return of(flit.word(i / 64), i % 64);
    i -= form.data_w;
    if (i == 0) return flag(flit.parity);
    if (--i < 16) return of(flit.stamp, i);
    i -= 16;
    if (i < form.vc_w()) return of(flit.vc, i);
    i -= form.vc_w();
    if (i == 0) return flag(flit.last);
    if (i == 1) return flag(flit.valid);
    return of(check, i - 2);
  }
};

// Whether the last eight of `width` bits are the interleaved parity of the others, inverted.
template <class Bit>
bool parity_right(unsigned width, Bit bit) {
  unsigned code = 0;
  for (unsigned i = 0; i + 8 < width; ++i) code ^= static_cast<unsigned>(bit(i)) << i % 8;
  for (unsigned i = 0; i < 8; ++i) code ^= static_cast<unsigned>(bit(width - 8 + i)) << i;
  return code == 0xff;
}
// Inverts some bits, so that the check code is wrong.
template <class Bit>
void destroy(RandomStream& random, unsigned width, Bit bit) {
  const auto flips = random.chance(0.5) ? 1 : 1 + random.below(width);
  for (auto n = flips; n != 0; --n) bit(static_cast<unsigned>(random.below(width)), true);
  const auto shown = [&](unsigned i) { return bit(i, false); };
  if (parity_right(width, shown)) bit(static_cast<unsigned>(random.below(width)), true);
  REQUIRE(!parity_right(width, shown));
}

// A packet as it was sent: flits, and which of their words were wrong.
struct SentPacket {
  std::vector<Flit> flits;
  std::vector<bool> wrong;
  bool right_head = true;
};

class GuardedLink {
 public:
  GuardedLink(const GuardTrial& trial, std::uint64_t seed)
      : trial_(trial),
        form_(trial.config),
        random_(seed),
        tx_(form_),
        rx_(trial.config),
        words_(trial.stages),
        backs_(trial.stages, std::vector<std::uint64_t>(form_.back().words())),
        credits_(form_.num_vc, form_.depth),
        held_(form_.num_vc),
        sent_(form_.num_vc),
        got_(form_.num_vc),
        begun_(form_.num_vc) {}

  // Runs, ends the packets that have begun, lets the link settle.
  void run() {
    for (unsigned c = 0; c < trial_.cycles; ++c) cycle(true, true);
    for (unsigned c = 0; c < 100 * trial_.most_flits * form_.num_vc; ++c) cycle(false, true);
    for (unsigned c = 0; c < 8 * (trial_.stages + form_.num_vc * (form_.depth + 4)); ++c) {
      cycle(false, false);
    }
  }

  // Compares what came with what was sent.
  void verify() const {
    unsigned all = 0, intact = 0, broken = 0;
    for (unsigned v = 0; v < form_.num_vc; ++v) {
      CAPTURE(v);
      CHECK(!begun_[v]);
      CHECK(credits_[v] == form_.depth);
      CHECK(held_[v] == 0);
      all += static_cast<unsigned>(sent_[v].size());
      auto got = got_[v].begin();
      bool last_broken = false;  // The last packet that came.
      for (const SentPacket& packet : sent_[v]) {
        const auto first = std::find(packet.wrong.begin(), packet.wrong.end(), true);
        const auto whole = static_cast<std::size_t>(first - packet.wrong.begin());
        const bool came = got != got_[v].end() && got->front() == packet.flits.front();
        if (!came) {
          // There is a reason: no room only behind a packet that was broken.
          CHECK((whole == 0 || !packet.right_head || last_broken));
          continue;
        }
        CHECK(packet.right_head);
        CHECK(whole != 0);
        last_broken = first != packet.wrong.end();
        if (!last_broken) {
          ++intact;
          CHECK(*got == packet.flits);
        } else {
          // What came before the first error, and a tail.
          ++broken;
          REQUIRE(got->size() == whole + 1);
          CHECK(std::equal(got->begin(), got->end() - 1, packet.flits.begin()));
          const Flit tail{.last = true, .valid = true, .vc = static_cast<std::uint16_t>(v)};
          CHECK(got->back() == tail);
        }
        ++got;
      }
      CHECK(got == got_[v].end());  // In order, and nothing else.
    }
    CHECK(all == intact + broken + rx_.out().lost);
    CHECK(rx_.out().errors == wrong_words_);
    all_ += all, intact_ += intact, broken_ += broken;
  }
  mutable unsigned all_ = 0, intact_ = 0, broken_ = 0;
  std::uint32_t lost() const { return rx_.out().lost; }

 private:
  // The sender's next flit.
  Flit next_flit(bool begins) {
    const auto v = static_cast<unsigned>(random_.below(form_.num_vc));
    auto& packets = sent_[v];
    const bool inside = !packets.empty() && !packets.back().flits.back().last;
    if (credits_[v] == 0 || (!inside && !begins)) return {};
    Flit flit;
    flit.valid = true;
    flit.vc = static_cast<std::uint16_t>(v);
    for (unsigned w = 0; w < form_.data_w / 64; ++w) flit.word(w) = random_();
    flit.stamp = static_cast<std::uint16_t>(random_());
    const auto length =
        inside ? 1 + random_.below(trial_.most_flits - 1) : 1 + random_.below(trial_.most_flits);
    flit.last = length == 1 || (inside && packets.back().flits.size() + 1 == trial_.most_flits);
    bool right = true;
    if (!inside) {
      // Addresses of a mesh of 3 x 5; digits have 2 and 3 bits.
      const bool exists = !trial_.wrong_heads || random_.chance(0.9);
      const std::uint64_t x = random_.below(3), y = random_.below(5);
      const std::uint64_t no_node[] = {3, 5 << 2, 7 << 2 | 1, 1 << 5, 1 << 15 | x};
      flit.data = flit.data << form_addr() | (exists ? x | y << 2 : no_node[random_.below(5)]);
      right = exists;
    }
    flit.parity = parity_of(flit, form_.data_w / 64);
    if (!inside && trial_.wrong_heads && random_.chance(0.05)) {
      flit.parity = !flit.parity;
      right = false;
    }
    if (!inside) packets.push_back({{}, {}, right});
    packets.back().flits.push_back(flit);
    packets.back().wrong.push_back(false);
    --credits_[v];
    return flit;
  }
  unsigned form_addr() const { return trial_.config.addr_w; }

  bool error(unsigned& burst) {
    if (burst != 0) return --burst, true;
    if (!random_.chance(trial_.error_rate)) return false;
    burst = static_cast<unsigned>(random_.below(trial_.burst));
    return true;
  }

  void cycle(bool begins, bool errors) {
    // What is on the wires at their far ends.
    GuardWord word{tx_.out().tx, tx_.out().check};
    REQUIRE(parity_right(GuardWord::width(form_), [&](unsigned i) { return word.bit(form_, i); }));
    std::vector<std::uint64_t> back(rx_.out().back, rx_.out().back + form_.back().words());
    if (trial_.stages != 0) {
      words_.push_back(word), backs_.push_back(back);
      word = words_.front(), back = backs_.front();
      words_.pop_front(), backs_.pop_front();
    }
    // The registers of the link begin with words of zeros, which are not good.
    const bool reset = cycle_++ < trial_.stages;
    if (!reset && errors && error(word_burst_)) {
      wrong_words_ += good_seen_;
      if (word.flit.valid) flit_at_end(word.flit.vc);
      destroy(random_, GuardWord::width(form_),
              [&](unsigned i, bool invert) { return word.bit(form_, i, invert); });
    } else {
      good_seen_ |= !reset;
      if (word.flit.valid) ++arrived_.at(word.flit.vc).flits;
    }
    if (!reset && errors && error(back_burst_)) {
      destroy(random_, form_.back_w(), [&](unsigned i, bool invert) {
        const bool was = (back[i / 64] >> i % 64 & 1) != 0;
        if (invert) back[i / 64] ^= std::uint64_t{1} << i % 64;
        return was;
      });
    }
    // The receiver: a slot for each flit; whole packets.
    const Flit& flit = rx_.out().tx;
    if (flit.valid) {
      auto& packets = got_[flit.vc];
      if (!begun_[flit.vc]) packets.emplace_back();
      packets.back().push_back(flit);
      begun_[flit.vc] = !flit.last;
      REQUIRE(++held_[flit.vc] <= form_.depth);
    } else {
      REQUIRE(flit == Flit{});
    }
    // The sender may use a credit in the cycle in which it is on the line.
    for (unsigned v = 0; v < form_.num_vc; ++v) {
      if ((tx_.out().credit[v / 64] >> v % 64 & 1) != 0) REQUIRE(++credits_[v] <= form_.depth);
    }
    const Flit link = sender_;
    sender_ = next_flit(begins);
    tx_.step({link, back.data()});
    rx_.step({word.flit, word.check, lines_.data()});
    std::fill(lines_.begin(), lines_.end(), 0);
    for (unsigned v = 0; v < form_.num_vc; ++v) {
      if (held_[v] == 0 || !random_.chance(errors ? trial_.drain : 1)) continue;
      --held_[v];
      lines_[v / 64] |= std::uint64_t{1} << v % 64;
    }
  }
  // The next flit of the VC that reaches the end of the wires is destroyed there.
  void flit_at_end(unsigned v) {
    auto number = arrived_.at(v).flits++;
    for (auto& packet : sent_[v]) {
      if (number < packet.flits.size()) {
        packet.wrong[number] = true;
        return;
      }
      number -= packet.flits.size();
    }
    FAIL("a flit that was not sent");
  }

  struct Arrived {
    std::size_t flits = 0;
  };

  GuardTrial trial_;
  GuardForm form_;
  RandomStream random_;
  GuardTx tx_;
  GuardRx rx_;
  std::deque<GuardWord> words_;
  std::deque<std::vector<std::uint64_t>> backs_;
  std::vector<unsigned> credits_, held_;
  std::vector<std::deque<SentPacket>> sent_;
  std::vector<std::vector<std::vector<Flit>>> got_;
  std::vector<bool> begun_;
  std::vector<Arrived> arrived_ = std::vector<Arrived>(form_.num_vc);
  std::vector<std::uint64_t> lines_ = std::vector<std::uint64_t>(form_.back().credit_words());
  Flit sender_;
  unsigned word_burst_ = 0, back_burst_ = 0;
  std::uint32_t wrong_words_ = 0;
  std::uint64_t cycle_ = 0;
  bool good_seen_ = false;
};

GuardRx::Config guard_config(unsigned num_vc, unsigned field_vcs, unsigned depth,
                             unsigned data_w = kHdrW) {
  return {{num_vc, field_vcs, depth, data_w}, {2, 4}, kAddrW};
}

}  // namespace

TEST_CASE("errors of a guarded link destroy only the packets that they hit") {
  const GuardTrial trials[] = {
      {guard_config(1, 1, 1), 0, 0.3, 1, 3},
      {guard_config(1, 4, 2), 0, 0.1, 4, 1},
      {guard_config(2, 2, 2), 0, 0.3, 2, 2, 0.9},
      {guard_config(2, 2, 4), 1, 0.1, 1, 6, 0.9},
      {guard_config(3, 8, 7, 128), 2, 0.05, 10, 20},
      {guard_config(2, 2, 20), 5, 0.01, 30, 20, 0.9},
      {guard_config(4, 4, 16), 3, 0.3, 3, 4, 0.9},
      {guard_config(4, 4, 15), 0, 0.15, 2, 3, 1},
      {guard_config(2, 2, 20), 4, 0.001, 1, 20, 0.9},
      {guard_config(3, 3, 6), 2, 1e-4, 2, 8, 0.9},
      {guard_config(70, 70, 3), 1, 0.05, 5, 5, 0.1},
  };
  unsigned all = 0, intact = 0, broken = 0, lost = 0;
  std::uint64_t seed = 1;
  for (const GuardTrial& trial : trials) {
    CAPTURE(seed);
    GuardedLink link(trial, seed++);
    link.run();
    link.verify();
    all += link.all_, intact += link.intact_, broken += link.broken_, lost += link.lost();
  }
  CHECK(intact > all / 4);
  CHECK(broken > 500);
  CHECK(lost > 500);
}

TEST_CASE("a guarded link without errors delays both directions by its stages and two cycles") {
  for (const unsigned stages : {0u, 1u, 5u}) {
    CAPTURE(stages);
    const GuardRx::Config config = guard_config(3, 3, 9);
    GuardTx tx(config);
    GuardRx rx(config);
    RandomStream random(stages + 5);
    std::deque<GuardWord> words(stages);
    std::deque<std::vector<std::uint64_t>> backs(stages, std::vector<std::uint64_t>(1));
    std::deque<Flit> flits(stages + 2);
    std::deque<std::uint64_t> credits(stages + 2);
    bool begun[3] = {};
    for (unsigned cycle = 0; cycle < 500; ++cycle) {
      CHECK(rx.out().tx == flits.front());
      CHECK(*tx.out().credit == credits.front());
      flits.pop_front(), credits.pop_front();
      Flit flit;
      if (random.chance(0.6)) {
        const auto v = static_cast<std::uint16_t>(random.below(3));
        flit = {.data = begun[v] ? random() : random() << 16 | 5,
                .last = random.chance(0.3),
                .valid = true,
                .vc = v,
                .stamp = static_cast<std::uint16_t>(random())};
        flit.parity = parity_of(flit, 1);
        begun[v] = !flit.last;
      }
      const std::uint64_t lines = random.below(8);
      flits.push_back(flit), credits.push_back(lines);
      words.push_back({tx.out().tx, tx.out().check});
      backs.push_back({*rx.out().back});
      rx.step({words.front().flit, words.front().check, &lines});
      tx.step({flit, backs.front().data()});
      words.pop_front(), backs.pop_front();
    }
    CHECK(rx.out().lost == 0);
    CHECK(rx.out().errors == 0);
  }
}

TEST_CASE("a wrong number of packets that passes the check counts twice, to the modulus") {
  const GuardRx::Config config = guard_config(1, 1, 9);
  GuardRx rx(config);
  const auto told = [&](std::uint32_t packets) {
    rx.step({{}, config.check_of({}, config.numbers(false, 0, packets))});
    return rx.out().lost;
  };
  CHECK(told(0) == 0);
  CHECK(told(5) == 5);   // Wrong, and its check code is right.
  CHECK(told(0) == 16);  // The next word of its VC.
  CHECK(told(0) == 16);
  CHECK(rx.out().errors == 0);
}

TEST_CASE("guarded links that cannot be are refused") {
  CHECK_THROWS_AS(GuardTx({0, 1, 4}), ConfigError);
  CHECK_THROWS_AS(GuardTx({3, 2, 4}), ConfigError);
  CHECK_THROWS_AS(GuardTx({1, 1, 0}), ConfigError);
  CHECK_THROWS_AS(GuardRx({{1, 1, 2048}, {3}}), ConfigError);
  CHECK_THROWS_AS(GuardRx({{1, 1, 4}, {}}), ConfigError);
  CHECK_THROWS_AS(GuardRx({{1, 1, 4}, {0x1ff, 0xff}}), ConfigError);
  CHECK_THROWS_AS(GuardRx({{1, 1, 4}, {1}, 33}), ConfigError);
}
