// What holds of a block's registers in every state: guessed from a recording, proved by induction.
#include <algorithm>
#include <chrono>
#include <map>
#include <string>

#include "tests/grade/prover.hpp"

namespace weft::grade {
namespace {

constexpr std::size_t kMostClauses = 20000;  // Pairs beyond are left out.
constexpr std::size_t kMostFlops = 400;      // Of a module in which pairs are looked for.
constexpr std::size_t kWide = 12;            // Bits of a register.

// "gen_in[0].u_in.credit_q[2]": the register.
std::string register_of(const std::string& name) {
  return name.substr(0, name.rfind('['));
}

// "gen_in[0].u_in".
std::string scope_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? "" : name.substr(0, dot);
}

}  // namespace

// Flops that never changed, pairs of values of two flops of a module and values of small registers
// that did not occur.
std::vector<Prover::Clause> Prover::candidates() {
  std::size_t samples = 0;
  const auto rows = passes_.states(samples);
  if (samples == 0) return {};
  std::vector<Clause> found;
  const std::size_t words = (samples + 63) / 64;
  const std::uint64_t last =
      samples % 64 != 0 ? (std::uint64_t{1} << samples % 64) - 1 : ~std::uint64_t{0};
  std::vector<std::uint32_t> moving;
  for (std::uint32_t f = 0; f < rows.size(); ++f) {
    std::uint64_t any = 0, all = ~std::uint64_t{0};
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t mask = w + 1 == words ? last : ~std::uint64_t{0};
      any |= rows[f][w];
      all &= rows[f][w] | ~mask;
    }
    still_[f] = any == 0 || all == ~std::uint64_t{0} ? 1 : 0;
    if (any == 0) found.push_back({f * 2 + 1});
    if (all == ~std::uint64_t{0}) found.push_back({f * 2});
    if (any != 0 && all != ~std::uint64_t{0}) moving.push_back(f);
  }
  std::map<std::string, std::vector<std::uint32_t>> registers, scopes;
  for (const std::uint32_t f : moving) {
    registers[register_of(netlist_.flops[f].name)].push_back(f);
    scopes[moving.size() <= 150 ? "" : scope_of(netlist_.flops[f].name)].push_back(f);
  }
  for (const auto& [name, flops] : registers) {
    if (flops.size() < 3 || flops.size() > 6) continue;
    std::vector<std::uint8_t> seen(std::size_t{1} << flops.size());
    for (std::size_t s = 0; s < samples; ++s) {
      std::size_t value = 0;
      for (std::size_t i = 0; i < flops.size(); ++i) {
        value |= (rows[flops[i]][s / 64] >> s % 64 & 1) << i;
      }
      seen[value] = 1;
    }
    for (std::uint32_t value = 0; value < seen.size(); ++value) {
      if (seen[value] != 0) continue;
      Clause clause;
      for (std::uint32_t i = 0; i < flops.size(); ++i) {
        clause.push_back(flops[i] * 2 + (value >> i & 1));
      }
      found.push_back(clause);
    }
  }
  for (auto& [name, flops] : scopes) {
    // What is wide is data or counts events.
    if (flops.size() > kMostFlops) {
      std::erase_if(flops, [&](std::uint32_t f) {
        return registers[register_of(netlist_.flops[f].name)].size() > kWide;
      });
    }
    if (flops.size() > kMostFlops) continue;
    for (std::size_t i = 0; i < flops.size(); ++i) {
      for (std::size_t j = i + 1; j < flops.size(); ++j) {
        const auto &a = rows[flops[i]], &b = rows[flops[j]];
        std::uint64_t both = 0, first = 0, second = 0, none = 0;
        for (std::size_t w = 0; w < words && (both == 0 || first == 0 || second == 0 || none == 0);
             ++w) {
          const std::uint64_t mask = w + 1 == words ? last : ~std::uint64_t{0};
          both |= a[w] & b[w];
          first |= a[w] & ~b[w];
          second |= ~a[w] & b[w];
          none |= ~a[w] & ~b[w] & mask;
        }
        const std::uint32_t x = flops[i] * 2, y = flops[j] * 2;
        if (both == 0) found.push_back({x + 1, y + 1});
        if (first == 0) found.push_back({x + 1, y});
        if (second == 0) found.push_back({x, y + 1});
        if (none == 0) found.push_back({x, y});
      }
      if (found.size() > kMostClauses) return found;
    }
  }
  return found;
}

