// The topologies, traffic patterns and collectives that a configuration may name, as the reader of
// configurations needs them. sim/workload/registry.hpp builds the registry and passes it in.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/config/key.hpp"

namespace weft {

struct Config;

/// VCs of a link that a kind's routing needs to be free of deadlock, computed from `topology`,
/// `link` and `router`, which have been read. Throws ConfigError if these are invalid.
using NeededVcs = unsigned (*)(const Config& config);

/// A kind of topology.
struct TopologyKind {
  std::string name;
  std::uint32_t facts = kCrossbars;  ///< kCrossbars or kRouters, and properties of a kind of
                                     ///< routers.
  KeyTable keys = {};                ///< Keys of `topology` besides `kind`.
  NeededVcs vcs = nullptr;           ///< The default of `router.vcs` for routers; null: 2.
};

/// A pattern of synthetic traffic.
struct TrafficKind {
  std::string name;
  KeyTable keys = {};  ///< Keys of `workload` that only this pattern has.
  /// Set for a pattern that itself determines when packets are generated and how long they are, so
  /// that it has no `rate` and no `packet_flits`. Returns the flits of the longest packet with its
  /// header, 1 to 256, for a workload whose keys are checked. Throws ConfigError.
  std::function<std::uint32_t(const JsonCursor& workload)> longest_packet = {};
};

/// Which of the settings that a picker may choose are given in the configuration.
struct Given {
  bool sync = false, gap = false;
};

/// A collective.
struct CollectiveKind {
  std::string name;
  std::uint32_t facts = kAllToAll;  ///< Its kind of workload, and its properties.
  bool reduces = false;             ///< The interfaces reduce.
  bool combines = false;            ///< The combining tree reduces.
  bool barriers = false;            ///< Has barriers whatever `sync` says; a barrier: uses barrier
                                    ///< units.
  bool timed = false;               ///< Messages have start times.
  bool in_order = false;            ///< Value of `nic.in_order` "auto".
  /// Set for a picker, which stands for a kind of collective. Returns the name of the collective
  /// that suits network and length; may choose settings that are not given. Called when all keys
  /// are read.
  std::function<std::string(Config&, const Given&)> pick = {};
  /// Number of send controllers, 1 or more, for `nic.controllers` "auto" on the network of a
  /// configuration. Throws ConfigError for a network that cannot be built.
  std::function<unsigned(const Config&)> controllers = {};
};

/// All that a configuration may name.
struct Registry {
  std::vector<TopologyKind> topologies;
  std::vector<TrafficKind> patterns;
  std::vector<CollectiveKind> collectives;
  NeededVcs failed_vcs = nullptr;  ///< As TopologyKind::vcs, if a part of the network has failed.
};

/// The entry with a name. Throws ConfigError naming all entries.
template <class Kind>
const Kind& find_kind(const std::vector<Kind>& kinds, const JsonCursor& name) {
  std::string known;
  for (const Kind& kind : kinds) {
    if (name.value() == kind.name) return kind;
    known += (known.empty() ? "" : ", ") + kind.name;
  }
  name.refuse(known);
}

}  // namespace weft
