// Antecedents of properties, by hand.
#include "sim/verilated/antecedents.hpp"

#include <doctest/doctest.h>

namespace weft {
namespace {

using Texts = std::vector<std::string>;

Texts of(const std::string& property) {
  Texts texts;
  for (const Antecedent& one : antecedents_of("  `WEFT_ASSERT(Label, " + property + ")\n"))
    texts.push_back(one.text);
  return texts;
}

TEST_CASE("an implication has an antecedent, however it is written") {
  CHECK(of("!req || addr < Size") == Texts{"!(!req)"});
  CHECK(of("!(req && addr == Size)") == Texts{"!(!(req))"});
  CHECK(of("(!req ||\n      (a && b))") == Texts{"!(!req)"});
  CHECK(of("!(a && !(b && c)) || d[x || y]") == Texts{"!(!(a)) && !(b && c)"});
  CHECK(of("Slots == 0 || !rise || hold") == Texts{"!(Slots == 0) && !(!rise)"});
}

TEST_CASE("a choice has two") {
  CHECK(of("held == '0 ? idx == '0 : held[idx]") == Texts{"held == '0", "!(held == '0)"});
}

TEST_CASE("what has no antecedent") {
  CHECK(of("count <= Depth").empty());
  CHECK(of("valid == (a || b)").empty());
  CHECK(of("!(a || b)").empty());
  CHECK(of("a == '0 && b == '0").empty());
  CHECK(antecedents_of("`WEFT_PARAM(Label, A || B)\n").empty());
}

TEST_CASE("a record follows its property, on the same line") {
  CHECK(with_records("a\n  `WEFT_ASSUME(Known, !v ||\n    w)\nb\n") ==
        "a\n  `WEFT_ASSUME(Known, !v ||\n    w)"
        " logic Known_1_seen = 1'b0;"
        " always @(posedge clk_i) if (rst_ni && (!(!v))) Known_1_seen <= 1'b1;\nb\n");
}

}  // namespace
}  // namespace weft
