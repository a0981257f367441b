// Links that repair errors: the check codes bit by bit; both ends with registers and errors between
// them, where every flit must come once, in order, into a free slot, and without errors exactly
// after a delay; each end against one that keeps its flits in queues.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/link/credit_rx.hpp"
#include "sim/link/credit_tx.hpp"
#include "sim/link/link_rx.hpp"
#include "sim/link/link_stage.hpp"
#include "sim/link/link_tx.hpp"
#include "sim/packet/port_shape.hpp"

using namespace weft;

namespace {

// How a word is spoilt. All of it is what the CRC shows for certain: up to three bits, and bits
// within a burst of 16; or the word is 0.
struct Spoiler {
  double rate = 0;
  bool zeros = false;  // Some words become 0, too.

  // Bits of the codeword to be inverted, the CRC's lowest bit being bit 0; `all`: the word is 0.
  std::vector<unsigned> bits(unsigned width, bool& all, RandomStream& random) const {
    std::vector<unsigned> found;
    all = false;
    if (!random.chance(rate)) return found;
    const auto kind = random.below(4);
    all = zeros && kind == 0;
    const auto any = [&] { return static_cast<unsigned>(random.below(width)); };
    if (kind < 2) {
      found = {any()};
    } else if (kind == 2) {
      found = {any(), any(), any()};
      if (found[1] == found[0] || found[2] == found[0] || found[2] == found[1]) found.resize(1);
    } else {
      const auto first = static_cast<unsigned>(random.below(width - 16));
      found = {first};
      for (unsigned b = 1; b < 16; ++b) {
        if (random.chance(0.5)) found.push_back(first + b);
      }
    }
    return found;
  }
};

struct ForwardWord {
  Flit flit;
  std::uint32_t check = 0;
};

// Inverts a bit of the codeword: CRC, data, parity, stamp, vc, last, valid, number.
void flip(const LinkForm& form, ForwardWord& word, unsigned bit) {
  if (bit < 16) {
    word.check ^= 1u << (form.seq_w() + bit);
    return;
  }
  bit -= 16;
  if (bit < form.data_w) {
    word.flit.word(bit / 64) ^= std::uint64_t{1} << bit % 64;
    return;
  }
  bit -= form.data_w;
  if (form.parity && bit-- == 0) {
    word.flit.parity = !word.flit.parity;
    return;
  }
  const unsigned vc_w = index_width(form.field_vcs);
  if (bit < kStampW) {
    word.flit.stamp = static_cast<std::uint16_t>(word.flit.stamp ^ 1u << bit);
  } else if (bit < kStampW + vc_w) {
    word.flit.vc = static_cast<std::uint16_t>(word.flit.vc ^ 1u << (bit - kStampW));
  } else if (bit == kStampW + vc_w) {
    word.flit.last = !word.flit.last;
  } else if (bit == kStampW + vc_w + 1) {
    word.flit.valid = !word.flit.valid;
  } else {
    word.check ^= 1u << (bit - kStampW - vc_w - 2);
  }
}
unsigned forward_width(const LinkForm& form) {
  return kFlitWidth(form) + kStampW + index_width(form.field_vcs) + 2 + form.check_w();
}

// Sender, link and receiver. The sender has its credits, the receiver its slots.
class LinkPair {
 public:
  LinkPair(const LinkTx::Config& config, unsigned stages, std::uint64_t seed)
      : config_(config),
        tx_(config),
        rx_(config),
        random_(seed),
        credits_(config.num_vc, config.depth),
        held_(config.num_vc),
        lines_((config.num_vc + 63) / 64) {
    if (stages != 0) {
      stage_.emplace_back(LinkStage::Config{stages, config.parity, config.field_vcs, config.data_w,
                                            config.check_w(), config.back_w()});
    }
  }

