// Allreduce by rings dimension by dimension that use all links (bucket_steps.h).
#include "sw/collectives/bucket_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_bucket, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce on boards: rings in all dimensions and directions at once",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS, .boards = 1,
                     .reduced_by = WEFT_REDUCED_BY_BUCKET, .reduces = 1);

int weft_main(void) {
  return weft_in_turns(weft_bucket);
}
