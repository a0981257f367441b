// Builds the emitted top and reads its observation ports.
#include "sim/network/rtl_top.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "sim/network/emit.hpp"

namespace weft {
namespace {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "weft.XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw ConfigError("cannot write " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::shared_ptr<const RtlLibrary> top_library(const Config& config, const Graph& graph) {
  // The text is the key of the cached library; the file itself is needed only while it is built.
  const TemporaryFolder folder;
  const auto file = folder.path() / "weft_top.sv";
  {
    std::ofstream out(file);
    out << emit_top(config, graph);
    if (!out.flush()) throw ConfigError(fmt::format("cannot write {}", file.string()));
  }
  return RtlLibrary::load({"weft_top", {}, true, {file}});
}

}  // namespace

RtlTop::RtlTop(const Config& config, const Graph& graph, bool record_arrivals)
    : graph_(graph),
      rtl_(top_library(config, graph)),
      parity_(config.link.parity),
      valid_(rtl_.port("link_valid_o")),
      last_(rtl_.port("link_last_o")),
      data_(rtl_.port("link_data_o")),
      full_(rtl_.port("link_full_o")),
      inputs_(graph.nodes),
      outputs_(graph.nodes),
      wires_(graph),
      monitor_(graph, record_arrivals) {
  const NicParams params = nic_params(config);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    ports_.emplace_back(rtl_, params, n, graph.nodes);
    ports_[n].sample(outputs_[n]);
  }
}

void RtlTop::publish(const Part&, std::uint64_t cycle, Counters& counters) {
  const unsigned flit_w = parity_ ? 65 : 64;
  for (std::uint32_t l = 0; l < graph_.links.size(); ++l) {
    const Link& link = graph_.links[l];
    wires_.full[graph_.blocks[link.src_block].first_out + link.src_port] =
        static_cast<std::uint8_t>(full_.bits(l, 1));
    wires_.valid[l] = static_cast<std::uint8_t>(valid_.bits(l, 1));
    if (wires_.valid[l] == 0) continue;
    const Flit flit = {.data = data_.bits(l * flit_w, 64),
                       .last = last_.bits(l, 1) != 0,
                       .parity = parity_ && data_.bits(l * flit_w + 64, 1) != 0,
                       .valid = true};
    wires_.put(l, flit, cycle, counters);
    monitor_.note(l, flit, cycle);
    if (link.src_block < graph_.nodes) counters.entered(flit);
  }
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) ports_[n].sample(outputs_[n]);
}

}  // namespace weft
