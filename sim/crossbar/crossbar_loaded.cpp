// Crossbar, cycle model: checks of a loaded state (sim/crossbar/crossbar.hpp).
#include <algorithm>
#include <bit>

#include "sim/crossbar/crossbar.hpp"

namespace weft {

// Whether, from a loaded state, no step leaves the rings and the sets of links.
bool Crossbar::consistent() const {
  for (std::uint32_t i = 0; i < config_.num_in; ++i) {
    const Input& input = in_[i];
    const std::uint32_t begin = i * in_ring_, end = begin + in_ring_;
    const bool in_ring = input.read >= begin && input.read < end && input.write >= begin &&
                         input.write < end && input.end == end;
    if (!in_ring || input.first != i / config_.first_in || input.position != i % config_.first_in) {
      return false;
    }
  }
  for (std::uint32_t o = 0; o < config_.num_out; ++o) {
    const Output& output = out_[o];
    const std::uint32_t begin = o * out_ring_, end = begin + out_ring_;
    const bool in_ring = output.read >= begin && output.read < end && output.write >= begin &&
                         output.write < end && output.end == end;
    if (!in_ring) return false;
  }
  for (std::size_t s = 0; s < in_slices_.size(); ++s) {
    const InSlice& slice = in_slices_[s];
    const std::size_t inputs = std::min<std::size_t>(64, config_.num_in - s * 64);
    const std::uint64_t all = slice.input_reg | slice.read_reg | slice.out_reg | slice.taken |
                              slice.detours | slice.nowhere | slice.connected | slice.connects |
                              slice.asks | slice.asked | slice.wins | slice.won |
                              slice.asked_second;
    const std::size_t detours =
        config_.detour ? std::min(std::max<std::size_t>(config_.num_out, s * 64) - s * 64, inputs)
                       : 0;
    if (!fits(&all, 1, inputs) || !fits(&slice.detours, 1, detours) || !slice.held.fits(inputs)) {
      return false;
    }
  }
  for (std::size_t s = 0; s < out_slices_.size(); ++s) {
    const OutSlice& slice = out_slices_[s];
    const std::size_t outputs = std::min<std::size_t>(64, config_.num_out - s * 64);
    const std::uint64_t all = slice.full | slice.waiting | slice.pushed;
    if (!fits(&all, 1, outputs) || !slice.held.fits(outputs)) return false;
  }
  return fits(tx_valid_, config_.num_tx()) && fits(tx_before_, config_.num_tx()) &&
         fits(rx_full_, config_.num_in) && fits(rx_full_changed_, config_.num_in) &&
         requests_agree();
}

// Whether each input requests the output of its packet at most once, and is where its grants say.
bool Crossbar::requests_agree() const {
  struct Found {
    unsigned requests = 0, granted = 0, second = 0, chosen = 0;
  };
  std::vector<Found> found(config_.num_in);
  for (std::size_t o = 0; o < config_.num_out; ++o) {
    const auto input_of = [&](std::size_t first, unsigned position) -> Found* {
      const std::size_t i = first * config_.first_in + position;
      const bool exists = position < config_.first_in && i < config_.num_in && in_[i].dest == o;
      return exists ? &found[i] : nullptr;
    };
    for (std::size_t f = 0; f < num_first_; ++f) {
      const Priority& control = first_[o * num_first_ + f];
      for (std::uint64_t left = control.waiting; left != 0; left &= left - 1) {
        Found* const input = input_of(f, static_cast<unsigned>(std::countr_zero(left)));
        if (input == nullptr) return false;
        ++input->requests;
      }
      if (control.granted == kNone) continue;
      Found* const input = input_of(f, control.granted);
      if (input == nullptr) return false;
      ++input->requests;
      ++input->granted;
      const Priority& second = second_[o];
      input->second = static_cast<unsigned>(second.waiting >> f & 1);
      input->chosen = num_first_ == 1 || second.granted == f ? 1 : 0;
    }
    const Priority& second = second_[o];
    const auto is_granted = [&](std::size_t f) {
      return f < num_first_ && first_[o * num_first_ + f].granted != kNone;
    };
    for (std::uint64_t left = second.waiting; left != 0; left &= left - 1) {
      if (!is_granted(static_cast<std::size_t>(std::countr_zero(left)))) return false;
    }
    if (second.granted != kNone && !is_granted(second.granted)) return false;
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const InSlice& slice = in_slices_[i / 64];
    const auto has = [&](std::uint64_t set) { return static_cast<unsigned>(set >> i % 64 & 1); };
    const Found& input = found[i];
    const unsigned connects = has(slice.connected) + has(slice.connects);
    const unsigned idle = has(slice.head) + has(slice.detours) + has(slice.nowhere);
    if (input.requests + has(slice.asks) + idle != 1) return false;
    const unsigned waits = has(slice.wins) + has(slice.won) + input.second;
    if (waits + connects != input.granted || connects != input.chosen) return false;
    const bool asked = has(slice.asks | slice.asked | slice.asked_second) != 0;
    if (asked && in_[i].dest >= config_.num_out) return false;
  }
  return true;
}

}  // namespace weft
