// The C++ around a Verilated module.
#include "sim/verilated/rtl_glue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

namespace weft {

// Reads lines like VL_IN8(&NAME,MSB,LSB); or VL_OUTW(&NAME,MSB,LSB,WORDS);. No std::regex: it costs
// half a second at each start, and more to compile.
std::vector<RtlPortInfo> parse_ports(const std::string& header) {
  std::vector<RtlPortInfo> ports;
  std::istringstream lines(header);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t macro = line.find_first_not_of(' ');
    if (macro == line.npos) continue;
    const bool input = line.compare(macro, 5, "VL_IN") == 0;
    const std::size_t name = line.find("(&"), comma = line.find(',');
    if ((!input && line.compare(macro, 6, "VL_OUT") != 0) || name > comma || comma == line.npos) {
      continue;
    }
    ports.push_back({line.substr(name + 2, comma - name - 2),
                     static_cast<unsigned>(std::stoul(line.substr(comma + 1)) + 1), input});
  }
  return ports;
}

std::vector<std::string> parse_scopes(const std::string& header) {
  constexpr std::string_view kMember = "VerilatedScope ";
  std::vector<std::string> scopes;
  std::istringstream lines(header);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t member = line.find(kMember), end = line.find(';');
    if (member == line.npos || end == line.npos) continue;
    scopes.push_back(line.substr(member + kMember.size(), end - member - kMember.size()));
  }
  return scopes;
}

bool names_outer_state(std::string_view text, bool members) {
  static constexpr std::string_view kTypes[] = {"VlQueue", "VlAssocArray", "VlClassRef",
                                                "VlDelayScheduler", "std::string"};
  static constexpr std::string_view kCalls[] = {"VL_RANDOM", "VL_URANDOM", "__Vdpiimwrap"};
  const auto named = [text](std::string_view word) { return text.find(word) != text.npos; };
  return members ? std::any_of(std::begin(kTypes), std::end(kTypes), named)
                 : std::any_of(std::begin(kCalls), std::end(kCalls), named);
}

std::string glue_for(const std::vector<RtlPortInfo>& ports, bool state_inside, bool coverage) {
  std::string text =
      "#include \"Vtop.h\"\n#include \"Vtop___024root.h\"\n#include \"Vtop__Syms.h\"\n"
      "#include \"verilated.h\"\n"
      "VerilatedContext* weft_context();\nVerilatedContext* weft_own_context();\n"
      "void weft_write_coverage(VerilatedContext*);\n"
      "extern \"C\" {\nvoid* weft_create() { return new Vtop(" +
      std::string(coverage ? "weft_own_context()" : "weft_context()") +
      ", \"\"); }\nvoid weft_destroy(void* p) {\n  Vtop* const top = static_cast<Vtop*>(p);\n" +
      (coverage ? "  weft_write_coverage(top->contextp());\n" : "") +
      "  delete top;\n}\n"
      "void weft_eval(void* p) { static_cast<Vtop*>(p)->eval(); }\n"
      "void* weft_state(void* p, size_t* bytes) {\n"
      "  Vtop__Syms* const state = static_cast<Vtop*>(p)->rootp->vlSymsp;\n  *bytes = " +
      std::string(state_inside ? "sizeof *state" : "0") +
      ";\n  return state;\n}\n"
      "void* weft_port(void* p, unsigned n) {\n  Vtop& top = *static_cast<Vtop*>(p);\n"
      "  switch (n) {\n";
  for (std::size_t i = 0; i < ports.size(); ++i) {
    text += fmt::format("    case {}: return &top.{};\n", i, ports[i].name);
  }
  return text + "  }\n  return nullptr;\n}\n}\n";
}

std::string register_glue_for(const std::vector<std::string>& scopes) {
  std::string text =
      "#include \"verilated_sym_props.h\"\n#include \"verilated_syms.h\"\n"
      "struct WeftRegister {\n  const char* scope;\n  const char* name;\n  void* data;\n"
      "  unsigned width, elements;\n};\n"
      "extern \"C\" void weft_registers(void* p, void (*visit)(void*, const WeftRegister&),\n"
      "                               void* to) {\n"
      "  Vtop__Syms& state = *static_cast<Vtop*>(p)->rootp->vlSymsp;\n"
      "  VerilatedScope* const scopes[] = {\n";
  for (const std::string& scope : scopes) text += fmt::format("    &state.{},\n", scope);
  return text +
         "    nullptr};\n"
         "  for (VerilatedScope* const* scope = scopes; *scope != nullptr; ++scope) {\n"
         "    if ((*scope)->varsp() == nullptr) continue;\n"
         "    for (const auto& named : *(*scope)->varsp()) {\n"
         "      const VerilatedVar& var = named.second;\n"
         "      if (!var.isPublicRW()) continue;\n"
         "      unsigned elements = var.udims() == 0 ? 1 : var.unpacked().elements();\n"
         "      unsigned width = var.packed().elements();\n"
         "      // Verilator takes the range of a memory of single bits for that of a word; words "
         "of\n"
         "      // rtl/ are numbered downwards.\n"
         "      if (var.udims() == 0 && var.packed().left() < var.packed().right()) {\n"
         "        elements = width;\n        width = 1;\n      }\n"
         "      visit(to, {(*scope)->name(), var.name(), var.datap(), width, elements});\n"
         "    }\n  }\n}\n";
}

}  // namespace weft
