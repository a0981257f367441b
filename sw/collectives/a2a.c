// All-to-all in rank order: A2A, the direct method that seed 004 (2.1, 2.2) compares with.
// With barriers, there is one after each dims[0] messages.
#include "sw/include/weft_all_to_all.h"

WEFT_COLLECTIVE_WITH(
    a2a, WEFT_ALL_TO_ALL, WEFT_CONTROLLERS_1,
    "all-to-all in rank order: node me sends to me + 1, me + 2, ... (seed 004, A2A)", .buffers = 1,
    .cuts_blocks = WEFT_CUTS_PARTS);

static inline int drive(struct weft_part* part) {
  const struct weft_job* job = weft_job();
  const uint32_t others = job->nodes - 1;
  struct weft_all_to_all all = weft_begin(job, part);
  do {
    // The address counts up with the rank, digit by digit; left[d]: ranks until digit d wraps.
    uint32_t left[WEFT_MAX_DIMS];
    uint32_t digits = job->rank;
    for (uint32_t d = 0; d < job->dim_count; ++d) {
      left[d] = job->dims[d] - digits % job->dims[d];
      digits /= job->dims[d];
    }
    uint32_t left0 = left[0];
    uint32_t address = weft_address_in(weft_job(), job->rank);
    uint32_t local = all.send_base + job->rank * all.block;
    uint32_t phase = job->sync == WEFT_SYNC_BARRIER ? job->dims[0] : UINT32_MAX;
    for (uint32_t i = 0; i < others; ++i) {
      if (i == phase) {
        weft_phase_barrier(&all, job, part);
        phase += job->dims[0];
      }
      ++address;
      local += all.block;
      if (--left0 == 0) {
        uint32_t shift = 0;
        left[0] = 0;
        for (uint32_t d = 0; left[d] == 0;) {
          left[d] = job->dims[d];
          address -= job->dims[d] << shift;
          shift += job->dim_bits[d];
          if (++d == job->dim_count) {
            local = all.send_base;
            break;
          }
          address += 1U << shift;
          --left[d];
        }
        left0 = job->dims[0];
      }
      weft_post_block(&all, address, local);
    }
  } while (weft_next_part(&all, job, part));
  return weft_end(&all);
}

WEFT_MAIN_IN_PARTS(drive)
