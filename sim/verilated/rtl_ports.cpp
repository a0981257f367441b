// Ports of a Verilated block by the block's table.
#include "sim/verilated/rtl_ports.hpp"

#include <algorithm>
#include <stdexcept>

namespace weft {

void check_ports(const std::string& block, const std::vector<PortShape>& table,
                 const std::vector<RtlPortInfo>& rtl) {
  const auto fail = [&](const std::string& port, const std::string& what) {
    throw CheckError(fmt::format("{}: port {}: {}", block, port, what));
  };
  const auto direction = [](bool input) { return input ? "input" : "output"; };
  for (const PortShape& port : table) {
    const auto found = std::find_if(
        rtl.begin(), rtl.end(), [&](const RtlPortInfo& info) { return info.name == port.name; });
    if (found == rtl.end()) fail(port.name, "the model has it, the RTL has not");
    if (found->input != port.input) {
      fail(port.name, fmt::format("{} of the RTL, {} of the model", direction(found->input),
                                  direction(port.input)));
    }
    if (found->width != port.width) {
      fail(port.name, fmt::format("{} bits in the RTL, {} in the model", found->width, port.width));
    }
  }
  for (const RtlPortInfo& info : rtl) {
    if (info.name == "clk_i" || info.name == "rst_ni") continue;
    if (std::none_of(table.begin(), table.end(),
                     [&](const PortShape& port) { return port.name == info.name; })) {
      fail(info.name, "the RTL has it, the model has not");
    }
  }
}

BoundPorts::BoundPorts(const PortList& list, const RtlInstance& rtl, const std::string& block,
                       const void* config) {
  check_ports(block, port_shapes(list, config), rtl.library().ports());
  for (const PortRow& row : list) {
    if (!row.input || row.used(config)) bind(row, rtl, "", config, 0);
  }
}

BoundPorts::BoundPorts(const PortList& list, const RtlInstance& rtl, const std::string& prefix,
                       const void* config, unsigned index) {
  for (const PortRow& row : list) {
    const std::string first = prefix + port_name(row.name, row.fields.front().name);
    const auto& ports = rtl.library().ports();
    if (std::any_of(ports.begin(), ports.end(),
                    [&](const RtlPortInfo& port) { return port.name == first; })) {
      bind(row, rtl, prefix, config, index);
    }
  }
}

void BoundPorts::bind(const PortRow& row, const RtlInstance& rtl, const std::string& prefix,
                      const void* config, unsigned index) {
  if (row.fields.front().width(config) == 0) return;
  Row bound{&row, row.count(config), static_cast<unsigned>(row.fields.size()), fields_.size(), 0};
  for (const PortRow::Field& field : row.fields) {
    const unsigned width = field.width(config);
    fields_.push_back({rtl.port(port_name(prefix + row.name, field.name)), field.name,
                       index * bound.elements * width, width});
    widths_.push_back(width);
    bound.words += (width + 63) / 64;
  }
  if (row.constant != nullptr) {
    Field& field = fields_.back();
    field.port.set_bits(field.first, field.width, row.constant(config));
    return;
  }
  if (row.input) {
    std::size_t at = last_.size();
    last_.resize(at + std::size_t{bound.elements} * bound.words);
    for (unsigned i = 0; i < bound.elements; ++i, at += bound.words) show(bound, i, &last_[at]);
    next_.resize(last_.size());
  } else {
    rtl_words_.resize(std::max(rtl_words_.size(), std::size_t{bound.elements} * bound.words));
    model_words_.resize(rtl_words_.size());
  }
  (row.input ? inputs_ : outputs_).push_back(bound);
}

// Calls `visit(field, first bit of the port, bits)` for each word of element `i`.
template <class Visit>
void BoundPorts::each_word(const Row& row, unsigned i, Visit visit) const {
  for (std::size_t f = row.first_field; f < row.first_field + row.fields; ++f) {
    const Field& field = fields_[f];
    const unsigned lsb = field.first + i * field.width;
    for (unsigned done = 0; done < field.width; done += 64) {
      visit(field, lsb + done, std::min(64u, field.width - done));
    }
  }
}

// The value at the ports of element `i`.
void BoundPorts::show(const Row& row, unsigned i, PortWords to) const {
  each_word(row, i, [&](const Field& field, unsigned lsb, unsigned bits) {
    *to++ = field.port.bits(lsb, bits);
  });
}

// Reads the words of all inputs; returns whether some are to be driven.
bool BoundPorts::changed(const void* in) const {
  std::uint64_t* to = next_.data();
  for (const Row& row : inputs_) {
    row.row->read(in, 0, row.elements, &widths_[row.first_field], to);
    to += std::size_t{row.elements} * row.words;
  }
  std::uint64_t differ = 0;
  for (std::size_t w = 0; w < next_.size(); ++w) differ |= next_[w] ^ last_[w];
  return differ != 0;
}

bool BoundPorts::drive(const void* in) {
  if (!changed(in)) return false;
  const std::uint64_t *word = next_.data(), *last = last_.data();
  for (const Row& row : inputs_) {
    for (unsigned i = 0; i < row.elements; ++i, word += row.words, last += row.words) {
      std::uint64_t differ = 0;
      for (unsigned w = 0; w < row.words; ++w) differ |= word[w] ^ last[w];
      if (differ == 0) continue;
      const std::uint64_t* of_field = word;
      each_word(row, i, [&](Field field, unsigned lsb, unsigned bits) {
        field.port.set_bits(lsb, bits, *of_field++);
      });
    }
  }
  last_.swap(next_);
  return true;
}

bool BoundPorts::driven(const void* in) const {
  return !changed(in);
}

void BoundPorts::sample(void* held) const {
  for (const Row& row : outputs_) {
    const PortRow& of = *row.row;
    if (of.write == nullptr) throw std::logic_error("an output without storage");
    const unsigned* widths = &widths_[row.first_field];
    const bool may_rest = of.valid != nullptr && !of.always;
    for (unsigned i = 0; i < row.elements; ++i) {
      PortWords to = &rtl_words_[may_rest ? 0 : std::size_t{i} * row.words];
      if (may_rest) {
        // The first field of a flit is `valid`.
        const Field& valid = fields_[row.first_field];
        if (valid.port.bits(valid.first + i, 1) == 0 && !of.valid(held, i)) continue;
      }
      show(row, i, to);
      if (may_rest) of.write(held, i, i + 1, widths, to);
    }
    if (!may_rest) of.write(held, 0, row.elements, widths, rtl_words_.data());
  }
}

void BoundPorts::compare(const void* out,
                         const std::function<void(const PortDifference&)>& differ) const {
  for (const Row& row : outputs_) {
    const unsigned* widths = &widths_[row.first_field];
    for (unsigned i = 0; i < row.elements; ++i) {
      show(row, i, rtl_words_.data());
      if (row.row->equals != nullptr && row.row->equals(out, i, widths, rtl_words_.data()))
        continue;
      row.row->read(out, i, i + 1, widths, model_words_.data());
      const std::uint64_t *rtl = rtl_words_.data(), *model = model_words_.data();
      each_word(row, i, [&](const Field& field, unsigned lsb, unsigned bits) {
        if (*rtl != *model) {
          const std::string port = port_name(row.row->name, field.name);
          std::string shown = port;
          const unsigned word = (lsb - field.first - i * field.width) / 64;
          if (row.elements > 1) shown += fmt::format("[{}]", i);
          if (word > 0) shown += fmt::format(" from bit {}", word * 64);
          differ(PortDifference{shown, port, lsb, bits, *rtl, *model});
        }
        ++rtl, ++model;
      });
      if (row.row->equals != nullptr) {
        throw std::logic_error("an output of the model that has no port");
      }
    }
  }
}

}  // namespace weft
