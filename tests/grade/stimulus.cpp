// Reading what a bench recorded.
#include "tests/grade/stimulus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"

namespace weft::grade {

Recording read_recording(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  Recording recording;
  std::size_t at = 0;
  const auto line = [&] {
    const std::size_t end = text.find('\n', at);
    if (end == text.npos) throw ConfigError(path.string() + " is no recording of a bench");
    std::string one = text.substr(at, end - at);
    at = end + 1;
    return one;
  };
  recording.spec.top = line();
  std::istringstream params(line());
  for (std::string word; params >> word;) {
    const std::size_t equal = word.find('=');
    recording.spec.params.emplace_back(word.substr(0, equal), RtlValue(word.substr(equal + 1)));
  }
  std::istringstream ports(line());
  std::size_t bits = 0;
  for (Recording::Port port; ports >> port.name >> port.width; bits += port.width) {
    recording.ports.push_back(port);
  }
  recording.record_size = 1 + (bits + 7) / 8;
  recording.data.reserve(text.size() - at);
  while (at < text.size()) {
    if (text[at] == 2) {
      ++at;
      std::istringstream words(line());
      Recording::Setting& one = recording.settings.emplace_back();
      one.record = recording.records();
      words >> one.name >> one.lsb >> one.bits >> one.value;
      continue;
    }
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(at);
    at += recording.record_size;
    if (at > text.size()) throw ConfigError(path.string() + " is no whole recording");
    recording.data.insert(recording.data.end(), from,
                          from + static_cast<std::ptrdiff_t>(recording.record_size));
  }
  if (recording.data.empty()) throw ConfigError(path.string() + " has no records");
  return recording;
}

Stimulus::Stimulus(const Recording& recording, const GateLibrary& library) : recording_(recording) {
  for (const Recording::Port& port : recording.ports) {
    if (port.name == "rst_ni") reset_bit_ = vectors_.size();
    const GatePort& to = library.port(port.name);
    for (unsigned b = 0; b < port.width; ++b) vectors_.push_back(to.first + b);
  }
  last_.resize(vectors_.size());
  const Netlist& netlist = library.netlist();
  std::map<std::string, std::uint32_t> flops;
  for (std::uint32_t f = 0; f < netlist.flops.size(); ++f) flops[netlist.flops[f].name] = f;
  for (const Recording::Setting& one : recording.settings) {
    auto& of = flops_.emplace_back();
    for (unsigned b = 0; b < one.bits; ++b) {
      const auto found = flops.find(fmt::format("{}[{}]", one.name, one.lsb + b));
      if (found == flops.end()) {
        throw ConfigError(
            fmt::format("{}: no flop {}[{}]", recording.spec.top, one.name, one.lsb + b));
      }
      of.push_back(found->second);
    }
  }
}

void Stimulus::drive(GateBlock& block, std::size_t record) {
  std::uint64_t* const in = block.in(0);
  for (std::size_t i = 0; i < vectors_.size(); ++i) {
    const bool bit = recording_.bit(record, i);
    if (known_ && bit == last_[i]) continue;
    last_[i] = bit;
    std::fill_n(in + std::size_t{vectors_[i]} * block.words(), block.words(),
                bit ? ~std::uint64_t{0} : 0);
  }
  known_ = true;
  for (; next_setting_ < flops_.size(); ++next_setting_) {
    const Recording::Setting& one = recording_.settings[next_setting_];
    if (one.record > record) break;
    for (unsigned b = 0; b < one.bits; ++b) {
      block.set_flop(flops_[next_setting_][b], (one.value >> b & 1) != 0);
    }
  }
}

std::vector<std::int8_t> Stimulus::held(std::uint32_t inputs) const {
  std::vector<std::int8_t> values(inputs, -1);
  for (std::size_t i = 0; i < vectors_.size(); ++i) {
    const bool first = recording_.bit(0, i);
    bool moves = i == reset_bit_;
    for (std::size_t r = 1; r < recording_.records() && !moves; ++r) {
      moves = recording_.bit(r, i) != first;
    }
    if (!moves) values[vectors_[i]] = first ? 1 : 0;
  }
  return values;
}

}  // namespace weft::grade
