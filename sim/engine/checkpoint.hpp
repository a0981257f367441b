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

/// Hash of the contents of each file that a configuration names.
nlohmann::json hashes_of_inputs(const RunOptions& options);
/// Partition of the network for a run that starts at cycle 0.
Sharing shares_of(const RunOptions& options);
/// Throws ConfigError if the run cannot be saved or resumed as its options say.
void check_checkpoint(const Config& config, const RunOptions& options);

/// Saves or loads an endpoint of a run. Native processors have no state to save.
void archive_endpoint(SaveArchive& archive, Endpoints& endpoints, std::uint32_t n);
void archive_endpoint(LoadArchive& archive, Endpoints& endpoints, std::uint32_t n);

/// The checkpoint that a run resumes, and those that it writes. A State is a function of a cycle
/// loop that passes all that changes to its argument, a SaveArchive or LoadArchive. Where processes
/// share the network, each reads the file and loads its share; process 0 writes one file for all,
/// the same as a single process would.
class Checkpoint {
 public:
  /// Reads the file of `options.resume`, if there is one. Throws ConfigError where it cannot be
  /// read, is damaged, or is one of another run. Both arguments must outlive it. Where processes
  /// share the network, all processes call each function of a Checkpoint together.
  Checkpoint(const Config& config, const RunOptions& options);

  /// First cycle of the run: that of the resumed checkpoint, or 0.
  std::uint64_t begin() const { return begin_; }
  /// Why the resumed run has stepped every flit (EngineInputs); empty: packets moved as spans.
  const std::string& stepped() const { return stepped_; }
  /// Says why this run steps every flit; empty: packets move as spans. Throws ConfigError if the
  /// resumed run did it the other way.
  void set_stepped(const std::string& why);
  /// Partition of the network where packets move as spans: that of the resumed run, if there is
  /// one.
  Sharing shares() const { return shares_; }
  /// Sets the hash of this run's division (Division::hash). `load` requires that of the resumed
  /// run.
  void set_cut(std::uint64_t cut) { cut_ = cut; }
  /// Starts at cycle 0 in place of the resumed checkpoint.
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
        throw;  // From RTL that does not continue as the models do.
      } catch (const ConfigError&) {
        throw;  // From RTL that cannot be verilated.
      } catch (const std::exception& error) {
        refuse_state(error.what());
      }
    });
    payload_->clear();
  }
  /// Saves the state before `cycle` if that is due. `stops`: the run ends before `cycle`.
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

  /// Notes for the result: where the run was resumed and saved last.
  std::vector<std::string> notes() const;

 private:
  // Does `work` in all processes; an error of one ends them all.
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
  const std::shared_ptr<const nlohmann::json> about_;  // Identifies the run in its checkpoints.
  std::string stepped_;
  Sharing shares_;
  std::uint64_t cut_ = 0, found_cut_ = 0;
  std::uint64_t begin_ = 0;             // Cycle of the resumed checkpoint.
  std::string engine_;                  // Engine that wrote the resumed checkpoint.
  std::optional<std::string> payload_;  // State in the resumed checkpoint; empty once it is loaded.
  std::optional<std::uint64_t> saved_;  // Cycle of the last checkpoint written.
};

/// Calls Checkpoint::before if the run has a Checkpoint.
template <class State>
void save_if_due(const EngineInputs& run, std::uint64_t cycle, bool stops, const State& state) {
  if (run.checkpoint != nullptr) run.checkpoint->before(cycle, stops, state);
}

}  // namespace weft
