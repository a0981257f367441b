// Crossbar, cycle model: one clock edge of all links (sim/crossbar/crossbar.hpp).
#include "sim/crossbar/crossbar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace weft {
namespace {

constexpr unsigned kMaxDepth = (1u << CounterSlice::kPlanes) - 1;

constexpr std::uint64_t bit_of(std::size_t n) {
  return std::uint64_t{1} << n % 64;
}
constexpr std::size_t slices(std::size_t n) {
  return (n + 63) / 64;
}

/// Calls `visit` with the number of each set bit, in order.
template <class Visit>
void for_bits(std::uint64_t bits, Visit visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<std::size_t>(std::countr_zero(bits)));
}

/// The slot after `at` in a ring of `size` slots that ends before `end`. It has no branch, which
/// would be mispredicted once per round.
constexpr std::uint32_t next(std::uint32_t at, std::uint32_t end, std::uint32_t size) {
  ++at;
  return at - (-std::uint32_t{at == end} & size);
}

/// 64 bits of a mask of `words` words, from bit `lsb`.
std::uint64_t bits_from(const std::uint64_t* mask, std::size_t words, std::size_t lsb) {
  const std::size_t word = lsb / 64, shift = lsb % 64;
  std::uint64_t bits = mask[word] >> shift;
  if (shift != 0 && word + 1 < words) bits |= mask[word + 1] << (64 - shift);
  return bits;
}

/// Copies a word with its padding: one move, where an assignment copies member by member.
void copy(Flit& to, const Flit& from) {
  std::memcpy(&to, &from, sizeof to);
}

void require(const char* name, unsigned value, unsigned low, unsigned high) {
  if (value >= low && value <= high) return;
  throw ConfigError(fmt::format("crossbar: {} is {}, expected: {} to {}", name, value, low, high));
}

}  // namespace

Crossbar::Crossbar(const Config& config)
    : config_(config), decoder_{config.route,   config.num_out, config.digit_lsb,
                                config.digit_w, config.own,     config.header} {
  require("num_out", config.num_out, 1, 1024);
  if (config.detour) {
    require("num_in with detours", config.num_in, 2 * config.num_out, 2 * config.num_out);
  }
  require("num_in", config.num_in, 1, 2048);
  require("first_in", config.first_in, 1, std::min(config.num_in, RrArbiter::kMaxReq));
  require("in_depth", config.in_depth, 3, kMaxDepth);
  require("out_depth", config.out_depth, 1, kMaxDepth);
  decoder_.check("crossbar");
  num_first_ = (config.num_in + config.first_in - 1) / config.first_in;
  require("number of first-stage switches", num_first_, 1, RrArbiter::kMaxReq);
  // A full buffer may have one word more in the input register.
  in_planes_ = static_cast<unsigned>(std::bit_width(config.in_depth + 1));
  out_planes_ = static_cast<unsigned>(std::bit_width(config.out_depth));
  reset();
}

void Crossbar::reset() {
  // Input register, transfer buffer, read and output register.
  in_ring_ = config_.in_depth + 3;
  out_ring_ = config_.out_depth;
  words_ = 0;
  sending_ = false;
  in_.assign(config_.num_in, {});
  for (std::uint32_t i = 0; i < config_.num_in; ++i) {
    const std::uint32_t begin = i * in_ring_;
    in_[i] = {begin,
              begin,
              begin + in_ring_,
              0,
              static_cast<std::uint8_t>(i / config_.first_in),
              static_cast<std::uint8_t>(i % config_.first_in)};
  }
  out_.assign(config_.num_out, {});
  for (std::uint32_t o = 0; o < config_.num_out; ++o) {
    const std::uint32_t begin = o * out_ring_;
    out_[o] = {begin, begin, begin + out_ring_};
  }
  in_slices_.assign(slices(config_.num_in), {});
  out_slices_.assign(slices(config_.num_out), {});
  first_.assign(std::size_t{config_.num_out} * num_first_, {});
  second_.assign(config_.num_out, {});
  words_in_.assign(std::size_t{config_.num_in} * in_ring_, {});
  words_out_.assign(std::size_t{config_.num_out} * out_ring_, {});
  tx_.assign(config_.num_tx(), {});
  tx_valid_.assign(slices(config_.num_tx()), 0);
  tx_before_ = tx_valid_;
  rx_full_.assign(slices(config_.num_in), 0);
  rx_full_changed_ = rx_full_;
}

Crossbar::Out Crossbar::step(const In& in) {
  transfer(in.tx_full);
  arbitrate();
  send(in.tx_full);
  advance(in);
  return out();
}

