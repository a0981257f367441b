// Ports of rtl/buffer/weft_output_buffer.sv.
#pragma once

#include "sim/buffer/output_buffer.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto OutputBuffer::ports() {
  return port_table(input("*_i", kWordFields, &In::offer), output("ready_o", 1, &Out::ready),
                    input("full_i", 1, &In::full), output("*_o", kWordFields, &Out::tx));
}

}  // namespace weft
