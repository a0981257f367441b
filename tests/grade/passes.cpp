// Simulating faults.
#include "tests/grade/passes.hpp"

#include <algorithm>
#include <bit>

namespace weft::grade {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

std::uint64_t lane0(const std::uint64_t* vector) {
  return (vector[0] & 1) != 0 ? kAll : 0;
}

}  // namespace

Passes::Passes(const Recording& recording, std::shared_ptr<const GateLibrary> library)
    : block_(library, weft::lanes(library->width())),
      watched_(library->netlist()),
      stimulus_(recording, *library) {}

void Passes::begin(std::span<const Fault> faults) {
  block_.release();
  block_.reset();
  for (std::uint32_t i = 0; i < faults.size(); ++i) {
    block_.force(faults[i].net, i + 1, faults[i].value);
  }
  stimulus_.restart();
}

void Passes::compare(const std::vector<std::uint32_t>& outputs, std::uint64_t* seen) const {
  const std::uint32_t words = block_.words();
  const std::uint64_t* const out = block_.out(0);
  for (const std::uint32_t bit : outputs) {
    const std::uint64_t* const vector = out + std::size_t{bit} * words;
    const std::uint64_t good = lane0(vector);
    for (std::uint32_t k = 0; k < words; ++k) seen[k] |= vector[k] ^ good;
  }
}

void Passes::detect(const std::vector<Fault>& faults, const std::vector<std::uint32_t>& of,
                    std::size_t records, std::vector<std::uint8_t>& found) {
  const std::uint32_t words = block_.words();
  std::vector<Fault> some;
  for (std::size_t at = 0; at < of.size(); at += lanes()) {
    const std::size_t end = std::min<std::size_t>(of.size(), at + lanes());
    some.clear();
    for (std::size_t i = at; i < end; ++i) some.push_back(faults[of[i]]);
    begin(some);
    std::uint64_t seen[8] = {};
    for (std::size_t record = 0; record < records; ++record) {
      stimulus_.drive(block_, record);
      block_.outputs();
      compare(seen);
      if (recording().edge(record)) block_.step();
      if (record % 64 != 63) continue;
      std::size_t count = 0;
      for (std::uint32_t k = 0; k < words; ++k) {
        count += static_cast<std::size_t>(std::popcount(seen[k]));
      }
      if (count == some.size()) break;
    }
    for (std::size_t i = at; i < end; ++i) {
      const std::size_t lane = i - at + 1;
      if ((seen[lane / 64] >> lane % 64 & 1) != 0) found[of[i]] = 1;
    }
  }
}

std::vector<std::uint64_t> Passes::memory_of() {
  std::vector<std::uint64_t> all;
  const auto& memories = block_.library().netlist().memories;
  for (std::uint32_t m = 0; m < memories.size(); ++m) {
    const std::size_t size =
        std::size_t{memories[m].words} * ((memories[m].width + 63) / 64) * block_.lanes();
    const std::uint64_t* const first = block_.memory_word(m, 0, 0).data();
    all.insert(all.end(), first, first + size);
  }
  return all;
}

Spread Passes::spread(std::span<const Fault> faults, unsigned snapshots) {
  const GateLibrary& library = block_.library();
  const std::uint32_t words = block_.words();
  const std::size_t flops = library.state();
  std::vector<std::uint64_t> differed(flops * words);
  Spread spread;
  begin(faults);
  const std::size_t every = std::max<std::size_t>(recording().records() / (snapshots + 1), 1);
  std::size_t due = 0;
  for (std::size_t record = 0; record < recording().records(); ++record) {
    const std::uint64_t* const state = block_.state(0);
    for (std::size_t place = 0; place < flops; ++place) {
      const std::uint64_t good = lane0(state + place * words);
      for (std::uint32_t k = 0; k < words; ++k) {
        differed[place * words + k] |= state[place * words + k] ^ good;
      }
    }
    if (record >= due && spread.snapshots.size() < snapshots && stimulus_.running(record) &&
        (record == 0 || stimulus_.running(record - 1))) {
      due = record + every;
      spread.snapshots.push_back({record, {state, state + flops * words}, memory_of()});
    }
    stimulus_.drive(block_, record);
    if (recording().edge(record)) {
      block_.step();
    } else {
      block_.outputs();  // A reset acts at once.
    }
  }
  for (std::size_t i = 0; i < faults.size(); ++i) {
    auto& of = spread.differed.emplace_back(flops);
    for (std::uint32_t f = 0; f < flops; ++f) {
      const std::size_t place = library.state_place(f);
      of[f] = differed[place * words + (i + 1) / 64] >> (i + 1) % 64 & 1;
    }
  }
  return spread;
}