// Moves the words in the output registers of connected inputs to the output buffers, and those of
// packets on a detour to their link registers.
void Crossbar::transfer(const std::uint64_t* tx_full) {
  for (std::size_t w = 0; w < tx_valid_.size(); ++w) {
    tx_before_[w] = tx_valid_[w];
    tx_valid_[w] = 0;
  }
  for (std::size_t s = 0; s < in_slices_.size(); ++s) {
    InSlice& slice = in_slices_[s];
    std::uint64_t taken = 0;
    const std::uint32_t in_ring = in_ring_, out_ring = out_ring_;
    for_bits(slice.connected & slice.out_reg, [&](std::size_t b) {
      Input& input = in_[s * 64 + b];
      const std::size_t dest = input.dest;
      if ((out_slices_[dest / 64].full & bit_of(dest)) != 0) return;
      Output& output = out_[dest];
      const Flit& word = words_in_[input.read];
      copy(words_out_[output.write], word);
      output.write = next(output.write, output.end, out_ring);
      input.read = next(input.read, input.end, in_ring);
      out_slices_[dest / 64].pushed |= bit_of(dest);
      taken |= bit_of(b);
      if (word.last) end_packet(s * 64 + b);
    });
    slice.taken = taken;
    if (const std::uint64_t waiting = slice.detours & slice.out_reg; waiting != 0) {
      const std::uint64_t full = bits_from(tx_full, tx_valid_.size(), config_.num_out + s * 64);
      take_detours(s, waiting & ~full);
    }
  }
}

void Crossbar::take_detours(std::size_t s, std::uint64_t which) {
  InSlice& slice = in_slices_[s];
  std::uint64_t ended = 0;
  const std::size_t lsb = config_.num_out + s * 64;
  const std::uint32_t in_ring = in_ring_;
  for_bits(which, [&](std::size_t b) {
    Input& input = in_[s * 64 + b];
    const Flit& word = words_in_[input.read];
    copy(tx_[lsb + b], word);
    input.read = next(input.read, input.end, in_ring);
    ended |= std::uint64_t{word.last} << b;
  });
  slice.taken |= which;
  slice.detours &= ~ended;
  slice.head |= ended;
  tx_valid_[lsb / 64] |= which << lsb % 64;
  if (lsb % 64 != 0 && lsb / 64 + 1 < tx_valid_.size()) {
    tx_valid_[lsb / 64 + 1] |= which >> (64 - lsb % 64);
  }
  words_ -= static_cast<unsigned>(std::popcount(which));
}

// Both switches arbitrate again at once, the second among the other first-stage switches: the input
// that the first one grants now has no request flag at the second yet.
void Crossbar::end_packet(std::size_t i) {
  const Input& input = in_[i];
  InSlice& slice = in_slices_[i / 64];
  slice.connected &= ~bit_of(i);
  slice.head |= bit_of(i);
  first_[input.dest * std::size_t{num_first_} + input.first].granted = kNone;
  choose_first(input.dest, input.first);
  if (num_first_ > 1) {
    second_[input.dest].granted = kNone;
    choose_second(input.dest);
  }
}

// Does nothing if a grant is held or no flag is set.
void Crossbar::choose_first(std::size_t output, std::size_t first) {
  Priority& control = first_[output * num_first_ + first];
  if (control.granted != kNone || control.waiting == 0) return;
  control.granted = static_cast<std::uint8_t>(control.round_robin.choose(control.waiting));
  control.waiting &= ~bit_of(control.granted);
  const std::size_t i = first * config_.first_in + control.granted;
  InSlice& slice = in_slices_[i / 64];
  (num_first_ > 1 ? slice.wins : slice.connects) |= bit_of(i);
}

void Crossbar::choose_second(std::size_t output) {
  Priority& control = second_[output];
  if (control.granted != kNone || control.waiting == 0) return;
  control.granted = static_cast<std::uint8_t>(control.round_robin.choose(control.waiting));
  control.waiting &= ~bit_of(control.granted);
  const std::size_t first = control.granted;
  const std::size_t i = first * config_.first_in + first_[output * num_first_ + first].granted;
  in_slices_[i / 64].connects |= bit_of(i);
}

// A priority control that is idle with a set flag got the flag at the last edge, so only the new
// flags are visited. All arbitrate before any flag is set at this edge.
void Crossbar::arbitrate() {
  for (std::size_t s = 0; s < in_slices_.size(); ++s) {
    for_bits(in_slices_[s].asked, [&](std::size_t b) {
      const Input& input = in_[s * 64 + b];
      choose_first(input.dest, input.first);
    });
    for_bits(in_slices_[s].asked_second,
             [&](std::size_t b) { choose_second(in_[s * 64 + b].dest); });
  }
  for (std::size_t s = 0; s < in_slices_.size(); ++s) {
    InSlice& slice = in_slices_[s];
    for_bits(slice.asks, [&](std::size_t b) {
      const Input& input = in_[s * 64 + b];
      first_[input.dest * std::size_t{num_first_} + input.first].waiting |= bit_of(input.position);
    });
    for_bits(slice.won, [&](std::size_t b) {
      const Input& input = in_[s * 64 + b];
      second_[input.dest].waiting |= bit_of(input.first);
    });
    slice.asked = slice.asks;
    slice.asks = 0;
    slice.asked_second = slice.won;
    slice.won = slice.wins;
    slice.wins = 0;
    slice.connected |= slice.connects;
    slice.connects = 0;
  }
}

