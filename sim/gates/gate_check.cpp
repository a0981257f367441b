// Gates beside a Verilated instance.
#include "sim/gates/gate_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/gates/wrong_net.hpp"
#include "sim/verilated/rtl_registers.hpp"

namespace weft {
namespace {

constexpr unsigned kNamed = 4;  // Names of a list in a message.

RtlSpec gates_of(const RtlInstance& rtl, const std::filesystem::path& liberty) {
  const RtlSpec& spec = rtl.library().spec();
  return {.top = spec.top, .params = spec.params, .extra = spec.extra, .liberty = liberty};
}

std::string listed(const std::vector<std::string>& names) {
  const std::size_t shown = std::min<std::size_t>(names.size(), kNamed);
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), "; "));
  if (shown < names.size()) text += fmt::format("; and {} more", names.size() - shown);
  return text;
}

std::string edges_before(std::uint64_t edges) {
  return edges == 0 ? "in this cycle"
                    : fmt::format("{} cycle{} before", edges, edges == 1 ? "" : "s");
}

}  // namespace

GateCheck::GateCheck(const RtlInstance& rtl, const std::filesystem::path& liberty)
    : GateCheck(rtl, GateLibrary::load(gates_of(rtl, liberty), LaneWidth::k64)) {
  mapped_ = !liberty.empty();
}

GateCheck::GateCheck(const RtlInstance& rtl, std::shared_ptr<const GateLibrary> library)
    : library_(std::move(library)), gates_(library_, 1), module_(rtl.library().spec().top) {
  bind(rtl);
  gates_.outputs();
}

void GateCheck::bind(const RtlInstance& rtl) {
  inputs_.clear();
  outputs_.clear();
  for (const GatePort& port : library_->netlist().ports) {
    for (unsigned lsb = 0; lsb < port.width; lsb += 64) {
      Part part;
      part.name = port.name;
      part.rtl = rtl.port(port.name);
      part.lsb = lsb;
      part.width = std::min(64u, port.width - lsb);
      part.first = port.first + lsb;
      (port.input ? inputs_ : outputs_).push_back(part);
    }
  }
  driven_.clear();
  bind_registers(rtl);
}

void GateCheck::bind_registers(const RtlInstance& rtl) {
  registers_.clear();
  places_.clear();
  flops_.emplace(*library_, rtl);
  const std::vector<RtlRegisterInfo> storage = rtl.registers();
  for (const LaneRegisters::Element& element : flops_->elements()) {
    const auto width = static_cast<unsigned>(element.places.size());
    for (unsigned lsb = 0; lsb < width; lsb += 64) {
      Part part;
      part.name = element.name;
      part.rtl = RtlRegisters::element(storage[element.reg], element.element);
      part.lsb = lsb;
      part.width = std::min(64u, width - lsb);
      part.first = static_cast<std::uint32_t>(places_.size());
      for (unsigned b = 0; b < part.width; ++b) {
        const std::uint32_t place = element.places[lsb + b];
        if (place != LaneRegisters::kNoPlace) part.mask |= std::uint64_t{1} << b;
        places_.push_back(place);
      }
      registers_.push_back(part);
    }
  }
}

void GateCheck::load(const RtlInstance& rtl) {
  bind(rtl);
  check_loads_all(*library_, {&*flops_}, module_);
  gates_.reset();
  flops_->load(gates_, 0, rtl);
  edges_ = noted_ = 0;
  still_ = 0;
  note_.clear();
  gates_.outputs();
}

bool GateCheck::drive() {
  const bool first = driven_.empty();
  bool changed = first;
  if (first) driven_.resize(inputs_.size());
  std::uint64_t* const in = gates_.in(0);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Part& part = inputs_[i];
    const std::uint64_t value = part.rtl.bits(part.lsb, part.width);
    if (!first && value == driven_[i]) continue;
    driven_[i] = value;
    changed = true;
    // Other lanes have inputs of 0 and no reset, which costs least.
    const std::uint64_t all = part.name == "rst_ni" ? ~std::uint64_t{0} : 1;
    for (unsigned b = 0; b < part.width; ++b) in[part.first + b] = (value >> b & 1) * all;
  }
  return changed;
}

void GateCheck::settle() {
  drive();
  gates_.outputs();
}

void GateCheck::step() {
  if (drive()) still_ = 0;
  ++edges_;
  // With these inputs a first edge may still write into a memory what a second one reads; after
  // two that change no flop, none will.
  const bool rests = still_ >= 2 && !library_->forced();
  const std::uint64_t* const state = gates_.state(0);
  if (!rests) {
    before_.assign(state, state + library_->state());
    gates_.step();
    still_ = std::equal(before_.begin(), before_.end(), state) ? still_ + 1 : 0;
  }
  if (noted_ == 0) compare_registers();
  if (!rests) gates_.outputs();
}

std::uint64_t GateCheck::of_gates(const Part& part) const {
  const std::uint64_t* const out = gates_.out(0) + part.first;
  std::uint64_t value = 0;
  for (unsigned b = 0; b < part.width; ++b) value |= (out[b] & 1) << b;
  return value;
}

std::uint64_t GateCheck::of_register(const Part& part) {
  const std::uint64_t* const state = gates_.state(0);
  std::uint64_t value = 0;
  for (unsigned b = 0; b < part.width; ++b) {
    const std::uint32_t place = places_[part.first + b];
    if (place != LaneRegisters::kNoPlace) value |= (state[place] & 1) << b;
  }
  return value;
}

