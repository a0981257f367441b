// What the parts of a run of engine `model` keep between two cycles, for checkpoints.
#pragma once

#include "sim/engine/checkpoint.hpp"

namespace weft {

/// Saves or loads the trees, if there are any, what each thread of run_models.cpp has, and the
/// endpoints.
template <class Archive, class Barriers, class Combines, class Threads>
void archive_parts(Archive& archive, Barriers& barriers, Combines& combines, Threads& threads,
                   Endpoints& endpoints) {
  if (barriers) archive(*barriers);
  if (combines) archive(*combines);
  for (const auto& t : threads) {
    archive(t->powers, t->packets, t->network, t->nodes, t->sums, t->counters);
  }
  archive_endpoints(archive, endpoints);
}

}  // namespace weft
