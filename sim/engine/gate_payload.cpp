// The data of flits that are inside routers as gates.
#include "sim/engine/gate_payload.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "sim/gates/netlist_order.hpp"
#include "sim/packet/packet.hpp"

namespace weft {
namespace {

const GatePort& port_of(const Netlist& netlist, const char* name) {
  const auto found = std::ranges::find(netlist.ports, name, &GatePort::name);
  if (found == netlist.ports.end()) throw std::out_of_range(name);
  return *found;
}

// Inputs that something reads.
std::vector<bool> inputs_read(const Netlist& netlist) {
  std::vector<bool> read(netlist.inputs);
  const auto note = [&](NetId n) {
    if (netlist.is_input(n)) read[n - Netlist::kFirstInput] = true;
  };
  each_state_input(netlist, note);
  for (NetId n = netlist.first_gate(); n < netlist.nets(); ++n) each_input(netlist, n, note);
  for (const NetId n : netlist.outputs) note(n);
  return read;
}

}  // namespace

PayloadForm take_payload(Netlist& netlist, unsigned data_w, unsigned num_ports,
                         std::uint32_t numbers, unsigned sides) {
  const GatePort& rx = port_of(netlist, "rx_data_i");
  const GatePort& tx = port_of(netlist, "tx_data_o");
  const std::uint32_t tx_first = tx.first, stride = tx.width / num_ports;
  std::vector<std::uint32_t> data;
  for (unsigned q = 0; q < num_ports; ++q) {
    for (unsigned b = 0; b < data_w; ++b) data.push_back(tx_first + q * stride + b);
  }
  const std::vector<bool> read = inputs_read(without_outputs(netlist, data));
  std::vector<bool> used(data_w);
  for (unsigned p = 0; p < num_ports; ++p) {
    for (unsigned b = 0; b < data_w; ++b) {
      if (read[rx.first + p * stride + b]) used[b] = true;
    }
  }
  if (std::find(used.begin() + 64, used.end(), true) != used.end()) return {};
  PayloadForm form;
  for (unsigned b = 0; b < 64; ++b) {
    if (used[b]) form.bits.push_back(b);
  }
  // The first free bits that follow each other; kApart: none.
  const auto find_room = [&](unsigned width) {
    unsigned lsb = 0;
    for (unsigned b = 0; b < 64 && b - lsb < width; ++b) {
      if (used[b]) lsb = b + 1;
    }
    if (lsb + width > 64) return PayloadForm::kApart;
    std::fill_n(used.begin() + lsb, width, true);
    return lsb;
  };
  form.width = static_cast<unsigned>(std::bit_width(numbers - 1));
  form.lsb = find_room(form.width);
  if (form.lsb == PayloadForm::kApart) return {};
  form.sides_lsb = find_room(sides);
  for (unsigned b = 0; b < form.width; ++b) form.bits.push_back(form.lsb + b);
  std::erase_if(data, [&](std::uint32_t bit) {
    const std::uint32_t b = (bit - tx_first) % stride;
    return b >= form.lsb && b < form.lsb + form.width;
  });
  netlist = without_outputs(std::move(netlist), data);
  return form;
}

PayloadTable::PayloadTable(std::uint32_t lanes, std::uint32_t numbers, unsigned flit_words)
    : numbers_(numbers),
      free_words_((numbers + 63) / 64),
      flit_words_(flit_words),
      free_(std::size_t{lanes} * free_words_),
      data_(std::size_t{lanes} * numbers * flit_words) {
  clear();
}

void PayloadTable::clear() {
  for (std::size_t word = 0; word < free_.size(); ++word) {
    const std::uint32_t first = static_cast<std::uint32_t>(word % free_words_) * 64;
    free_[word] = numbers_ - first < 64 ? low_mask(numbers_ - first) : ~std::uint64_t{0};
  }
}

void PayloadTable::none_free() {
  throw std::logic_error("gates: more flits inside a router than it can have");
}

}  // namespace weft
