// Packing of messages into slots.
#include "sim/schedule/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "sim/base/random.hpp"

namespace weft {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Items, the longest first.
std::vector<std::uint32_t> by_length(const SlotProblem& problem) {
  std::vector<std::uint32_t> order(problem.items());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return problem.lengths[a] > problem.lengths[b];
  });
  return order;
}

// Busy slots of one lane.
class Busy {
 public:
  // Whether slots `slot` to `slot` + 63 are busy, the first in the lowest bit.
  std::uint64_t word(std::size_t slot) const {
    const std::size_t i = slot / 64, shift = slot % 64;
    const std::uint64_t low = i < words_.size() ? words_[i] : 0;
    const std::uint64_t high = i + 1 < words_.size() ? words_[i + 1] : 0;
    return shift == 0 ? low : low >> shift | high << (64 - shift);
  }
  void set(std::size_t slot) {
    if (slot / 64 >= words_.size()) words_.resize(slot / 64 + 16);
    words_[slot / 64] |= std::uint64_t{1} << slot % 64;
  }

 private:
  std::vector<std::uint64_t> words_;
};

Packing first_fit(const SlotProblem& problem, const std::vector<std::uint32_t>& order) {
  const std::uint32_t lanes = problem.lanes;
  std::vector<Busy> busy(std::size_t{problem.resources} * lanes);
  // All items that need a lane have found the slots before this one busy.
  std::vector<std::uint32_t> from(busy.size());
  Packing packing{std::vector<std::uint32_t>(problem.items()), 0};
  const auto each_lane = [&](const SlotUse& use, auto visit) {
    const std::size_t row = std::size_t{use.resource} * lanes;
    if (use.lane != kAllLanes) return visit(row + use.lane);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) visit(row + lane);
  };
  for (const std::uint32_t item : order) {
    const auto uses = problem.of(item);
    std::uint32_t slot = 0;
    if (!uses.empty() && uses[0].after == 0) {
      each_lane(uses[0], [&](std::size_t row) { slot = std::max(slot, from[row]); });
    }
    for (;; slot += 64) {
      std::uint64_t taken = 0;
      for (const SlotUse& use : uses) {
        each_lane(use, [&](std::size_t row) { taken |= busy[row].word(slot + use.after); });
      }
      if (~taken == 0) continue;
      slot += static_cast<std::uint32_t>(std::countr_one(taken));
      break;
    }
    for (const SlotUse& use : uses) {
      each_lane(use, [&](std::size_t row) { busy[row].set(slot + use.after); });
    }
    if (!uses.empty() && uses[0].after == 0) {
      each_lane(uses[0], [&](std::size_t row) {
        while ((busy[row].word(from[row]) & 1) != 0) ++from[row];
      });
    }
    packing.start[item] = slot;
    packing.slots = std::max(packing.slots, slot + problem.lengths[item]);
  }
  return packing;
}

// Ejection chains in a fixed number of slots.
class Chains {
 public:
  Chains(const SlotProblem& problem, const std::vector<std::uint32_t>& order, std::uint64_t effort)
      : problem_(problem),
        order_(order),
        lanes_(problem.lanes),
        weight_(problem.items(), 1),
        random_(1),
        effort_(effort) {}

  bool spent() const { return effort_ == 0; }

  // Moves all items of `packing` into `slots` slots. Returns false, with `packing` as before, after
  // `steps` moves, or if the effort is spent.
  bool shorten(Packing& packing, std::uint32_t slots, std::uint64_t steps) {
    slots_ = slots;
    whole_.assign(std::size_t{problem_.resources} * slots, kNone);
    if (lanes_ > 1) {
      mixed_.assign(whole_.size(), 0);
      split_.assign(whole_.size() * lanes_, kNone);
    }
    start_.assign(problem_.items(), kNone);
    open_.clear();
    for (const std::uint32_t item : order_) {
      const std::uint32_t start = packing.start[item];
      if (start + problem_.lengths[item] <= slots && fits(item, start)) {
        place(item, start);
      } else {
        open_.push_back(item);
      }
    }
    for (; !open_.empty() && steps > 0 && effort_ > 0; --steps) {
      const std::uint32_t item = next();
      const std::uint32_t start = cheapest(item);
      eject(item, start);
      place(item, start);
      ++weight_[item];
      if (steps % 4096 == 0) {
        for (std::uint32_t& weight : weight_) weight = (weight + 1) / 2;
      }
    }
    if (!open_.empty()) return false;
    packing = {start_, slots};
    return true;
  }

