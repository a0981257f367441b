// All-to-all for mesh and torus: A2AT of seed 004 (3.1, 3.2), which the paper gives for odd
// squares, here for any sizes in any number of dimensions.
//
// Messages are sent in groups that load all directions alike. An offset vector v holds the
// coordinates of the receiver relative to the sender, each in -k/2 .. k/2. The group of v is all
// +-r^t v, where r rotates the coordinates of the dimensions of equal size by one dimension. Over a
// group each of these dimensions carries the same number of hops, as many up as down. Within a
// group the sign of the first coordinate that is not 0 alternates, so that two successive messages
// use opposite directions; a group on an axis uses all dimensions up, then all down. In odd squares
// this is the paper's order:
//   step 1, for i: (i,0) (0,i) (-i,0) (0,-i); (i,i) (-i,-i); (i,-i) (-i,i)
//   step 2, for i, for j < i: (i,j) (-j,-i) (j,i) (-i,-j); (i,-j) (-j,i) (j,-i) (-i,j)
//
// In general: shells are numbered s = 1 .. the greatest half size. Shell s extends to
// limit = s * half size / greatest half size in each dimension, so that where sizes differ the load
// of each dimension grows in proportion to its size. A vector of shell s is at the limit in a set M
// of dimensions (of those whose limit has grown) and below it in the others. Step 1 sends the
// vectors whose other coordinates are 0; step 2 the rest. Where sizes differ both steps are done
// for one shell after the other, in rectangles as a single step. In even sizes the offset k/2 has
// one sign, and the network selects the direction; shells and groups treat it like any other. With
// barriers, there is one between the shells of each step.
//
// Load: over a group the hops in a dimension are the sum of the coordinates of v in the dimensions
// of its size, half up and half down. Four messages of an odd square thus load every link by i + j
// (by i on the axes). All nodes send the same offsets, so that equally many messages pass every
// link of a direction. Over all messages each link of a dimension of size k carries
// nodes / k * (k * k / 4) / 2.
//
// Rings, squares and rectangles have loops of their own, which cost less for each message. These
// functions and the groups are not inlined, so that each can use all registers.
#include "sw/collectives/a2at_groups.h"

WEFT_COLLECTIVE_WITH(a2at, WEFT_ALL_TO_ALL, WEFT_CONTROLLERS_BY_LINKS,
                     "all-to-all in groups that load all directions alike (seed 004, A2AT)",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PARTS, .refuse = weft_refuse_wide);

/// Sends the shells of a square in the order of the groups, with fewer instructions per message.
static __attribute__((noinline)) void send_square(struct a2at* a) {
  const struct axis x = a->axis[0];
  const struct axis y = a->axis[1];
  const uint32_t shells = x.size / 2;
  const uint32_t x_own = part_up(&x, 0), y_own = part_up(&y, 0);
  for (uint32_t i = 1; i <= shells; ++i) {
    const uint32_t right = part_up(&x, i), left = part_down(&x, i);
    const uint32_t above = part_up(&y, i), beneath = part_down(&y, i);
    const int opposite = 2 * i == x.size;
    a->shell_ended = 1;
    begin_group(a);
    struct weft_all_to_all all = a->all;
    post(&all, right + y_own);
    post(&all, x_own + above);
    if (!opposite) {
      post(&all, left + y_own);
      post(&all, x_own + beneath);
    }
    post(&all, right + above);
    if (!opposite) {
      post(&all, left + beneath);
      post(&all, right + beneath);
      post(&all, left + above);
    }
    a->all = all;
  }
  for (uint32_t i = 2; i <= shells; ++i) {
    const uint32_t right = part_up(&x, i), left = part_down(&x, i);
    const uint32_t above = part_up(&y, i), beneath = part_down(&y, i);
    const int opposite = 2 * i == x.size;
    a->shell_ended = 1;
    begin_group(a);
    struct weft_all_to_all all = a->all;
    for (uint32_t j = 1; j < i; ++j) {
      const uint32_t right_j = part_up(&x, j), left_j = part_down(&x, j);
      const uint32_t above_j = part_up(&y, j), beneath_j = part_down(&y, j);
      post(&all, right + above_j);
      post(&all, left_j + beneath);
      post(&all, right_j + above);
      post(&all, left + beneath_j);
      if (!opposite) {
        post(&all, right + beneath_j);
        post(&all, left_j + above);
        post(&all, right_j + beneath);
        post(&all, left + above_j);
      }
    }
    a->all = all;
  }
}

