// Checkpoints: files with the whole state of a run between two cycles.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/archive.hpp"
#include "sim/base/error.hpp"
#include "sim/base/items.hpp"
#include "sim/config/config.hpp"
#include "sim/engine/engine.hpp"
#include "sim/share/division.hpp"

namespace weft {

/// The files that a configuration names, each with a hash of its contents.
nlohmann::json hashes_of_inputs(const RunOptions& options);
/// How the network of a run is divided that begins anew.
Sharing shares_of(const RunOptions& options);
/// Throws ConfigError unless the run can be saved and resumed as its options say.
void check_checkpoint(const Config& config, const RunOptions& options);

/// Saves or loads an endpoint of a run, but native processors, which have no state to save.
void archive_endpoint(SaveArchive& archive, Endpoints& endpoints, std::uint32_t n);
void archive_endpoint(LoadArchive& archive, Endpoints& endpoints, std::uint32_t n);

/// The checkpoint that a run begins with, and those that it writes. A state is what a cycle loop
/// passes: a function that calls its archive, SaveArchive or LoadArchive, with all that changes.
/// Where processes share the network, each reads the file and loads its part of it; what they save
/// the first one writes, as one process would.
class Checkpoint {
 public:
  /// Reads the file of `options.resume`, if there is one. Throws ConfigError where it cannot be
  /// read, is damaged, or is one of another run. All must outlive it. Where processes share the
  /// network, all of this is a step of all of them.
  Checkpoint(const Config& config, const RunOptions& options);

  /// The cycle that the run begins with.
  std::uint64_t begin() const { return begin_; }
  /// Why the run has stepped every flit (EngineInputs); empty: packets moved as spans.
  const std::string& stepped() const { return stepped_; }
  /// The same of the run that begins or goes on now. Throws ConfigError if that is another way.
  void set_stepped(const std::string& why);
  /// How the network is divided where packets move as spans: as in the run that is resumed.
  Sharing shares() const { return shares_; }
  /// How it is cut so (Division::hash), which must be as it was; before `load`.
  void set_cut(std::uint64_t cut) { cut_ = cut; }
  /// The run begins anew, with cycle 0.
  void begin_anew() {
    payload_.reset();
    begin_ = 0;
  }

  /// Loads the state, if there is a file to resume.
  template <class State>
  void load(State state) {
    if (!payload_) return;
    in_all([&] {
      if (stepped_.empty() && found_cut_ != cut_) {
        refuse("a state whose network was cut otherwise among its processes",
               "the libmetis that it was made with, or a checkpoint of engine \"flit\"");
      }
      try {
        std::istringstream in(std::move(*payload_), std::ios::binary);
        StateLoader archive(in, begin_);
        state(static_cast<LoadArchive&>(archive));
        if (archive.left() != 0) throw std::runtime_error("it is too long");
      } catch (const CheckError&) {
        throw;  // Of RTL that does not go on as the models.
      } catch (const ConfigError&) {
        throw;  // That cannot be verilated.
      } catch (const std::exception& error) {
        refuse_state(error.what());
      }
    });
    payload_->clear();
  }
  /// Before `cycle`, which ends the run if `stops`: saves the state if that is due.
  template <class State>
  void before(std::uint64_t cycle, bool stops, State state) {
    if (!due(cycle, stops)) return;
    std::ostringstream out(std::ios::binary);
    StateSaver archive(out);
    state(static_cast<SaveArchive&>(archive));
    save(cycle, archive.take());
  }

  /// The first cycle after `cycle` before which the state is due, or `limit` if that is earlier.
  std::uint64_t next_due(std::uint64_t cycle, std::uint64_t limit) const {
    if (options_.checkpoint.empty() || options_.every == 0) return limit;
    return std::min(limit, (cycle / options_.every + 1) * options_.every);
  }

  /// For the result: where the run was resumed and saved last.
  std::vector<std::string> notes() const;

 private:
  // Work of all processes, which ends them all with the error of one.
  void in_all(const std::function<void()>& work) const;
  void read();
  void compare(const nlohmann::json& found) const;
  void compare_engines(const std::string& found, bool stepped) const;
  bool due(std::uint64_t cycle, bool stops) const {
    if (options_.checkpoint.empty()) return false;
    return stops || (options_.every != 0 && cycle != begin_ && cycle % options_.every == 0);
  }
  void save(std::uint64_t cycle, SavedState own);
  void write(std::uint64_t cycle, const std::string& state);
  [[noreturn]] void refuse(const std::string& why, const std::string& expected) const;
  [[noreturn]] void refuse_state(const std::string& why) const;

  const RunOptions& options_;
  const std::shared_ptr<const nlohmann::json> about_;  // What tells of which run a checkpoint is.
  std::string stepped_;
  Sharing shares_;
  std::uint64_t cut_ = 0, found_cut_ = 0;
  std::uint64_t begin_ = 0;             // Cycle of the file that is resumed,
  std::string engine_;                  // and the engine that wrote it.
  std::optional<std::string> payload_;  // Its state; empty once it is loaded.
  std::optional<std::uint64_t> saved_;  // Cycle of the last one that was written.
};

/// Checkpoint::before of a run that may have none.
template <class State>
void save_if_due(const EngineInputs& run, std::uint64_t cycle, bool stops, const State& state) {
  if (run.checkpoint != nullptr) run.checkpoint->before(cycle, stops, state);
}

}  // namespace weft
