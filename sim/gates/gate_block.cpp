// Stepping lanes.
#include "sim/gates/gate_block.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

namespace weft {

GateBlock::GateBlock(std::shared_ptr<const GateLibrary> library, std::uint32_t lane_count)
    : library_(std::move(library)),
      lanes_(lane_count),
      groups_((lane_count + weft::lanes(library_->width()) - 1) / weft::lanes(library_->width())),
      words_(weft::words(library_->width())),
      // At least one vector, and whole lines of the cache.
      in_words_((std::size_t{library_->inputs()} * words_ + 8) / 8 * 8),
      out_words_((std::size_t{library_->outputs()} * words_ + 8) / 8 * 8),
      state_words_((std::size_t{library_->state()} * words_ + 8) / 8 * 8),
      operand_words_((std::size_t{library_->operands().count} * words_ + 8) / 8 * 8),
      in_(groups_ * in_words_),
      out_(groups_ * out_words_),
      state_(groups_ * state_words_),
      operands_(groups_ * operand_words_) {
  for (const GateMemory& memory : library_->netlist().memories) {
    Memory& own = memories_.emplace_back();
    own.words = memory.words;
    own.word_size = (memory.width + 63) / 64;
    own.data.resize(std::size_t{groups_} * words_ * 64 * own.words * own.word_size);
  }
  if (library_->forced()) {
    mask_words_ =
        (library_->netlist().gates.size() + library_->netlist().flops.size() + 1) * words_;
    mask_words_ = (mask_words_ + 7) / 8 * 8;
    keep_.assign(groups_ * mask_words_, ~std::uint64_t{0});
    set_.assign(groups_ * mask_words_, 0);
  }
  reset();
}

KernelMasks GateBlock::masks(std::uint32_t group) const {
  if (mask_words_ == 0) return {};
  return {&keep_[group * mask_words_], &set_[group * mask_words_]};
}

bool GateBlock::in_reset(std::uint32_t group) const {
  const std::uint32_t bit = library_->netlist().reset;
  if (bit == Netlist::kNone) return false;
  const std::uint64_t* const rst = &in_[group * in_words_ + std::size_t{bit} * words_];
  std::uint64_t all = ~std::uint64_t{0};
  for (std::uint32_t k = 0; k < words_; ++k) all &= rst[k];
  return all != ~std::uint64_t{0};
}

void GateBlock::reset() {
  std::ranges::fill(in_, 0);
  std::ranges::fill(state_, 0);
  for (Memory& memory : memories_) std::ranges::fill(memory.data, 0);
  for (unsigned i = 0; i < 2; ++i) step();
  const std::uint32_t bit = library_->netlist().reset;
  if (bit == Netlist::kNone) return;
  for (std::uint32_t group = 0; group < groups_; ++group) {
    std::fill_n(in(group) + std::size_t{bit} * words_, words_, ~std::uint64_t{0});
  }
}

void GateBlock::outputs() {
  for (std::uint32_t group = 0; group < groups_; ++group) outputs(group);
}

void GateBlock::step() {
  for (std::uint32_t group = 0; group < groups_; ++group) step(group);
}

// Calls `use` with up to kTogether groups at a time.
template <class Use>
void GateBlock::with_groups(std::span<const std::uint32_t> groups, std::uint64_t* out,
                            std::size_t out_words, Use use) {
  constexpr std::size_t kTogether = 8;
  std::array<Self, kTogether> selves;
  std::array<KernelHost, kTogether> hosts;
  std::array<KernelGroup, kTogether> together;
  for (; !groups.empty(); groups = groups.subspan(std::min(groups.size(), kTogether))) {
    const std::size_t count = std::min(groups.size(), kTogether);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t group = groups[i];
      selves[i] = {this, group};
      hosts[i] = {&selves[i], read_now};
      together[i] = {state(group), in(group), out + group * out_words, &hosts[i], masks(group)};
    }
    use(together.data(), static_cast<unsigned>(count));
  }
}

void GateBlock::outputs(std::span<const std::uint32_t> groups) {
  for (const std::uint32_t group : groups) {
    if (in_reset(group)) library_->reset(state(group), in(group), masks(group));
  }
  with_groups(groups, out_.data(), out_words_, library_->outputs_of);
}

