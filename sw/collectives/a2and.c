// All-to-all by relative coordinates: A2AND of seed 004 (2.2). The first dimension is the outermost
// loop, each coordinate goes from 0 up and around; only the node itself is left out (the paper's
// condition "x and y not 0" would leave out a row and a column too). With barriers, there is one
// after each x.
#include "sw/include/weft_all_to_all.h"

WEFT_COLLECTIVE_WITH(a2and, WEFT_ALL_TO_ALL, WEFT_CONTROLLERS_1,
                     "all-to-all by relative coordinates, x outermost (seed 004, A2AND)",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PARTS);

/// Loop over the coordinates of one dimension.
struct axis {
  uint32_t size;
  uint32_t to_edge;  ///< Steps until the coordinate wraps to 0.
  uint32_t to_end;   ///< Steps until it has its first value again.
  uint32_t address;  ///< Increment of the network address per step.
  uint32_t local;    ///< Increment of the block's address per step, bytes.
};

/// One step along an axis. Returns whether the axis has been traversed.
static inline int step(struct axis* axis, uint32_t* address, uint32_t* local) {
  *address += axis->address;
  *local += axis->local;
  if (--axis->to_edge == 0) {
    axis->to_edge = axis->size;
    *address -= axis->size * axis->address;
    *local -= axis->size * axis->local;
  }
  if (--axis->to_end != 0) {
    return 0;
  }
  axis->to_end = axis->size;
  return 1;
}

static inline int drive(struct weft_part* part) {
  const struct weft_job* job = weft_job();
  struct weft_all_to_all all = weft_begin(job, part);
  // The loop needs at least two axes: with a single dimension, a second axis of size 1. With
  // barriers that is the inner one, so that the dimension itself is x.
  struct axis axes[WEFT_MAX_DIMS + 1];
  uint32_t count = 0, shift = 0, stride = all.block, digits = job->rank;
  if (job->dim_count == 1 && job->sync != WEFT_SYNC_BARRIER) {
    axes[count++] = (struct axis){1, 1, 1, 0, 0};
  }
  for (uint32_t d = 0; d < job->dim_count; ++d) {
    const uint32_t size = job->dims[d];
    axes[count++] = (struct axis){size, size - digits % size, size, 1U << shift, stride};
    digits /= size;
    stride *= size;
    shift += job->dim_bits[d];
  }
  if (count == 1) {
    axes[count++] = (struct axis){1, 1, 1, 0, 0};
  }
  const uint32_t own = weft_address_in(weft_job(), job->rank);
  uint32_t address = own;
  uint32_t local = job->send_base + job->rank * all.block;
  struct axis inner = axes[count - 1];
  for (;;) {
    do {
      if (address != own) {
        weft_post_block(&all, address, local);
      }
    } while (!step(&inner, &address, &local));
    uint32_t d = count - 2;
    while (step(&axes[d], &address, &local)) {
      if (d-- == 0) {
        if (weft_next_part(&all, job, part)) {
          local = all.send_base + job->rank * all.block;
          break;
        }
        return weft_end(&all);
      }
    }
    if (d == 0 && job->sync == WEFT_SYNC_BARRIER && weft_part_begun(&all, part)) {
      weft_phase_barrier(&all, job, part);
    }
  }
}

WEFT_MAIN_IN_PARTS(drive)
