// The packets on engine `model`, and their share of the digest.
#include "sim/spans/packets.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "sim/base/error.hpp"

namespace weft {

// Most packets for which addresses are reserved.
constexpr std::size_t kMostPackets = std::size_t{1} << 28;
constexpr std::size_t kMostWords = std::size_t{1} << 31;

PacketStore::PacketStore(unsigned parts, bool tracks)
    : packets_(kMostPackets), words_(kMostWords), parts_(parts), ends_(parts) {
  if (tracks) where_.emplace(packets_.size());
  use(room());
}

void PacketStore::use(std::array<std::size_t, 2> room) {
  room_ = room;
  const std::size_t shares = std::bit_ceil(std::size_t{parts_});
  shift_ = static_cast<unsigned>(std::countr_zero(room[0] / shares));
  most_words_ = room[1] / shares;
}

Packets::Packets(bool parity, std::uint32_t regions, std::shared_ptr<PacketStore> store,
                 const Division* division, unsigned part, unsigned flit_words)
    : parity_(parity),
      flit_words_(flit_words),
      digests_(regions),
      store_(std::move(store)),
      division_(division),
      part_(part),
      packets_(store_->packets_.data()),
      words_(store_->words_.data()),
      where_(store_->where_ ? store_->where_->data() : nullptr),
      first_(store_->first(part)),
      end_(first_),
      next_word_(part * store_->most_words_),
      end_words_(next_word_ + store_->most_words_),
      most_(first_ + (std::size_t{1} << store_->shift_)),
      free_bodies_(256),
      parts_(1) {
  powers_[0] = 1;
  for (std::size_t i = 1; i < powers_.size(); ++i) {
    powers_[i] = Mod61::times(powers_[i - 1], kDigestBase);
  }
}

std::uint32_t Packets::make(std::uint64_t header, std::uint32_t body_flits) {
  // Up to this many packets are in pages of the usual size.
  constexpr std::uint32_t kSmall = 1 << 16;
  std::uint32_t number;
  if (free_.empty()) {
    if (end_ == most_) throw NotBySpans("too many packets");
    number = end_++;
    if (end_ - first_ == kSmall) store_->packets_.use_huge_pages(end_, most_);
  } else {
    number = free_.back();
    free_.pop_back();
  }
  std::uint32_t body = 0;
  if (auto& known = free_bodies_[body_flits]; !known.empty()) {
    body = known.back();
    known.pop_back();
  } else if (body_flits != 0) {
    const std::size_t body_words = std::size_t{body_flits} * flit_words_;
    if (end_words_ - next_word_ < body_words) throw NotBySpans("too many words");
    body = static_cast<std::uint32_t>(next_word_);
    next_word_ += body_words;
  }
  Packet& packet = packets_[number];
  packet = {};
  if (where_ != nullptr) where_[number] = {static_cast<std::uint16_t>(part_), 0, false};
  packet.header = header;
  packet.body = body;
  packet.flits = static_cast<std::uint16_t>(body_flits + 1);
  return number;
}

void Packets::take_back(std::uint32_t number) {
  Packet& packet = packets_[number];
  if (packet.flits > 1) free_bodies_[packet.flits - 1u].push_back(packet.body);
  packet.flits = 0;
  free_.push_back(number);
}

void Packets::take(const Mail& mail) {
  for (const Mail::Term& term : mail.terms) {
    chain(packets_[term.packet], term.vc, term.first, term.end, term.factor);
  }
  for (const std::uint32_t packet : mail.freed) take_back(packet);
  expect(mail);
}

// A packet's copy in another process has its own `parts`, used if the packet ends there.
void Packets::write(const Mail& mail, unsigned part, Parcel& parcel) {
  parcel.put(mail.in);
  parcel.put(mail.out);
  parcel.put(mail.terms);
  parcel.put(mail.freed);
  parcel.put(mail.bodies);
  for (const std::uint32_t packet : mail.bodies) write_body(packet, parcel);
  for (const Mail::Flits& flits : mail.in) {
    if (!flits.header) continue;
    Packet& packet = packets_[flits.packet];
    parcel.put(packet);
    packet.share = {};  // The sums are with the header.
    if (where_ != nullptr) where_[flits.packet].holder = static_cast<std::uint16_t>(part);
  }
}

void Packets::read(Parcel& parcel, Mail& mail) {
  parcel.take(mail.in);
  parcel.take(mail.out);
  parcel.take(mail.terms);
  parcel.take(mail.freed);
  parcel.take(mail.bodies);
  const auto note = [this](std::uint32_t packet) {
    if (where_ == nullptr) return;
    std::uint32_t& end = store_->ends_[store_->maker(packet)];
    end = std::max(end, packet + 1);
  };
  for (const Mail::Term& term : mail.terms) note(term.packet);
  for (const std::uint32_t packet : mail.bodies) {
    read_body(parcel);
    if (where_ != nullptr) where_[packet].complete = true;
  }
  for (const Mail::Flits& flits : mail.in) {
    if (!flits.header) continue;
    Packet& packet = packets_[flits.packet];
    const std::uint32_t parts = packet.parts;
    parcel.take(packet);
    packet.parts = parts;
    if (where_ != nullptr) where_[flits.packet].holder = static_cast<std::uint16_t>(part_);
    note(flits.packet);
  }
}

void Packets::write_body(std::uint32_t number, Parcel& parcel) const {
  const Packet& packet = packets_[number];
  parcel.put(packet.body);
  parcel.put((packet.flits - 1u) * flit_words_);
  parcel.put(words_ + packet.body, (packet.flits - 1u) * flit_words_);
}

std::uint32_t Packets::read_body(Parcel& parcel) {
  const auto body = parcel.take<std::uint32_t>();
  const auto count = parcel.take<std::uint32_t>();
  parcel.take(words_ + body, count);
  return body;
}

void Packets::write_made(std::uint32_t number, Parcel& parcel) const {
  const Packet& packet = packets_[number];
  parcel.put(number);
  parcel.put(packet.header);
  parcel.put(packet.flits);
  parcel.put(packet.stamp);
  write_body(number, parcel);
}

std::uint32_t Packets::read_made(Parcel& parcel) {
  const auto number = parcel.take<std::uint32_t>();
  Packet& packet = packets_[number];
  parcel.take(packet.header);
  parcel.take(packet.flits);
  parcel.take(packet.stamp);
  packet.body = read_body(parcel);
  return number;
}

void Packets::write_share(std::uint32_t number, Parcel& parcel) {
  Packet& packet = packets_[number];
  parcel.put(number);
  parcel.put(packet.vc);
  parcel.put(packet.share);
  packet.share = {};
}

void Packets::read_share(Parcel& parcel) {
  Packet& packet = packets_[parcel.take<std::uint32_t>()];
  parcel.take(packet.vc);
  parcel.take(packet.share);
}

void Packets::add_part(Packet& packet, std::uint16_t vc, std::uint32_t first, std::uint32_t end,
                       std::uint64_t factor) {
  if (!ends_here(packet)) {
    outbox_[division_->of(packet.header)].terms.push_back(
        {factor, static_cast<std::uint32_t>(&packet - packets_), vc,
         static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(end)});
    return;
  }
  chain(packet, vc, first, end, factor);
}

// Adds a term to the packet's list.
void Packets::chain(Packet& packet, std::uint16_t vc, std::uint32_t first, std::uint32_t end,
                    std::uint64_t factor) {
  std::uint32_t number = free_part_;
  if (number == 0) {
    number = static_cast<std::uint32_t>(parts_.size());
    parts_.emplace_back();
  } else {
    free_part_ = parts_[number].next;
  }
  parts_[number] = {factor, vc, static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(end),
                    packet.parts};
  packet.parts = number;
  if (where_ != nullptr) where_[&packet - packets_].ends = static_cast<std::uint16_t>(part_);
}

// In a process with some of the parts: resets where packets' headers and lists are; take_abroad
// restores them from what other parts have of the packets.
void Packets::made_only() {
  for (std::uint32_t i = first_; i < end_; ++i) {
    if (packets_[i].flits != 0 && division_->of(packets_[i].header) != part_) packets_[i].parts = 0;
    where_[i].holder = static_cast<std::uint16_t>(part_);
  }
}

// Takes packets of another process: some of their flits may be here, behind their headers. Their
// bodies are at their destinations.
void Packets::take_copies(const Packets& others) {
  for (std::uint32_t i = others.first_; i < others.end_; ++i) {
    Packet& packet = packets_[i];
    packet = others.packets_[i];
    if (packet.flits == 0) continue;
    packet.share = {};
    packet.parts = 0;
    where_[i] = {others.where_[i].holder, 0, false};
    if (!division_->owns(division_->of(packet.header))) continue;
    where_[i].complete = others.where_[i].complete;
    std::copy_n(others.words_ + packet.body, (packet.flits - 1u) * flit_words_,
                words_ + packet.body);
  }
  store_->ends_[others.part_] = others.end_;
}

std::vector<Packets::Abroad> Packets::abroad() const {
  std::vector<Abroad> of_part(division_->parts());
  if (where_ == nullptr) return of_part;
  for (unsigned maker = 0; maker < store_->ends_.size(); ++maker) {
    for (std::uint32_t i = store_->first(maker); i < store_->ends_[maker]; ++i) {
      const Packet& packet = packets_[i];
      const PacketStore::Whereabouts& where = where_[i];
      if (packet.parts != 0 && where.ends != maker && division_->owns(where.ends)) {
        of_part[where.ends].lists.push_back({i, packet.parts});
      }
      if (packet.flits == 0 || where.holder == maker || !division_->owns(where.holder)) continue;
      Abroad::Held& held = of_part[where.holder].held.emplace_back();
      held.number = i;
      held.packet = packet;
    }
  }
  return of_part;
}

void Packets::take_abroad(unsigned part, const Abroad& abroad) {
  const bool here = division_->owns(part);
  if (!is_good(abroad)) throw std::runtime_error("a packet that is not there");
  for (const Abroad::Held& held : abroad.held) {
    Packet& packet = packets_[held.number];
    const std::uint32_t parts = packet.parts;
    packet = held.packet;
    packet.parts = parts;
    if (!here) packet.share = {};  // The sums are with the header.
    where_[held.number].holder = static_cast<std::uint16_t>(part);
  }
  if (!here) return;
  for (const auto& [number, parts] : abroad.lists) {
    packets_[number].parts = parts;
    where_[number].ends = static_cast<std::uint16_t>(part);
  }
}

std::uint64_t Packets::digest() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t digest : digests_) add(sum, digest);
  return sum;
}

