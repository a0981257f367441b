// Lockstep bench of the unit that keeps packets until they are acknowledged: random messages,
// back-pressure, holds and restarts; acknowledgements of packets that were issued, and others that
// differ from these in one field.
#include <array>
#include <vector>

#include "sim/nic/retain_unit.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/stimulus.hpp"

namespace {

using namespace weft;

// Acknowledgements of issued packets, at random times, and false ones.
class Network {
 public:
  Network(const RetainUnit::Config& config) : config_(config) {}

  void issued(const Descriptor& packet) {
    under_way_.push_back({true, packet.dst, plain_id(packet.off, config_.header)});
  }
  void clear() { under_way_.clear(); }

  // By link; not two of one packet in a cycle without need.
  std::array<IdOfPacket, kMaxNicLinks> acks(RandomStream& random) {
    std::array<IdOfPacket, kMaxNicLinks> all;
    const bool go = go_.next(random);
    for (unsigned i = 0; i < config_.links; ++i) {
      const auto id_mask = static_cast<std::uint32_t>(low_mask(config_.header.id_w - 1));
      IdOfPacket& ack = all[i];
      ack.src = static_cast<std::uint32_t>(random() & low_mask(config_.header.addr_w));
      ack.id = static_cast<std::uint32_t>(random()) & id_mask;
      ack.valid = random.below(64) == 0;
      if (under_way_.empty() || !go || random.below(2) == 0) continue;
      const std::size_t which = random.below(under_way_.size());
      ack = under_way_[which];
      const std::uint64_t kind = random.below(48);
      if (kind == 0) ack.valid = false;
      if (kind == 1) ack.src ^= 1u << random.below(config_.header.addr_w);
      if (kind == 2) ack.id ^= 1u << random.below(config_.header.id_w - 1);
      if (kind == 3) continue;  // The acknowledgement comes again, perhaps late.
      under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(which));
    }
    return all;
  }

 private:
  RetainUnit::Config config_;
  std::vector<IdOfPacket> under_way_;
  tb::Pressure go_;
};

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "retain_unit", [](tb::Bench& bench) {
    constexpr std::uint32_t kLongest = 1u << 20;
    // The forms' `id_w` are those of the controllers and slots.
    const RetainUnit::Config points[] = {
        {.packet_flits = 4, .header = {.id_w = 4}, .addresses = 5, .timeout = 40},
        {.packet_flits = 3,
         .header = {.addr_w = 17, .key_w = 2, .id_w = 5},
         .num_ctrl = 3,
         .slots = 2,
         .addresses = 3,
         .links = 3,
         .timeout = 1},
        {.packet_flits = 1,
         .header = {.id_w = 9},
         .num_ctrl = 8,
         .slots = 16,
         .addresses = 16,
         .links = 8,
         .timeout = 64},
        {.packet_flits = 255, .header = {.id_w = 3}, .slots = 2, .addresses = 2, .timeout = 130},
        {.packet_flits = 3,
         .header = {.addr_w = 20, .key_w = 8, .id_w = 3},
         .slots = 2,
         .addresses = 1u << 20,
         .timeout = 100},
        {.packet_flits = 2, .header = {.id_w = 3}, .slots = 2, .timeout = kLongest},
        {.packet_flits = 16,
         .header = {.addr_w = 20, .key_w = 1, .id_w = 6},
         .num_ctrl = 2,
         .slots = 8,
         .addresses = 1,
         .timeout = 17}};
    for (const RetainUnit::Config& config : bench.order(points)) {
      const PacketForm form = config.header;
      RtlInstance rtl = bench.point({{"PacketFlits", config.packet_flits},
                                     {"AddrW", form.addr_w},
                                     {"NumCtrl", config.num_ctrl},
                                     {"Slots", config.slots},
                                     {"NumAddr", config.addresses},
                                     {"KeyW", form.key_w},
                                     {"NumLinks", config.links},
                                     {"Timeout", config.timeout}},
                                    std::size(points));
      auto ports = bench.ports<RetainUnit>(rtl, config);
      RetainUnit model(config);
      Network network(config);
      tb::Pressure offer, take, hold, restart;
      auto ctrl = static_cast<std::uint32_t>(bench.random.below(config.num_ctrl));
      // Of a long message the first packets are enough: packets that were issued since then.
      bool has_long = false;
      unsigned issued = 0;
      bool overdue = false, sent = false, resent = false;
      RetainUnit::In in;
      // A packet that is not acknowledged, until it is overdue.
      const bool longest = config.timeout == kLongest;
      for (; longest && !model.out().overdue; bench.next()) {
        bench.equal(ports, model.shown(false));
        in = {};
        in.desc.len = 1;
        in.desc_valid = !sent;
        in.pkt_ready = true;
        sent = true;
        ports.drive(in);
        model.step(in);
        rtl.tick();
      }
      if (longest) {
        rtl.reset();
        model.reset();
        overdue = resent = true;
        sent = false;
        bench.begin_share();
      }
      if (config.addresses > 4096) bench.shorten_share(10000);
      in = {};
      for (; bench.running(); bench.next()) {
        in.ctrl = ctrl;
        in.hold = hold.next(bench.random);
        in.restart = restart.next(bench.random) && bench.random.below(in.hold ? 20 : 100) == 0;
        in.desc_valid = offer.next(bench.random);
        in.desc = bench.random.below(64) == 0
                      ? tb::long_message(bench.random, config.packet_flits, form)
                      : tb::random_descriptor(bench.random, config.packet_flits, form);
        // A gap is only kept here.
        if (bench.random.below(2) == 0) {
          in.desc.gap = static_cast<std::uint32_t>(bench.random.below(256));
        }
        // Most go to nodes that exist, often to few, so that generations of a slot follow each
        // other.
        const std::uint64_t nodes = config.addresses + (bench.random.below(8) == 0 ? 2 : 0);
        if (bench.random.below(32) != 0) {
          in.desc.dst = static_cast<std::uint32_t>(bench.random.below(nodes));
        }
        tb::keep_under_key(form, in.desc);
        in.pkt_ready = take.next(bench.random);
        in.ack = network.acks(bench.random);
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model.shown(in.hold));
        const RetainUnit::Out& out = model.out();
        overdue |= out.overdue;
        sent |= out.sent;
        resent |= out.resent;
        if (bench.reset_now(rtl, has_long && issued > 4 * config.slots)) {
          model.reset();
          network.clear();
          has_long = false;
          ctrl = static_cast<std::uint32_t>(bench.random.below(config.num_ctrl));
          continue;
        }
        const bool issues = model.offers(in.hold) && in.pkt_ready;
        bench.transferred(issues);
        if (issues) network.issued(model.packet());
        issued += issues;
        if (in.desc_valid && out.desc_ready && in.desc.len >= tb::kLongFlits) {
          has_long = true;
          issued = 0;
        }
        const bool idle = model.idle() && !in.desc_valid && !in.restart;
        model.step(in);
        if (idle) {
          bench.equal("idle, next cycle", model.idle(), true);
          in.hold = !in.hold;  // Whether packets are held back is the same to an idle unit.
          const bool overdue_before = out.overdue;
          bench.equal("idle, overdue", RetainUnit(model).step(in).overdue, overdue_before);
        }
        rtl.tick();
      }
      tb::expect(overdue && sent && resent, "overdue, sent and resent packets");
    }
  });
}