  // A cycle. `load`: probability of a flit, where a VC has a credit; `drain`: of a slot becoming
  // free, for each VC.
  void step(double load, double drain, const Spoiler& there, const Spoiler& home) {
    const LinkTx::Out sent = tx_.out();
    const LinkRx::Out got = rx_.out();
    ForwardWord word{sent.tx, sent.check};
    const std::uint64_t* back = got.back;
    if (!stage_.empty()) {
      const LinkStage::Out far = stage_[0].out();
      word = {far.tx, far.check};
      back = far.back;
    }
    returned.push_back(std::vector<std::uint64_t>(sent.credit, sent.credit + lines_.size()));
    for (unsigned v = 0; v < config_.num_vc; ++v) {
      credits_[v] += sent.credit[v / 64] >> v % 64 & 1;
      most_credits_ = std::max(most_credits_, credits_[v]);
    }
    delivered.push_back(got.tx);
    if (got.tx.valid) {
      ++arrived;
      in_order = in_order && !under_way_.empty() && got.tx == under_way_.front();
      if (!under_way_.empty()) under_way_.pop_front();
      if (got.tx.vc < config_.num_vc) {
        most_held = std::max(most_held, ++held_[got.tx.vc]);
      }
    }
    std::fill(lines_.begin(), lines_.end(), 0);
    for (unsigned v = 0; v < config_.num_vc; ++v) {
      if (held_[v] == 0 || !random_.chance(drain)) continue;
      --held_[v];
      lines_[v / 64] |= std::uint64_t{1} << v % 64;
    }
    freed.push_back(lines_);

    Flit flit;
    const auto vc = static_cast<unsigned>(random_.below(config_.num_vc));
    if (random_.chance(load) && credits_[vc] != 0) {
      --credits_[vc];
      flit = {.data = random_(),
              .last = random_.chance(0.3),
              .parity = config_.parity && random_.chance(0.5),
              .valid = true,
              .vc = static_cast<std::uint16_t>(vc),
              .stamp = static_cast<std::uint16_t>(random_())};
      for (unsigned w = 1; w < config_.data_w / 64; ++w) flit.word(w) = random_();
      under_way_.push_back(flit);
    }
    offered.push_back(flit);
    room = room && (!flit.valid || tx_.kept() < config_.replay());

    bool zero = false;
    for (const unsigned bit : there.bits(forward_width(config_), zero, random_)) {
      flip(config_, word, bit);
    }
    if (zero) word = {};
    std::vector<std::uint64_t> spoilt(back, back + config_.back().words());
    // The check code is above the word: the order of the codeword begins there.
    for (const unsigned bit : home.bits(config_.back_w(), zero, random_)) {
      const unsigned at = bit < 16 ? config_.back().body_w() + bit : bit - 16;
      spoilt[at / 64] ^= std::uint64_t{1} << at % 64;
    }
    if (zero) std::fill(spoilt.begin(), spoilt.end(), 0);

    // `got` is a view of the receiver's end: the registers come first.
    if (!stage_.empty()) stage_[0].step({sent.tx, got.back, sent.check});
    rx_.step({word.flit, word.check, lines_.data()});
    tx_.step({flit, spoilt.data()});
  }

  // Whether every flit has come and every credit is back.
  bool settled() const {
    return under_way_.empty() && std::all_of(credits_.begin(), credits_.end(),
                                             [this](auto c) { return c == config_.depth; });
  }
  unsigned most_credits() const { return most_credits_; }
  const LinkTx& tx() const { return tx_; }
  const LinkRx& rx() const { return rx_; }

  // By cycle: flits in and out, credit lines in and out.
  std::vector<Flit> offered, delivered;
  std::vector<std::vector<std::uint64_t>> freed, returned;
  std::uint64_t arrived = 0;
  unsigned most_held = 0;
  bool in_order = true, room = true;

 private:
  LinkTx::Config config_;
  LinkTx tx_;
  LinkRx rx_;
  std::vector<LinkStage> stage_;
  RandomStream random_;
  std::deque<Flit> under_way_;
  std::vector<unsigned> credits_, held_;
  std::vector<std::uint64_t> lines_;
  unsigned most_credits_ = 0;
};

const std::vector<LinkTx::Config> kPairs = {{{false, 64, 1, 1, 1}, 16, 4},
                                            {{true, 64, 2, 2, 3}, 30, 4},
                                            {{false, 128, 4, 3, 5}, 20, 4},
                                            {{true, 64, 2, 1, 4}, 1, 1},
                                            {{false, 64, 70, 70, 2}, 40, 4}};

}  // namespace