void Packets::settle(Packet& packet, std::uint32_t region) {
  if (packet.flits == 0) return;  // Only in a damaged state.
  std::uint64_t& digest = digests_[region];
  for (const unsigned slot : {0, 1}) {
    if (packet.share[slot] == 0) continue;
    add(digest,
        Mod61::times(polynomial(packet, packet.vc[slot]), Mod61::reduce(packet.share[slot])));
    packet.share[slot] = 0;
  }
  if (packet.parts == 0) return;
  for (Rests& rests : rests_) rests.vc = Packet::kNoVc + 1u;
  while (packet.parts != 0) {
    if (packet.parts >= parts_.size()) throw NotBySpans("a packet with parts of another");
    Part& part = parts_[packet.parts];
    if (part.first > part.end || part.end > packet.flits) throw NotBySpans("parts of no packet");
    const std::uint64_t* const rests = find_rests(packet, part.vc);
    const std::uint64_t rest = Mod61::times(rests[part.end], powers_[part.end - part.first]);
    const std::uint64_t sum = rests[part.first] + Mod61::kPrime - rest;
    add(digest, Mod61::times(Mod61::reduce(sum), part.factor));
    std::swap(free_part_, packet.parts);
    std::swap(part.next, packet.parts);
  }
}

// The sides of the packet's flits but the tail, without parity (sides_of).
std::uint64_t Packets::sides(const Packet& packet, std::uint16_t vc) const {
  Flit flit;
  flit.valid = true;
  flit.vc = vc;
  flit.stamp = packet.stamp;
  return sides_of(flit);
}

