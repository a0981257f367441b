// Faults on the wires of links, and their check against the network.
#include "sim/engine/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/packet/packet.hpp"
#include "sim/topology/fault_links.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kNeverAgain = std::numeric_limits<std::uint64_t>::max();

// Number of bits of a field of a link.
unsigned width_of(const LinkWires& wires, FaultField field) {
  switch (field) {
    case FaultField::kData:
      return wires.data;
    case FaultField::kVc:
      return wires.vc;
    case FaultField::kStamp:
      return wires.stamp;
    case FaultField::kCheck:
      return wires.check;
    case FaultField::kCredit:
      return wires.back;
    default:
      return wires.all();
    case FaultField::kLast:
    case FaultField::kValid:
      return 1;
  }
}

// A field and a bit of it; for kAny `bit` counts through all wires.
std::pair<FaultField, unsigned> wire_of(const LinkWires& wires, FaultField field, unsigned bit) {
  if (field != FaultField::kAny) return {field, bit};
  for (unsigned f = 0; f + 1 < kFaultFields; ++f) {
    const auto one = static_cast<FaultField>(f);
    const unsigned width = width_of(wires, one);
    if (bit < width) return {one, bit};
    bit -= width;
  }
  return {FaultField::kCredit, 0};
}

// Sets bit `bit` of a number as `effect` says; returns whether that changed it.
template <class Number>
bool change(Number& number, unsigned bit, FaultEffect effect) {
  const auto mask = static_cast<Number>(Number{1} << bit);
  const Number before = number;
  if (effect == FaultEffect::kInvert) number = static_cast<Number>(number ^ mask);
  if (effect == FaultEffect::kClear) number = static_cast<Number>(number & ~mask);
  if (effect == FaultEffect::kSet) number = static_cast<Number>(number | mask);
  return number != before;
}
bool change(bool& line, FaultEffect effect) {
  auto number = static_cast<std::uint8_t>(line);
  const bool changed = change(number, 0, effect);
  line = number != 0;
  return changed;
}

// Cycles of a single fault.
std::uint64_t length_of(const Fault& fault) {
  return std::max<std::uint64_t>(fault.cycles, 1);
}

}  // namespace

void check_faults(const Config& config, const Graph& graph) {
  for (std::size_t i = 0; i < config.faults.size(); ++i) {
    const Fault& fault = config.faults[i];
    for (const std::uint32_t link : fault_links(config, graph, i)) {
      const unsigned width = width_of(link_wires(graph, link, config.link.parity), fault.field);
      if (fault.bit < width) continue;
      const std::string pointer = fmt::format("/faults/{}", i);
      if (width == 0) {
        config.source.refuse(pointer + "/field", fault.field,
                             "another field: this link has no such wires");
      }
      config.source.refuse(
          pointer + "/bit", fault.bit,
          fmt::format(
              "below {}, the width of this field of the link{}", width,
              fault.field == FaultField::kData ? ", with the parity bit if there is one" : ""));
    }
  }
}

FaultInjector::FaultInjector(const Config& config, const Graph& graph, const OwnsBlock& own)
    : faults_(config.faults),
      data_w_(graph.header.data_w),
      protected_(graph.protection != Protection::kNone),
      wires_(graph.links.size()),
      checks_(graph.links.size()) {
  counts_.random.resize(config.faults.size());
  for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
    if (!graph.links[l].injected) continue;
    wires_[l] = link_wires(graph, l, config.link.parity);
    if (protected_) checks_[l].emplace(graph, l, config.link.parity);
  }
  for (std::uint32_t i = 0; i < faults_.size(); ++i) {
    for (const std::uint32_t link : fault_links(config, graph, i)) {
      const std::uint32_t number = places_++;
      if (!own(graph.links[link].src_block)) continue;
      // Each link has its own random stream.
      const std::uint64_t seed = mix64(config.seed ^ mix64((std::uint64_t{i} << 32) + link));
      OnLink& place = own_.emplace_back(
          OnLink{number, i, link, length_of(faults_[i]), kNeverAgain, RandomStream(seed)});
      if (faults_[i].rate != 0) wait(place, faults_[i].cycle);
    }
  }
  struck_.reserve(protected_ ? own_.size() : 0);  // Each fault changes one word in a cycle.
  arrange();
}

// Sorts the faults that are not over into the lists. Those that have begun wait once more: the next
// cycle activates them in the order in which they began.
void FaultInjector::arrange() {
  for (auto* const list : {&waiting_, &active_, &random_}) list->clear();
  for (std::uint32_t i = 0; i < own_.size(); ++i) {
    if (faults_[own_[i].fault].rate != 0) {
      random_.push_back(i);
    } else if (own_[i].left != 0) {
      waiting_.push_back(i);
    }
  }
  std::stable_sort(waiting_.begin(), waiting_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return faults_[own_[a].fault].cycle > faults_[own_[b].fault].cycle;
  });
  // In the same cycle the fault with the lower index comes first.
  std::make_heap(random_.begin(), random_.end(),
                 [this](std::uint32_t a, std::uint32_t b) { return later(a, b); });
}

// Sets the next cycle of a random fault on a link, at or after `from`: a geometric gap.
void FaultInjector::wait(OnLink& random, std::uint64_t from) const {
  const Fault& fault = faults_[random.fault];
  const std::uint64_t end = fault.cycles == 0 ? kNeverAgain : fault.cycle + fault.cycles;
  const double gap =
      fault.rate < 1 ? std::floor(std::log1p(-random.stream.fraction()) / std::log1p(-fault.rate))
                     : 0;
  random.next = gap < 1e18 ? from + static_cast<std::uint64_t>(gap) : kNeverAgain;
  if (random.next >= end) random.next = kNeverAgain;
}

