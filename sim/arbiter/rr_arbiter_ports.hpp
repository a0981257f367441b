// Ports of rtl/arbiter/weft_rr_arbiter.sv.
#pragma once

#include "sim/arbiter/rr_arbiter.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto RrArbiter::ports() {
  return port_table(
      input("req_i", &Config::num_req, &In::req), input("done_i", 1, &In::done),
      output("gnt_o", &Config::num_req, &Out::gnt),
      output(
          "idx_o", [](const Config& c) { return index_width(c.num_req); }, &Out::idx));
}

}  // namespace weft
