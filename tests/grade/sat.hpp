// Satisfiability of clauses, by CaDiCaL.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace CaDiCaL {
class Solver;
}

namespace weft::grade {

/// A variable's number times 2, plus 1 if negated.
using Lit = std::uint32_t;
constexpr Lit negated(Lit lit, bool when = true) {
  return lit ^ static_cast<Lit>(when);
}

/// Clauses that more can be added to between two questions.
class Sat {
 public:
  enum class Answer : std::uint8_t { kYes, kNo, kUnknown };

  Sat();
  ~Sat();
  /// Literals that are always true and always false.
  static constexpr Lit kTrue = 0, kFalse = 1;

  Lit fresh() { return 2 * variables_++; }
  /// Any number of literals, of which one must be true.
  void add(const std::vector<Lit>& clause);
  /// Whether all clauses can be true with these literals; kUnknown after so many conflicts.
  Answer solve(const std::vector<Lit>& assumed, std::uint64_t conflicts);
  /// Value of a literal in the last answer kYes; of a variable that came later false.
  bool value(Lit lit) const { return lit / 2 < model_.size() && model_[lit / 2] == (lit % 2 == 0); }

 private:
  std::unique_ptr<CaDiCaL::Solver> solver_;
  std::uint32_t variables_ = 1;  // With that of kTrue.
  std::vector<bool> model_;      // The solver forgets it with the next clause.
};

}  // namespace weft::grade
