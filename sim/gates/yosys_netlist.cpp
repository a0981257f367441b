// The netlist of a module in the JSON that Yosys writes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/error.hpp"
#include "sim/gates/flop_cells.hpp"
#include "sim/gates/netlist.hpp"
#include "sim/gates/netlist_order.hpp"
#include "sim/gates/yosys_json.hpp"

namespace weft {
namespace {

using namespace yosys;

// What drives a net of Yosys, before the nets have their numbers here.
struct Driver {
  enum Kind : std::uint8_t { kNothing, kInput, kFlop, kGate, kMemory, kClock } kind = kNothing;
  std::uint32_t index = 0;
};

class Reader {
 public:
  explicit Reader(const Json& module) : module_(module) {}

  Netlist read() {
    read_ports();
    for (const auto& [name, cell] : module_.at("cells").items()) read_cell(name, cell);
    number_nets();
    name_nets();
    return std::move(netlist_);
  }

 private:
  void drive(const Bit& net, Driver driver) {
    if (net.constant) return;
    if (net.net >= drivers_.size()) drivers_.resize(net.net + 1);
    if (drivers_[net.net].kind != Driver::kNothing) {
      throw ConfigError(fmt::format("net {} of the netlist has two drivers", net.net));
    }
    drivers_[net.net] = driver;
  }

  void read_ports() {
    for (const auto& [name, port] : module_.at("ports").items()) {
      const std::vector<Bit> nets = bits(port.at("bits"));
      const bool input = port.at("direction") == "input";
      if (!input && port.at("direction") != "output") {
        throw ConfigError(fmt::format("port {} leads both ways", name));
      }
      if (name == "clk_i") {
        drive(nets[0], {Driver::kClock, 0});
        continue;
      }
      std::uint32_t& count = input ? netlist_.inputs : outputs_count_;
      if (name == "rst_ni") netlist_.reset = count;
      netlist_.ports.push_back({name, count, static_cast<std::uint32_t>(nets.size()), input});
      for (const Bit& net : nets) {
        if (input) {
          drive(net, {Driver::kInput, count});
        } else {
          outputs_.push_back(net);
        }
        ++count;
      }
    }
  }

  void read_cell(const std::string& name, const Json& cell) {
    const std::string& type = cell.at("type").get_ref<const std::string&>();
    const Json& to = cell.at("connections");
    if (type == "$lut") {
      const std::vector<Bit> in = bits(to.at("A"));
      const std::uint64_t lut = number(cell.at("parameters").at("LUT"));
      Source source;
      std::copy(in.begin(), in.end(), source.in.begin());
      for (unsigned i = 0; i < 8; ++i) {  // Here the first input is the highest bit of the index.
        const unsigned index =
            ((i >> 2 & 1) | (i >> 1 & 1) << 1 | (i & 1) << 2) & ((1u << in.size()) - 1);
        if (lut >> index & 1) source.table |= static_cast<std::uint8_t>(1u << i);
      }
      drive(bit(to.at("Y")[0]), {Driver::kGate, static_cast<std::uint32_t>(gates_.size())});
      gates_.push_back(source);
    } else if (const auto reset = flop_reset(type, constant(to, "S"), constant(to, "R"))) {
      clock(to.at("C")[0], name);
      FlopSource flop{bit(to.at("D")[0]), {}, bit(to.at("Q")[0]), false};
      flop.has_reset = reset->port != 0;
      if (flop.has_reset) flop.reset = bit(to.at(std::string(1, reset->port))[0]);
      flop.reset_high = reset->high;
      flop.reset_value = reset->value;
      drive(flop.q, {Driver::kFlop, static_cast<std::uint32_t>(flops_.size())});
      flops_.push_back(flop);
    } else if (type == "$mem_v2") {
      read_memory(cell);
    } else if (type == "$assert" || type == "$assume") {
      netlist_.ports.push_back({fmt::format("$check{}", checks_++), outputs_count_, 2, false});
      outputs_.push_back(bit(to.at("A")[0]));
      outputs_.push_back(bit(to.at("EN")[0]));
      outputs_count_ += 2;
    } else if (!type.starts_with("$assert") && type != "$cover" && type != "$check" &&
               type != "$print" && type != "$initstate") {
      if (!type.starts_with('$')) {
        throw ConfigError(fmt::format("cell {}: the liberty file does not say its function", type));
      }
      throw ConfigError(
          fmt::format("cell {} of type {}: expected: what an edge of clk_i and rst_ni "
                      "drive, without latches",
                      name, type));
    }
  }

  void clock(const Json& net, const std::string& name) {
    const Bit clock = bit(net);
    if (clock.constant || clock.net >= drivers_.size() ||
        drivers_[clock.net].kind != Driver::kClock) {
      throw ConfigError(fmt::format("cell {}: its clock is not clk_i", name));
    }
  }

