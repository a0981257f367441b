// Registers of Verilated instances and the flops of the same hardware as gates.
#include "sim/gates/lane_registers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "sim/base/error.hpp"
#include "sim/verilated/rtl_registers.hpp"

namespace weft {
namespace {

// The flop of each bit of a register, by name; kNone for a bit that Yosys took away: it is
// constant, or nothing reads it, which the netlist does not tell apart.
using FlopsByRegister = std::unordered_map<std::string, std::vector<std::uint32_t>>;
FlopsByRegister flops_by_register(const Netlist& netlist) {
  FlopsByRegister all;
  const auto add = [&](const std::string& full, std::uint32_t flop) {
    const std::size_t index = full.rfind('[');
    if (index == full.npos) return;
    const auto number = static_cast<std::size_t>(std::stoul(full.substr(index + 1)));
    auto& bits = all[full.substr(0, index)];
    if (bits.size() <= number) bits.resize(number + 1, Netlist::kNone);
    bits[number] = flop;
  };
  for (std::uint32_t f = 0; f < netlist.flops.size(); ++f) {
    add(netlist.flops[f].name, f);
  }
  for (const FlopAlias& alias : netlist.aliases) {
    if (!alias.constant) add(alias.name, alias.of);
  }
  return all;
}

}  // namespace

LaneRegisters::LaneRegisters(const GateLibrary& library, const RtlInstance& rtl, std::string scope)
    : scope_(std::move(scope)) {
  const FlopsByRegister flops = flops_by_register(library.netlist());
  const std::vector<RtlRegisterInfo> registers = rtl.registers();
  const auto& memories = library.netlist().memories;
  for (unsigned r = 0; r < registers.size(); ++r) {
    const RtlRegisterInfo& info = registers[r];
    const auto memory =
        std::ranges::find(memories, scope_ + std::string(info.name), &GateMemory::name);
    if (memory != memories.end() && memory->width == info.width && memory->words == info.elements) {
      memories_.emplace_back(r, static_cast<unsigned>(memory - memories.begin()));
    }
    for (unsigned e = 0; e < info.elements; ++e) {
      const std::string name =
          info.elements == 1 ? std::string(info.name) : fmt::format("{}[{}]", info.name, e);
      auto bits = flops.find(scope_ + name);
      // A memory of one word has one element, too.
      if (bits == flops.end()) bits = flops.find(scope_ + name + "[0]");
      if (bits == flops.end()) continue;
      Element& element = elements_.emplace_back();
      element.name = name;
      element.reg = r;
      element.element = e;
      const std::size_t width = std::min<std::size_t>(info.width, bits->second.size());
      for (std::size_t b = 0; b < width; ++b) {
        const std::uint32_t flop = bits->second[b];
        element.places.push_back(flop == Netlist::kNone ? kNoPlace : library.state_place(flop));
      }
    }
  }
}

void LaneRegisters::load(GateBlock& gates, std::uint32_t lane, const RtlInstance& rtl) const {
  const std::vector<RtlRegisterInfo> registers = rtl.registers();
  for (const Element& element : elements_) {
    const RtlPort storage = RtlRegisters::element(registers[element.reg], element.element);
    for (unsigned b = 0; b < element.places.size(); ++b) {
      if (element.places[b] == kNoPlace) continue;
      gates.set_state_bit(element.places[b], lane, storage.bits(b, 1) != 0);
    }
  }
  for (const auto& [reg, memory] : memories_) {
    const RtlRegisterInfo& info = registers[reg];
    for (unsigned e = 0; e < info.elements; ++e) {
      const RtlPort storage = RtlRegisters::element(info, e);
      const auto word = gates.memory_word(memory, lane, e);
      for (unsigned lsb = 0; lsb < storage.width(); lsb += 64) {
        word[lsb / 64] = storage.bits(lsb, std::min(64u, storage.width() - lsb));
      }
    }
  }
}

void check_loads_all(const GateLibrary& library, const std::vector<const LaneRegisters*>& all,
                     const std::string& block) {
  const Netlist& netlist = library.netlist();
  std::vector<bool> set(library.state()), has_words(netlist.memories.size());
  for (const LaneRegisters* const registers : all) {
    for (const auto& [reg, memory] : registers->memories()) has_words[memory] = true;
    for (const LaneRegisters::Element& element : registers->elements()) {
      for (const std::uint32_t place : element.places) {
        if (place != LaneRegisters::kNoPlace) set[place] = true;
      }
    }
  }
  const auto check = [&](bool is_loaded, const char* what, const std::string& name) {
    if (is_loaded) return;
    throw CheckError(fmt::format("gates of {}: {} {} has no register of its form in the RTL", block,
                                 what, name));
  };
  for (std::uint32_t f = 0; f < netlist.flops.size(); ++f) {
    check(set[library.state_place(f)], "flop", netlist.flops[f].name);
  }
  for (std::size_t m = 0; m < netlist.memories.size(); ++m) {
    check(has_words[m], "memory", netlist.memories[m].name);
  }
}

}  // namespace weft
