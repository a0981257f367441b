// Lockstep bench of the unit that acknowledges packets: random packets, most from sources that
// exist, new and repeated ones as its table says; phases without a taker, so that FIFOs fill;
// restarts. The table is also compared with a map of the last generation that was taken.
#include <algorithm>
#include <map>
#include <utility>

#include "sim/nic/ack_unit.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/stimulus.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "ack_unit", [](tb::Bench& bench) {
    // The forms' `id_w` are those of the controllers and slots.
    const AckUnit::Config points[] = {
        {.parity = true,
         .header = {.key_w = 2, .id_w = 6},
         .num_ctrl = 3,
         .slots = 4,
         .addresses = 5,
         .links = 3},
        {.header = {.addr_w = 17, .data_w = 80, .id_w = 4}, .addresses = 2},
        {.header = {.id_w = 3}, .slots = 2, .addresses = 1},
        {.parity = true,
         .header = {.addr_w = 20, .data_w = 128, .id_w = 9},
         .num_ctrl = 8,
         .slots = 16,
         .addresses = 16,
         .links = 8},
        {.header = {.addr_w = 20, .key_w = 8, .id_w = 3}, .slots = 2, .addresses = 1u << 20},
        {.parity = true,
         .header = {.key_w = 8, .id_w = 9},
         .num_ctrl = 8,
         .slots = 16,
         .addresses = 2,
         .links = 3},
        {.parity = true, .header = {.id_w = 3}, .slots = 2, .addresses = 1u << 15, .links = 3}};
    for (const AckUnit::Config& config : bench.order(points)) {
      const PacketForm form = config.header;
      RtlInstance rtl = bench.point({{"DataW", form.data_w},
                                     {"Parity", config.parity},
                                     {"AddrW", form.addr_w},
                                     {"NumCtrl", config.num_ctrl},
                                     {"Slots", config.slots},
                                     {"NumAddr", config.addresses},
                                     {"KeyW", form.key_w},
                                     {"NumLinks", config.links}},
                                    std::size(points));
      auto ports = bench.ports<AckUnit>(rtl, config);
      AckUnit model(config);
      tb::Pressure come, take;
      // By source, controller and slot.
      std::map<std::pair<std::uint32_t, std::uint32_t>, bool> last;
      bool repeated = false;
      AckUnit::In in;
      if (config.addresses > 4096) bench.shorten_share(4000);
      for (; bench.running(); bench.next()) {
        in.node = static_cast<std::uint32_t>(bench.random() & low_mask(form.addr_w));
        in.restart = bench.random.below(1000) == 0;
        in.ready = take.next(bench.random) ? static_cast<std::uint32_t>(bench.random()) : 0;
        if (bench.random.below(2) == 0 && in.ready != 0) in.ready = ~0u;
        const bool go = come.next(bench.random);
        for (unsigned i = 0; i < config.links; ++i) {
          // What has passed all checks was asked about in the cycle before.
          in.took[i] = in.ask[i];
          in.took[i].valid = in.ask[i].valid && go && bench.random.below(8) != 0;
          IdOfPacket& ask = in.ask[i];
          // Often one of few, so that packets of one source follow each other.
          const std::uint32_t most = bench.random.below(4) != 0 ? 16 : config.addresses;
          ask = {
              bench.random.below(8) != 0,
              static_cast<std::uint32_t>(bench.random.below(std::min(config.addresses, most) + 1)),
              static_cast<std::uint32_t>(bench.random() & low_mask(form.id_w - 1))};
          if (bench.random.below(16) == 0) {
            ask.src = static_cast<std::uint32_t>(bench.random() & low_mask(form.addr_w));
          }
          // Two links ask about one packet, or of two generations.
          if (i != 0 && bench.random.below(8) == 0) ask = in.ask[i - 1];
          if (i != 0 && bench.random.below(8) == 0) ask.id = in.ask[i - 1].id ^ 1;
          const PacketId id = config.ids().unpack(ask.id);
          const bool known = ask.src < config.addresses && id.ctrl < config.num_ctrl;
          const auto found = last.find({ask.src, ask.id >> 1});
          const bool before = found != last.end() && found->second == id.gen;
          const bool later = found == last.end() && id.gen;
          bench.equal("repeated_o against the map", model.repeated(ask), !known || before || later);
          repeated |= known && before;
        }
        ports.drive(in);
        rtl.eval();
        const AckUnit::Shown shown = model.shown(in);
        bench.equal(ports, shown);
        if (bench.reset_now(rtl)) {
          model.reset();
          last.clear();
          in.ask = {};
          continue;
        }
        for (unsigned i = 0; i < config.links; ++i) {
          bench.transferred(shown.offer[i].valid && (in.ready >> i & 1) != 0);
          const PacketId id = config.ids().unpack(in.took[i].id);
          const IdOfPacket& took = in.took[i];
          if (!took.valid || took.src >= config.addresses || id.ctrl >= config.num_ctrl) continue;
          last[{took.src, took.id >> 1}] = id.gen;
        }
        model.step(in);
        rtl.tick();
      }
      tb::expect(repeated, "no packet was repeated");
    }
  });
}
