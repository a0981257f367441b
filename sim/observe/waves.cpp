// FST waves and the GTKWave save file that goes with them.
#include "sim/observe/waves.hpp"

#include <fmt/format.h>
#include <fstapi.h>

#include <algorithm>
#include <cerrno>

#include "sim/observe/fst_files.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

// Kind of word on a link, as an enumeration: GTKWave's filters decode signals of two bits and more.
enum FlitKind : std::uint64_t { kIdle, kHead, kBody, kTail, kLone };
constexpr const char* kFlitFilter =
    "0 idle\n1 ?green?head\n2 body\n3 ?orange?tail\n4 ?green?lone\n";
constexpr const char* kStateFilter = "0 ?green?run\n1 sleep\n2 halt\n3 ?red?fault\n";

// GTKWave's zoom, 200 pixels for 2^-kZoom time units: about 60 cycles across the window. And the
// time units from its left edge to the marker.
constexpr const char* kZoom = "-4.5";
constexpr std::uint64_t kLead = 16;

std::string group(const std::string& name, const std::string& inside, bool closed) {
  return fmt::format("@{}\n-{}\n{}@{}\n-{}\n", closed ? "c00200" : "800200", name, inside,
                     closed ? "1401200" : "1000200", name);
}

// Signals of a link besides its data, with their widths; `vcs` is 0 if links have Buffer-Full.
std::vector<std::string> side_signals(unsigned vcs, PacketForm header) {
  const std::string address = fmt::format("[{}:0]", header.addr_w - 1);
  std::vector<std::string> names = {"dst" + address, "src" + address, "len[7:0]", "tag[2:0]"};
  if (vcs == 0) {
    names.push_back("full");
  } else {
    names.push_back("vc[15:0]");
    names.push_back(vcs > 1 ? fmt::format("credit[{}:0]", vcs - 1) : "credit");
  }
  return names;
}

}  // namespace

void Waves::FstClose::operator()(void* context) const {
  weft_fst_close(context);
}

Waves::Waves(const fs::path& file, const Graph& graph, bool barriers, bool combines)
    : graph_(graph),
      file_(file),
      draft_(file),
      fst_(weft_fst_create(draft_.path().c_str())),
      shown_vcs_(graph.has_routers() ? std::min(graph.num_vc, kMaxShownVcs) : 0),
      links_(graph.links.size()),
      nodes_(graph.nodes),
      barriers_(barriers ? graph.nodes : 0),
      combines_(combines ? graph.nodes : 0) {
  if (!fst_) cannot_write(file_, errno);
  fstWriterSetPackType(fst_.get(), FST_WR_PT_LZ4);
  fstWriterSetTimescaleFromString(fst_.get(), "1ns");
  const auto scope = [&](const std::string& name) {
    fstWriterSetScope(fst_.get(), FST_ST_VCD_MODULE, name.c_str(), nullptr);
  };
  const auto up = [&] { fstWriterSetUpscope(fst_.get()); };
  scope("weft");
  clk_ = declare("clk", 1);
  cycle_ = declare("cycle", 32);
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    const Block& block = graph.blocks[b];
    scope(b < graph.nodes ? fmt::format("pe_{}", b) : block.name);
    if (b < graph.nodes) {
      NodeSignals& node = nodes_[b];
      scope("cpu");
      node.state = declare("state", 2);
      node.pc = declare("pc", 32);
      up();
      if (barriers) {
        scope("barrier");
        declare_barrier(b);
        up();
      }
      if (combines) {
        scope("combine");
        declare_combine(b);
        up();
      }
      scope("nic");
      node.desc_free = declare("desc_free", 4);
      node.tx_count = declare("tx_count", 32);
      for (unsigned t = 0; t < kNumRxCounts; ++t) {
        node.rx_count[t] = declare(fmt::format("rx_count_{}", t), 32);
      }
      node.rx_parity = declare("rx_parity", 32);
      node.rx_refused = declare("rx_refused", 32);
    }
    for_each_port(b, [&](const std::string& port, std::uint32_t link) {
      scope(port);
      declare_link(link);
      up();
    });
    if (b < graph.nodes) up();
    up();
  }
  up();
}

Waves::~Waves() = default;

void Waves::finish() {
  const int error = weft_fst_close(fst_.release());
  if (error != 0) cannot_write(file_, error);
  draft_.publish();
  write_save_file();
}