// Puts a fault on its wire; returns false if that changes nothing.
bool FaultInjector::strike(FaultField field, unsigned bit, FaultEffect effect,
                           const FaultyLinks::Faulty& at) const {
  Flit& flit = at.forward.flit;
  const bool of_flit = field == FaultField::kData || field == FaultField::kLast ||
                       field == FaultField::kVc || field == FaultField::kStamp;
  if (of_flit && !flit.valid && !protected_) return false;  // Nobody reads these wires.
  switch (field) {
    case FaultField::kData:
      if (bit == data_w_) return change(flit.parity, effect);
      return change(flit.word(bit / 64), bit % 64, effect);
    case FaultField::kLast:
      return change(flit.last, effect);
    case FaultField::kVc:
      return change(flit.vc, bit, effect);
    case FaultField::kStamp:
      return change(flit.stamp, bit, effect);
    case FaultField::kCheck:
      return change(at.forward.check, bit, effect);
    case FaultField::kValid:
      return change(flit.valid, effect);
    default:
      return change(at.back[bit / 64], bit % 64, effect);
  }
}

// Puts a fault on its wire, and remembers the word of a protected link as it was; returns false if
// that changes nothing.
bool FaultInjector::hit(std::uint32_t link, FaultField field, unsigned bit, FaultEffect effect,
                        const FaultyLinks::Faulty& at) {
  if (!protected_) return strike(field, bit, effect, at);
  Struck before{2 * link + (field == FaultField::kCredit ? 1 : 0), {}, {}};
  const bool known = !struck_.empty() && struck_.back().word == before.word;
  if (!known && field == FaultField::kCredit) before.back = at.back;
  if (!known && field != FaultField::kCredit) before.forward = at.forward;
  if (!strike(field, bit, effect, at)) return false;
  if (!known) struck_.push_back(std::move(before));
  return true;
}

// Puts a random fault on its wire. In a burst each of the following wires of the same word is
// inverted, too, with probability 1/2.
bool FaultInjector::strike_burst(OnLink& random, const FaultyLinks::Faulty& at) {
  const Fault& fault = faults_[random.fault];
  const unsigned width = width_of(wires_[random.link], fault.field);
  const auto first = static_cast<unsigned>(random.stream.below(width));
  const unsigned end = first + std::min(std::max(fault.burst, 1u), width - first);
  const bool back = wire_of(wires_[random.link], fault.field, first).first == FaultField::kCredit;
  bool changed = false;
  for (unsigned drawn = first; drawn < end; ++drawn) {
    if (drawn != first && random.stream.below(2) == 0) continue;
    const auto [field, bit] = wire_of(wires_[random.link], fault.field, drawn);
    if ((field == FaultField::kCredit) != back) break;
    changed |= hit(random.link, field, bit, FaultEffect::kInvert, at);
  }
  return changed;
}

// Counts the wrong words that the checks of their links accept. A word that a second fault has put
// right again is not wrong.
void FaultInjector::judge(FaultyLinks& links) {
  const auto same = [](const Struck& a, const Struck& b) { return a.word == b.word; };
  // Of several entries for a word, the first one has it as it was before all faults.
  std::stable_sort(struck_.begin(), struck_.end(),
                   [](const Struck& a, const Struck& b) { return a.word < b.word; });
  struck_.erase(std::unique(struck_.begin(), struck_.end(), same), struck_.end());
  for (const Struck& before : struck_) {
    const FaultyLinks::Faulty at = links.faulty(before.word / 2);
    LinkChecks& checks = *checks_[before.word / 2];
    if (before.word % 2 == 0) {
      const bool wrong = std::tie(at.forward.flit, at.forward.check) !=
                         std::tie(before.forward.flit, before.forward.check);
      counts_.passed += wrong && checks.accept(at.forward);
    } else {
      counts_.passed += at.back != before.back && checks.accept(at.back);
    }
  }
  struck_.clear();
}

void FaultInjector::put_single(std::uint64_t cycle, FaultyLinks& links) {
  while (!waiting_.empty() && faults_[own_[waiting_.back()].fault].cycle <= cycle) {
    active_.push_back(waiting_.back());
    waiting_.pop_back();
  }
  std::erase_if(active_, [&](std::uint32_t i) {
    OnLink& single = own_[i];
    const Fault& fault = faults_[single.fault];
    const FaultyLinks::Faulty at = links.faulty(single.link);
    const bool begun = single.left != length_of(fault);
    const bool waits = !begun && fault.effect == FaultEffect::kInvert &&
                       fault.field < FaultField::kValid && !at.forward.flit.valid;
    const bool changed = !waits && hit(single.link, fault.field, fault.bit, fault.effect, at);
    if (!begun && !changed) return false;
    counts_.struck += begun ? 0 : 1;
    counts_.put += changed ? 1 : 0;
    return --single.left == 0;
  });
}

void FaultInjector::put_random(std::uint64_t cycle, FaultyLinks& links) {
  const auto later = [this](std::uint32_t a, std::uint32_t b) { return this->later(a, b); };
  while (!random_.empty() && own_[random_.front()].next <= cycle) {
    std::pop_heap(random_.begin(), random_.end(), later);
    OnLink& random = own_[random_.back()];
    if (strike_burst(random, links.faulty(random.link))) {
      ++counts_.put;
      counts_.random[random.fault] = 1;
    }
    wait(random, cycle + 1);
    std::push_heap(random_.begin(), random_.end(), later);
  }
}

void FaultInjector::put(std::uint64_t cycle, FaultyLinks& links) {
  links.begin_faults();
  put_single(cycle, links);
  put_random(cycle, links);
  judge(links);
  links.end_faults();
}

}  // namespace weft