void GateBlock::step(std::span<const std::uint32_t> groups) {
  const auto reset = [&] {
    for (const std::uint32_t group : groups) {
      if (in_reset(group)) library_->reset(state(group), in(group), masks(group));
    }
  };
  reset();
  with_groups(groups, operands_.data(), operand_words_, library_->step);
  if (!memories_.empty()) {
    for (const std::uint32_t group : groups) step_memories(group);
  }
  reset();
}

void GateBlock::read_now(void* self, unsigned memory, unsigned port, const std::uint64_t* address,
                         std::uint64_t* data) {
  const auto [block, group] = *static_cast<Self*>(self);
  const GateMemory& form = block->library_->netlist().memories[memory];
  block->read(group, block->memories_[memory], form.width, nullptr, address,
              form.reads[port].address.size(), data);
}

void GateBlock::read(std::uint32_t group, const Memory& memory, unsigned width,
                     const std::uint64_t* enable, const std::uint64_t* address,
                     std::size_t address_bits, std::uint64_t* data) const {
  std::uint64_t at_rows[64], rows[64];
  for (std::uint32_t k = 0; k < words_; ++k) {
    const std::uint64_t on = enable != nullptr ? enable[k] : ~std::uint64_t{0};
    if (on == 0) continue;
    gather_lanes(address + k, words_, address_bits, at_rows);
    const std::size_t lane = (std::size_t{group} * words_ + k) * 64;
    for (unsigned part = 0; part < memory.word_size; ++part) {
      std::fill_n(rows, 64, 0);
      for (std::uint64_t left = on; left != 0; left &= left - 1) {
        const auto l = static_cast<unsigned>(std::countr_zero(left));
        if (at_rows[l] >= memory.words) continue;
        rows[l] = memory.data[((lane + l) * memory.words + at_rows[l]) * memory.word_size + part];
      }
      transpose64(rows);
      for (unsigned b = 0; b < std::min(64u, width - part * 64); ++b) {
        std::uint64_t& word = data[(std::size_t{part} * 64 + b) * words_ + k];
        word = (word & ~on) | rows[b];
      }
    }
  }
}

void GateBlock::write(std::uint32_t group, Memory& memory, unsigned width,
                      const std::uint64_t* enable, const std::uint64_t* address,
                      std::size_t address_bits, const std::uint64_t* data) {
  std::uint64_t at_rows[64], rows[64];
  for (std::uint32_t k = 0; k < words_; ++k) {
    if (enable[k] == 0) continue;
    gather_lanes(address + k, words_, address_bits, at_rows);
    const std::size_t lane = (std::size_t{group} * words_ + k) * 64;
    for (unsigned part = 0; part < memory.word_size; ++part) {
      gather_lanes(data + std::size_t{part} * 64 * words_ + k, words_,
                   std::min(64u, width - part * 64), rows);
      for (std::uint64_t left = enable[k]; left != 0; left &= left - 1) {
        const auto l = static_cast<unsigned>(std::countr_zero(left));
        if (at_rows[l] >= memory.words) continue;
        memory.data[((lane + l) * memory.words + at_rows[l]) * memory.word_size + part] = rows[l];
      }
    }
  }
}

void GateBlock::hold_loaded(std::uint32_t group, std::uint32_t flop, unsigned width) {
  if (mask_words_ == 0) return;
  const std::size_t mask = group * mask_words_ + (library_->netlist().gates.size() + flop) * words_;
  std::uint64_t* const to = state(group) + std::size_t{library_->state_place(flop)} * words_;
  for (std::size_t i = 0; i < std::size_t{width} * words_; ++i) {
    to[i] = (to[i] & keep_[mask + i]) | set_[mask + i];
  }
}