/// Sends (i, j) with all signs; the arguments are its parts. The two parts of a coordinate that is
/// 0 or half of an even size are equal, and one message is enough.
static inline void send_signs_of(struct weft_all_to_all* all, uint32_t right, uint32_t left,
                                 uint32_t above, uint32_t beneath) {
  post(all, right + above);
  if (right != left && above != beneath) {
    post(all, left + beneath);
    post(all, right + beneath);
    post(all, left + above);
  } else if (right != left || above != beneath) {
    post(all, left + beneath);
  }
}

/// Sends the shells of a rectangle, alternating between the two sides of a shell. Without a
/// rotation r there is no reason for two steps, and a single step keeps the loads closer to
/// proportional to the sizes.
static __attribute__((noinline)) void send_rectangle(struct a2at* a) {
  const struct axis x = a->axis[0];
  const struct axis y = a->axis[1];
  const uint32_t x_half = x.size / 2, y_half = y.size / 2;
  const uint32_t shells = x_half > y_half ? x_half : y_half;
  uint32_t x_below = 0, y_below = 0;
  for (uint32_t s = 1; s <= shells; ++s) {
    const uint32_t i = s * x_half / shells, j = s * y_half / shells;
    const uint32_t right = part_up(&x, i), left = part_down(&x, i);
    const uint32_t above = part_up(&y, j), beneath = part_down(&y, j);
    a->shell_ended = 1;
    begin_group(a);
    struct weft_all_to_all all = a->all;
    for (uint32_t n = 0; n <= x_below || n <= y_below; ++n) {
      if (i != x_below && n <= y_below) {
        send_signs_of(&all, right, left, part_up(&y, n), part_down(&y, n));
      }
      if (j != y_below && n <= x_below) {
        send_signs_of(&all, part_up(&x, n), part_down(&x, n), above, beneath);
      }
    }
    if (i != x_below && j != y_below) {
      send_signs_of(&all, right, left, above, beneath);
    }
    a->all = all;
    x_below = i;
    y_below = j;
  }
}

static __attribute__((noinline)) void send_ring(struct a2at* a) {
  const struct axis x = a->axis[0];
  const int barriers = a->job->sync == WEFT_SYNC_BARRIER;
  struct weft_all_to_all all = a->all;
  for (uint32_t i = 1; i <= x.size / 2; ++i) {
    const uint32_t right = part_up(&x, i), left = part_down(&x, i);
    if (barriers && i > 1) {
      a->all = all;
      weft_phase_barrier(&a->all, a->job, a->sent);
      all = a->all;
    }
    post(&all, right);
    if (right != left) {
      post(&all, left);
    }
  }
  a->all = all;
}

static inline int drive(struct weft_part* part) {
  struct a2at a;
  a.job = weft_job();
  a.sent = part;
  a.all = weft_begin(a.job, part);
  describe_axes(&a);
  do {
    if (a.dims == 1) {
      send_ring(&a);
    } else if (a.dims == 2 && a.axis[0].size == a.axis[1].size) {
      send_square(&a);
    } else if (a.dims == 2) {
      send_rectangle(&a);
    } else {
      send_groups(&a);
    }
  } while (weft_next_part(&a.all, a.job, part));
  return weft_end(&a.all);
}

WEFT_MAIN_IN_PARTS(drive)