// Calls `visit` with scope and link of each connected port of a block.
template <class Visit>
void Waves::for_each_port(std::uint32_t b, Visit visit) const {
  const Block& block = graph_.blocks[b];
  const bool nic = block.kind == Block::Kind::kNic;
  const auto name = [&](const char* of_nic, const char* of_switch, std::uint32_t p) {
    if (!nic) return fmt::format("{}_{}", of_switch, p);
    return block.num_in == 1 ? std::string(of_nic) : fmt::format("{}_{}", of_nic, p);
  };
  for (std::uint32_t p = 0; p < block.num_in; ++p) {
    const std::uint32_t link = block.first_in + p;
    if (graph_.links[link].src_block != kOpen) visit(name("rx", "in", p), link);
  }
  for (std::uint32_t p = 0; p < block.num_out; ++p) {
    const std::uint32_t link = graph_.out_link[block.first_out + p];
    if (link != kOpen) visit(name("tx", "out", p), link);
  }
}

Waves::Signal Waves::declare(const std::string& name, unsigned bits, std::uint32_t alias) {
  const std::string full = bits > 1 ? fmt::format("{} [{}:0]", name, bits - 1) : name;
  Signal signal;
  signal.bits = bits;
  signal.handle =
      fstWriterCreateVar(fst_.get(), FST_VT_VCD_WIRE, FST_VD_IMPLICIT, bits, full.c_str(), alias);
  return signal;
}

// A link is shown at both its ends; the second is an alias of the first.
void Waves::declare_link(std::uint32_t link) {
  LinkSignals& s = links_[link];
  const auto add = [this](Signal& signal, const char* name, unsigned bits) {
    const Signal declared = declare(name, bits, signal.handle);
    if (signal.handle == 0) signal = declared;
  };
  add(s.flit, "flit", 3);
  add(s.data.signal, "data", graph_.header.data_w);
  add(s.dst, "dst", graph_.header.addr_w);
  add(s.src, "src", graph_.header.addr_w);
  add(s.len, "len", kLenW);
  add(s.tag, "tag", kTagW);
  if (shown_vcs_ == 0) {
    add(s.back, "full", 1);
  } else {
    add(s.vc, "vc", 16);
    add(s.back, "credit", shown_vcs_);
  }
}

void Waves::set(Signal& signal, std::uint64_t value) {
  if (signal.handle == 0 || signal.value == value) return;
  signal.value = value;
  char text[64];
  for (unsigned i = 0; i < signal.bits; ++i) {
    text[i] = (value >> (signal.bits - 1 - i) & 1) != 0 ? '1' : '0';
  }
  fstWriterEmitValueChange(fst_.get(), signal.handle, text);
}

void Waves::set_data(DataSignal& of, const FlitData& data) {
  Signal& signal = of.signal;
  // `value` is 0 once the signal has been written.
  if (signal.handle == 0 || (signal.value == 0 && of.shown == data)) return;
  signal.value = 0;
  of.shown = data;
  std::array<char, kMaxFlitW> text;
  for (unsigned i = 0; i < signal.bits; ++i) {
    const unsigned bit = signal.bits - 1 - i;
    text[i] = (data.word[bit / 64] >> bit % 64 & 1) != 0 ? '1' : '0';
  }
  fstWriterEmitValueChange(fst_.get(), signal.handle, text.data());
}

void Waves::sample(std::uint64_t cycle, const Wires& wires, const std::vector<NodeView>& nodes) {
  fstWriterEmitTimeChange(fst_.get(), 2 * cycle);
  set(clk_, 1);
  set(cycle_, cycle & low_mask(32));
  for (std::uint32_t l = 0; l < links_.size(); ++l) {
    LinkSignals& s = links_[l];
    const Link& link = graph_.links[l];
    if (link.src_block == kOpen) continue;
    const std::uint32_t port = graph_.blocks[link.src_block].first_out + link.src_port;
    set(s.back, shown_vcs_ == 0 ? wires.full[port] : wires.credits(port) & shown_mask());
    if (!wires.has_flit(l)) {
      set(s.flit, kIdle);
      set_data(s.data, {});
      if (cycle == 0) {
        for (Signal* field : {&s.dst, &s.src, &s.len, &s.tag, &s.vc}) set(*field, 0);
      }
      continue;
    }
    if (!first_flit_) first_flit_ = cycle;
    const Flit& flit = wires.on(l);
    FlitData data;
    flit.store(data.word.data(), graph_.header.flit_words());
    set_data(s.data, data);
    set(s.vc, flit.vc);
    // Packets on different VCs may alternate; the fields are those of the last header.
    std::uint64_t& in_packet = s.in_packet[flit.vc % s.in_packet.size()];
    if (in_packet == 0) {  // The header's fields are shown until the next header.
      const Header header = Header::unpack(flit.data, graph_.header);
      set(s.dst, header.dst);
      set(s.src, header.src);
      set(s.len, header.len);
      set(s.tag, header.tag);
      set(s.flit, flit.last ? kLone : kHead);
    } else {
      set(s.flit, flit.last ? kTail : kBody);
    }
    in_packet = !flit.last;
  }
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    NodeSignals& s = nodes_[n];
    const NodeView& view = nodes[n];
    set(s.state, view.state);
    set(s.pc, view.pc);
    set(s.desc_free, view.status.desc_free);
    set(s.tx_count, view.status.tx_count);
    for (unsigned t = 0; t < kNumRxCounts; ++t) set(s.rx_count[t], view.status.rx_count[t]);
    set(s.rx_parity, view.status.rx_parity);
    set(s.rx_refused, view.status.rx_refused);
    if (!barriers_.empty()) sample_barrier(n, view.barrier);
    if (!combines_.empty()) sample_combine(n, view.combine);
  }
  fstWriterEmitTimeChange(fst_.get(), 2 * cycle + 1);
  set(clk_, 0);
  if (weft_fst_error() != 0) cannot_write(file_, weft_fst_error());
}