// Returns sum * A + term; `sum` and the result are below 2^61 + 8.
static inline std::uint64_t times_base_plus(std::uint64_t sum, std::uint64_t term) {
  const auto product = static_cast<unsigned __int128>(sum) * kDigestBase + term;
  const std::uint64_t folded = (static_cast<std::uint64_t>(product) & Mod61::kPrime) +
                               static_cast<std::uint64_t>(product >> 61);
  return (folded & Mod61::kPrime) + (folded >> 61);
}

// Calls `use` with the mixes of a packet's flits on VC `vc`, from the last to the first.
template <class Use>
inline void Packets::mix_all(const Packet& packet, std::uint16_t vc, Use use) const {
  const std::uint64_t common = sides(packet, vc);
  const std::uint64_t* const body = words_ + packet.body;
  const auto with_parity = [&](std::uint64_t data, bool last) {
    return common | std::uint64_t{last} | std::uint64_t{parity_ && parity_of(data, last)} << 8;
  };
  std::uint32_t i = packet.flits - 1u;
  if (i != 0 && flit_words_ == 1) {
    --i;
    use(mix_flit(body[i], with_parity(body[i], true)));
    if (parity_) {
      while (i-- > 0) use(mix_flit(body[i], with_parity(body[i], false)));
    } else {
      while (i-- > 0) use(mix_flit(body[i], common));
    }
  } else if (i != 0) {
    for (bool last = true; i-- > 0; last = false) {
      const std::uint64_t* const flit = body + std::size_t{i} * flit_words_;
      const std::uint64_t all = std::accumulate(flit, flit + flit_words_, std::uint64_t{0},
                                                std::bit_xor<std::uint64_t>());
      use(mix_flit(fold_data(*flit, flit + 1, flit_words_ - 1), with_parity(all, last)));
    }
  }
  use(mix_flit(packet.header, with_parity(packet.header, packet.flits == 1)));
}

