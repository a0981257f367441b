// Packets that are kept and acknowledged: between two nodes a network that delays, overtakes and
// loses them and their acknowledgements. What each packet is, its address in memory says.
#include "sim/nic/retain_unit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/nic/ack_unit.hpp"

namespace weft {
namespace {

constexpr std::uint32_t kFrom = 3, kTo = 5, kPacketFlits = 4;

/// What is under way, in no order.
template <class T>
class Network {
 public:
  void put(RandomStream& random, T what) {
    if (random.below(4) != 0) inside_.push_back(std::move(what));
  }
  bool empty() const { return inside_.empty(); }
  /// One of them, or nothing.
  std::optional<T> take(RandomStream& random) {
    if (inside_.empty() || random.below(3) == 0) return {};
    std::swap(inside_[random.below(inside_.size())], inside_.back());
    std::optional<T> taken = inside_.back();
    inside_.pop_back();
    return taken;
  }

 private:
  std::vector<T> inside_;
};

TEST_CASE("what a network loses comes again, once, and is reported as sent after it has come") {
  for (const unsigned slots : {2u, 4u, 16u}) {
    PacketForm form;
    const IdForm ids{2, slots};
    form.id_w = ids.width();
    RetainUnit sender({kPacketFlits, form, 2, slots, 8, 1, 4096});
    AckUnit receiver({false, form, 2, slots, 8, 1});
    RandomStream random(slots);
    Network<Descriptor> packets;
    Network<IdOfPacket> acks;
    std::map<std::uint32_t, unsigned> came;  // By address: how often as new.
    std::vector<std::uint32_t> ends;         // Of the messages in order: their end in memory.
    std::uint32_t next = 0, sent = 0;
    unsigned restarts = 0, repeated = 0, quiet = 0;
    for (int cycle = 0; cycle < 60000; ++cycle) {
      RetainUnit::In in;
      in.ctrl = 1;
      in.pkt_ready = random.below(2) != 0;
      // Nothing is sent while the network empties; then it begins anew.
      in.hold = quiet != 0;
      const bool empty = packets.empty() && acks.empty() && !receiver.out().pending;
      if (quiet != 0 && empty && ++quiet > 3) {
        in.restart = true;
        quiet = 0;
        ++restarts;
      }
      if (quiet == 0 && !in.restart && random.below(60) == 0) quiet = 1;
      if (next < 4000 && random.below(2) != 0) {
        in.desc_valid = true;
        in.desc.dst = kTo;
        in.desc.addr = next;
        in.desc.len = static_cast<std::uint32_t>(random.below(3 * kPacketFlits));
      }
      AckUnit::In to_acks;
      if (const auto packet = packets.take(random)) {
        to_acks.took[0] = {true, kFrom, plain_id(packet->off, form)};
        if (receiver.repeated(to_acks.took[0])) {
          ++repeated;
        } else {
          ++came[packet->addr];
        }
      }
      in.ack[0] = acks.take(random).value_or(IdOfPacket{});

      const bool offers = sender.offers(in.hold);
      const Descriptor packet = offers ? sender.packet() : Descriptor{};
      if (in.desc_valid && sender.out().desc_ready) {
        // Empty messages have a place of their own, too.
        next += std::max(1u, in.desc.len);
        ends.push_back(next);
      }
      sender.step(in);
      if (offers && in.pkt_ready) packets.put(random, packet);
      to_acks.restart = in.restart;
      const Flit offered = receiver.offer(0, kTo);
      to_acks.ready = offered.valid && random.below(2) != 0;
      receiver.step(to_acks);
      if (to_acks.ready != 0) {
        const Header header = Header::unpack(offered.data, form);
        CHECK(is_ack(header.off, form));
        CHECK(header.dst == kFrom);
        acks.put(random, {true, header.src, plain_id(header.off, form)});
      }
      if (sender.out().sent) {
        // Every packet of the message has come, or the place of an empty message.
        const std::uint32_t begin = sent == 0 ? 0 : ends[sent - 1];
        for (std::uint32_t at = begin; at < ends[sent]; at += kPacketFlits) {
          CHECK(came.contains(at));
        }
        ++sent;
      }
    }
    CHECK(sent == ends.size());
    CHECK(restarts > 10);
    CHECK(repeated > 10);
    CHECK(std::all_of(came.begin(), came.end(), [](const auto& one) { return one.second == 1; }));
  }
}

TEST_CASE("a packet is overdue after its time, and no longer when it is acknowledged") {
  PacketForm form;
  form.id_w = IdForm{1, 2}.width();
  RetainUnit unit({kPacketFlits, form, 1, 2, 8, 1, 20});
  RetainUnit::In in;
  in.desc_valid = true;
  in.desc.dst = kTo;
  in.pkt_ready = true;
  unit.step(in);
  in.desc_valid = false;
  unsigned cycles = 0;
  for (; !unit.out().overdue && cycles < 100; ++cycles) unit.step(in);
  CHECK(cycles == 21);  // One to cut it, then its time.
  in.ack[0] = {true, kTo, 0};
  unit.step(in);
  in.ack[0] = {};
  unit.step(in);
  CHECK(unit.out().sent);
  CHECK_FALSE(unit.out().overdue);
  CHECK(unit.out().empty);
}

}  // namespace
}  // namespace weft
