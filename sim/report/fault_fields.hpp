// Fields of a result for faults and protected links.
#pragma once

#include "sim/report/fields.hpp"
#include "sim/run/result.hpp"

namespace weft {

const Fields<FaultResult>& fault_fields();
/// Fields of what was sent again.
const Fields<Resends>& resend_fields();
const Fields<LinkCounts>& link_fields();

}  // namespace weft
