// The cheapest expression of each function of three bits.
#include <array>
#include <cstdint>
#include <string>

#include "sim/gates/kernel_source.hpp"

namespace weft {
namespace {

constexpr std::array<std::uint8_t, 3> kInput = {0xf0, 0xcc, 0xaa};

struct Form {
  enum Op : std::uint8_t { kNone, kLeaf, kNot, kAnd, kOr, kXor, kAndNot } op = kNone;
  std::uint8_t left = 0, right = 0;  // Tables; of a leaf the input.
  unsigned cost = 1000;
};

// Dijkstra's algorithm over all 256 tables, by repeated passes.
std::array<Form, 256> cheapest() {
  std::array<Form, 256> forms;
  for (std::uint8_t i = 0; i < 3; ++i) forms[kInput[i]] = {Form::kLeaf, i, 0, 0};
  for (bool changed = true; changed;) {
    changed = false;
    const auto offer = [&](unsigned table, Form form) {
      if (form.cost >= forms[table & 0xff].cost) return;
      forms[table & 0xff] = form;
      changed = true;
    };
    for (unsigned a = 0; a < 256; ++a) {
      if (forms[a].op == Form::kNone) continue;
      const auto left = static_cast<std::uint8_t>(a);
      offer(~a, {Form::kNot, left, 0, forms[a].cost + 1});
      for (unsigned b = 0; b < 256; ++b) {
        if (forms[b].op == Form::kNone) continue;
        const auto right = static_cast<std::uint8_t>(b);
        const unsigned cost = forms[a].cost + forms[b].cost + 1;
        offer(a & b, {Form::kAnd, left, right, cost});
        offer(a | b, {Form::kOr, left, right, cost});
        offer(a ^ b, {Form::kXor, left, right, cost});
        offer(~a & b, {Form::kAndNot, left, right, cost});
      }
    }
  }
  return forms;
}

std::string text(const std::array<Form, 256>& forms, std::uint8_t table,
                 const std::array<std::string, 3>& in) {
  const Form& form = forms[table];
  const auto part = [&](std::uint8_t of) {
    const std::string inner = text(forms, of, in);
    return forms[of].op == Form::kLeaf ? inner : "(" + inner + ")";
  };
  switch (form.op) {
    case Form::kNot:
      return "~" + part(form.left);
    case Form::kAnd:
      return part(form.left) + " & " + part(form.right);
    case Form::kOr:
      return part(form.left) + " | " + part(form.right);
    case Form::kXor:
      return part(form.left) + " ^ " + part(form.right);
    case Form::kAndNot:
      return "~" + part(form.left) + " & " + part(form.right);
    default:
      return in[form.left];
  }
}

}  // namespace

std::string formula(std::uint8_t table, const std::array<std::string, 3>& in) {
  static const std::array<Form, 256> forms = cheapest();
  if (table == 0 || table == 0xff) return table == 0 ? "ZERO" : "ONES";
  return text(forms, table, in);
}

}  // namespace weft
