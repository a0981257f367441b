// The bodies that a node of synthetic traffic receives.
#include "sim/workload/traffic_memory.hpp"

#include "sim/base/error.hpp"

namespace weft {

// Throws CheckError: no body is posted at the address.
void TrafficMemory::outside() {
  throw CheckError("a read of a packet that was not posted");
}

void TrafficMemory::next_body(Receiver& r, std::uint32_t addr, PacketForm form) {
  if (r.count == 0) {
    // No body is expected: each written word is an error.
    r = {};
    r.generated_at = ~addr;
    r.body = 1;
    return;
  }
  const Header header = Header::unpack(r.headers[r.first], form);
  drop_header(r);
  r.src = header.src;
  r.generated_at = header.off;
  r.body = header.len;
  r.offset = 0;
}

}  // namespace weft
