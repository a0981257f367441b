// The fields of a run's result: one entry in a table for each.
#pragma once

#include "sim/report/fields.hpp"
#include "sim/run/result.hpp"

namespace weft {

/// Figures of a run, in the order of the columns of a table of runs. result_json.cpp has the lists
/// (transfers, regions, notes) and the configuration.
const Fields<Result>& result_fields();
/// Fields of an element of `transfers`.
const Fields<TransferResult>& transfer_fields();
const Fields<ProgramValue>& value_fields();
const Fields<RegionResult>& region_fields();

/// Fields of the reasons why links idled, parts of those of a run: links between routers, by cause.
/// The help of each is its text in a summary.
const Fields<LossSums>& link_cause_fields();
const Fields<LossSums>& ejection_fields();
const Fields<LossSums>& tail_fields();

}  // namespace weft
