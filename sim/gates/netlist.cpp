// Synthesis by Yosys, and netlists as text.
#include "sim/gates/netlist.hpp"

#include <fmt/format.h>

#include <charconv>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/temporary_folder.hpp"
#include "sim/gates/liberty.hpp"
#include "sim/gates/netlist_order.hpp"
#include "sim/gates/yosys.hpp"

namespace weft {
namespace fs = std::filesystem;
namespace {

// Memories of fewer words become flops. A word of a small memory that all lanes read and write in
// most cycles costs less as vectors; a large one would be read whole in every cycle.
constexpr unsigned kMemoryWords = 16;

// All gates to tables of three inputs: one instruction with AVX-512, and no more without than other
// gates. Optimising once more after `techmap` takes longer than all else and gains nothing.
constexpr const char* kTables = "abc -lut 3\nopt_clean\n";

// Flops keep enables and resets as gates up to here.
std::string script(const RtlSpec& spec, const std::vector<fs::path>& sources) {
  std::string read = "read_verilog -sv -Irtl/include";
  if (spec.assertions) read += " -formal -DWEFT_FORMAL";
  for (const fs::path& source : sources) {
    const fs::path inside = source.lexically_relative(rtl_dir());
    read += " " + (*inside.begin() == ".." ? source : "rtl" / inside).string();
  }
  std::string set;
  for (const auto& [name, value] : spec.params) set += fmt::format(" -set {} {}", name, value.text);
  if (!set.empty()) set = fmt::format("chparam{} {}\n", set, spec.top);
  return fmt::format(
      "{}\n{}hierarchy -check -top {}\nproc\nflatten\nopt_expr\nopt_clean\n"
      "opt -nodffe -nosdff\nwreduce\npeepopt\nopt_clean\nalumacc\nopt -full -nodffe -nosdff\n"
      "opt_mem_priority\nopt_mem_feedback\nmemory_bmux2rom\nmemory_dff\nopt_clean\nmemory_share\n"
      "opt_mem_widen\nopt_clean\nmemory_collect\nopt_clean\nsetundef -zero\nmemory_map t:$mem_v2 "
      "r:SIZE<{} "
      "%i\nopt_clean\nopt_reduce\n"
      "dffunmap\ntechmap\nsimplemap\ndffunmap\n{}write_json netlist.json\n",
      read, set, spec.top, kMemoryWords,
      spec.liberty.empty() ? std::string(kTables) : map_to_cells());
}

// Reads words and numbers of a text.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::string_view word() {
    const std::size_t begin = std::min(text_.find_first_not_of(" \n", at_), text_.size());
    at_ = std::min(text_.find_first_of(" \n", begin), text_.size());
    if (begin == at_) throw ConfigError("the text of a netlist is cut off");
    return text_.substr(begin, at_ - begin);
  }
  template <class Number>
  void read(Number& number) {
    const std::string_view digits = word();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      throw ConfigError(fmt::format("the text of a netlist: expected a number: {}", digits));
    }
    number = static_cast<Number>(value);
  }
  void read(std::string& text) {
    const std::string_view name = word();
    text = name == "-" ? "" : name;
  }
  // The size of a list, of which each element takes two characters or more.
  std::size_t size() {
    std::size_t count = 0;
    read(count);
    if (count > text_.size()) throw ConfigError("the text of a netlist is cut off");
    return count;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// Writes them.
class Text {
 public:
  template <class Number>
  void read(const Number& number) {
    fmt::format_to(std::back_inserter(text), "{} ", static_cast<std::uint64_t>(number));
  }
  void read(const std::string& name) { text += (name.empty() ? "-" : name) + " "; }

  std::string text;
};

// Visits all of a netlist in one order for both.
template <class Archive, class List, class Each>
void visit_list(Archive& archive, List& list, Each each) {
  if constexpr (std::is_same_v<Archive, Words>) {
    list.resize(archive.size());
  } else {
    archive.read(list.size());
  }
  for (auto& element : list) each(element);
  if constexpr (!std::is_same_v<Archive, Words>) archive.text += '\n';
}

template <class Archive, class Whole>
void visit(Archive& archive, Whole& netlist) {
  const auto nets = [&](auto& list) {
    visit_list(archive, list, [&](auto& n) { archive.read(n); });
  };
  archive.read(netlist.inputs);
  archive.read(netlist.memory_nets);
  archive.read(netlist.reset);
  visit_list(archive, netlist.ports, [&](auto& port) {
    archive.read(port.name);
    archive.read(port.first);
    archive.read(port.width);
    archive.read(port.input);
  });
  visit_list(archive, netlist.flops, [&](auto& flop) {
    archive.read(flop.name);
    archive.read(flop.d);
    archive.read(flop.reset);
  });
  visit_list(archive, netlist.aliases, [&](auto& alias) {
    archive.read(alias.name);
    archive.read(alias.constant);
    archive.read(alias.of);
  });
  visit_list(archive, netlist.gates, [&](auto& gate) {
    archive.read(gate.table);
    for (auto& in : gate.in) archive.read(in);
  });
  visit_list(archive, netlist.gate_names, [&](auto& name) { archive.read(name); });
  visit_list(archive, netlist.memories, [&](auto& memory) {
    archive.read(memory.name);
    archive.read(memory.width);
    archive.read(memory.words);
    visit_list(archive, memory.writes, [&](auto& write) {
      archive.read(write.enable);
      nets(write.address);
      nets(write.data);
    });
    visit_list(archive, memory.reads, [&](auto& read) {
      archive.read(read.clocked);
      archive.read(read.after_writes);
      archive.read(read.enable);
      nets(read.address);
      archive.read(read.first);
    });
  });
  nets(netlist.outputs);
}

}  // namespace

Netlist synthesise(const RtlSpec& spec, const std::vector<fs::path>& sources) {
  const TemporaryFolder folder;
  // Yosys knows no file names with spaces: it runs beside a link to the sources.
  fs::create_directory_symlink(rtl_dir(), folder.path() / "rtl");
  if (!spec.liberty.empty()) copy_liberty(spec.liberty, folder.path());
  if (const auto error = run_yosys(folder.path(), script(spec, sources))) {
    if (!spec.liberty.empty()) throw_not_mapped(spec.liberty, spec.top, *error);
    throw ConfigError(fmt::format("Yosys cannot read {}:\n{}", spec.top, *error));
  }
  return parse_yosys(read_file(folder.path() / "netlist.json"), spec.top);
}

std::string to_text(const Netlist& netlist) {
  Text text;
  visit(text, netlist);
  return std::move(text.text);
}

Netlist netlist_of(std::string_view text) {
  Words words(text);
  Netlist netlist;
  visit(words, netlist);
  return netlist;
}

}  // namespace weft