std::size_t Passes::broken_checks() {
  begin({});
  std::size_t broken = 0;
  for (std::size_t record = 0; record < recording().records(); ++record) {
    stimulus_.drive(block_, record);
    block_.outputs();
    bool bad = false;
    for (const std::uint32_t bit : watched_.check_output) {
      const std::uint64_t* const holds = block_.out(0) + std::size_t{bit} * block_.words();
      bad = bad || ((holds[block_.words()] & ~holds[0]) & 1) != 0;
    }
    broken += bad ? 1 : 0;
    if (recording().edge(record)) block_.step();
  }
  return broken;
}

std::vector<std::vector<std::uint64_t>> Passes::states(std::size_t& samples) {
  const GateLibrary& library = block_.library();
  const std::size_t flops = library.state();
  std::vector<std::vector<std::uint64_t>> rows(
      flops, std::vector<std::uint64_t>((recording().records() + 63) / 64));
  begin({});
  samples = 0;
  for (std::size_t record = 0; record < recording().records(); ++record) {
    stimulus_.drive(block_, record);
    if (stimulus_.running(record)) {
      for (std::uint32_t f = 0; f < flops; ++f) {
        const std::uint64_t bit = block_.state_bit(library.state_place(f), 0) ? 1 : 0;
        rows[f][samples / 64] |= bit << samples % 64;
      }
      ++samples;
    }
    if (recording().edge(record)) {
      block_.step();
    } else {
      block_.outputs();
    }
  }
  return rows;
}

Upsets Passes::upset(unsigned times, std::uint64_t seed) {
  struct Upset {
    std::size_t record;
    std::uint32_t flop;
  };
  const GateLibrary& library = block_.library();
  const std::uint32_t words = block_.words();
  const FaultList list(library.netlist(), watched_);
  RandomStream random(seed);
  std::vector<std::size_t> moments;  // The last quarter is left to show what was inverted.
  for (std::size_t r = 0; r < recording().records() * 3 / 4; ++r) {
    if (recording().edge(r) && stimulus_.running(r)) moments.push_back(r);
  }
  std::vector<Upset> all;
  for (const std::uint32_t flop : list.flops()) {
    for (unsigned i = 0; i < times && !moments.empty(); ++i) {
      all.push_back({moments[random.below(moments.size())], flop});
    }
  }
  Upsets upsets;
  upsets.by_flop.resize(library.state());
  std::vector<std::uint64_t> seen(words), told(words), differ(words);
  for (std::size_t at = 0; at < all.size(); at += lanes()) {
    const std::size_t end = std::min<std::size_t>(all.size(), at + lanes());
    std::vector<std::pair<std::size_t, std::uint32_t>> order;  // Record, lane.
    for (std::size_t i = at; i < end; ++i) {
      order.emplace_back(all[i].record, static_cast<std::uint32_t>(i - at + 1));
    }
    std::sort(order.begin(), order.end());
    begin({});
    std::ranges::fill(seen, 0);
    std::ranges::fill(told, 0);
    std::size_t next = 0;
    for (std::size_t record = 0; record < recording().records(); ++record) {
      for (; next < order.size() && order[next].first == record; ++next) {
        const std::uint32_t lane = order[next].second;
        const std::uint32_t place = library.state_place(all[at + lane - 1].flop);
        block_.set_state_bit(place, lane, !block_.state_bit(place, lane));
      }
      stimulus_.drive(block_, record);
      block_.outputs();
      compare(seen.data());
      compare(watched_.reports, told.data());
      if (recording().edge(record)) block_.step();
    }
    std::ranges::fill(differ, 0);
    for (std::size_t place = 0; place < library.state(); ++place) {
      const std::uint64_t* const vector = block_.state(0) + place * words;
      for (std::uint32_t k = 0; k < words; ++k) differ[k] |= vector[k] ^ lane0(vector);
    }
    const auto& memories = library.netlist().memories;
    for (std::size_t i = at; i < end; ++i) {
      const auto lane = static_cast<std::uint32_t>(i - at + 1);
      bool left = (differ[lane / 64] >> lane % 64 & 1) != 0;
      for (std::uint32_t m = 0; m < memories.size() && !left; ++m) {
        for (std::uint32_t a = 0; a < memories[m].words && !left; ++a) {
          left = !std::ranges::equal(block_.memory_word(m, lane, a), block_.memory_word(m, 0, a));
        }
      }
      if ((seen[lane / 64] >> lane % 64 & 1) != 0) {
        ++upsets.visible;
        upsets.told += told[lane / 64] >> lane % 64 & 1;
        ++upsets.by_flop[all[i].flop];
      } else {
        ++(left ? upsets.latent : upsets.masked);
      }
    }
  }
  return upsets;
}