// Sum of mix(flit i) * A^i over the flits i of a packet on VC `vc`.
std::uint64_t Packets::polynomial(const Packet& packet, std::uint16_t vc) const {
  // A term is below 2^125, so that seven of them and a sum so far are below 2^128.
  constexpr unsigned kTerms = 7;
  unsigned __int128 sum = 0;
  const std::uint64_t* power = &powers_[packet.flits];
  unsigned left = kTerms;
  mix_all(packet, vc, [&](std::uint64_t mix) {
    sum += static_cast<unsigned __int128>(mix) * *--power;
    if (--left != 0) return;
    left = kTerms;
    sum = Mod61::reduce(sum);
  });
  return Mod61::reduce(sum);
}

// Sums for terms of parts of a packet (Rests), for any number of VCs. They are below 2^61 + 8.
const std::uint64_t* Packets::find_rests(const Packet& packet, std::uint16_t vc) {
  for (const Rests& rests : rests_) {
    if (rests.vc == vc) return rests.sum.data();
  }
  Rests& rests = rests_[oldest_rests_++ % rests_.size()];
  rests.vc = vc;
  std::uint64_t sum = 0;
  std::uint64_t* to = &rests.sum[packet.flits];
  *to = 0;
  mix_all(packet, vc, [&](std::uint64_t mix) { *--to = sum = times_base_plus(sum, mix); });
  return rests.sum.data();
}

}  // namespace weft