// Moves words from the output buffers to the link registers.
void Crossbar::send(const std::uint64_t* tx_full) {
  const std::uint32_t out_ring = out_ring_;
  for (std::size_t s = 0; s < out_slices_.size(); ++s) {
    OutSlice& slice = out_slices_[s];
    const std::uint64_t pops = slice.waiting & ~tx_full[s];
    for_bits(pops, [&](std::size_t b) {
      Output& output = out_[s * 64 + b];
      copy(tx_[s * 64 + b], words_out_[output.read]);
      output.read = next(output.read, output.end, out_ring);
    });
    words_ -= static_cast<unsigned>(std::popcount(pops));
    tx_valid_[s] |= pops;
    slice.held.count(slice.pushed & ~pops, pops & ~slice.pushed, out_planes_);
    slice.pushed = 0;
    slice.waiting = slice.held.any(out_planes_);
    slice.full = slice.held.at_least(config_.out_depth, out_planes_);
  }
  std::uint64_t any = 0;
  for (std::size_t w = 0; w < tx_valid_.size(); ++w) {
    any |= tx_valid_[w];
    for_bits(tx_before_[w] & ~tx_valid_[w], [&](std::size_t b) { tx_[w * 64 + b] = {}; });
  }
  sending_ = any != 0;
}

// Advances the pipeline of the input buffers and stores arriving words.
void Crossbar::advance(const In& in) {
  const std::uint32_t in_ring = in_ring_;
  for (std::size_t s = 0; s < in_slices_.size(); ++s) {
    InSlice& slice = in_slices_[s];
    const std::uint64_t arrives = in.rx_valid[s], held = slice.held.any(in_planes_);
    if ((arrives | held | slice.read_reg | slice.out_reg) == 0) {
      rx_full_changed_[s] = 0;
      continue;
    }
    // Inputs with a word in the transfer buffer: all held words but that in the input register.
    const std::uint64_t stored = held & (~slice.input_reg | slice.held.at_least(2, in_planes_));
    const std::uint64_t out_load = slice.read_reg & (~slice.out_reg | slice.taken);
    const std::uint64_t read_load = stored & (~slice.read_reg | out_load);
    if (const std::uint64_t overflows = slice.input_reg & rx_full_[s] & ~read_load;
        overflows != 0) {
      lose(s, overflows & slice.held.at_least(config_.in_depth + 1, in_planes_));
    }
    slice.out_reg = out_load | (slice.out_reg & ~slice.taken);
    slice.read_reg = read_load | (slice.read_reg & ~out_load);
    slice.input_reg = arrives;
    slice.held.count(arrives & ~read_load, read_load & ~arrives, in_planes_);
    const std::uint64_t full = slice.held.at_least(config_.in_depth - 1, in_planes_);
    rx_full_changed_[s] = full ^ rx_full_[s];
    rx_full_[s] = full;
    for_bits(arrives, [&](std::size_t b) {
      Input& input = in_[s * 64 + b];
      copy(words_in_[input.write], in.rx[s * 64 + b]);
      input.write = next(input.write, input.end, in_ring);
    });
    words_ += static_cast<unsigned>(std::popcount(arrives));
    if (const std::uint64_t headers = out_load & slice.head; headers != 0) {
      load_headers(s, headers);
    }
    if (const std::uint64_t nowhere = out_load & slice.nowhere; nowhere != 0) discard(s, nowhere);
  }
}

// Drops the words in these input registers, which find their transfer buffers full.
void Crossbar::lose(std::size_t s, std::uint64_t which) {
  for_bits(which, [&](std::size_t b) {
    Input& input = in_[s * 64 + b];
    input.write = (input.write == input.end - in_ring_ ? input.end : input.write) - 1;
  });
  in_slices_[s].held.count(0, which, in_planes_);
  words_ -= static_cast<unsigned>(std::popcount(which));
}

// Discards the words that have just come into these output registers.
void Crossbar::discard(std::size_t s, std::uint64_t which) {
  InSlice& slice = in_slices_[s];
  slice.out_reg &= ~which;
  for_bits(which, [&](std::size_t b) {
    Input& input = in_[s * 64 + b];
    const bool last = words_in_[input.read].last;
    input.read = next(input.read, input.end, in_ring_);
    if (!last) return;
    slice.nowhere &= ~bit_of(b);
    slice.head |= bit_of(b);
  });
  words_ -= static_cast<unsigned>(std::popcount(which));
}

// Decodes the destinations of headers in the output registers.
void Crossbar::load_headers(std::size_t s, std::uint64_t which) {
  InSlice& slice = in_slices_[s];
  slice.head &= ~which;
  for_bits(which, [&](std::size_t b) {
    const std::size_t i = s * 64 + b;
    const bool has_detour = config_.detour && i < config_.num_out;
    const unsigned dest = decoder_.decode(words_in_[in_[i].read].data, has_detour);
    in_[i].dest = static_cast<std::uint16_t>(dest);
    (dest == DestinationDecoder::kNowhere ? slice.nowhere
     : dest == config_.num_out            ? slice.detours
                                          : slice.asks) |= bit_of(b);
  });
}

}  // namespace weft