  void read_memory(const Json& cell) {
    const Json &p = cell.at("parameters"), &to = cell.at("connections");
    MemorySource memory;
    memory.name = p.at("MEMID").get<std::string>();
    if (memory.name.starts_with('\\')) memory.name.erase(0, 1);
    const auto width = number(p.at("WIDTH")), address_w = number(p.at("ABITS"));
    memory.width = static_cast<unsigned>(width);
    memory.words = static_cast<std::uint32_t>(number(p.at("SIZE")));
    if (any_one(p.at("INIT")) || number(p.at("OFFSET")) != 0) {
      throw ConfigError(fmt::format("memory {}: expected: no first values", memory.name));
    }
    const auto data = bits(to.at("WR_DATA")), enables = bits(to.at("WR_EN")),
               at = bits(to.at("WR_ADDR"));
    for (std::size_t w = 0; w < number(p.at("WR_PORTS")); ++w) {
      clock(to.at("WR_CLK")[w], memory.name);
      const auto enable = part(enables, w, width);
      for (const Bit& one : enable) {
        if (!(one == enable[0])) {
          throw ConfigError(fmt::format("memory {}: expected: whole words written", memory.name));
        }
      }
      memory.writes.push_back({enable[0], part(at, w, address_w), part(data, w, width)});
    }
    const auto out = bits(to.at("RD_DATA")), read_enables = bits(to.at("RD_EN")),
               from = bits(to.at("RD_ADDR"));
    const std::string clocked = p.at("RD_CLK_ENABLE").get<std::string>();
    for (std::size_t r = 0; r < number(p.at("RD_PORTS")); ++r) {
      MemorySource::Read read;
      read.clocked = clocked[clocked.size() - 1 - r] == '1';
      read.after_writes = any_one(p.at("RD_TRANSPARENCY_MASK"));
      read.enable = read_enables[r];
      read.address = part(from, r, address_w);
      for (const Bit& q : part(out, r, width)) {
        if (read.clocked) {
          drive(q, {Driver::kFlop, static_cast<std::uint32_t>(flops_.size())});
          flops_.push_back({{}, {}, q, true});
        } else {
          drive(q, {Driver::kMemory, netlist_.memory_nets});
          ++netlist_.memory_nets;
        }
      }
      read.first =
          static_cast<std::uint32_t>((read.clocked ? flops_.size() : netlist_.memory_nets) - width);
      memory.reads.push_back(read);
    }
    memories_.push_back(memory);
  }

  NetId net(const Bit& of) const {
    if (of.constant) return of.value ? 1 : 0;
    const Driver driver = of.net < drivers_.size() ? drivers_[of.net] : Driver{};
    switch (driver.kind) {
      case Driver::kInput:
        return Netlist::kFirstInput + driver.index;
      case Driver::kFlop:
        return shown_.empty() ? netlist_.first_flop() + driver.index : shown_[driver.index];
      case Driver::kGate:
        return netlist_.first_gate() + driver.index;
      case Driver::kMemory:
        return netlist_.first_memory() + driver.index;
      case Driver::kClock:
        throw ConfigError("clk_i is more than a clock");
      default:
        return 0;
    }
  }
  std::vector<NetId> nets(const std::vector<Bit>& all) const {
    std::vector<NetId> numbers;
    for (const Bit& one : all) numbers.push_back(net(one));
    return numbers;
  }

  // A reset and its polarity before the inverters that drive it.
  std::pair<Bit, bool> behind_inverters(Bit reset, bool high) const {
    while (!reset.constant && reset.net < drivers_.size() &&
           drivers_[reset.net].kind == Driver::kGate) {
      const Source& gate = gates_[drivers_[reset.net].index];
      if (gate.table != kInverterTable) break;
      reset = gate.in[0];
      high = !high;
    }
    return {reset, high};
  }