std::vector<Unknown> Passes::unknown(std::uint64_t seed) {
  const Netlist& netlist = block_.library().netlist();
  const std::uint32_t words = block_.words();
  begin({});
  randomise(block_, seed);
  if (netlist.reset != Netlist::kNone) {
    std::fill_n(block_.in(0) + std::size_t{netlist.reset} * words, words, 0);
    for (unsigned i = 0; i < 2; ++i) block_.step();
  }
  UnknownPorts ports(block_);
  for (std::size_t record = 0; record < recording().records(); ++record) {
    stimulus_.drive(block_, record);
    block_.outputs();
    if (stimulus_.running(record)) ports.look(record);
    if (recording().edge(record)) block_.step();
  }
  return ports.found();
}

bool Passes::shows(const Fault& fault, const Snapshot& snapshot, std::uint32_t lane,
                   const std::vector<std::vector<bool>>& inputs) {
  const GateLibrary& library = block_.library();
  const std::uint32_t words = block_.words();
  begin({});
  block_.force(fault.net, 1, fault.value);
  const auto bit = [&](std::size_t place, std::uint32_t of) {
    return (snapshot.state[place * words + of / 64] >> of % 64 & 1) != 0;
  };
  for (std::uint32_t place = 0; place < library.state(); ++place) {
    block_.set_state_bit(place, 0, bit(place, 0));
    block_.set_state_bit(place, 1, bit(place, lane));
  }
  std::size_t at = 0;
  const auto& memories = library.netlist().memories;
  for (std::uint32_t m = 0; m < memories.size(); ++m) {
    const std::size_t word = (memories[m].width + 63) / 64, size = memories[m].words * word;
    for (const std::uint32_t to : {0u, 1u}) {
      const auto from =
          snapshot.memory.begin() + static_cast<std::ptrdiff_t>(at + (to == 0 ? 0 : lane) * size);
      std::copy_n(from, size, block_.memory_word(m, to, 0).data());
    }
    at += size * block_.lanes();
  }
  for (const std::vector<bool>& now : inputs) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      std::fill_n(block_.in(0) + i * words, words, now[i] ? kAll : 0);
    }
    block_.outputs();
    std::uint64_t seen[8] = {};
    compare(seen);
    if ((seen[0] >> 1 & 1) != 0) return true;
    block_.step();
  }
  return false;
}

}  // namespace weft::grade
