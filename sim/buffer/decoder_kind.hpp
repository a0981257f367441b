// Kinds of destination decoders of a crossbar.
#pragma once

namespace weft {

/// How an input buffer finds the output of a packet; the values are those of rtl/weft_pkg.sv.
enum class Route : unsigned {
  kDigit =
      0,  ///< One address digit is the output; higher digits lead to the detour (figs 3, 6, 7).
  kSwitch = 1,  ///< Prior art: Y crossbar 2, X crossbar 1, processor 0 (fig. 9).
};

}  // namespace weft
