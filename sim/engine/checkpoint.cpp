// Checkpoint files: magic word, format, a header in JSON that identifies the run, then the deflated
// state; header and state each have a CRC-32.
#include "sim/engine/checkpoint.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/file_reader.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/hash.hpp"
#include "sim/share/network_share.hpp"
#include "sim/share/together.hpp"

namespace weft {
namespace {

constexpr char kMagic[8] = {'w', 'e', 'f', 't', 'c', 'k', 'p', 't'};
constexpr std::uint32_t kFormat = 1;

// What every file begins with, in the byte order of the computer, which is that of nodes.
struct Prefix {
  char magic[8];
  std::uint32_t format, header_crc;
  std::uint64_t header_bytes;
  std::uint64_t state_bytes, stored_bytes;  // Size before and after compression.
  std::uint32_t state_crc, prefix_crc;
};
static_assert(sizeof(Prefix) == 48);

std::uint32_t crc_of(const void* data, std::size_t bytes) {
  const auto crc = crc32_z(0, static_cast<const Bytef*>(data), bytes);
  return static_cast<std::uint32_t>(crc);
}
std::uint32_t prefix_crc(const Prefix& prefix) {
  return crc_of(&prefix, offsetof(Prefix, prefix_crc));
}

// The configuration but for `max_cycles`, which may differ.
nlohmann::json compared(const Config& config) {
  nlohmann::json all = to_json(config);
  all.erase("max_cycles");
  return all;
}

// Distinguishes builds of one version, whose states need not have the same form.
const std::string& build() {
  static const std::string build = [] {
    const std::string program = try_read_file("/proc/self/exe").text;
    return fmt::format("{:08x}", crc_of(program.data(), program.size()));
  }();
  return build;
}

nlohmann::json about(const Config& config, const RunOptions& options) {
  return {{"weft", WEFT_VERSION},
          {"build", build()},
          {"engine", options.engine},
          {"config", compared(config)},
          {"files", hashes_of_inputs(options)}};
}

// Compresses piece by piece: a state may be as large as the rest of the run.
std::string deflated(const std::string& state) {
  constexpr int kFast = 1;  // The state is sparse.
  std::string all;
  std::vector<Bytef> piece(std::size_t{1} << 20);
  z_stream z = {};
  if (deflateInit(&z, kFast) != Z_OK) throw std::bad_alloc();
  std::size_t at = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    if (z.avail_in == 0) {
      const std::size_t count = std::min(state.size() - at, std::size_t{1} << 30);
      z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(state.data() + at));
      z.avail_in = static_cast<uInt>(count);
      at += count;
    }
    z.next_out = piece.data();
    z.avail_out = static_cast<uInt>(piece.size());
    status = deflate(&z, at == state.size() ? Z_FINISH : Z_NO_FLUSH);
    all.append(reinterpret_cast<const char*>(piece.data()), piece.size() - z.avail_out);
  }
  deflateEnd(&z);
  return all;
}

nlohmann::json at(const nlohmann::json& document, const std::string& pointer) {
  const nlohmann::json::json_pointer at(pointer);
  return document.contains(at) ? document.at(at) : nlohmann::json();
}

}  // namespace

nlohmann::json hashes_of_inputs(const RunOptions& options) {
  nlohmann::json files = nlohmann::json::object();
  for (const std::filesystem::path& file : options.inputs) {
    files[file.string()] = fmt::format("{:016x}", fnv1a(try_read_file(file).text));
  }
  return files;
}

Sharing shares_of(const RunOptions& options) {
  return {options.processes->count(), options.threads};
}

