#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// One alternative of a property in the RTL: what may make it true. `!req || addr < Size` and
/// `!(req && addr >= Size)` have two each. One that is never the only true one does not matter:
/// the property would hold without it, as an implication whose antecedent never occurs.
struct Alternative {
  std::string label;   ///< Of the property, as in WEFT_ASSERT(LABEL, ...).
  std::string text;    ///< As it is written, `!(...)` around it where the property negates it.
  std::string alone;   ///< Expression: all other alternatives are false.
  std::string record;  ///< The name of the register that records this, LABEL_NUMBER_seen.
};

/// Those of all properties (WEFT_ASSERT, WEFT_ASSUME) in a SystemVerilog source, in order. Those of
/// parameters alone are left out, and properties with one alternative.
std::vector<Alternative> alternatives_of(std::string_view source);

/// The source with the records, each behind its property on the same line. A record is 1 once its
/// alternative alone made the property true at a rising edge of `clk_i` without reset.
std::string with_records(std::string_view source);

}  // namespace weft
