// Virtual-channel router, cycle model: construction and diagnosis
// (sim/router/fast/vc_router.hpp).
#include "sim/router/fast/vc_router.hpp"

#include <fmt/format.h>

#include <bit>

#include "sim/base/error.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};
// Initial credits of the VCs of a local out-port that do not exist: so many that the count never
// reaches 0 and a credit returned for one of them changes nothing.
constexpr std::uint32_t kEndless = 1u << 31;

constexpr std::uint64_t bit_of(unsigned n) {
  return std::uint64_t{1} << n;
}

// Returns `config`; throws ConfigError where it exceeds the limits of this model.
const VcRouter::Config& fitting(const VcRouter::Config& config) {
  const std::uint64_t flits =
      std::uint64_t{config.num_ports} * config.num_vc * std::bit_ceil(config.depth);
  if (flits > bit_of(32)) {
    throw ConfigError(fmt::format("vc_router: buffers of {} flits, expected: up to 2^32", flits));
  }
  if (VcRouter::too_many_classes(config)) {
    throw ConfigError(
        fmt::format("vc_router: {} VCs at each of {} ports, expected: up to {} together where VCs "
                    "are classes",
                    config.num_vc, config.num_ports, VcRouter::kMostClassed));
  }
  return config;
}

}  // namespace

VcRouter::VcRouter(const Config& config)
    : config_(fitting(checked(config))),
      src_lsb_(config.header.src_lsb()),
      address_mask_(static_cast<std::uint32_t>(low_mask(config.header.addr_w))),
      route_(config.route_kind, config.route) {
  num_ports_ = config.num_ports;
  num_vc_ = config.num_vc;
  mask_ = static_cast<std::uint32_t>(std::bit_ceil(config.depth)) - 1;
  const unsigned requesters = num_ports_ * num_vc_;
  kind_ = can_fuse(config) ? Kind::kFused : requesters <= 64 ? Kind::kNarrow : Kind::kWide;
  stride_ = kind_ == Kind::kFused ? kFuseStride : num_vc_;
  age_ = config.age;
  cut_through_ = config.cut_through;
  plain_ = plain(config);
  if (config.store_forward) stored_ = (num_ports_ - config.num_local) * stride_;
  all_ports_ = kAll >> (64 - num_ports_);
  hold_mask_ = config.hold_packet ? kAll : 0;
  if (kind_ != Kind::kWide) {
    for (unsigned p = 0; p < num_ports_; ++p) every_vc_ |= bit_of(p * stride_);
    const std::uint64_t all = kAll >> (64 - num_vc_), half = low_mask(num_vc_ / 2);
    set_vcs_[static_cast<unsigned>(VcSet::kAny)] = all;
    set_vcs_[static_cast<unsigned>(VcSet::kLow)] = num_vc_ == 1 ? all : half;
    set_vcs_[static_cast<unsigned>(VcSet::kHigh)] = all & ~half;
    set_vcs_[static_cast<unsigned>(VcSet::kFirst)] = 1;
  }
  // The flits come last in the block and are not initialized, so that VCs that are never used take
  // no memory.
  const auto lay_out = [this](std::byte* memory) {
    return kind_ != Kind::kWide ? lay_out_narrow(memory) : lay_out_wide(memory);
  };
  memory_ = std::make_unique_for_overwrite<Line[]>(lay_out(nullptr) / sizeof(Line) + 1);
  lay_out(memory_[0].bytes);
  reset();
}

void VcRouter::reset() {
  tx_valid_ = credit_ports_ = 0;
  const std::uint32_t requesters = num_ports_ * num_vc_;
  for (std::uint32_t i = 0; i < num_ports_ * words(num_vc_); ++i) credit_[i] = 0;
  for (std::uint32_t r = 0; r < stored_; ++r) tails_[r] = 0;
  for (std::uint32_t p = 0; p < num_ports_; ++p) {
    const bool local = is_local(p);
    tx_[p] = {};
    for (std::uint32_t v = 0; v < num_vc_; ++v) {
      const std::uint32_t r = p * stride_ + v;
      in_vcs_[r] = {};
      in_vcs_[r].ring = static_cast<std::uint32_t>((p * num_vc_ + v) * (std::uint64_t{mask_} + 1));
      in_vcs_[r].vc = static_cast<std::uint16_t>(v);
      in_vcs_[r].port = static_cast<std::uint8_t>(p);
      out_vcs_[r] = {!local ? config_.depth : v == 0 ? config_.local_depth : kEndless, kNone};
    }
    if (kind_ == Kind::kWide) {
      WidePort& port = wide_ports_[p];
      port = {};
      port.avail[0] = local ? 1 : num_vc_ / 2;
      port.avail[1] = local ? 0 : num_vc_ - num_vc_ / 2;
      const std::size_t size = RequesterSet::words(requesters);
      std::uint64_t* at = set_words_ + p * 4 * size;
      port.ready.attach(at, requesters);
      for (RequesterSet& heads : port.heads) heads.attach(at += size, requesters);
    }
  }
  if (kind_ != Kind::kWide) {
    reset_narrow();
  } else {
    for (std::uint32_t i = 0; i < requesters; ++i) same_[i] = 0;
  }
}

std::uint64_t VcRouter::buffered() const {
  std::uint64_t sum = 0;
  for (std::uint32_t p = 0; p < num_ports_; ++p) {
    for (std::uint32_t v = 0; v < num_vc_; ++v) {
      const InVc& in = in_vcs_[p * stride_ + v];
      sum += static_cast<std::uint16_t>(in.tail - in.head);
    }
  }
  return sum;
}

VcRouter::InVcView VcRouter::in_vc(unsigned port, unsigned vc) const {
  const std::uint32_t r = port * stride_ + vc;
  const InVc& in = in_vcs_[r];
  InVcView view;
  view.occupancy = static_cast<std::uint16_t>(in.tail - in.head);
  view.port = in.out_port;
  view.vc = kind_ == Kind::kWide ? in.out_vc : in.out % stride_;
  view.in_progress = out_vcs_[view.port * stride_ + view.vc].owner == r;
  if (view.occupancy != 0) {
    view.front = &front(in);
    view.waiting = !view.in_progress;
  }
  view.set = in.set;
  return view;
}

VcRouter::OutVcView VcRouter::out_vc(unsigned port, unsigned vc) const {
  if (is_local(port) && vc != 0) return {};
  const OutVc& out = out_vcs_[port * stride_ + vc];
  if (out.owner == kNone) return {false, {}, out.credits};
  return {true, {out.owner / stride_, out.owner % stride_}, out.credits};
}

VcRouter::HolderView VcRouter::holder(unsigned port) const {
  const std::uint32_t r = kind_ == Kind::kWide ? wide_ports_[port].held : holder_narrow(port);
  if (r == kNone) return {};
  return {true, {r / stride_, r % stride_}};
}

}  // namespace weft
