// Registers of a Verilated instance by name.
#include "sim/verilated/rtl_registers.hpp"

namespace weft {

RtlRegisters::RtlRegisters(const RtlInstance& rtl) {
  for (RtlRegisterInfo& info : rtl.registers()) {
    const std::string name = info.name;
    const unsigned elements = info.elements;
    registers_[name] = {std::move(info), std::vector<bool>(elements)};
  }
}

RtlRegisters::Register& RtlRegisters::find(const std::string& name, unsigned i) {
  const auto found = registers_.find(name);
  if (found == registers_.end()) throw CheckError(fmt::format("no register {}", name));
  if (i >= found->second.info.elements) {
    throw CheckError(fmt::format("register {} has {} elements, no element {}", name,
                                 found->second.info.elements, i));
  }
  return found->second;
}

void RtlRegisters::clear_rest(const std::string& name) {
  Register& reg = find(name, 0);
  for (unsigned i = 0; i < reg.info.elements; ++i) {
    if (reg.is_set[i]) continue;
    RtlWord(name, element(reg.info, i)).clear();
    reg.is_set[i] = true;
  }
}

void RtlRegisters::finish() const {
  for (const auto& [name, reg] : registers_) {
    const auto missed = std::find(reg.is_set.begin(), reg.is_set.end(), false);
    if (missed == reg.is_set.end()) continue;
    throw CheckError(fmt::format("register {} is not loaded: element {} of {}", name,
                                 missed - reg.is_set.begin(), reg.info.elements));
  }
}

}  // namespace weft