std::string Waves::link_lines(const std::string& scope, const std::string& filters) const {
  std::string text =
      fmt::format("{}^1 {}/flit.txt\n{}.flit[2:0]\n{}", kFiltered, filters, scope, kHex);
  text += fmt::format("{}.data[{}:0]\n{}", scope, graph_.header.data_w - 1, kDecimal);
  for (const std::string& signal : side_signals(shown_vcs_, graph_.header)) {
    text += fmt::format("{}.{}\n", scope, signal);
  }
  return text;
}

void Waves::write_save_file() const {
  const fs::path absolute = fs::absolute(file_);
  const fs::path filters = fs::path(absolute).replace_extension(".filters");
  std::error_code error;
  fs::create_directories(filters, error);
  write_file(filters / "flit.txt", kFlitFilter);
  write_file(filters / "state.txt", kStateFilter);
  if (!barriers_.empty()) write_file(filters / "barrier.txt", kBarrierFilter);
  // The marker is on the first flit, a few cycles after the left edge of the window.
  const std::uint64_t marker = 2 * first_flit_.value_or(0),
                      start = marker - std::min(marker, kLead);
  std::string text = fmt::format(
      "[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 900\n[sst_width] 220\n[signals_width] 260\n"
      "*{} {}\n@28\nweft.clk\n{}weft.cycle[31:0]\n",
      absolute.string(), start, kZoom, marker, kDecimal);
  for (std::uint32_t b = 0; b < graph_.blocks.size(); ++b) {
    const Block& block = graph_.blocks[b];
    const bool first = b == 0 || b == graph_.nodes;  // Only the first group of each kind is open.
    if (b < graph_.nodes) {
      const std::string pe = fmt::format("weft.pe_{}", b);
      std::string nic =
          fmt::format("{}{}.nic.desc_free[3:0]\n{}.nic.tx_count[31:0]\n", kDecimal, pe, pe);
      nic += fmt::format("{}.nic.rx_count_0[31:0]\n{}.nic.rx_parity[31:0]\n", pe, pe);
      for_each_port(b, [&](const std::string& port, std::uint32_t) {
        nic += group(port, link_lines(pe + ".nic." + port, filters.string()), !first);
      });
      std::string trees;
      if (!barriers_.empty()) {
        trees += group(fmt::format("barrier {}", b),
                       barrier_lines(pe + ".barrier", filters.string()), !first);
      }
      if (!combines_.empty()) {
        trees += group(fmt::format("combine {}", b), combine_lines(pe + ".combine"), !first);
      }
      text += group(fmt::format("PE {}", b),
                    fmt::format("{}^1 {}/state.txt\n{}.cpu.state[1:0]\n{}{}.cpu.pc[31:0]\n",
                                kFiltered, filters.string(), pe, kHex, pe) +
                        trees + group(fmt::format("NIC {}", b), nic, !first),
                    !first);
      continue;
    }
    std::string inside;
    for_each_port(b, [&](const std::string& port, std::uint32_t) {
      inside += group(
          port, link_lines(fmt::format("weft.{}.{}", block.name, port), filters.string()), true);
    });
    const bool router = block.kind == Block::Kind::kRouter;
    text += group((router ? "router " : "crossbar ") + block.name, inside, !first);
  }
  write_file(fs::path(absolute).replace_extension(".gtkw"), text);
}

}  // namespace weft
