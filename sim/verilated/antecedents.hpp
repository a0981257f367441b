// Antecedents of the properties in the RTL, found in its text, and registers that record them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The antecedent of a property in the RTL: that all alternatives before the last one are false. In
/// `!req || addr < Size` and `!(req && addr >= Size)` it is `req`. A property whose antecedent is
/// never true says nothing. `idle ? x : y` has two, `idle` and its negation.
struct Antecedent {
  std::string label;   ///< Label of the property, as in WEFT_ASSERT(LABEL, ...).
  std::string text;    ///< A SystemVerilog expression.
  std::string record;  ///< The register that records it, LABEL_NUMBER_seen.
};

/// Antecedents of all properties (WEFT_ASSERT, WEFT_ASSUME) in a SystemVerilog source, in order.
std::vector<Antecedent> antecedents_of(std::string_view source);

/// The source with the records, each after its property on the same line. A record is 1 once its
/// antecedent was true at a rising edge of `clk_i` without reset.
std::string with_records(std::string_view source);

}  // namespace weft
