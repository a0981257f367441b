// Lockstep bench of the sender's end of a link that repairs errors. The far end takes flits in
// sequence; its back words are good, late, wrong, missing for a time, or made up with a check code
// that is right. Where the longest time or the most tries are the parameters, they are first waited
// for without any answer, while flits fill all slots.
#include <algorithm>
#include <deque>
#include <vector>

#include "sim/link/link_tx.hpp"
#include "sim/packet/port_shape.hpp"
#include "tb/lib/bench.hpp"

namespace {

using weft::LinkTx;
using Word = std::vector<std::uint64_t>;

/// A receiver of its own making: sequence numbers, and the back word field by field.
class FarEnd {
 public:
  explicit FarEnd(const LinkTx::Config& config) : config_(config), free_(config.num_vc) {}

  /// A word on the wires; `lost`: it does not arrive.
  void take(const weft::Flit& flit, std::uint32_t check, bool lost) {
    if (!flit.valid || lost) {
      if (flit.valid) request_ = !request_;
      return;
    }
    const std::uint32_t seq = check % (2 * config_.replay());
    // After a made-up acknowledgement the flit expected may never come: then any will do.
    if (seq == expected_ || ++others_ > 4 * config_.replay()) {
      expected_ = (seq + 1) % (2 * config_.replay());
      others_ = 0;
      held_.push_back(flit.vc % config_.num_vc);
    }
  }
  /// The back word of a cycle.
  Word word(weft::RandomStream& random) {
    Word word(config_.back().words());
    weft::BitWriter bits(word.data());
    std::vector<std::uint64_t> lines((config_.num_vc + 63) / 64);
    while (!held_.empty() && random.chance(0.4)) {
      const unsigned v = held_.front();
      if ((lines[v / 64] >> v % 64 & 1) != 0) break;
      lines[v / 64] |= std::uint64_t{1} << v % 64;
      ++free_[v];
      held_.pop_front();
    }
    bits.add(lines.data(), config_.num_vc);
    bits.add(vc_, weft::index_width(config_.num_vc));
    const unsigned count_w = config_.back().count_w();
    bits.add(free_[vc_] & weft::low_mask(count_w), count_w);
    bits.add(expected_, config_.seq_w());
    bits.add(request_, 1);
    config_.back().seal(word.data());
    vc_ = (vc_ + 1) % config_.num_vc;
    return word;
  }

 private:
  LinkTx::Config config_;
  std::deque<unsigned> held_;
  std::vector<std::uint64_t> free_;
  std::uint32_t expected_ = 0, others_ = 0;
  unsigned vc_ = 0;
  bool request_ = false;
};

Word made_up(const LinkTx::Config& config, weft::RandomStream& random) {
  Word word(config.back().words()), body(word.size());
  for (std::uint64_t& part : word) part = random();
  config.back().check_of(word.data(), body.data());
  config.back().seal(body.data());
  return body;
}

// Cycles without an answer after which the longest timer is over, or the last try has been made.
std::uint64_t unanswered_cycles(const LinkTx::Config& c) {
  if (c.timeout > 10'000) return std::uint64_t{c.timeout} + 1000;
  return c.limit > 100 ? std::uint64_t{c.limit + 1} * (c.timeout + c.replay() + 4) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "link_tx", [](tb::Bench& bench) {
    bench.open_registers();
    const LinkTx::Config points[] = {
        {{false, 64, 1, 1, 1}, 1, 1},    {{true, 64, 2, 2, 2}, 5, 3},
        {{true, 64, 2, 2, 20}, 40, 16},  {{false, 128, 8, 3, 5}, 1, 255},
        {{false, 64, 5, 1, 4}, 200, 2},  {{true, 512, 2, 2, 7}, 65535, 4},
        {{false, 64, 70, 70, 2}, 90, 8}, {{false, 64, 8, 8, 4096}, 65535, 255},
    };
    for (const LinkTx::Config& c : bench.order(points)) {
      RtlInstance rtl = bench.point({{"FlitW", kFlitWidth(c)},
                                     {"VcW", index_width(c.field_vcs)},
                                     {"NumVc", c.num_vc},
                                     {"Depth", c.depth},
                                     {"Timeout", c.timeout},
                                     {"Limit", c.limit}},
                                    std::size(points));
      auto ports = bench.ports<LinkTx>(rtl, c);
      LinkTx model(c);
      FarEnd far(c);
      tb::Pressure offer, lost, wrong;
      std::deque<Word> late;
      RandomStream& random = bench.random;
      unsigned silent = 0;
      const std::uint64_t answered = bench.cycle() + unanswered_cycles(c);
      for (; bench.running() || bench.cycle() < answered; bench.next()) {
        const bool unanswered = bench.cycle() < answered;
        if (unanswered) bench.begin_share();
        bench.load_now(rtl, ports, model, c);
        bench.wind_counters(rtl, model);
        const LinkTx::Out out = model.out();
        // Half of the time nothing is wrong.
        const bool calm = bench.cycle() / 4096 % 2 == 0;
        far.take(out.tx, out.check, !calm && lost.next(random));
        Word word = far.word(random);
        late.push_back(word);
        if (late.size() > 12) late.pop_front();
        if (!calm && silent == 0 && random.below(2000) == 0) {
          silent = static_cast<unsigned>(random.below(2000));
        }
        if (silent != 0 || unanswered) {
          silent -= silent != 0;
          word[0] ^= 1;
        } else if (!calm && wrong.next(random)) {
          const auto kind = random.below(16);
          if (kind == 0) {
            word = made_up(c, random);
          } else if (kind < 6) {
            word = late.front();
          } else if (kind < 8) {
            std::fill(word.begin(), word.end(), 0);
          } else {
            for (unsigned n = kind < 12 ? 1 : 5; n != 0; --n) {
              const auto bit = random.below(c.back_w());
              word[bit / 64] ^= std::uint64_t{1} << bit % 64;
            }
          }
        }
        LinkTx::In in;
        in.back = word.data();
        if ((offer.next(random) || unanswered) && model.kept() < c.replay()) {
          in.rx.valid = true;
          in.rx.data = random();
          tb::random_upper(random, c.data_w / 64, in.rx);
          in.rx.last = random.chance(0.3);
          in.rx.parity = c.parity && random.chance(0.5);
          in.rx.vc = static_cast<std::uint16_t>(random.below(c.field_vcs));
          in.rx.stamp = static_cast<std::uint16_t>(random());
        }
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, out);
        if (!unanswered && bench.reset_now(rtl)) {
          model.reset();
          far = FarEnd(c);
          continue;
        }
        rtl.tick();
        model.step(in);
        bench.transferred(in.rx.valid);
      }
    }
  });
}
