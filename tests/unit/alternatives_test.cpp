// Alternatives of properties, by hand.
#include "sim/verilated/alternatives.hpp"

#include <doctest/doctest.h>

namespace weft {
namespace {

std::vector<std::string> texts_of(const std::string& property) {
  std::vector<std::string> texts;
  for (const Alternative& one : alternatives_of("  `WEFT_ASSERT(Label, " + property + ")\n"))
    texts.push_back(one.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST_CASE("an implication has two alternatives, however it is written") {
  CHECK(texts_of("!req || addr < Size") == Texts{"!req", "addr < Size"});
  CHECK(texts_of("!(req && addr == Size)") == Texts{"!(req)", "!(addr == Size)"});
  CHECK(texts_of("(!req ||\n      (a && b))") == Texts{"!req", "a && b"});
  CHECK(texts_of("!(a && !(b && c)) || d[x || y]") == Texts{"!(a)", "!(!(b && c))", "d[x || y]"});
  CHECK(texts_of("held == '0 ? idx == '0 : held[idx]") == Texts{"!(held == '0)", "held == '0"});
}

TEST_CASE("what has no alternative, or one of parameters alone") {
  CHECK(texts_of("count <= Depth").empty());
  CHECK(texts_of("valid == (a || b)").empty());
  CHECK(texts_of("!(a || b)").empty());
  CHECK(texts_of("Slots == 0 || 32'(moved) <= weft_pkg::Most") ==
        Texts{"32'(moved) <= weft_pkg::Most"});
  CHECK(alternatives_of("`WEFT_PARAM(Label, A || B)\n").empty());
}

TEST_CASE("a record stands behind its property, on the same line") {
  const std::string source = "a\n  `WEFT_ASSUME(Known, !v ||\n    w)\nb\n";
  const std::string recorded = with_records(source);
  CHECK(recorded ==
        "a\n  `WEFT_ASSUME(Known, !v ||\n    w)"
        " logic Known_1_seen = 1'b0;"
        " always @(posedge clk_i) if (rst_ni && !(w)) Known_1_seen <= 1'b1;"
        " logic Known_2_seen = 1'b0;"
        " always @(posedge clk_i) if (rst_ni && !(!v)) Known_2_seen <= 1'b1;\nb\n");
}

TEST_CASE("three alternatives: each against the other two") {
  const auto all = alternatives_of("`WEFT_ASSERT(Three, a || !b || c)");
  REQUIRE(all.size() == 3);
  CHECK(all[0].alone == "!(!b) && !(c)");
  CHECK(all[1].alone == "!(a) && !(c)");
  CHECK(all[2].alone == "!(a) && !(!b)");
}

}  // namespace
}  // namespace weft
