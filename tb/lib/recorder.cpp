// Recording the inputs of a bench.
#include "tb/lib/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.hpp"

namespace weft::tb {

InputRecorder::InputRecorder(const std::string& path, const RtlSpec& spec, RtlInstance& rtl)
    : path_(path), file_(path, std::ios::binary) {
  std::string names;
  std::size_t bits = 0;
  for (const RtlPortInfo& info : rtl.library().ports()) {
    if (info.name == "clk_i") {
      clk_ = rtl.port(info.name);
      clocked_ = true;
    } else if (info.input) {
      ports_.push_back(rtl.port(info.name));
      names += fmt::format("{} {} ", info.name, info.width);
      bits += info.width;
    }
    if (info.name == "rst_ni") {
      rst_ = rtl.port(info.name);
      resettable_ = true;
    }
  }
  std::string params;
  for (const auto& [name, value] : spec.params) params += fmt::format("{}={} ", name, value.text);
  file_ << fmt::format("{}\n{}\n{}\n", spec.top, params, names);
  record_.resize(1 + (bits + 7) / 8);
  if (!file_) throw ConfigError("cannot write " + path);
  rtl.observe([](void* self) { static_cast<InputRecorder*>(self)->look(); }, this);
}

void InputRecorder::look() {
  if (!clocked_) {
    write(0);
    return;
  }
  const bool high = clk_.get() != 0;
  if (high && !high_) {
    write(1);
  } else if (!high && resettable_ && rst_.get() == 0) {
    write(0);
  }
  high_ = high;
}

void InputRecorder::note_set(const RtlCounter::Part& part, std::uint32_t value) {
  file_ << fmt::format("\x02{} {} {} {}\n", part.name, part.lsb, part.bits, value);
}

void InputRecorder::write(char kind) {
  std::fill(record_.begin(), record_.end(), 0);
  record_[0] = kind;
  std::size_t at = 0;
  for (const RtlPort& port : ports_) {
    for (unsigned lsb = 0; lsb < port.width(); ++lsb, ++at) {
      if (port.bits(lsb, 1) != 0) {
        record_[1 + at / 8] = static_cast<char>(record_[1 + at / 8] | 1 << at % 8);
      }
    }
  }
  if (kind == 0 && record_ == last_) return;
  file_.write(record_.data(), static_cast<std::streamsize>(record_.size()));
  if (!file_) throw ConfigError("cannot write " + path_);
  last_ = record_;
}

}  // namespace weft::tb
