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

/// Virtual channels of a link that a kind's routing needs to be free of deadlock, from `topology`,
/// `link` and `router`, which have been read. Throws ConfigError if these are invalid.
using NeededVcs = unsigned (*)(const Config& config);

/// A kind of topology.
struct TopologyKind {
  std::string name;
  std::uint32_t facts = kCrossbars;  ///< kCrossbars or kRouters, and what a kind of routers has.
  KeyTable keys = {};                ///< Of `topology`, beside `kind`.
  NeededVcs vcs = nullptr;           ///< The default of `router.vcs` on routers; null: 2.
};

/// A pattern of synthetic traffic.
struct TrafficKind {
  std::string name;
  KeyTable keys = {};  ///< Of `workload` that it alone knows.
  /// Set for a pattern that itself determines when packets are generated and how long they are, so
  /// that it has no `rate` and no `packet_flits`: flits of the longest packet with its header, 1 to
  /// 256, for a workload whose keys are checked. Throws ConfigError.
  std::function<std::uint32_t(const JsonCursor& workload)> longest_packet = {};
};

/// Which of the settings that a picker may choose the configuration itself has.
struct Given {
  bool sync = false, gap = false;
};

/// A collective.
struct CollectiveKind {
  std::string name;
  std::uint32_t facts = kAllToAll;  ///< Its kind of workload, and its capabilities.
  bool reduces = false;             ///< In the interfaces.
  bool combines = false;            ///< By the combining tree.
  bool barriers = false;            ///< Whatever `sync` says; of a barrier: by barrier units.
  bool timed = false;               ///< Messages have starts.
  bool in_order = false;            ///< Value of `nic.in_order` "auto".
  /// Set for a picker, which stands for a kind of collective: the name of the one that suits
  /// network and length, whose settings it may choose too, if they are not given. Called when all
  /// keys are read.
  std::function<std::string(Config&, const Given&)> pick = {};
  /// Send controllers for `nic.controllers` "auto" on the network of a configuration, 1 or more.
  /// Throws ConfigError for a network that cannot be built.
  std::function<unsigned(const Config&)> controllers = {};
};

/// All that a configuration may name.
struct Registry {
  std::vector<TopologyKind> topologies;
  std::vector<TrafficKind> patterns;
  std::vector<CollectiveKind> collectives;
  NeededVcs failed_vcs =
      nullptr;  ///< As of a TopologyKind, where a part of the network has failed.
};

/// The entry of that name. Throws ConfigError naming all of them.
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
