// Ports of rtl/buffer/weft_input_buffer.sv.
#pragma once

#include "sim/buffer/input_buffer.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto InputBuffer::ports() {
  return port_table(
      config_input("own_i", kAddrWidth, &Config::own), input("*_i", kWordFields, &In::rx),
      output("full_o", 1, &Out::full),
      output("req_o", std::make_tuple(port_field("", &Config::num_dest, RequestLines{})), Itself{}),
      output(
          "last_o", 1, [](auto& out) -> auto& { return out.word.last; }),
      output("data_o", std::make_tuple(port_field("", kFlitWidth, FlitWord{})), &Out::word),
      input("ready_i", 1, &In::ready));
}

}  // namespace weft
