// Links of a Verilated block, and a difference between a block and its model.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/verilated/rtl_params.hpp"

namespace weft {

/// A difference between RTL and model: what the first one was. The engine adds cycle and instance.
struct Difference : CheckError {
  Difference(std::string port_name, std::uint64_t rtl_value, std::uint64_t model_value)
      : CheckError(
            fmt::format("port {}: RTL {:#x}, model {:#x}", port_name, rtl_value, model_value)) {}
};

/// Throws Difference where the two are not equal.
inline void check_equal(const std::string& port, std::uint64_t rtl, std::uint64_t model) {
  if (rtl != model) throw Difference(port, rtl, model);
}
/// The same for a flit of link `i`; `prefix` is "tx" or "rx".
void check_equal(const std::string& prefix, unsigned i, const Flit& rtl, const Flit& model);

/// Forward wires of the links side by side at one face of a Verilated block.
class RtlFlits {
 public:
  /// `prefix` is "tx" (the block drives them) or "rx"; `count` links with words of `flit_w` bits,
  /// and with VCs and stamps where `vcs` is not 0.
  RtlFlits(const RtlInstance& rtl, const std::string& prefix, unsigned count, unsigned flit_w,
           unsigned vcs);

  /// Drives link `i`; `flit` is all 0 where none stands there.
  void drive(unsigned i, const Flit& flit) {
    valid_.set_bits(i, 1, flit.valid);
    last_.set_bits(i, 1, flit.last);
    data_.set_bits(i * flit_w_, 64, flit.data);
    if (flit_w_ > 64) data_.set_bits(i * flit_w_ + 64, 1, flit.parity);
    if (vc_w_ == 0) return;
    vc_.set_bits(i * vc_w_, vc_w_, flit.vc);
    stamp_.set_bits(i * kStampW, kStampW, flit.stamp);
  }
  /// What stands on link `i`, whether valid or not.
  Flit sample(unsigned i) const {
    Flit flit = {.data = data_.bits(i * flit_w_, 64),
                 .last = last_.bits(i, 1) != 0,
                 .parity = flit_w_ > 64 && data_.bits(i * flit_w_ + 64, 1) != 0,
                 .valid = valid_.bits(i, 1) != 0};
    if (vc_w_ != 0) {
      flit.vc = static_cast<std::uint16_t>(vc_.bits(i * vc_w_, vc_w_));
      flit.stamp = static_cast<std::uint16_t>(stamp_.bits(i * kStampW, kStampW));
    }
    return flit;
  }

 private:
  unsigned flit_w_, vc_w_;
  RtlPort valid_, last_, data_, vc_, stamp_;
};

}  // namespace weft