  // A reset other than rst_ni: gates beside the flop show its value in the reset at once.
  void number_nets() {
    netlist_.flops.resize(flops_.size());
    std::vector<std::uint32_t> own;  // Flops with such a reset.
    const NetId rst = Netlist::kFirstInput + netlist_.reset;
    netlist_.gates.resize(gates_.size());
    for (std::uint32_t f = 0; f < flops_.size(); ++f) {
      const FlopSource& from = flops_[f];
      if (!from.has_reset) continue;
      const auto [reset, high] = behind_inverters(from.reset, from.reset_high);
      if (!high && netlist_.reset != Netlist::kNone && net(reset) == rst) {
        netlist_.flops[f].reset = from.reset_value ? Flop::Reset::kTo1 : Flop::Reset::kTo0;
      } else {
        own.push_back(f);
      }
    }
    netlist_.gates.resize(gates_.size() + 2 * own.size());
    std::vector<NetId> shown(flops_.size());
    for (std::uint32_t f = 0; f < flops_.size(); ++f) shown[f] = netlist_.first_flop() + f;
    for (std::size_t i = 0; i < own.size(); ++i) {
      shown[own[i]] = static_cast<NetId>(netlist_.first_gate() + gates_.size() + 2 * i);
    }
    shown_ = shown;
    for (std::size_t g = 0; g < gates_.size(); ++g) {
      Gate& gate = netlist_.gates[g];
      gate.table = gates_[g].table;
      for (unsigned i = 0; i < 3; ++i) gate.in[i] = net(gates_[g].in[i]);
    }
    for (std::uint32_t f = 0; f < flops_.size(); ++f) {
      if (!flops_[f].by_memory) netlist_.flops[f].d = net(flops_[f].d);
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
      const FlopSource& from = flops_[own[i]];
      const NetId reset = net(from.reset);
      // Table for inputs reset, value, 0: the reset's value where it is active.
      std::uint8_t table = 0;
      for (unsigned index = 0; index < 8; ++index) {
        const bool active = (index >> 2 & 1) == (from.reset_high ? 1u : 0u);
        if (active ? from.reset_value : (index >> 1 & 1) != 0) {
          table |= static_cast<std::uint8_t>(1u << index);
        }
      }
      const std::size_t g = gates_.size() + 2 * i;
      netlist_.gates[g] = {table, {reset, netlist_.first_flop() + own[i], 0}};
      netlist_.gates[g + 1] = {table, {reset, netlist_.flops[own[i]].d, 0}};
      netlist_.flops[own[i]].d = static_cast<NetId>(netlist_.first_gate() + g + 1);
    }
    for (const MemorySource& from : memories_) {
      GateMemory& memory = netlist_.memories.emplace_back();
      memory.name = from.name;
      memory.width = from.width;
      memory.words = from.words;
      for (const auto& w : from.writes) {
        memory.writes.push_back({net(w.enable), nets(w.address), nets(w.data)});
      }
      for (const auto& r : from.reads) {
        memory.reads.push_back(
            {r.clocked, r.after_writes, net(r.enable), nets(r.address),
             (r.clocked ? netlist_.first_flop() : netlist_.first_memory()) + r.first});
      }
    }
    netlist_.outputs = nets(outputs_);
  }

  // Names of flops and gates from those of the module's wires: the shortest that is public, and of
  // flops all that end as a register of rtl/ does.
  void name_nets() {
    netlist_.gate_names.resize(netlist_.gates.size());
    std::set<std::string> ports;
    for (const auto& port : netlist_.ports) ports.insert(port.name);
    for (const auto& [name, wire] : module_.at("netnames").items()) {
      if (number(wire.at("hide_name")) != 0 || ports.contains(name)) continue;
      const Json& all = wire.at("bits");
      const bool is_register = name.ends_with("_q");
      for (std::size_t i = 0; i < all.size(); ++i) {
        const Bit one = bit(all[i]);
        const std::string full = fmt::format("{}[{}]", name, i);
        if (one.constant) {
          if (is_register) netlist_.aliases.push_back({full, true, one.value ? 1u : 0u});
          continue;
        }
        const Driver driver = one.net < drivers_.size() ? drivers_[one.net] : Driver{};
        if (driver.kind == Driver::kFlop) {
          Flop& flop = netlist_.flops[driver.index];
          const bool has = is_register_bit(flop.name);
          if (is_register && has) {
            netlist_.aliases.push_back({full, false, driver.index});
          } else if (is_register || flop.name.empty()) {
            flop.name = full;
          }
        } else if (driver.kind == Driver::kGate) {
          std::string& known = netlist_.gate_names[driver.index];
          const bool has = is_register_bit(known), is = is_register_bit(full);
          if (known.empty() || is > has || (is == has && full.size() < known.size())) known = full;
        }
      }
    }
  }

  struct Source {
    std::uint8_t table = 0;
    std::array<Bit, 3> in{};
  };
  struct FlopSource {
    Bit d, reset, q;
    bool by_memory = false, has_reset = false, reset_high = false, reset_value = false;
  };
  struct MemorySource {
    struct Write {
      Bit enable;
      std::vector<Bit> address, data;
    };
    struct Read {
      bool clocked = false, after_writes = false;
      Bit enable;
      std::vector<Bit> address;
      std::uint32_t first = 0;
    };
    std::string name;
    unsigned width = 0;
    std::uint32_t words = 0;
    std::vector<Write> writes;
    std::vector<Read> reads;
  };

  const Json& module_;
  Netlist netlist_;
  std::vector<Driver> drivers_;
  std::uint32_t outputs_count_ = 0, checks_ = 0;
  std::vector<Bit> outputs_;
  std::vector<Source> gates_;
  std::vector<FlopSource> flops_;
  std::vector<MemorySource> memories_;
  std::vector<NetId> shown_;  // Of each flop the net that its readers see.
};

}  // namespace

Netlist parse_yosys(std::string_view json, const std::string& top) {
  try {
    const Json all = Json::parse(json);
    const auto& modules = all.at("modules");
    // The module with its parameters has a name of its own, and is marked.
    for (const auto& [name, module] : modules.items()) {
      const auto& attributes = module.at("attributes");
      if (attributes.contains("top") && number(attributes.at("top")) != 0) {
        Netlist netlist = Reader(module).read();
        take_registers(netlist);
        return in_order(netlist);
      }
    }
  } catch (const Json::exception& error) {
    throw ConfigError(fmt::format("the netlist of {} cannot be read: {}", top, error.what()));
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("the netlist of {}: {}", top, error.what()));
  }
  throw ConfigError(fmt::format("the netlist has no module {}", top));
}

}  // namespace weft
