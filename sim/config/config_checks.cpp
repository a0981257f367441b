// Settings that exclude each other.
#include "sim/config/config_checks.hpp"

#include <fmt/format.h>

#include <string>

#include "sim/config/config_keys.hpp"
#include "sim/config/fault_keys.hpp"

namespace weft {
namespace {

// Checks that buffers can hold whole packets if the switching mode needs that.
void check_switching(const Config& config) {
  const unsigned packet = config.nic.packet_flits + 1;
  const Switching mode = config.router.switching;
  // A stored packet leaves after its last flit arrives, while the next packet arrives; two more
  // slots keep the link busy between them.
  const unsigned least = mode == Switching::kCutThrough     ? packet
                         : mode == Switching::kStoreForward ? packet + 2
                                                            : 1;
  if (config.router.vc_depth >= least) return;
  config.source.refuse("/router/vc_depth", config.router.vc_depth,
                       fmt::format("{} or more with switching {} and packets of {} flits (header "
                                   "included)",
                                   least, word_of(mode), packet));
}

// Datelines partition the VCs that any packet may take.
void check_dateline(const Config& config) {
  const DatelineRule dateline = config.router.dateline;
  if (dateline == RouterConfig{}.dateline || !config.router.per_destination()) return;
  config.source.refuse("/router/dateline", dateline,
                       fmt::format("\"{}\" with vcs \"per_destination\", where a packet has the VC "
                                   "of its destination",
                                   word_of(RouterConfig{}.dateline)));
}

// The oldest packet goes first, whosever it is.
void check_own_after(const Config& config) {
  const RouterConfig& router = config.router;
  if (router.own_after == RouterConfig{}.own_after || router.arbiter != Arbitration::kAge) return;
  config.source.refuse("/router/own_after", router.own_after,
                       fmt::format("{} with arbiter \"age\", by which the oldest packet goes "
                                   "first, whosever it is",
                                   RouterConfig{}.own_after));
}

// Each of two classes of packets has half of the VCs.
void check_classes(const Config& config) {
  const RouterConfig& router = config.router;
  if (router.vc_classes() == 1) return;
  const std::string reason = router.by_algorithm()
                                 ? fmt::format("with routing \"{}\"", word_of(router.routing))
                                 : "with message_classes 2";
  if (router.per_destination()) {
    config.source.refuse(
        "/router/vcs", "per_destination",
        fmt::format("a number {}, which divides the VCs into two classes", reason));
  }
  if (router.vcs % 2 != 0 || router.vcs > kNumberedVcs) {
    config.source.refuse("/router/vcs", router.vcs,
                         fmt::format("2, 4, 6 or 8 {}: {}", reason,
                                     router.routing == RoutingChoice::kMinimalAdaptive
                                         ? "half of the VCs are those of the escape ways"
                                         : "each of two classes of packets has half of the VCs"));
  }
  if (router.message_classes == 1) return;
  if (router.by_algorithm()) {
    config.source.refuse("/router/message_classes", router.message_classes,
                         fmt::format("1 {}, which has classes of its own", reason));
  }
  const WorkloadConfig& work = config.workload;
  const auto replies = [](const WorkloadConfig& w) { return w.reply_flits != 0; };
  if (config.has_work() && work.program.empty() && !replies(work) &&
      std::ranges::none_of(work.regions, replies)) {
    config.source.refuse("/router/message_classes", router.message_classes,
                         "1 without replies (workload.reply_flits) or a program of your own, whose "
                         "messages with odd tags are a class: all packets are of class 0");
  }
}

// Algorithms ask route units for the rest of the route at each router.
void check_routing(const Config& config) {
  const RouterConfig& router = config.router;
  if (!router.by_algorithm()) return;
  if (router.dateline != RouterConfig{}.dateline) {
    config.source.refuse("/router/dateline", router.dateline,
                         fmt::format("\"{}\" with routing \"{}\", which asks for the rest of a "
                                     "way at each router",
                                     word_of(RouterConfig{}.dateline), word_of(router.routing)));
  }
  if (router.pipeline == 3 && router.routing == RoutingChoice::kMinimalAdaptive) {
    config.source.refuse(
        "/router/pipeline", router.pipeline,
        "1 or 2 with routing \"minimal_adaptive\", which selects the out-port in the "
        "cycle in which a flit moves");
  }
  if (config.nic.in_order.value_or(false)) {
    config.source.refuse("/nic/in_order", true,
                         fmt::format("false with routing \"{}\", where packets overtake each other",
                                     word_of(router.routing)));
  }
}

// With a VC per destination, VC 0 is that of one destination, and rings have no datelines.
void check_order(const Config& config) {
  if (!config.nic.in_order.value_or(false) || !config.router.per_destination()) return;
  config.source.refuse("/nic/in_order", true,
                       "false with vcs \"per_destination\", where a packet has the VC of its "
                       "destination");
}

// Checks what can be judged of a fault without the network, which judges its link and its bit
// (sim/engine/faults.hpp).
void check_faults(const Config& config) {
  for (std::size_t i = 0; i < config.faults.size(); ++i) {
    const Fault& fault = config.faults[i];
    const auto refuse = [&](const char* key, const ShownValue& value, const std::string& expected) {
      config.source.refuse(fmt::format("/faults/{}{}", i, key), value, expected);
    };
    const bool by_node = fault.node != Fault::kNoNode;
    if (fault.link.empty() && !by_node) {
      throw config.source.missing(fmt::format("/faults/{}/link", i),
                                  "the name of a link, or node, the rank of an interface");
    }
    if (!fault.link.empty() && by_node) refuse("/node", fault.node, "no node beside link");
    if (fault.port != 0 && !by_node) refuse("/port", fault.port, "0 without node");
    const bool random = fault.rate != 0;
    if (!random && fault.field == FaultField::kAny) {
      refuse("/field", "any", "a field of its own without rate");
    }
    if (!random && fault.burst != 0) refuse("/burst", fault.burst, "0 without rate");
    if (random && fault.bit != 0) refuse("/bit", fault.bit, "0 with rate, which draws the bit");
    if (random && fault.effect != FaultEffect::kInvert) {
      refuse("/effect", fault.effect, "\"invert\" with rate");
    }
  }
}

// Checks what is kept and sent again.
void check_reliable(const Config& config) {
  const NicConfig& nic = config.nic;
  const NicConfig initial;
  const auto refuse = [&](const char* key, const ShownValue& value, const std::string& expected) {
    config.source.refuse(std::string("/nic/") + key, value, expected);
  };
  if (!nic.reliable) {
    if (nic.outstanding != initial.outstanding) {
      refuse("outstanding", nic.outstanding,
             fmt::format("{} without nic.reliable", initial.outstanding));
    }
    if (nic.timeout != initial.timeout) {
      refuse("timeout", nic.timeout, fmt::format("{} without nic.reliable", initial.timeout));
    }
    return;
  }
  if (config.derived.timed) {
    refuse("reliable", true, "false with messages that have a start: what is sent again has none");
  }
}

// Windows are distinguished by their keys.
void check_windows(const Config& config) {
  if (config.derived.windows <= 1U << config.derived.key_bits) return;
  config.source.refuse("/workload/windows", config.derived.windows,
                       fmt::format("at most 2^key_bits, {}", 1U << config.derived.key_bits));
}

}  // namespace

void check_settings(const Config& config) {
  check_switching(config);
  check_dateline(config);
  check_own_after(config);
  check_classes(config);
  check_routing(config);
  check_order(config);
  check_faults(config);
  check_windows(config);
  check_reliable(config);
}

}  // namespace weft
