// Wrong data at the end of a run: fields and words.
#pragma once

#include <string>

#include "sim/report/fields.hpp"
#include "sim/workload/wrong_data.hpp"

namespace weft {

const Fields<WrongData>& wrong_data_fields();

/// Lines for an error message, each after a line break: where the first is, and what wrote it last.
std::string wrong_data_in_words(const WrongData& wrong);

}  // namespace weft
