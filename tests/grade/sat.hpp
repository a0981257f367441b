// A small solver of propositional formulas.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::grade {

/// A variable's number times 2, plus 1 if negated.
using Lit = std::uint32_t;
constexpr Lit negated(Lit lit, bool when = true) {
  return lit ^ static_cast<Lit>(when);
}

/// Conflict-driven clause learning with two watched literals, activities, phases, restarts.
class Sat {
 public:
  enum class Answer : std::uint8_t { kYes, kNo, kUnknown };

  Sat();
  /// Literals that are always true and always false.
  static constexpr Lit kTrue = 0, kFalse = 1;

  Lit fresh();
  /// Any number of literals, of which one must be true.
  void add(std::vector<Lit> clause);
  /// Whether all clauses can be true with these literals; kUnknown after so many conflicts.
  Answer solve(const std::vector<Lit>& assumed, std::uint64_t conflicts);
  /// In the answer kYes.
  bool value(Lit lit) const { return model_[lit / 2] == (lit % 2 == 0); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Watch {
    std::uint32_t clause;
    Lit blocker;
  };
  struct Clause {
    std::uint32_t first, size;
    bool learnt, dead;
    std::uint32_t glue;
  };

  std::int8_t now(Lit lit) const {
    return static_cast<std::int8_t>(lit % 2 != 0 ? -assigned_[lit / 2] : assigned_[lit / 2]);
  }
  void attach(std::uint32_t clause);
  std::uint32_t append(const std::vector<Lit>& lits, bool learnt, std::uint32_t glue);
  void assign(Lit lit, std::uint32_t reason);
  std::uint32_t propagate();
  void analyse(std::uint32_t conflict, std::vector<Lit>& learnt, std::uint32_t& level);
  bool implied(Lit lit);
  void back(std::uint32_t level);
  void bump(std::uint32_t variable);
  Lit decide();
  void forget();
  void up(std::uint32_t place);
  void down(std::uint32_t place);
  void put(std::uint32_t variable);

  bool broken_ = false;
  std::vector<Clause> clauses_;
  std::vector<Lit> pool_;
  std::vector<std::vector<Watch>> watches_;
  std::vector<std::int8_t> assigned_;
  std::vector<std::uint8_t> phase_, marked_;
  std::vector<bool> model_;
  std::vector<std::uint32_t> level_, reason_, place_, heap_;
  std::vector<double> activity_;
  std::vector<Lit> trail_;
  std::vector<std::uint32_t> limits_;
  std::size_t head_ = 0, learnt_ = 0;
  double step_ = 1;
};

}  // namespace weft::grade
