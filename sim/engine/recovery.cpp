// Recovery of what a network has lost.
#include "sim/engine/recovery.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/error.hpp"

namespace weft {

Recovery::Recovery(const EngineInputs& run)
    : run_(run), quiet_(quiet_cycles(run.graph)), dead_(run.graph.links.size()) {}

void Recovery::Trouble::share(Processes& processes, const Graph& graph) {
  Parcel own;
  own.put(stuck);
  own.put(overdue);
  own.put(done);
  *this = {};
  for (Parcel& parcel : share_parcels(processes, own)) {
    std::vector<std::uint32_t> links;
    parcel.take(links);
    stuck.insert(stuck.end(), links.begin(), links.end());
    overdue |= parcel.take<bool>();
    done += parcel.take<std::uint64_t>();
  }
  // Sorted by out-port: the order in which one process finds them.
  const auto port = [&](std::uint32_t link) {
    return graph.blocks[graph.links[link].src_block].first_out + graph.links[link].src_port;
  };
  std::sort(stuck.begin(), stuck.end(),
            [&](std::uint32_t a, std::uint32_t b) { return port(a) < port(b); });
}

std::uint64_t Recovery::quiet_cycles(const Graph& graph) {
  std::uint64_t most = 0;
  for (const Link& link : graph.links) most = std::max(most, std::uint64_t{link.stages});
  return 64 + 4 * most;
}

bool Recovery::begins(std::uint64_t cycle, const Trouble& trouble) {
  const bool stuck = std::any_of(trouble.stuck.begin(), trouble.stuck.end(),
                                 [this](std::uint32_t link) { return !dead_[link]; });
  if (!stuck && !trouble.overdue) return false;
  restarts_.push_back({cycle, cycle, {}});
  stuck_ = trouble.stuck;
  return true;
}

void Recovery::give_up(std::uint64_t cycle, const Trouble& trouble) {
  Restart& restart = restarts_.back();
  // A link that was stuck is given up, even if something has crossed it since.
  stuck_.insert(stuck_.end(), trouble.stuck.begin(), trouble.stuck.end());
  for (const std::uint32_t link : stuck_) {
    if (dead_[link]) continue;
    dead_[link] = true;
    restart.dead.push_back(run_.graph.link_name(link));
    if (run_.graph.between_switches(run_.graph.links[link])) continue;
    throw NoProgressError(
        fmt::format("no progress: link {} is dead, and no way leads around a link of an interface",
                    restart.dead.back()));
  }
  if (!restart.dead.empty()) rewire();
  in_vain_ = restart.dead.empty() && trouble.done == done_ ? in_vain_ + 1 : 0;
  done_ = trouble.done;
  if (in_vain_ < kMostInVain) return;
  throw NoProgressError(fmt::format(
      "no progress: packets were sent again {} times up to cycle {}, and none of them was kept: "
      "what an interface refuses is refused again, what a link loses may be lost again",
      kMostInVain, cycle));
}

bool Recovery::find_ways(bool but_last) {
  const std::vector<bool> dead = dead_;
  if (but_last) {
    const std::vector<std::string>& last = restarts_.back().dead;
    for (std::uint32_t l = 0; l < dead_.size(); ++l) {
      if (!dead_[l]) continue;
      dead_[l] = std::find(last.begin(), last.end(), run_.graph.link_name(l)) == last.end();
    }
  }
  const bool any = std::find(dead_.begin(), dead_.end(), true) != dead_.end();
  const std::vector<std::string> notes = notes_;
  if (any) rewire();
  dead_ = dead;
  notes_ = notes;  // The other notes were shown when the links died.
  return any;
}

// Computes the routes around all dead links and checks them as before cycle 0.
void Recovery::rewire() {
  const Graph& graph = run_.graph;
  const std::string dead =
      fmt::format("link {} is dead", fmt::join(restarts_.back().dead, ", link "));
  if (!graph.has_tables()) {
    throw NoProgressError(fmt::format("no progress: {}, and there is no other way", dead));
  }
  Config around = run_.config;
  for (std::uint32_t l = 0; l < dead_.size(); ++l) {
    if (dead_[l]) around.topology.failed.links.push_back(graph.link_name(l));
  }
  around.faults.clear();
  // Further nodes that are cut off are an error: they do not leave a collective, whose ranks stay.
  const Failures& before = graph.failures;
  if (before.left_out.empty()) around.workload.kind = 0;
  try {
    RouteChecks checks;  // Only for this network.
    network_ = check_network(around, checks);
  } catch (const ConfigError& error) {
    throw NoProgressError(fmt::format("no progress: {}: {}", dead, error.what()));
  }
  const Failures& failures = network_->graph.failures;
  if (failures.cut_pairs != before.cut_pairs || failures.left_out != before.left_out) {
    throw NoProgressError(
        fmt::format("no progress: {}: cut off are {}", dead, cut_in_words(failures)));
  }
  // The routers keep all but their tables.
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    RouterTileConfig was = graph.router_config(b);
    std::uint32_t& sets = network_->graph.router_shapes[network_->graph.blocks[b].shape].sets;
    const bool fits = (sets & ~was.sets) == 0;
    sets = was.sets;
    RouterTileConfig now = network_->graph.router_config(b);
    was.route.tables = now.route.tables;
    if (fits && now == was) continue;
    throw NoProgressError(
        fmt::format("no progress: {}, and ways around it need routers of another form", dead));
  }
  notes_.push_back(fmt::format("{}: {}; {}", dead, network_->routes, network_->verified));
}

template <class Archive>
void Recovery::archive_state(Archive& archive, const Rewired& rewired) {
  archive(phase_, last_move_, done_, in_vain_);
  archive.any_size(stuck_);
  archive(dead_);
  archive.any_size(restarts_);
  archive.any_size(notes_);
  const bool none = std::find(dead_.begin(), dead_.end(), true) == dead_.end();
  for (const std::uint32_t link : stuck_) archive.require(link < dead_.size());
  archive.require(!restarts_.empty() || (none && phase_ == Phase::kNormal));
  if constexpr (Archive::is_loading::value) {
    // The links of a restart that is under way are dead, but packets still take the old routes.
    const bool restarts = phase_ == Phase::kRestarts;
    if (find_ways(restarts)) rewired(network());
    if (restarts) find_ways(false);
  }
}

void Recovery::serialize(SaveArchive& archive, const Rewired& rewired) {
  archive_state(archive, rewired);
}
void Recovery::serialize(LoadArchive& archive, const Rewired& rewired) {
  archive_state(archive, rewired);
}

}  // namespace weft
