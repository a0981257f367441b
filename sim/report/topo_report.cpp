// Static figures of a network as JSON and as the summary that `weft topo` prints.
#include "sim/report/topo_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/fabric/unit_tree.hpp"
#include "sim/report/text.hpp"
#include "sim/topology/topology.hpp"

namespace weft {
namespace {

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

template <class T>
std::optional<T> if_failed(const TopoFigures& figures, T value) {
  return figures.failures.any ? std::optional(value) : std::nullopt;
}

const Fields<TopoFigures>& figure_fields() {
  using F = TopoFigures;
  static const Fields<F> fields = {
      {"/nodes", "nodes", "in all", &F::nodes},
      {"/degree_in", "links", "into a node, the most", &F::degree_in},
      {"/degree_out", "links", "out of a node, the most", &F::degree_out},
      {"/diameter", "distance_unit", "largest distance by the routing", &F::diameter},
      {"/mean_distance", "distance_unit", "by the routing", &F::mean_distance},
      {"/mean_distance_shortest", "distance_unit", "by the shortest paths",
       &F::mean_distance_shortest},
      {"/distance_unit", "", "what distances count", &F::distance_unit},
      {"/links", "links", "one direction each", &F::links},
      {"/bisection", "links", "across the cut", [](const F& f) { return f.bisection.links; }},
      {"/bisection_cut", "", "where it is", [](const F& f) { return f.bisection.cut; }},
      {"/crosspoints",
       "crosspoints",
       "of crossbars (seed 002)",
       &F::crosspoints,
       {},
       Unknown::kLeftOut},
      {"/vcs_needed", "VCs", "for freedom from deadlock", &F::vcs_needed},
      {"/deadlock_free", "", "with the VCs there are", &F::deadlock_free},
      {"/cycle",
       "",
       "of channel dependencies",
       [](const F& f) { return unless_empty(f.cycle); },
       {},
       Unknown::kLeftOut},
      {"/dead_links",
       "links",
       "that have failed, one direction each",
       [](const F& f) { return if_failed(f, f.failures.links); },
       {},
       Unknown::kLeftOut},
      {"/dead_routers",
       "routers",
       "that have failed",
       [](const F& f) { return if_failed(f, f.failures.routers); },
       {},
       Unknown::kLeftOut},
      {"/dead_nodes",
       "nodes",
       "whose router has failed",
       [](const F& f) { return if_failed(f, f.failures.dead_nodes); },
       {},
       Unknown::kLeftOut},
      {"/pairs_cut_off",
       "pairs",
       "of different nodes, ordered",
       [](const F& f) { return if_failed(f, f.failures.cut_pairs); },
       {},
       Unknown::kLeftOut},
      {"/routes_around",
       "",
       "how packets go where a part has failed",
       [](const F& f) { return unless_empty(f.failures.any ? f.failures.routing : ""); },
       {},
       Unknown::kLeftOut},
      {"/routing_note",
       "",
       "why packets do not go by the ways that routing \"auto\" prefers",
       [](const F& f) { return unless_empty(f.routing_note); },
       {},
       Unknown::kLeftOut},
      {"/pairs", "pairs", "of nodes looked at", &F::pairs},
      {"/sampled", "", "not all pairs there are", &F::sampled},
      {"/exact_by",
       "",
       "what was looked at, and why that is enough",
       [](const F& f) { return unless_empty(f.exact_by); },
       {},
       Unknown::kLeftOut},
  };
  return fields;
}

const Fields<PaperFigures>& paper_fields() {
  using P = PaperFigures;
  constexpr auto kLeftOut = Unknown::kLeftOut;
  static const Fields<P> fields = {
      {"/diameter", "distance_unit", "by a formula of seed 001", &P::diameter, {}, kLeftOut},
      {"/diameter_formula",
       "",
       "which one",
       [](const P& p) { return p.diameter ? std::optional(p.diameter_formula) : std::nullopt; },
       {},
       kLeftOut},
      {"/mean_distance",
       "distance_unit",
       "by a formula of seed 001",
       &P::mean_distance,
       {},
       kLeftOut},
      {"/formula",
       "",
       "which one",
       [](const P& p) { return p.mean_distance ? std::optional(p.formula) : std::nullopt; },
       {},
       kLeftOut},
      {"/table1",
       "distance_unit",
       "mean distance as table 1 of seed 001 has it",
       &P::table1,
       {},
       kLeftOut},
      {"/note",
       "",
       "where and why these are not exact",
       [](const P& p) { return unless_empty(p.note); },
       {},
       kLeftOut},
  };
  return fields;
}

// Which routes the distances of pairs are those of.
const char* way_in_words(Routing routing) {
  switch (routing) {
    case Routing::kValiant:
      return "direct ways, of which each packet takes two";
    case Routing::kUgal:
      return "direct ways, of which a packet takes one or two";
    default:
      return "the routing";
  }
}

std::string vcs_in_words(const Config& config, const TopoFigures& figures) {
  if (config.router.per_destination()) {
    return fmt::format("{}, one for each destination, as links have", figures.vcs_needed);
  }
  if (figures.vcs_needed == 0) return fmt::format("more than {}", kMaxVcs);
  return fmt::format("{} for freedom from deadlock; links have {}", figures.vcs_needed,
                     config.router.vcs);
}

// The paper's figures, and the exact ones if they differ.
std::string paper_text(const PaperFigures& paper, const TopoFigures& figures) {
  std::string text;
  const auto add = [&](const std::string& words, double value, double exact) {
    // Table 1 has two decimals.
    const bool same = std::abs(value - exact) < 0.005;
    text += fmt::format("{}{}, {}", text.empty() ? "" : "; ", words,
                        same ? "as counted" : fmt::format("counted {:.6g}", exact));
  };
  if (paper.diameter) {
    add(fmt::format("diameter {:.6g} by {}", *paper.diameter, paper.diameter_formula),
        *paper.diameter, figures.diameter);
  }
  if (paper.mean_distance) {
    add(fmt::format("mean distance {:.6g} by {}", *paper.mean_distance, paper.formula),
        *paper.mean_distance, figures.mean_distance);
  }
  if (paper.table1)
    add(fmt::format("table 1 {:.2f}", *paper.table1), *paper.table1, figures.mean_distance);
  const std::string note = paper.note.empty() ? "" : summary_line("", paper.note);
  return summary_line("seed 001", text) + note;
}

const Fields<TreeFigures>& tree_fields() {
  static const Fields<TreeFigures> fields = {
      {"/depth",
       "cycles",
       "from the root to the deepest unit",
       &TreeFigures::depth,
       {},
       Unknown::kLeftOut},
      {"/wires",
       "wires",
       "beside links, one for each link that it lies beside",
       &TreeFigures::wires,
       {},
       Unknown::kLeftOut},
  };
  return fields;
}

std::string tree_in_words(const TreeFigures& tree, bool routers) {
  return fmt::format("{} cycle{} deep, {} wires of a link's length, not counting those within a {}",
                     tree.depth, tree.depth == 1 ? "" : "s", tree.wires,
                     routers ? "router" : "crossbar");
}

}  // namespace

void TopoReport::add_trees() {
  const bool barriers = config.barrier == BarrierKind::kHardware,
             combines = config.combining == Combining::kTree;
  // No tree connects nodes that are cut off; a run leaves them out.
  if ((!barriers && !combines) || !graph.failures.component.empty()) return;
  const UnitTree tree(graph);
  // Up and down: for a barrier a pulse; for combining a word, whether there is one, on the way up
  // also whether anyone has contributed, and back the credit.
  if (barriers) barrier_tree = {tree.depth(), 2 * tree.links()};
  if (combines) combining_tree = {tree.depth(), (2 * graph.header.data_w + 4) * tree.links()};
}

const Fields<TopoReport>& topo_fields() {
  static const Fields<TopoReport> fields = [] {
    Fields<TopoReport> all;
    add_part(all, "", figure_fields(), [](const TopoReport& report) { return &report.figures; });
    add_part(all, "/paper", paper_fields(), [](const TopoReport& report) {
      return report.paper.empty() ? nullptr : &report.paper;
    });
    const auto add_tree = [&all](const char* at, std::optional<TreeFigures> TopoReport::*tree) {
      add_part(all, at, tree_fields(), [tree](const TopoReport& report) {
        return report.*tree ? &*(report.*tree) : nullptr;
      });
    };
    add_tree("/barrier_tree", &TopoReport::barrier_tree);
    add_tree("/combining_tree", &TopoReport::combining_tree);
    return all;
  }();
  return fields;
}

nlohmann::json to_json(const TopoReport& report) {
  nlohmann::json object = {{"topology", to_json(report.config.topology)}};
  put(object, topo_fields(), report);
  return object;
}

std::string topo_text(const TopoReport& report) {
  const auto& [config, graph, figures, paper, barrier_tree, combining_tree] = report;
  const bool routers = graph.has_routers();
  std::string text;
  const auto line = [&](const char* label, const std::string& value) {
    text += summary_line(label, value);
  };
  line("network", to_json(config.topology).dump());
  line("nodes", fmt::format("{}", figures.nodes));
  line("degree", fmt::format("{} in, {} out (links of a {})", figures.degree_in, figures.degree_out,
                             graph.staged ? "switch, at most"
                             : routers    ? "router to other routers, at most"
                                          : "node"));
  line("diameter", fmt::format("{} {}", figures.diameter, figures.distance_unit));
  line("mean distance",
       fmt::format("{:.6g} by {}, {:.6g} by the shortest paths; a node to itself{} counts",
                   figures.mean_distance, way_in_words(graph.routing()),
                   figures.mean_distance_shortest, graph.staged ? "" : " (0)"));
  if (!paper.empty()) text += paper_text(paper, figures);
  line("links", links_in_words(graph));
  line("bisection",
       fmt::format("{} links across {}{}", figures.bisection.links, figures.bisection.cut,
                   figures.bisection.halves ? "; other halves may have fewer" : ""));
  if (figures.crosspoints) line("crosspoints", fmt::format("{}", *figures.crosspoints));
  if (barrier_tree) line("barrier tree", tree_in_words(*barrier_tree, routers));
  if (combining_tree) line("combining tree", tree_in_words(*combining_tree, routers));
  if (routers) line("VCs needed", vcs_in_words(config, figures));
  line("deadlock-free", figures.deadlock_free ? "yes" : fmt::format("no: {}", figures.cycle));
  if (const Failures& failures = figures.failures; failures.any) {
    line("failed", fmt::format("{} of {} links, {} of {} routers, with {} nodes", failures.links,
                               failures.of_links, failures.routers, failures.of_routers,
                               failures.dead_nodes));
    line("cut off", failures.cut_pairs == 0 ? "no node" : cut_in_words(failures));
    line("routes", failures.routing);
  }
  if (!figures.routing_note.empty()) line("routes", figures.routing_note);
  line("looked at",
       fmt::format("{} pairs of nodes {}", figures.pairs,
                   figures.sampled ? "(sampled)" : "(all there are, by " + figures.exact_by + ")"));
  return text;
}

}  // namespace weft