TEST_CASE("check codes are those of a division bit by bit") {
  RandomStream random(4);
  for (const unsigned width : {1u, 8u, 63u, 64u, 65u, 97u, 560u}) {
    const CheckCode crc({width, true}), parity({width, false});
    for (unsigned round = 0; round < 50; ++round) {
      std::vector<std::uint64_t> word((width + 63) / 64);
      unsigned rest = 0, lanes = 0;
      for (unsigned bit = width; bit-- != 0;) {
        const bool one = random.chance(0.5);
        word[bit / 64] |= std::uint64_t{one} << bit % 64;
        rest = rest << 1 | (one ? 1 : 0);
        if ((rest & 0x10000) != 0) rest ^= 0x11021;
        lanes ^= unsigned{one} << bit % 8;
      }
      for (unsigned zero = 0; zero < 16; ++zero) {
        rest <<= 1;
        if ((rest & 0x10000) != 0) rest ^= 0x11021;
      }
      CHECK(crc.of(word.data()) == rest);
      CHECK(parity.of(word.data()) == lanes);
    }
  }
  const std::uint64_t digits[] = {0x3233343536373839, 0x31};  // "123456789"
  CHECK(CheckCode::crc(digits, 2) == 0x31c3);
  CHECK_THROWS_AS(CheckCode({0, true}), ConfigError);
}

TEST_CASE("check codes find each burst as wide as they in a word with the code below it") {
  RandomStream random(9);
  for (const bool crc : {true, false}) {
    const unsigned code_w = crc ? 16 : 8;
    for (const unsigned width : {3u, 64u, 93u, 560u}) {
      const CheckCode code({width, crc});
      for (unsigned first = 0; first < code_w + width; ++first) {
        for (unsigned round = 0; round < 50; ++round) {
          std::vector<std::uint64_t> word((width + 63) / 64);
          unsigned wrong_code = 0;
          for (unsigned b = first; b < std::min(first + code_w, code_w + width); ++b) {
            if (b != first && random.chance(0.5)) continue;
            if (b < code_w) {
              wrong_code |= 1u << b;
            } else {
              word[(b - code_w) / 64] |= std::uint64_t{1} << (b - code_w) % 64;
            }
          }
          REQUIRE(code.of(word.data()) != wrong_code);
        }
      }
    }
  }
}

TEST_CASE("credits come once each, whatever back words are lost") {
  RandomStream random(5);
  for (const BackForm form :
       {BackForm{1, 1, 0, true}, {1, 9, 3, false}, {3, 4, 1, true}, {70, 3, 0, false}}) {
    CreditTx tx(form);
    CreditRx rx(form);
    std::vector<unsigned> due(form.num_vc);  // Slots that have become free, less credits.
    std::vector<unsigned> got(form.num_vc);
    std::vector<std::uint64_t> lines(form.credit_words()), word(form.words());
    for (unsigned cycle = 0; cycle < 4000; ++cycle) {
      const bool calm = cycle > 3500;
      CreditTx::In in;
      std::fill(lines.begin(), lines.end(), 0);
      in.credit = lines.data();
      for (unsigned v = 0; !calm && v < form.num_vc; ++v) {
        if (due[v] == form.depth || !random.chance(0.3)) continue;
        ++due[v];
        lines[v / 64] |= std::uint64_t{1} << v % 64;
      }
      in.add_vc = static_cast<std::uint32_t>(random.below(form.num_vc));
      if (!calm && due[in.add_vc] < form.depth && random.chance(0.2)) {
        in.add = static_cast<std::uint32_t>(random.below(form.depth - due[in.add_vc] + 1));
        due[in.add_vc] += in.add;
      }
      std::copy_n(tx.out().back, form.words(), word.begin());
      const bool lost = !calm && random.chance(0.5);
      if (lost && random.chance(0.3)) {
        std::fill(word.begin(), word.end(), 0);
      } else if (lost) {
        const auto bit = random.below(form.back_w());
        word[bit / 64] ^= std::uint64_t{1} << bit % 64;
      }
      if (!lost && cycle > 0) CHECK(rx.eval(word.data()).good);
      tx.step(in);
      rx.step({word.data()});
      for (unsigned v = 0; v < form.num_vc; ++v) {
        if ((rx.credit()[v / 64] >> v % 64 & 1) == 0) continue;
        ++got[v];
        REQUIRE(due[v] > 0);
        --due[v];
      }
    }
    for (unsigned v = 0; v < form.num_vc; ++v) {
      CHECK(due[v] == 0);
      CHECK(got[v] > 50);
    }
    // A dead wire is no word.
    std::fill(word.begin(), word.end(), 0);
    CHECK_FALSE(rx.eval(word.data()).good);
  }
  CHECK_THROWS_AS(CreditTx(BackForm{0, 1}), ConfigError);
  CHECK_THROWS_AS(CreditRx(BackForm{1, 0}), ConfigError);
  CHECK_THROWS_AS(CreditRx(BackForm{1, 1, 65}), ConfigError);
}

