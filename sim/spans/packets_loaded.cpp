// The packets on engine `model`: checks of a loaded state. Each number must be within the bounds of
// what it indexes; whether a packet is where it should be is not checked.
#include <algorithm>

#include "sim/spans/packets.hpp"

namespace weft {

namespace {

// Flits of the body; 0 for a free packet, which has no header either.
std::size_t body_flits(const Packet& packet) {
  return std::max<std::size_t>(packet.flits, 1) - 1;
}

}  // namespace

bool Packets::is_made(std::uint32_t packet) const {
  const unsigned maker = store_->maker(packet);
  if (maker >= store_->parts_) return false;
  return packet < (store_->parts_ == 1 ? end_ : store_->ends_[maker]);
}

bool Packets::has_words(std::uint32_t packet, std::uint32_t flits) const {
  return fits(packets_[packet].body, flits);
}

// Whether `flits` flits from word `body` on are in the memory for bodies.
bool Packets::fits(std::size_t body, std::size_t flits) const {
  return body + flits * flit_words_ <= store_->words_.size();
}

// Whether the flits of a packet, at most about 256, are in the memory for bodies.
bool Packets::in_range(const Packet& packet) const {
  return packet.flits <= free_bodies_.size() && static_cast<unsigned>(packet.way_set) < kVcSets &&
         fits(packet.body, body_flits(packet));
}

// Whether all packets that this part has made are within bounds.
bool Packets::in_range() const {
  const auto made = [this](std::uint32_t number) { return number >= first_ && number < end_; };
  if (!std::all_of(free_.begin(), free_.end(), made)) return false;
  for (std::uint32_t i = first_; i < end_; ++i) {
    if (!in_range(packets_[i])) return false;
  }
  for (std::size_t flits = 0; flits < free_bodies_.size(); ++flits) {
    for (const std::uint32_t body : free_bodies_[flits]) {
      if (!fits(body, flits)) return false;
    }
  }
  if (parts_.empty() || free_part_ >= parts_.size()) return false;
  return std::all_of(parts_.begin(), parts_.end(), [this](const Part& part) {
    return part.first <= part.end && part.end <= free_bodies_.size() && part.next < parts_.size();
  });
}

bool Packets::is_good(const Abroad& abroad) const {
  if (where_ == nullptr) return abroad.held.empty() && abroad.lists.empty();
  const auto held = [this](const Abroad::Held& one) {
    return is_made(one.number) && in_range(one.packet);
  };
  return std::all_of(abroad.held.begin(), abroad.held.end(), held) &&
         std::all_of(abroad.lists.begin(), abroad.lists.end(),
                     [this](const Abroad::List& list) { return is_made(list.number); });
}

bool Packets::good_lists() const {
  std::vector<bool> found(parts_.size());
  const auto follow = [&](std::uint32_t part) {
    for (; part != 0; part = parts_[part].next) {
      if (part >= parts_.size() || found[part]) return false;
      found[part] = true;
    }
    return true;
  };
  if (!follow(free_part_)) return false;
  for (unsigned maker = 0; maker < store_->parts_; ++maker) {
    const std::uint32_t end = store_->parts_ == 1 ? end_ : store_->ends_[maker];
    for (std::uint32_t i = store_->first(maker); i < end; ++i) {
      const Packet& packet = packets_[i];
      // A free packet has no list: `make` sets `parts` to 0.
      if (packet.flits == 0 || packet.parts == 0) continue;
      if (division_->of(packet.header) == part_ && !follow(packet.parts)) return false;
    }
  }
  return true;
}

bool Packets::good_mail(const Mail& mail) const {
  const auto made = [this](std::uint32_t packet) { return is_made(packet); };
  const auto made_here = [this](std::uint32_t packet) { return packet >= first_ && packet < end_; };
  return std::all_of(mail.terms.begin(), mail.terms.end(),
                     [&](const Mail::Term& term) {
                       return made(term.packet) && term.first <= term.end &&
                              term.end <= free_bodies_.size() &&
                              division_->of(packets_[term.packet].header) == part_;
                     }) &&
         std::all_of(mail.freed.begin(), mail.freed.end(), made_here) &&
         std::all_of(mail.bodies.begin(), mail.bodies.end(), made) &&
         std::all_of(mail.in.begin(), mail.in.end(),
                     [&](const Mail::Flits& flits) { return made(flits.packet); });
}

}  // namespace weft
