// Writing the C code of a kernel.
#include "sim/gates/kernel_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/gates/netlist_order.hpp"

namespace weft {
namespace {

template <class... Parts>
void add(std::string& text, fmt::format_string<Parts...> format, Parts&&... parts) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Parts>(parts)...);
}

std::string header(const KernelForm& form) {
  std::string text;
  switch (form.width) {
    case LaneWidth::k64:
      text = "typedef unsigned long long V;\n";
      break;
    case LaneWidth::k256:
      text = "typedef unsigned long long V __attribute__((vector_size(32)));\n";
      break;
    case LaneWidth::k512:
      text =
          "#include <immintrin.h>\n"
          "typedef unsigned long long V __attribute__((vector_size(64)));\n"
          "#define T(a, b, c, table) ((V)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), \\\n"
          "    (__m512i)(c), table))\n";
      break;
  }
  text += fmt::format("#define LANES {}\n", lanes(form.width));
  if (form.width == LaneWidth::k64) {
    text += "#define ZERO 0ull\n#define ONES ~0ull\n";
  } else {
    text += "#define ZERO ((V){0})\n#define ONES (~(V){0})\n";
  }
  text +=
      "typedef struct {\n  void* self;\n"
      "  void (*read)(void* self, unsigned memory, unsigned port, const V* address, V* data);\n"
      "} Host;\n";
  text += "typedef struct {\n  const V *keep, *set;\n} Masks;\n";
  text +=
      "typedef struct {\n  V* s;\n  const V* in;\n  V* o;\n  const Host* host;\n"
      "  Masks masks;\n} Group;\n";
  // The compiler must not know that a pointer is another one plus a constant.
  return text + "#define MOVE(pointer, by) pointer += by; __asm__(\"\" : \"+r\"(pointer))\n";
}

// One kernel function, cut into pieces.
class KernelWriter {
 public:
  KernelWriter(const Netlist& netlist, const std::vector<KernelOp>& ops,
               const std::vector<std::uint32_t>& state_places, const KernelForm& form,
               std::string name, bool step)
      : netlist_(netlist),
        ops_(ops),
        state_(state_places),
        form_(form),
        name_(std::move(name)),
        step_(step),
        slot_(netlist.nets(), Netlist::kNone),
        saved_(netlist.flops.size(), Netlist::kNone) {
    find_last_uses();
  }

  void write(std::map<std::string, std::string>& files) {
    const std::string masks = form_.forced ? ", Masks masks" : "";
    const std::string parameters = fmt::format(
        "({}V* restrict s, const V* restrict in, V* restrict o, V* restrict t, "
        "V* restrict q, const Host* host{})",
        step_ ? "" : "const ", masks);
    std::string body, piece_body, calls, declarations;
    unsigned file = 0;
    const auto close_file = [&] {
      if (body.empty()) return;
      files[fmt::format("{}{}.c", name_, file++)] = "#include \"kernel.h\"\n" + body;
      body.clear();
    };
    for (std::size_t begin = 0, piece = 0, in_file = 0; begin < ops_.size(); ++piece) {
      const std::size_t end = std::min<std::size_t>(begin + form_.piece, ops_.size());
      find_middle(begin, end);
      piece_body.clear();
      for (std::size_t i = begin; i < end; ++i) write_op(piece_body, i, begin, end);
      add(body, "void {}_{}{} {{\n  MOVE(s, {});\n{}}}\n", name_, piece, parameters, middle_,
          piece_body);
      add(declarations, "void {}_{}{};\n", name_, piece, parameters);
      add(calls,
          "    for (unsigned i = 0; i < n; ++i) {}_{}(g[i].s, g[i].in, g[i].o, t[i], q[i], "
          "g[i].host{});\n",
          name_, piece, form_.forced ? ", g[i].masks" : "");
      in_file += end - begin;
      begin = end;
      if (in_file < form_.file) continue;
      in_file = 0;
      close_file();
    }
    close_file();
    files[name_ + ".c"] = fmt::format(
        "#include \"kernel.h\"\n{}"
        "void weft_{}(const Group* g, unsigned count) {{\n"
        "  V t[{}][{}], q[{}][{}];\n"
        "  for (unsigned n; count != 0; g += n, count -= n) {{\n"
        "    n = count < {} ? count : {};\n{}  }}\n  (void)t, (void)q;\n}}\n",
        declarations, name_, kTogether, slots_ + 1, kTogether, netlist_.memory_nets + 1, kTogether,
        kTogether, calls);
  }