 private:
  // Calls `visit` with each item in the way of a use in a slot.
  template <class Visit>
  void occupants(const SlotUse& use, std::uint32_t slot, Visit visit) const {
    const std::size_t cell = std::size_t{use.resource} * slots_ + slot;
    if (whole_[cell] != kNone) visit(whole_[cell]);
    if (lanes_ == 1 || mixed_[cell] == 0) return;
    const std::uint32_t lanes = use.lane == kAllLanes ? ~0u : 1u << use.lane;
    for (std::uint32_t left = mixed_[cell] & lanes; left != 0; left &= left - 1) {
      visit(split_[cell * lanes_ + static_cast<unsigned>(std::countr_zero(left))]);
    }
  }

  bool fits(std::uint32_t item, std::uint32_t start) const {
    bool free = true;
    for (const SlotUse& use : problem_.of(item)) {
      occupants(use, start + use.after, [&](std::uint32_t) { free = false; });
      if (!free) break;
    }
    return free;
  }

  void set(std::uint32_t item, std::uint32_t start, std::uint32_t owner) {
    for (const SlotUse& use : problem_.of(item)) {
      const std::size_t cell = std::size_t{use.resource} * slots_ + start + use.after;
      if (lanes_ == 1 || use.lane == kAllLanes) {
        whole_[cell] = owner;
        continue;
      }
      split_[cell * lanes_ + use.lane] = owner;
      const std::uint32_t bit = 1u << use.lane;
      mixed_[cell] = owner != kNone ? mixed_[cell] | bit : mixed_[cell] & ~bit;
    }
  }

  void place(std::uint32_t item, std::uint32_t start) {
    set(item, start, item);
    start_[item] = start;
  }

  void eject(std::uint32_t item, std::uint32_t start) {
    for (const SlotUse& use : problem_.of(item)) {
      out_.clear();
      occupants(use, start + use.after, [&](std::uint32_t other) { out_.push_back(other); });
      for (const std::uint32_t other : out_) {
        set(other, start_[other], kNone);
        start_[other] = kNone;
        open_.push_back(other);
      }
    }
  }

  // Selects an item to be placed, preferably a long one.
  std::uint32_t next() {
    std::size_t chosen = random_.below(open_.size());
    for (int i = 0; i < 3; ++i) {
      const std::size_t other = random_.below(open_.size());
      if (problem_.lengths[open_[other]] > problem_.lengths[open_[chosen]]) chosen = other;
    }
    const std::uint32_t item = open_[chosen];
    open_[chosen] = open_.back();
    open_.pop_back();
    return item;
  }

  // The start for which the items in the way cost least; of several a random one.
  std::uint32_t cheapest(std::uint32_t item) {
    const auto uses = problem_.of(item);
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    std::uint32_t best = 0, same = 0;
    std::uint64_t compared = 0;
    for (std::uint32_t start = 0; start + problem_.lengths[item] <= slots_; ++start) {
      std::uint64_t cost = 0;
      std::uint32_t last = kNone;
      for (const SlotUse& use : uses) {
        ++compared;
        occupants(use, start + use.after, [&](std::uint32_t other) {
          if (other != last) cost += std::uint64_t{weight_[other]} * problem_.lengths[other];
          last = other;
        });
        if (cost > least) break;
      }
      if (cost < least) {
        least = cost;
        best = start;
        same = 1;
      } else if (cost == least && random_.below(++same) == 0) {
        best = start;
      }
      if (least == 0) break;
    }
    effort_ -= std::min(effort_, compared);
    return best;
  }