void GateBlock::step_memories(std::uint32_t group) {
  const Netlist& netlist = library_->netlist();
  const std::uint64_t* const operands = &operands_[group * operand_words_];
  const auto operand = [&](std::uint32_t place) { return operands + std::size_t{place} * words_; };
  for (std::size_t m = 0; m < memories_.size(); ++m) {
    const GateMemory& form = netlist.memories[m];
    const OperandPlaces::Memory& places = library_->operands().memories[m];
    const auto reads = [&](bool after_writes) {
      for (std::size_t r = 0; r < form.reads.size(); ++r) {
        const auto& port = form.reads[r];
        if (!port.clocked || port.after_writes != after_writes) continue;
        // The flops that it loads follow each other in the state.
        const std::uint32_t place = library_->state_place(port.first - netlist.first_flop());
        read(group, memories_[m], form.width, operand(places.reads[r].enable),
             operand(places.reads[r].address), port.address.size(),
             state(group) + std::size_t{place} * words_);
        hold_loaded(group, port.first - netlist.first_flop(), form.width);
      }
    };
    reads(false);
    for (std::size_t w = 0; w < form.writes.size(); ++w) {
      write(group, memories_[m], form.width, operand(places.writes[w].enable),
            operand(places.writes[w].address), form.writes[w].address.size(),
            operand(places.writes[w].data));
    }
    reads(true);
  }
}

void GateBlock::set(const GatePort& port, std::uint32_t lane,
                    std::span<const std::uint64_t> value) {
  const std::uint64_t mask = std::uint64_t{1} << lane % 64;
  std::uint64_t* word = &in_[at(lane, in_words_, port.first)];
  for (std::uint32_t b = 0; b < port.width; ++b, word += words_) {
    *word = value[b / 64] >> b % 64 & 1 ? *word | mask : *word & ~mask;
  }
}

std::uint64_t GateBlock::bits(const GatePort& port, std::uint32_t lane, unsigned lsb,
                              unsigned count) const {
  const std::uint64_t* word = port.input ? &in_[at(lane, in_words_, port.first + lsb)]
                                         : &out_[at(lane, out_words_, port.first + lsb)];
  std::uint64_t value = 0;
  for (unsigned b = 0; b < count; ++b, word += words_) value |= (*word >> lane % 64 & 1) << b;
  return value;
}

void GateBlock::get(const GatePort& port, std::uint32_t lane,
                    std::span<std::uint64_t> value) const {
  for (unsigned b = 0; b < port.width; b += 64) {
    value[b / 64] = bits(port, lane, b, std::min(64u, port.width - b));
  }
}

bool GateBlock::state_bit(std::uint32_t place, std::uint32_t lane) const {
  return state_[at(lane, state_words_, place)] >> lane % 64 & 1;
}

void GateBlock::set_state_bit(std::uint32_t place, std::uint32_t lane, bool value) {
  const std::uint64_t mask = std::uint64_t{1} << lane % 64;
  std::uint64_t& word = state_[at(lane, state_words_, place)];
  word = value ? word | mask : word & ~mask;
}

void GateBlock::set_flop(std::uint32_t flop, bool value) {
  const std::size_t word = std::size_t{library_->state_place(flop)} * words_;
  for (std::uint32_t g = 0; g < groups_; ++g) {
    std::fill_n(state(g) + word, words_, value ? ~std::uint64_t{0} : 0);
    hold_loaded(g, flop, 1);
  }
}

std::span<std::uint64_t> GateBlock::memory_word(std::uint32_t memory, std::uint32_t lane,
                                                std::uint32_t address) {
  Memory& of = memories_[memory];
  return {&of.data[(std::size_t{lane} * of.words + address) * of.word_size], of.word_size};
}

void GateBlock::force(NetId net, std::uint32_t lane, bool value) {
  const Netlist& netlist = library_->netlist();
  if (!library_->forced() || !(netlist.is_gate(net) || netlist.is_flop(net))) {
    throw std::out_of_range("force: expected: a gate or flop of a library for it");
  }
  const std::uint32_t flop = net - netlist.first_flop();
  const auto index = static_cast<std::uint32_t>(netlist.is_gate(net) ? net - netlist.first_gate()
                                                                     : netlist.gates.size() + flop);
  const std::uint64_t mask = std::uint64_t{1} << lane % 64;
  const std::size_t word = at(lane, mask_words_, index);
  keep_[word] &= ~mask;
  set_[word] = value ? set_[word] | mask : set_[word] & ~mask;
  if (netlist.is_flop(net)) set_state_bit(library_->state_place(flop), lane, value);
}

void GateBlock::release() {
  std::ranges::fill(keep_, ~std::uint64_t{0});
  std::ranges::fill(set_, 0);
}

}  // namespace weft
