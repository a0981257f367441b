// The C++ around a Verilated module: what is read from the generated code, and the functions that
// its shared library exports.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/verilated/verilate.hpp"

namespace weft {

/// The ports in the header of a Verilated class.
std::vector<RtlPortInfo> parse_ports(const std::string& header);

/// Whether a generated text names state outside of the instance's symbol table, which holds the
/// objects of the root and of the modules that are not inlined. `members`: the text is the header
/// of one of these classes; else its code.
bool names_outer_state(std::string_view text, bool members);

/// The scopes with public variables in the header of the symbol table, by their C++ names.
std::vector<std::string> parse_scopes(const std::string& header);

/// The exported functions. `state_inside`: no state is outside of the symbol table. `coverage`: an
/// instance has its own context, whose counts are written when it is destroyed.
std::string glue_for(const std::vector<RtlPortInfo>& ports, bool state_inside, bool coverage);

/// A further function of a loadable library: it visits all registers, which are in these scopes.
std::string register_glue_for(const std::vector<std::string>& scopes);

}  // namespace weft