 private:
  // Groups that take a piece one after the other, while its code is in the cache.
  static constexpr unsigned kTogether = 8;

  // An operand near a pointer takes three bytes less of code: so that of the state points into the
  // middle of what a piece uses.
  void find_middle(std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> used;
    const auto note = [&](NetId n) {
      if (netlist_.is_flop(n)) used.push_back(state_[n - netlist_.first_flop()]);
    };
    for (std::size_t i = begin; i < end; ++i) {
      each_use(ops_[i], note);
      if (ops_[i].kind == KernelOp::kWrite) used.push_back(state_[ops_[i].index]);
    }
    std::ranges::sort(used);
    middle_ = used.empty() ? 0 : used[used.size() / 2];
  }
  std::string state_text(std::uint32_t place) const {
    return fmt::format("s[{}]", static_cast<std::int64_t>(place) - middle_);
  }

  template <class Visit>
  void each_use(const KernelOp& op, Visit visit) const {
    if (op.kind == KernelOp::kGate) {
      each_input(netlist_, op.net, visit);
    } else if (op.kind == KernelOp::kRead) {
      for (const NetId n : netlist_.memories[op.index].reads[op.port].address) visit(n);
    } else if (!op.saved) {
      visit(op.net);
    }
  }

  void find_last_uses() {
    last_use_.resize(netlist_.nets());
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      each_use(ops_[i], [&](NetId n) { last_use_[n] = static_cast<std::uint32_t>(i); });
    }
  }

  std::uint32_t take_slot() {
    if (free_.empty()) return slots_++;
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  // A net as an operand. Gates of earlier pieces have a slot of `t`.
  std::string text(NetId n) const {
    if (n < 2) return n == 0 ? "ZERO" : "ONES";
    if (netlist_.is_input(n)) return fmt::format("in[{}]", n - Netlist::kFirstInput);
    if (netlist_.is_flop(n)) return state_text(state_[n - netlist_.first_flop()]);
    if (netlist_.is_memory(n)) return fmt::format("q[{}]", n - netlist_.first_memory());
    if (op_of_[n - netlist_.first_gate()] >= piece_begin_) {
      return fmt::format("n{}", n - netlist_.first_gate());
    }
    return fmt::format("t[{}]", slot_[n]);
  }

  std::string gate_text(NetId n) const {
    const Gate& gate = netlist_.gate(n);
    std::array<std::string, 3> in;
    for (unsigned i = 0; i < 3; ++i) in[i] = text(gate.in[i]);
    const bool three = gate.in[0] >= 2 && gate.in[1] >= 2 && gate.in[2] >= 2;
    if (form_.width == LaneWidth::k512 && three) {
      return fmt::format("T({}, {}, {}, 0x{:02x})", in[0], in[1], in[2], gate.table);
    }
    return formula(gate.table, in);
  }

  std::string forced(std::string value, std::uint32_t index) const {
    if (!form_.forced) return value;
    return fmt::format("(({}) & masks.keep[{}]) | masks.set[{}]", value, index, index);
  }

  void write_op(std::string& body, std::size_t i, std::size_t begin, std::size_t end) {
    const KernelOp& op = ops_[i];
    piece_begin_ = begin;
    switch (op.kind) {
      case KernelOp::kGate: {
        const std::uint32_t g = op.net - netlist_.first_gate();
        add(body, "V n{} = {};\n", g, forced(gate_text(op.net), g));
        if (op_of_.empty()) op_of_.resize(netlist_.gates.size());
        op_of_[g] = i;
        if (last_use_[op.net] >= end) {
          slot_[op.net] = take_slot();
          add(body, "t[{}] = n{};\n", slot_[op.net], g);
        }
        break;
      }
      case KernelOp::kRead: {
        const auto& read = netlist_.memories[op.index].reads[op.port];
        body += "{ V a[] = {";
        for (const NetId n : read.address) body += text(n) + ", ";
        add(body, "}}; host->read(host->self, {}, {}, a, q + {}); }}\n", op.index, op.port,
            read.first - netlist_.first_memory());
        break;
      }
      case KernelOp::kWrite: {
        const std::string value = op.saved ? fmt::format("t[{}]", saved_[op.index]) : text(op.net);
        add(body, "{} = {};\n", state_text(state_[op.index]),
            forced(value, static_cast<std::uint32_t>(netlist_.gates.size() + op.index)));
        break;
      }
      case KernelOp::kSave:
        saved_[op.index] = slots_++;
        add(body, "t[{}] = {};\n", saved_[op.index], text(op.net));
        break;
      case KernelOp::kOperand:
      case KernelOp::kOutput:
        add(body, "o[{}] = {};\n", op.index, text(op.net));
        break;
    }
    each_use(op, [&](NetId n) {
      if (last_use_[n] == i && slot_[n] != Netlist::kNone) {
        free_.push_back(slot_[n]);
        slot_[n] = Netlist::kNone;
      }
    });
  }

  const Netlist& netlist_;
  const std::vector<KernelOp>& ops_;
  const std::vector<std::uint32_t>& state_;
  const KernelForm& form_;
  const std::string name_;
  const bool step_;
  std::vector<std::uint32_t> last_use_, slot_, saved_, free_;
  std::vector<std::size_t> op_of_;  // By gate, in this kernel.
  std::size_t piece_begin_ = 0;
  std::uint32_t slots_ = 0;
  std::int64_t middle_ = 0;  // Of the state, in the present piece.
};

