// Ports of rtl/buffer/weft_fifo.sv.
#pragma once

#include "sim/buffer/fifo.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

template <class T>
constexpr auto Fifo<T>::ports() {
  return port_table(
      input("push_i", 1, &In::push), input("data_i", &PortConfig::data_w, &In::data),
      input("pop_i", 1, &In::pop), output("data_o", &PortConfig::data_w, &Out::data),
      output(
          "count_o", [](const PortConfig& c) { return std::bit_width(c.depth); }, &Out::count));
}

}  // namespace weft
