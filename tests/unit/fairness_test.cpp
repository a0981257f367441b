// Nobody starves at an out-port of a router (rtl/router/README.md, packet_order).
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "sim/router/vc_router.hpp"

namespace {

using namespace weft;

// A stream of packets of 4 flits from an in-port, always on the same VC, with credits as they come.
struct Stream {
  unsigned port, vc;
  VcSet set;
  unsigned credits = 8, flit = 0, packets = 0;
};

// Packets that each stream sends to out-port 3 of a router of five ports, VCs of 8 flits; credits
// of VC 0 come back from there every `every`th cycle at most, those of VC 1 at once.
std::vector<unsigned> packets_of(std::vector<Stream> streams, unsigned pipeline, unsigned every,
                                 unsigned cycles) {
  VcRouter::Config config;
  config.pipeline = pipeline;
  VcRouter router(config);
  std::vector<Flit> rx(5);
  std::vector<RouteOut> route(5);
  std::vector<std::uint64_t> credit(5);
  unsigned owed = 0;  // Credits of VC 0.
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    const VcRouter::Out out = router.out();
    VcRouter::In in;
    credit[3] = 0;
    if ((out.tx_valid >> 3 & 1) != 0) {
      out.tx[3].vc == 0 ? void(++owed) : void(credit[3] |= 2);
      // A flit's word says which stream sent it.
      if (out.tx[3].last) ++streams[out.tx[3].data % 8].packets;
    }
    if (owed > 0 && cycle % every == 0) {
      --owed;
      credit[3] |= 1;
    }
    for (std::size_t s = 0; s < streams.size(); ++s) {
      Stream& stream = streams[s];
      if ((out.credit_ports >> stream.port & 1) != 0) {
        stream.credits += out.credit[stream.port] >> stream.vc & 1;
      }
      if (stream.credits == 0) continue;
      --stream.credits;
      Flit& flit = rx[stream.port] = {};
      flit.valid = true;
      flit.vc = static_cast<std::uint16_t>(stream.vc);
      flit.last = stream.flit == 3;
      flit.data = s;
      stream.flit = (stream.flit + 1) % 4;
      route[stream.port] = {3, stream.set};
      in.rx_valid |= std::uint64_t{1} << stream.port;
    }
    in.rx = rx.data();
    in.route = route.data();
    in.credit = credit.data();
    router.step(in);
  }
  std::vector<unsigned> packets;
  for (const Stream& stream : streams) packets.push_back(stream.packets);
  return packets;
}

}  // namespace

TEST_CASE("two streams share a VC though another VC is in use") {
  // VC 1 has half of the port, or what the credits of VC 0 leave; the two of VC 0 share the rest.
  for (const unsigned pipeline : {1u, 2u, 3u}) {
    for (const unsigned every : {1u, 3u}) {
      CAPTURE(pipeline);
      CAPTURE(every);
      const auto packets = packets_of(
          {{0, 1, VcSet::kHigh}, {1, 0, VcSet::kLow}, {2, 0, VcSet::kLow}}, pipeline, every, 48000);
      CAPTURE(packets[0]);
      CHECK(std::max(packets[1], packets[2]) - std::min(packets[1], packets[2]) <= 1);
      CHECK(packets[1] + packets[2] >= 48000 / 4 / std::max(every, 2u) * 95 / 100);
    }
  }
}

TEST_CASE("a node's own packets get a share of a port that packets in transit would fill") {
  // Two streams in transit and the node's own on one VC: at most 3 before each own packet.
  for (const unsigned pipeline : {1u, 2u, 3u}) {
    CAPTURE(pipeline);
    const auto packets = packets_of({{0, 0, VcSet::kLow}, {1, 0, VcSet::kLow}, {4, 0, VcSet::kLow}},
                                    pipeline, 1, 48000);
    CHECK(packets[2] * 4 + 4 >= packets[0] + packets[1] + packets[2]);
    CHECK(packets[0] + packets[1] + packets[2] >= 48000 / 4 * 4 / 7);
    CHECK(std::max(packets[0], packets[1]) - std::min(packets[0], packets[1]) <= 1);
  }
}
