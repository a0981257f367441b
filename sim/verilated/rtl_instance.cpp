// Instances of Verilated libraries.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/verilated/verilate.hpp"

namespace weft {

RtlInstance::RtlInstance(std::shared_ptr<const RtlLibrary> library)
    : library_(std::move(library)),
      model_(library_->create_()),
      no_port_(std::make_unique<std::uint8_t>()) {
  auto driven = [this](std::string_view name) {
    const auto& ports = library_->ports_;
    const bool there = std::any_of(ports.begin(), ports.end(),
                                   [name](const RtlPortInfo& info) { return info.name == name; });
    return there ? port(name) : RtlPort(no_port_.get(), 1);
  };
  clk_ = driven("clk_i");
  rst_ = driven("rst_ni");
  state_ = library_->state_(model_, &bytes_);
  reset();
}

RtlInstance::~RtlInstance() {
  if (model_ == nullptr) return;
  if (seen_ != nullptr) {
    for (const RtlRegisterInfo& info : registers()) {
      // The part after the names of generate blocks; 0 after npos.
      bool& seen = (*seen_)[info.name.substr(info.name.rfind('.') + 1)];
      seen |= *static_cast<const std::uint8_t*>(info.data) != 0;
    }
  }
  library_->destroy_(model_);
}

RtlInstance::RtlInstance(RtlInstance&& other) noexcept
    : library_(std::move(other.library_)),
      model_(std::exchange(other.model_, nullptr)),
      seen_(other.seen_),
      before_(other.before_),
      self_(other.self_),
      no_port_(std::move(other.no_port_)),
      clk_(other.clk_),
      rst_(other.rst_),
      state_(other.state_),
      bytes_(other.bytes_) {}

RtlInstance& RtlInstance::operator=(RtlInstance&& other) noexcept {
  std::swap(library_, other.library_);
  std::swap(model_, other.model_);
  std::swap(seen_, other.seen_);
  std::swap(before_, other.before_);
  std::swap(self_, other.self_);
  std::swap(no_port_, other.no_port_);
  std::swap(clk_, other.clk_);
  std::swap(rst_, other.rst_);
  std::swap(state_, other.state_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

std::vector<RtlRegisterInfo> RtlInstance::registers() const {
  std::vector<RtlRegisterInfo> all;
  if (library_->registers_ == nullptr) return all;
  const auto add = [](void* list, const RtlRegisterText& text) {
    // The first part of the scope is the top module.
    const std::string_view scope = text.scope;
    const std::size_t dot = scope.find('.');
    std::string name = dot == scope.npos ? std::string() : std::string(scope.substr(dot + 1)) + ".";
    name += text.name;
    static_cast<std::vector<RtlRegisterInfo>*>(list)->push_back(
        {std::move(name), text.data, text.width, text.elements});
  };
  library_->registers_(model_, add, &all);
  return all;
}

RtlPort RtlInstance::port(std::string_view name) const {
  for (unsigned i = 0; i < library_->ports_.size(); ++i) {
    const auto& info = library_->ports_[i];
    if (info.name == name) return {library_->port_(model_, i), info.width};
  }
  throw std::out_of_range(fmt::format("no port {}", name));
}

void RtlInstance::reset() {
  for (unsigned i = 0; i < library_->ports_.size(); ++i) {
    const auto& info = library_->ports_[i];
    if (!info.input) continue;
    RtlPort p(library_->port_(model_, i), info.width);
    for (unsigned lsb = 0; lsb < info.width; lsb += 32) {
      p.set_bits(lsb, std::min(32u, info.width - lsb), 0);
    }
  }
  eval();
  tick();
  tick();
  rst_.set(1);
  eval();
}

bool RtlInstance::tick_at_rest() {
  if (bytes_ == 0) {
    tick();
    return false;
  }
  thread_local std::vector<std::byte> before;
  if (before.size() < bytes_) before.resize(bytes_);
  std::memcpy(before.data(), state_, bytes_);
  tick();
  return std::memcmp(before.data(), state_, bytes_) == 0;
}

void RtlInstance::pulse_reset(unsigned cycles) {
  rst_.set(0);
  eval();
  while (cycles-- > 0) tick();
  rst_.set(1);
  eval();
}

}  // namespace weft
