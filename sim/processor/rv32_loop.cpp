// Whether a core that gets nothing new still makes progress, or repeats itself for ever.
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/processor/rv32.hpp"

namespace weft {

// A core whose registers and memory are as they were before, with the same inputs, does the same
// again. Brent's algorithm finds such a loop: the state is compared with one that is renewed after
// 1, 2, 4, ... instructions. Memory is compared by a hash of what the instructions changed.
bool Rv32Core::acts_later() {
  constexpr std::uint32_t kMost = 1u << 16;  // Instructions; loops that wait are far shorter.
  if (state_ != ProcessorState::kRunning) return false;
  const auto acts = [this] { return port_.posted() || port_.entered() || port_.combines(); };
  if (acts()) return true;

  struct Word {
    std::uint32_t address, before;
  };
  std::vector<Word> undo;
  std::uint64_t hash = 0;
  const auto hash_of = [](std::uint32_t address, std::uint32_t value) {
    return mix64(mix64(address) ^ value);
  };
  const auto pc = pc_;
  const auto x = x_;
  const NicPort port = port_;
  NicBus* const bus = std::exchange(bus_, nullptr);
  Rv32Debugger* const debugger = debugger_;
  attach(nullptr);
  port_.skip_prints(UINT64_MAX);

  auto seen = std::tuple(pc_, x_, hash);
  bool repeats = false;
  for (std::uint32_t count = 1, renewal = 1; count <= kMost; ++count) {
    port_.begin_same_cycle(port_.cycle() + 1);
    const std::uint32_t word = next_store().address & ~3u;
    const bool stores = next_store().bytes != 0 && memory_.contains(word, 4);
    if (stores) undo.push_back({word, memory_.load<std::uint32_t>(word)});
    execute();
    if (stores) {
      hash ^= hash_of(word, undo.back().before) ^ hash_of(word, memory_.load<std::uint32_t>(word));
    }
    if (state_ != ProcessorState::kRunning || acts()) break;
    repeats = seen == std::tuple(pc_, x_, hash);
    if (repeats) break;
    if (count == renewal) {
      seen = {pc_, x_, hash};
      renewal *= 2;
    }
  }
  const bool sleeps = state_ == ProcessorState::kSleeping;

  for (; !undo.empty(); undo.pop_back()) memory_.store(undo.back().address, undo.back().before);
  pc_ = pc;
  x_ = x;
  port_ = port;
  bus_ = bus;
  attach(debugger);
  state_ = ProcessorState::kRunning;
  fault_.clear();
  fault_kind_ = Rv32Fault::kNone;
  return !repeats && !sleeps;
}

}  // namespace weft