// By registers that have a reset, whatever the others are.
bool Prover::holds_at_reset(const Clause& clause) const {
  for (const std::uint32_t one : clause) {
    const Flop::Reset reset = netlist_.flops[one / 2].reset;
    if (reset == (one % 2 != 0 ? Flop::Reset::kTo0 : Flop::Reset::kTo1)) return true;
  }
  return false;
}

void Prover::find_clauses() {
  std::vector<Clause> all = candidates();
  if (!keep_clauses(all)) {  // Without the pairs there are far fewer.
    std::erase_if(all, [](const Clause& clause) { return clause.size() == 2; });
    keep_clauses(std::move(all));
  }
  // A counter's upper bits move only after all lower ones: with one bit the whole register.
  std::map<std::string, bool> still;
  for (std::uint32_t f = 0; f < netlist_.flops.size(); ++f) {
    if (still_[f] != 0) still[register_of(netlist_.flops[f].name)] = true;
  }
  for (std::uint32_t f = 0; f < netlist_.flops.size(); ++f) {
    if (still.contains(register_of(netlist_.flops[f].name))) still_[f] = 1;
  }
  for (const Clause& clause : clauses_) {
    if (clause.size() == 1) still_[clause[0] / 2] = 0;
  }
}

// The most of them that together hold after each cycle before which they hold; false, and none, if
// that takes too long.
bool Prover::keep_clauses(std::vector<Clause> all) {
  const auto start = std::chrono::steady_clock::now();
  std::erase_if(all, [this](const Clause& clause) { return !holds_at_reset(clause); });
  if (all.empty()) return true;
  Sat sat;
  Frames frames(netlist_, sat, Start::kAny, {});
  const auto holds = [&](const Clause& clause, bool after) {
    std::vector<Lit> lits;
    for (const std::uint32_t one : clause) {
      const Lit lit =
          after ? frames.next(0, one / 2, false) : frames.good(0, netlist_.first_flop() + one / 2);
      lits.push_back(negated(lit, one % 2 != 0));
    }
    return lits;
  };
  assume(sat, frames, 0);
  std::vector<Lit> chosen;                  // Whether a clause is assumed.
  std::vector<Lit> broken;                  // That it does not hold after the cycle.
  std::vector<std::vector<Lit>> after_all;  // Its literals then.
  for (const Clause& clause : all) {
    std::vector<Lit> before = holds(clause, false), after = holds(clause, true);
    chosen.push_back(sat.fresh());
    before.push_back(negated(chosen.back()));
    sat.add(before);
    broken.push_back(sat.fresh());
    for (const Lit lit : after) sat.add({negated(broken.back()), negated(lit)});
    after_all.push_back(std::move(after));
  }
  std::vector<std::uint8_t> kept(all.size(), 1);
  for (;;) {
    std::vector<Lit> assumed, any;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (kept[i] == 0) continue;
      assumed.push_back(chosen[i]);
      any.push_back(broken[i]);
    }
    if (any.empty()) return true;
    const Lit now = sat.fresh();
    any.push_back(negated(now));
    sat.add(any);
    assumed.push_back(now);
    const Sat::Answer answer = sat.solve(assumed, effort_.conflicts * 2);
    sat.add({negated(now)});
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (answer == Sat::Answer::kUnknown || taken.count() > effort_.seconds / 20) return false;
    if (answer == Sat::Answer::kNo) break;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (std::ranges::none_of(after_all[i], [&](Lit lit) { return sat.value(lit); })) kept[i] = 0;
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (kept[i] != 0) clauses_.push_back(all[i]);
  }
  return true;
}

}  // namespace weft::grade
