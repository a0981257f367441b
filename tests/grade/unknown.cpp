// Unknown values of all that has no reset.
#include "tests/grade/unknown.hpp"

#include <algorithm>
#include <bit>

#include "sim/base/random.hpp"

namespace weft::grade {

void randomise(GateBlock& block, std::uint64_t seed) {
  const Netlist& netlist = block.library().netlist();
  const std::uint32_t words = block.words();
  RandomStream random(seed);
  for (std::uint32_t f = 0; f < netlist.flops.size(); ++f) {
    std::uint64_t* const vector =
        block.state(0) + std::size_t{block.library().state_place(f)} * words;
    for (std::uint32_t k = 0; k < words; ++k) vector[k] = random();
  }
  for (std::uint32_t m = 0; m < netlist.memories.size(); ++m) {
    for (std::uint32_t lane = 0; lane < block.lanes(); ++lane) {
      for (std::uint32_t a = 0; a < netlist.memories[m].words; ++a) {
        unsigned left = netlist.memories[m].width;
        for (std::uint64_t& word : block.memory_word(m, lane, a)) {
          word = left < 64 ? random() & ((std::uint64_t{1} << left) - 1) : random();
          left -= std::min(left, 64u);
        }
      }
    }
  }
}

std::size_t memory_bits(const Netlist& netlist) {
  std::size_t bits = 0;
  for (const GateMemory& memory : netlist.memories) {
    bits += std::size_t{memory.words} * memory.width;
  }
  return bits;
}

nlohmann::ordered_json to_json(const std::vector<Unknown>& ports) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Unknown& one : ports) {
    all.push_back({{"port", one.port},
                   {"bits", one.bits},
                   {"lanes", one.lanes},
                   {"records", one.records},
                   {"first", one.first}});
  }
  return all;
}

UnknownPorts::UnknownPorts(const GateBlock& block) : block_(block) {
  for (const GatePort& port : block.library().netlist().ports) {
    if (port.input || port.name.starts_with("$check")) continue;
    ports_.push_back({&port,
                      {port.name, 0, 0, 0, 0},
                      std::vector<std::uint64_t>(std::size_t{port.width} * block.words())});
  }
}

void UnknownPorts::look(std::size_t record) {
  const std::uint32_t words = block_.words();
  for (Port& port : ports_) {
    bool now = false;
    const std::uint64_t* vector = block_.out(0) + std::size_t{port.port->first} * words;
    for (std::size_t b = 0; b < port.differed.size(); b += words, vector += words) {
      const std::uint64_t good = (*vector & 1) != 0 ? ~std::uint64_t{0} : 0;
      for (std::uint32_t k = 0; k < words; ++k) {
        port.differed[b + k] |= vector[k] ^ good;
        now = now || vector[k] != good;
      }
    }
    if (now && port.seen.records++ == 0) port.seen.first = record;
  }
}

std::vector<Unknown> UnknownPorts::found() const {
  const std::uint32_t words = block_.words();
  std::vector<Unknown> all;
  for (const Port& port : ports_) {
    if (port.seen.records == 0) continue;
    Unknown& one = all.emplace_back(port.seen);
    std::vector<std::uint64_t> any(words);
    for (std::size_t b = 0; b < port.differed.size(); b += words) {
      std::uint64_t some = 0;
      for (std::uint32_t k = 0; k < words; ++k) {
        any[k] |= port.differed[b + k];
        some |= port.differed[b + k];
      }
      one.bits += some != 0 ? 1 : 0;
    }
    for (const std::uint64_t word : any) {
      one.lanes += static_cast<std::uint32_t>(std::popcount(word));
    }
  }
  return all;
}

}  // namespace weft::grade