// All flops with a reset, in lanes where rst_ni is 0.
std::string reset_source(const Netlist& netlist, const std::vector<std::uint32_t>& state,
                         const KernelForm& form) {
  std::string text = "#include \"kernel.h\"\n";
  text += "void weft_reset(V* s, const V* in, Masks masks) {\n  (void)s, (void)in, (void)masks;\n";
  if (netlist.reset != Netlist::kNone) {
    add(text, "  const V r = in[{}];\n", netlist.reset);
    for (std::uint32_t f = 0; f < netlist.flops.size(); ++f) {
      const Flop& flop = netlist.flops[f];
      if (flop.reset == Flop::Reset::kNone) continue;
      const bool to_1 = flop.reset == Flop::Reset::kTo1;
      std::string value = fmt::format("s[{}] {}", state[f], to_1 ? "| ~r" : "& r");
      if (form.forced) {
        const std::size_t index = netlist.gates.size() + f;
        value = fmt::format("(({}) & masks.keep[{}]) | masks.set[{}]", value, index, index);
      }
      add(text, "  s[{}] = {};\n", state[f], value);
    }
  }
  return text + "}\n";
}

}  // namespace

std::map<std::string, std::string> kernel_source(const Netlist& netlist,
                                                 const std::vector<KernelOp>& step,
                                                 const std::vector<std::uint32_t>& state_places,
                                                 const KernelForm& form) {
  std::map<std::string, std::string> files = {{"kernel.h", header(form)}};
  KernelWriter(netlist, step, state_places, form, "step", true).write(files);
  const std::vector<KernelOp> outputs = schedule_outputs(netlist);
  KernelWriter(netlist, outputs, state_places, form, "outputs", false).write(files);
  files["reset.c"] = reset_source(netlist, state_places, form);
  return files;
}

}  // namespace weft