void check_checkpoint(const Config& config, const RunOptions& options) {
  const char* const option = !options.resume.empty()       ? "--resume"
                             : !options.checkpoint.empty() ? "--checkpoint"
                                                           : nullptr;
  if (options.every != 0 && options.checkpoint.empty()) {
    throw ConfigError("--every", "", "without --checkpoint", "--checkpoint FILE --every CYCLES");
  }
  if (option == nullptr) return;
  const EngineEntry& engine = find_engine(options.engine);
  const std::string is = fmt::format("engine \"{}\"", engine.name);
  if (engine.rtl && !options.checkpoint.empty()) {
    throw ConfigError("--checkpoint", "", is,
                      "model, flit: the state of blocks in RTL or as gates cannot be saved");
  }
  if (engine.whole) {
    throw ConfigError(
        "--resume", "", is,
        "model, flit, rtl, gates, cosim: the state of models is loaded block by block, and "
        "this engine has one module of all blocks");
  }
  // A resumed run has waves from its first cycle on.
  const bool trace = !options.trace.empty() && !options.checkpoint.empty();
  for (const auto& [given, name] : {std::pair{trace, "--trace"},
                                    {options.losses, "--losses"},
                                    {!options.events.empty(), "--events"},
                                    {options.gdb.has_value(), "--gdb"}}) {
    if (!given) continue;
    throw ConfigError(option, "", fmt::format("with {}", name),
                      "a run that is not observed, since what has been observed is not saved");
  }
  if (config.workload.is(kCollectives) && config.processor != ProcessorKind::kRv32) {
    throw ConfigError(option, "", "processor " + shown(config.processor),
                      "\"rv32\": native programs run on stacks of weft's own process, which "
                      "cannot be saved");
  }
}

Checkpoint::Checkpoint(const Config& config, const RunOptions& options)
    : options_(options),
      about_(std::make_shared<const nlohmann::json>(about(config, options))),
      shares_(shares_of(options)) {
  if (options.resume.empty()) return;
  in_all([&] {
    read();
    if (config.max_cycles != 0 && config.max_cycles < begin_) {
      config.source.refuse("/max_cycles", config.max_cycles,
                           fmt::format("0, or at least {}, the cycle of the checkpoint {}", begin_,
                                       options.resume.string()));
    }
  });
  const auto state = [this] {
    return fmt::format("{} {:08x}", begin_, crc_of(payload_->data(), payload_->size()));
  };
  check_same(*options.processes, state, "checkpoints");
}

void Checkpoint::in_all(const std::function<void()>& work) const {
  together(*options_.processes, work);
}

void Checkpoint::refuse(const std::string& why, const std::string& expected) const {
  throw ConfigError(
      fmt::format("--resume {}: {}: expected: {}", options_.resume.string(), why, expected));
}

void Checkpoint::refuse_state(const std::string& why) const {
  refuse(fmt::format("a state that does not fit this run: {}", why),
         "a checkpoint of this configuration, of the same build of weft");
}

// Engines that step every flit read each other's states, in their models or loaded into RTL.
void Checkpoint::compare_engines(const std::string& found, bool stepped) const {
  if (found == options_.engine) return;
  if (find_engine(options_.engine).spans) {
    refuse(fmt::format("a checkpoint of engine \"{}\"", found), "\"model\"");
  }
  if (!stepped) {
    refuse(fmt::format("a checkpoint of engine \"{}\", in which packets moved as spans and "
                       "blocks have no state",
                       found),
           "one that was written with --engine flit");
  }
}

void Checkpoint::compare(const nlohmann::json& found) const {
  if (found.at("weft") != about_->at("weft")) {
    refuse(fmt::format("a checkpoint of version {}", found.at("weft").dump()),
           about_->at("weft").dump());
  }
  compare_engines(found.at("engine"), found.at("stepped") != "");
  if (found.at("build") != about_->at("build")) {
    refuse("a checkpoint of another build of this version of weft", "the same program");
  }
  for (const char* part : {"config", "files"}) {
    const nlohmann::json changes = nlohmann::json::diff(found.at(part), about_->at(part));
    if (changes.empty()) continue;
    const auto pointer = changes.at(0).at("path").get<std::string>();
    if (part == std::string("files")) {
      refuse("a checkpoint of another content of " + pointer.substr(1), "the same file");
    }
    refuse(fmt::format("a checkpoint of another configuration: {} was {}", pointer,
                       at(found.at(part), pointer).dump()),
           fmt::format("{}", at(about_->at(part), pointer).dump()));
  }
}