TEST_CASE("a link that repairs errors delivers every flit once and in order") {
  for (const double rate : {1e-4, 0.01, 0.1, 0.3}) {
    for (unsigned stages = 0; stages <= 5; ++stages) {
      const LinkTx::Config& config = kPairs[(stages + (rate > 0.05)) % kPairs.size()];
      CAPTURE(rate);
      CAPTURE(stages);
      LinkPair pair(config, stages, 11 + stages);
      const Spoiler spoiler{rate, true};
      for (unsigned cycle = 0; cycle < 4000; ++cycle) {
        // Now and then all words are spoilt for some time.
        const Spoiler now = cycle % 1000 < 30 ? Spoiler{1, true} : spoiler;
        pair.step(0.9, cycle / 300 % 2 == 0 ? 1 : 0.1, now, cycle % 700 < 50 ? now : spoiler);
      }
      unsigned more = 0;
      for (; more < 4000 && !pair.settled(); ++more) pair.step(0, 1, {}, {});
      CHECK(pair.settled());
      CHECK(pair.in_order);
      CHECK(pair.room);
      CHECK(pair.most_held <= config.depth);
      CHECK(pair.most_credits() == config.depth);
      CHECK(pair.arrived > 50);
      CHECK(pair.tx().out().retries > 0);
      CHECK_FALSE(pair.tx().out().stuck);
    }
  }
}

TEST_CASE("without errors it is a delay both ways") {
  for (const LinkTx::Config& pair_config : kPairs) {
    for (unsigned stages = 0; stages <= 5; ++stages) {
      LinkTx::Config config = pair_config;
      config.timeout = 2 * stages + 1;  // The least that is not over too early.
      LinkPair pair(config, stages, 21 + stages);
      const unsigned delay = stages + 2;
      for (unsigned cycle = 0; cycle < 1500; ++cycle) {
        pair.step(cycle / 200 % 2 == 0 ? 1 : 0.5, cycle / 100 % 3 == 0 ? 0.2 : 1, {}, {});
      }
      bool flits = true, credits = true;
      for (std::size_t t = delay; t < pair.offered.size(); ++t) {
        flits = flits && pair.delivered[t] == pair.offered[t - delay];
        credits = credits && pair.returned[t] == pair.freed[t - delay];
      }
      CHECK(flits);
      CHECK(credits);
      CHECK(pair.arrived > 50);
      CHECK(pair.tx().out().retries == 0);
      CHECK(pair.rx().out().errors == 0);
    }
  }
}

TEST_CASE("a dead link is stuck until an acknowledgement, and its ends count") {
  LinkTx::Config config = kPairs[1];
  config.timeout = 9;
  config.limit = 3;
  LinkPair pair(config, 0, 31);
  const Spoiler dead{1, false};
  for (unsigned cycle = 0; cycle < 100; ++cycle) pair.step(1, 1, {}, dead);
  // No back word is good: the timer alone, every 10 cycles.
  CHECK(pair.tx().out().retries == 9);
  CHECK(pair.tx().out().stuck);
  CHECK(pair.rx().out().errors == 0);
  for (unsigned cycle = 0; cycle < 3; ++cycle) pair.step(0, 1, {}, {});
  CHECK_FALSE(pair.tx().out().stuck);
  for (unsigned cycle = 0; cycle < 50; ++cycle) pair.step(1, 1, dead, {});
  CHECK(pair.rx().out().errors == 50);

  LinkTx::Config wrong = config;
  wrong.timeout = 0;
  CHECK_THROWS_AS(LinkTx{wrong}, ConfigError);
  wrong = config;
  wrong.limit = 256;
  CHECK_THROWS_AS(LinkTx{wrong}, ConfigError);
  CHECK_THROWS_AS(LinkRx(LinkForm{false, 64, 1, 3, 10923}), ConfigError);
}