  const SlotProblem& problem_;
  const std::vector<std::uint32_t>& order_;
  const std::uint32_t lanes_;
  std::vector<std::uint32_t> weight_;  // By item: its cost.
  RandomStream random_;
  std::uint64_t effort_;
  std::uint32_t slots_ = 0;
  std::vector<std::uint32_t> whole_;  // By resource and slot: item that uses all lanes.
  std::vector<std::uint32_t> mixed_;  // By resource and slot: lanes that other items use.
  std::vector<std::uint32_t> split_;  // By resource, slot and lane: item that uses the lane.
  std::vector<std::uint32_t> start_;  // By item: start; kNone: not placed.
  std::vector<std::uint32_t> open_, out_;
};

}  // namespace

void SlotProblem::add(std::span<const SlotUse> list, std::uint32_t length) {
  if (first.empty()) first.push_back(0);
  uses.insert(uses.end(), list.begin(), list.end());
  std::stable_sort(uses.begin() + first.back(), uses.end(),
                   [](const SlotUse& a, const SlotUse& b) { return a.after < b.after; });
  first.push_back(static_cast<std::uint32_t>(uses.size()));
  lengths.push_back(length);
}

std::vector<std::uint32_t> SlotProblem::loads() const {
  std::vector<std::uint32_t> loads(std::size_t{resources} * lanes);
  for (const SlotUse& use : uses) {
    const std::size_t row = std::size_t{use.resource} * lanes;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (use.lane == kAllLanes || use.lane == lane) ++loads[row + lane];
    }
  }
  return loads;
}

std::uint32_t SlotProblem::least_slots() const {
  std::uint32_t least = 0;
  for (const std::uint32_t load : loads()) least = std::max(least, load);
  for (const std::uint32_t length : lengths) least = std::max(least, length);
  return least;
}

Packing pack(const SlotProblem& problem, std::uint64_t effort) {
  const std::vector<std::uint32_t> order = by_length(problem);
  Packing best = first_fit(problem, order);
  const std::uint32_t least = problem.least_slots();
  Chains chains(problem, order, effort);
  // After each success halves the distance to the least number, after a failure that to the best
  // one; later rounds have more steps.
  std::uint64_t steps = 40000;
  for (std::uint32_t round = 0; round < 4; ++round, steps *= 2) {
    std::uint32_t failed = least - 1;
    while (best.slots > failed + 1 && !chains.spent()) {
      const std::uint32_t slots = failed + 1 + (best.slots - failed - 1) / 2;
      if (!chains.shorten(best, slots, steps)) failed = slots;
    }
  }
  return best;
}

std::string wrong_with(const SlotProblem& problem, const Packing& packing) {
  if (packing.start.size() != problem.items()) return "a packing of other items";
  std::uint64_t whole = 0;  // Number of slots if items were placed one after the other.
  for (const std::uint32_t length : problem.lengths) whole += length;
  if (packing.slots > whole) return fmt::format("{} slots for items of {}", packing.slots, whole);
  const std::size_t row_words = packing.slots / 64 + 1;
  std::vector<std::uint64_t> busy(std::size_t{problem.resources} * problem.lanes * row_words);
  for (std::uint32_t item = 0; item < problem.items(); ++item) {
    const std::uint64_t start = packing.start[item];
    if (start + problem.lengths[item] > packing.slots) {
      return fmt::format("item {} ends after slot {}", item, packing.slots);
    }
    for (const SlotUse& use : problem.of(item)) {
      const std::size_t slot = start + use.after;
      for (std::uint32_t lane = 0; lane < problem.lanes; ++lane) {
        if (use.lane != kAllLanes && use.lane != lane) continue;
        const std::size_t row = std::size_t{use.resource} * problem.lanes + lane;
        std::uint64_t& word = busy[row * row_words + slot / 64];
        if ((word >> slot % 64 & 1) != 0) {
          return fmt::format("item {}: resource {} is in use in slot {}", item, use.resource, slot);
        }
        word |= std::uint64_t{1} << slot % 64;
      }
    }
  }
  return "";
}

}  // namespace weft
