// Channels of AXI4 and requests of words in port tables.
#pragma once

#include "sim/bus/axi.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

/// Fields of AR and AW; `id_w`: width of an id.
template <class IdWidth>
constexpr auto axi_burst_fields(IdWidth id_w) {
  return std::make_tuple(
      port_field("valid", 1, &AxiBurst::valid), port_field("id", id_w, &AxiBurst::id),
      port_field(
          "addr", [](const auto& c) { return c.axi_addr_w; }, &AxiBurst::addr),
      port_field("len", 8, &AxiBurst::len), port_field("size", 3, &AxiBurst::size),
      port_field("burst", 2, &AxiBurst::kind));
}
/// Fields of a lane's request.
inline constexpr auto kMemRequestFields = std::make_tuple(
    port_field("addr", kMemAddrW, &MemRequest::addr), port_field("left", kLenW, &MemRequest::left));

}  // namespace weft
