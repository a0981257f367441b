// Satisfiability of clauses, by CaDiCaL.
#include "tests/grade/sat.hpp"

#include <algorithm>
#include <cadical.hpp>
#include <limits>

namespace weft::grade {
namespace {

// CaDiCaL numbers variables from 1 on, and negates by the sign.
int signed_of(Lit lit) {
  const int variable = static_cast<int>(lit / 2) + 1;
  return lit % 2 != 0 ? -variable : variable;
}

}  // namespace

Sat::Sat() : solver_(std::make_unique<CaDiCaL::Solver>()) {
  solver_->set("quiet", 1);
  add({kTrue});
}
Sat::~Sat() = default;

void Sat::add(const std::vector<Lit>& clause) {
  for (const Lit lit : clause) solver_->add(signed_of(lit));
  solver_->add(0);
}

Sat::Answer Sat::solve(const std::vector<Lit>& assumed, std::uint64_t conflicts) {
  for (const Lit lit : assumed) solver_->assume(signed_of(lit));
  solver_->limit("conflicts", static_cast<int>(std::min<std::uint64_t>(
                                  conflicts, std::numeric_limits<int>::max())));
  switch (solver_->solve()) {
    case 10:
      model_.resize(variables_);
      for (std::uint32_t v = 0; v < variables_; ++v) model_[v] = solver_->val(signed_of(2 * v)) > 0;
      return Answer::kYes;
    case 20:
      return Answer::kNo;
    default:
      return Answer::kUnknown;
  }
}

}  // namespace weft::grade
