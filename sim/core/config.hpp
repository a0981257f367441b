// The configuration of a run: one description of network, interfaces, processors and work.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// `link`: the wires between blocks.
struct LinkConfig {
  unsigned width_bits = 64;           ///< Data bits of a flit.
  bool parity = false;                ///< One parity bit beside the data (seed 002 [0034]).
  std::string flow_control = "full";  ///< "full": Buffer-Full of seed 002.
};

/// `router`: buffers of the switching blocks.
struct RouterConfig {
  unsigned vc_depth = 8;      ///< Input buffer (transfer buffer 41 of seed 002), flits.
  unsigned output_depth = 4;  ///< Output buffer (22 of seed 002), flits.
};

/// `nic`: the network interfaces.
struct NicConfig {
  unsigned controllers = 1;     ///< Send controllers, 1 to 4 (resolved from "auto").
  unsigned gap = 0;             ///< Silence after each packet, packet times.
  unsigned packet_flits = 128;  ///< Largest packet body, flits, 1 to 255.
  unsigned queue_depth = 8;     ///< Descriptor queue, descriptors.
};

/// One message of `workload.transfers`, posted straight to a network interface without a driver.
struct Transfer {
  std::uint32_t from = 0, to = 0;  ///< Ranks.
  std::uint32_t flits = 0;         ///< Body length.
  std::uint64_t start = 0;         ///< Cycle in which the descriptor is posted, or later.
  std::uint32_t gap = 0;           ///< Silence after each packet, packet times.
};

/// `workload`: a collective, or a list of transfers.
struct WorkloadConfig {
  std::string collective;            ///< Name, empty for transfers.
  std::uint32_t message_flits = 16;  ///< Body length of a collective's messages, 1 or more.
  std::string sync = "none";         ///< "none" or "local".
  std::string program;  ///< RISC-V program instead of the collective's own; empty: own.
  std::vector<Transfer> transfers;
};

/// A parity fault put on the wire that enters a node: one bit of the first flit at or after
/// `cycle`.
struct Fault {
  std::uint32_t node = 0;  ///< Rank.
  std::uint64_t cycle = 0;
  unsigned bit = 0;  ///< 0 to 63 of the data; 64, with `link.parity`: the parity bit.
};

/// Everything that a run depends on. `topology` is read by the topology of that kind, which knows
/// what it takes; config.cpp checks only that there is a kind.
struct Config {
  nlohmann::json topology;  ///< `kind` and that kind's own parameters.
  LinkConfig link;
  RouterConfig router;
  NicConfig nic;
  std::string processor = "rv32";  ///< "rv32" or "native".
  WorkloadConfig workload;
  std::vector<Fault> faults;
  std::uint64_t seed = 1;            ///< Of every random stream of the run.
  std::uint64_t max_cycles = 0;      ///< End of the run at this cycle; 0: no such end.
  std::uint64_t watchdog = 1000000;  ///< Cycles without any flit or exit after which a run fails.
  std::string source = "configuration";  ///< Where it came from, for messages; no part of the run.

  /// Whether there is anything to run; `weft topo` and `weft emit` need no work.
  bool has_work() const { return !workload.collective.empty() || !workload.transfers.empty(); }
};

/// Reads FILE, applies `sets` ("path=value": keys and list indices joined by dots; the value JSON,
/// or else a string), checks every key and value and fills in the defaults. Throws ConfigError
/// naming file, JSON pointer, value and what is accepted.
Config load_config(const std::filesystem::path& file, const std::vector<std::string>& sets);

/// The same from a document already in memory; `name` stands for the file in messages.
Config parse_config(const nlohmann::json& document, const std::string& name);

/// The resolved configuration, every key with its value; parsing it gives `config` again.
nlohmann::json to_json(const Config& config);

}  // namespace weft
