// The packets on engine `model`: checks of a state that was loaded.
#include <algorithm>

#include "sim/runs/packets.hpp"

namespace weft {

// Of a state that was loaded: whether each number is free or that of a packet, whose body is here.
bool Packets::consistent() const {
  const std::size_t first_word = part_ * store_->most_words_;
  const auto is_here = [&](std::size_t body, std::size_t flits) {
    return flits == 0 || (body >= first_word && body + flits * flit_words_ <= next_word_);
  };
  std::vector<bool> is_free(end_ - first_);
  for (const std::uint32_t number : free_) {
    if (number < first_ || number >= end_ || is_free[number - first_]) return false;
    is_free[number - first_] = true;
  }
  for (std::uint32_t i = first_; i < end_; ++i) {
    const Packet& packet = packets_[i];
    if ((packet.flits == 0) != is_free[i - first_]) return false;
    if (packet.flits == 0) continue;
    const bool good = packet.flits <= free_bodies_.size() &&
                      static_cast<unsigned>(packet.way_set) < kVcSets &&
                      is_here(packet.body, packet.flits - 1u);
    if (!good) return false;
  }
  for (std::size_t flits = 0; flits < free_bodies_.size(); ++flits) {
    for (const std::uint32_t body : free_bodies_[flits]) {
      if (!is_here(body, flits)) return false;
    }
  }
  if (parts_.empty() || free_part_ >= parts_.size()) return false;
  return std::all_of(parts_.begin(), parts_.end(), [this](const Part& part) {
    return part.first <= part.end && part.end <= free_bodies_.size() && part.next < parts_.size();
  });
}

bool Packets::parts_apart() const {
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
      const bool ends = division_ == nullptr || division_->of(packet.header) == part_;
      if (packet.flits != 0 && ends && !follow(packet.parts)) return false;
    }
  }
  return true;
}

}  // namespace weft