void GateCheck::compare_registers() {
  std::vector<std::string> names;
  for (const Part& part : registers_) {
    const std::uint64_t gates = of_register(part);
    std::uint64_t wrong = (gates ^ part.rtl.bits(part.lsb, part.width)) & part.mask;
    for (; wrong != 0; wrong &= wrong - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(wrong));
      const unsigned value = gates >> bit & 1;
      names.push_back(
          fmt::format("{}[{}] (gates {}, RTL {})", part.name, part.lsb + bit, value, 1 - value));
    }
  }
  if (names.empty()) return;
  noted_ = edges_;
  note_ = listed(names) + cause(true);
}

// What the netlist says of a difference, and which net explains it. `of_edge`: registers differ
// after an edge; else outputs differ.
std::string GateCheck::cause(bool of_edge) {
  const Netlist& netlist = library_->netlist();
  std::vector<std::uint8_t> values(netlist.nets());
  for (NetId i = 0; i < netlist.inputs; ++i) {
    values[Netlist::kFirstInput + i] = gates_.in(0)[i] & 1;
  }
  const std::uint64_t* const state = of_edge ? before_.data() : gates_.state(0);
  for (std::uint32_t f = 0; f < netlist.flops.size(); ++f) {
    values[netlist.first_flop() + f] = state[library_->state_place(f)] & 1;
  }
  compute_nets(netlist, values);
  std::vector<WantedNet> gates, rtl;
  const auto add = [&](NetId net, bool of_gates, bool of_rtl) {
    gates.push_back({net, of_gates});
    rtl.push_back({net, of_rtl});
  };
  if (of_edge) {
    // Flops that memories load have no net of their next value.
    std::vector<NetId> next(library_->state(), Netlist::kNone);
    std::vector<bool> loaded(netlist.flops.size());
    for (const GateMemory& memory : netlist.memories) {
      for (const auto& read : memory.reads) {
        for (unsigned b = 0; read.clocked && b < memory.width; ++b) {
          loaded[read.first - netlist.first_flop() + b] = true;
        }
      }
    }
    for (std::uint32_t f = 0; f < netlist.flops.size(); ++f) {
      if (!loaded[f]) next[library_->state_place(f)] = netlist.flops[f].d;
    }
    for (const Part& part : registers_) {
      const std::uint64_t of_gates = of_register(part),
                          of_rtl = part.rtl.bits(part.lsb, part.width);
      for (unsigned b = 0; b < part.width; ++b) {
        const std::uint32_t place = places_[part.first + b];
        if (place == LaneRegisters::kNoPlace || next[place] == Netlist::kNone) continue;
        add(next[place], (of_gates >> b & 1) != 0, (of_rtl >> b & 1) != 0);
      }
    }
  } else {
    for (const Part& part : outputs_) {
      const std::uint64_t of_one = of_gates(part), of_rtl = part.rtl.bits(part.lsb, part.width);
      for (unsigned b = 0; b < part.width; ++b) {
        add(netlist.outputs[part.first + b], (of_one >> b & 1) != 0, (of_rtl >> b & 1) != 0);
      }
    }
  }
  const auto computed = [&](const std::vector<WantedNet>& nets) {
    return std::ranges::all_of(
        nets, [&](const WantedNet& one) { return (values[one.net] != 0) == one.value; });
  };
  const bool as_gates = computed(gates), as_rtl = computed(rtl);
  if (as_gates == as_rtl) return "";
  std::string text = as_gates
                         ? "\n  the netlist has what the gates have: Yosys and Verilator read "
                           "the RTL differently"
                         : "\n  the netlist has what the RTL has: its compiled kernel is wrong";
  if (as_gates && mapped_) text += ", or cells do not compute what they were taken for";
  std::vector<std::string> names;
  for (const NetId net : nets_that_explain(netlist, values, as_gates ? rtl : gates)) {
    names.push_back(net_name(netlist, net));
  }
  if (!names.empty()) {
    text += fmt::format("\n  one of these nets inverted explains it: {}", listed(names));
  }
  return text;
}

std::string GateCheck::first_registers() const {
  if (noted_ == 0) return "";
  return fmt::format("\n  registers that differ first, {}: {}", edges_before(edges_ - noted_),
                     note_);
}

void GateCheck::check() {
  for (const Part& part : outputs_) {
    const std::uint64_t gates = of_gates(part), rtl = part.rtl.bits(part.lsb, part.width);
    if (gates == rtl) continue;
    const auto bit = static_cast<unsigned>(std::countr_zero(gates ^ rtl));
    std::string text = fmt::format("{} port {}[{}]: gates {}, RTL and model {}", module_, part.name,
                                   part.lsb + bit, gates >> bit & 1, rtl >> bit & 1);
    if (part.width > 1) {
      text += fmt::format(" (from bit {}: gates {:#x}, RTL and model {:#x})", part.lsb, gates, rtl);
    }
    throw Difference("gates differ from RTL and model",
                     text + (noted_ != 0 ? first_registers() : cause(false)));
  }
  if (noted_ != 0 && edges_ - noted_ >= kPatience) {
    throw Difference("gates and RTL differ",
                     fmt::format("{}: no output{}", module_, first_registers()));
  }
}

void GateCheck::explain(const Difference& difference) {
  const PortDifference& at = difference.at;
  const GatePort* const port = library_->find_port(at.port);
  if (port == nullptr || at.width == 0) throw difference;
  const std::uint64_t gates = gates_.bits(*port, 0, at.lsb, at.width);
  const char* const who = gates == at.model ? "RTL differs from model and gates"
                          : gates == at.rtl ? "model differs from RTL and gates"
                                            : "RTL, model and gates differ";
  throw Difference(who, fmt::format("{} port {}: RTL {:#x}, model {:#x}, gates {:#x}{}", module_,
                                    at.shown, at.rtl, at.model, gates, first_registers()));
}

}  // namespace weft