void Checkpoint::read() {
  const FileText file = try_read_file(options_.resume);
  if (!file.error.empty()) {
    throw ConfigError(
        fmt::format("--resume {}: cannot be read: {}", options_.resume.string(), file.error));
  }
  const std::string* const text = &file.text;
  Prefix prefix;
  if (text->size() < sizeof kMagic || !text->starts_with(std::string_view(kMagic, 8))) {
    refuse("it is no checkpoint", "a file of weft run --checkpoint");
  }
  const auto damaged = [&](const char* what) {
    refuse(fmt::format("a damaged file: {}", what), "a whole checkpoint");
  };
  if (text->size() < sizeof prefix) damaged("it is cut off");
  std::memcpy(&prefix, text->data(), sizeof prefix);
  if (prefix.prefix_crc != prefix_crc(prefix)) damaged("wrong check sum at its beginning");
  if (prefix.format != kFormat) {
    refuse(fmt::format("a checkpoint of format {}", prefix.format), fmt::format("{}", kFormat));
  }
  const std::size_t left = text->size() - sizeof prefix;
  if (prefix.header_bytes > left || prefix.stored_bytes != left - prefix.header_bytes) {
    damaged("it is cut off, or too long");
  }
  const char* const begin = text->data() + sizeof prefix;
  const char* const stored = begin + prefix.header_bytes;
  if (crc_of(begin, prefix.header_bytes) != prefix.header_crc) damaged("wrong check sum");
  const auto found = nlohmann::json::parse(begin, stored);
  compare(found);
  if (crc_of(stored, prefix.stored_bytes) != prefix.state_crc) damaged("wrong check sum");
  stepped_ = found.at("stepped");
  if (stepped_.empty()) {
    shares_ = {found.at("shares").at(0), found.at("shares").at(1)};
    found_cut_ = found.at("cut");
  }
  begin_ = found.at("cycle");
  engine_ = found.at("engine");
  payload_.emplace(prefix.state_bytes, '\0');
  uLongf bytes = prefix.state_bytes;
  if (uncompress(reinterpret_cast<Bytef*>(payload_->data()), &bytes,
                 reinterpret_cast<const Bytef*>(stored), prefix.stored_bytes) != Z_OK ||
      bytes != prefix.state_bytes) {
    damaged("its state cannot be inflated");
  }
}

void Checkpoint::set_stepped(const std::string& why) {
  if (payload_ && stepped_.empty() != why.empty()) {
    if (!stepped_.empty()) refuse("a state of single flits", "the same options");
    refuse("a state of packets that move as spans, and here flits are stepped: " + why,
           "one that was written with --engine flit");
  }
  stepped_ = why;
}

void Checkpoint::save(std::uint64_t cycle, SavedState own) {
  if (options_.processes->alone()) return write(cycle, own.bytes);
  Parcel parcel;
  parcel.put(own.bytes);
  parcel.put(own.lists);
  own = {};
  std::vector<Parcel> parcels = collect_parcels(*options_.processes, std::move(parcel));
  in_all([&] {
    if (!options_.processes->leads()) return;
    std::vector<SavedState> states;
    for (Parcel& of_process : parcels) {
      SavedState& state = states.emplace_back();
      of_process.take(state.bytes);
      of_process.take(state.lists);
      of_process = {};
    }
    write(cycle, merged(states));
  });
}

void Checkpoint::write(std::uint64_t cycle, const std::string& state) {
  nlohmann::json header = *about_;
  header["cycle"] = cycle;
  header["stepped"] = stepped_;
  header["shares"] = {shares_.processes, shares_.each};
  header["cut"] = cut_;
  const std::string said = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string stored = deflated(state);
  Prefix prefix{.magic = {},
                .format = kFormat,
                .header_crc = crc_of(said.data(), said.size()),
                .header_bytes = said.size(),
                .state_bytes = state.size(),
                .stored_bytes = stored.size(),
                .state_crc = crc_of(stored.data(), stored.size()),
                .prefix_crc = 0};
  std::copy_n(kMagic, sizeof kMagic, prefix.magic);
  prefix.prefix_crc = prefix_crc(prefix);
  FileWriter file(options_.checkpoint);
  file.write({reinterpret_cast<const char*>(&prefix), sizeof prefix});
  file.write(said);
  file.write(stored);
  file.finish();
  saved_ = cycle;
}

std::vector<std::string> Checkpoint::notes() const {
  std::vector<std::string> notes;
  if (payload_) {
    std::string note = fmt::format("resumed from {}, cycle {} of engine {}",
                                   options_.resume.string(), begin_, engine_);
    const unsigned parts = shares_.parts(), threads = shares_of(options_).parts();
    if (stepped_.empty() && parts < threads) {
      note += fmt::format("; {} of {} threads idle, for it was begun on {}", threads - parts,
                          threads, parts);
    }
    notes.push_back(std::move(note));
  }
  if (saved_) {
    notes.push_back(
        fmt::format("last checkpoint: {}, cycle {}", options_.checkpoint.string(), *saved_));
  }
  return notes;
}

}  // namespace weft
