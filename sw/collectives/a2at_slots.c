// All-to-all for odd square tori with four controllers in packet-time slots: all links of the torus
// are busy in every slot but the last few, so that the time is within a few percent of the bound
// k(k + 1)(k - 1)/8 packet times. It is correct on any network of two such dimensions, but loads
// links evenly on a torus only. A2AT (a2at.c) loads links as evenly over the whole run, but not at
// every time, so its packets contend with each other.
//
// Time is counted in slots of one packet time. All nodes send the same offsets in the same slots,
// so that each direction has the same packets on all its links. Offsets are (x, y), h = (k - 1)/2.
// Stages n = 0 .. M with lengths v_n, 1 to h; stage n begins in slot t_n = v_0 + ... + v_(n-1).
// It sends (v_n, y) and (-v_n, -y) with |y| = v_(n+1): both x directions are busy for v_n slots,
// and the y leg takes just the slots of the next stage, while its own packets are on their x leg.
// The sequence v must contain each ordered pair (a, b) of successive lengths twice, once for y = b
// and once for y = -b. What remains is (+-v, 0) and (0, +-v). The last stage sends the first of
// these, (+-1, 0), and for each a > 1 one additional pair of successive lengths a, a sends
// (+-a, 0); the y directions, idle in the slots after it and in the first ones, carry (0, +-v_n).
//
// The sequence needs no table: it is the de Bruijn sequence of order two made of Lyndon words,
// 1, 12, 13, .. 1h, 2, 23, .. 2h, 3, .. h, backwards and twice round. For h = 3 it is 1, then twice
// 3 32 2 31 21 1. It runs backwards so that it ends with short routes: forwards the torus empties
// later. The additional pairs a, a are in the first round, after its word `a` alone.
//
// Pacing: messages are assigned to the four controllers in turn (WEFT_ROUND_ROBIN; the first idle
// controller might be another one, by a cycle or two), so that message m + 4 follows message m on
// the same controller. Its gap is the number of slots between: t(m + 4) - t(m) - 1. That is
// v_n + v_(n+1) - 1 for the pair of a stage, but v_n - 1 if the next stage sends four messages, and
// also v_n - 1 for the pair on the y axis, which is posted first. A message must be one packet.
#include "sw/include/weft_all_to_all.h"

static struct weft_refusal refuse(const struct weft_job* job) {
  const uint32_t size = job->dims[0];
  if (job->dim_count != 2 || job->dims[1] != size || size < 3 || size % 2 == 0) {
    return (struct weft_refusal){"dims", "two equal sizes, odd and 3 or more"};
  }
  if (job->controllers != 4) {
    return (struct weft_refusal){"controllers", "4"};
  }
  if (job->sync != WEFT_SYNC_NONE) {
    return (struct weft_refusal){"sync", "none: its slots keep the nodes in step"};
  }
  if (job->gap != 0) {
    return (struct weft_refusal){"gap", "none: its slots make the gaps"};
  }
  return (struct weft_refusal){NULL, NULL};
}

static inline struct weft_refusal refuse_before(const struct weft_job* job) {
  const struct weft_refusal refusal = refuse(job);
  return refusal.member != NULL ? refusal : weft_refuse_wide(job);
}

WEFT_COLLECTIVE_WITH(a2at_slots, WEFT_ALL_TO_ALL, WEFT_CONTROLLERS_4,
                     "all-to-all in packet-time slots, which keep every link of a torus busy: two "
                     "equal odd dimensions of any network, 4 controllers",
                     .buffers = 1, .refuse = refuse_before);

/// A dimension as the loops walk it. Receivers are held as address | rank << 16.
struct axis {
  uint32_t me;     ///< Contribution of this node's coordinate to the receiver.
  uint32_t first;  ///< Contribution of the walk's first coordinate, upwards.
  uint32_t last;   ///< Contribution of the walk's last coordinate.
  uint32_t unit;   ///< Contribution of each step.
};

/// Contributions of the coordinates v and -v to the receiver.
struct parts {
  uint32_t right;
  uint32_t left;
  uint32_t above;
  uint32_t beneath;
};

/// Contribution of the coordinates `steps` up and down; steps < size. Not for a reversed walk.
static inline uint32_t part_up(const struct axis* axis, uint32_t steps) {
  const uint32_t way = steps * axis->unit;
  const uint32_t part = axis->me + way;
  return axis->last - axis->me >= way ? part : part - axis->last - axis->unit;
}

static inline uint32_t part_down(const struct axis* axis, uint32_t steps) {
  const uint32_t way = steps * axis->unit;
  const uint32_t part = axis->me - way;
  return axis->me >= way ? part : part + axis->last + axis->unit;
}

/// One step further; up from the last is the first.
static inline uint32_t step_up(const struct axis* axis, uint32_t part) {
  return part == axis->last ? axis->first : part + axis->unit;
}

static inline uint32_t step_down(const struct axis* axis, uint32_t part) {
  return part == axis->first ? axis->last : part - axis->unit;
}

/// The parts of v - 1.
static inline struct parts shorter(const struct axis* x, const struct axis* y, struct parts p) {
  return (struct parts){step_down(x, p.right), step_up(x, p.left), step_down(y, p.above),
                        step_up(y, p.beneath)};
}

static inline void post(struct weft_all_to_all* all, uint32_t receiver) {
  while (weft_free() == 0) {
    weft_copy_or_sleep(&all->own);
  }
  weft_post(receiver & 0xFFFF, all->send_base + (receiver >> 16) * all->block);
}

/// Two messages to opposite offsets, with their gap.
static inline void post_pair(struct weft_all_to_all* all, uint32_t one, uint32_t other,
                             uint32_t gap) {
  weft_reg_write(WEFT_REG_TAG_GAP, gap << 8 | WEFT_ROUND_ROBIN);
  post(all, one);
  post(all, other);
}

int weft_main(void) {
  const struct weft_job* const job = weft_job();
  if (refuse(job).member != NULL) {
    return WEFT_UNSUPPORTED_JOB;
  }
  const uint32_t size = job->dims[0];
  struct weft_all_to_all all = weft_begin(job, NULL);
  const uint32_t half = size / 2;
  const uint32_t x_unit = 1U + (1U << 16);
  const uint32_t y_unit = (1U << job->dim_bits[0]) + (size << 16);
  const struct axis x = {job->rank % size * x_unit, 0, (size - 1) * x_unit, x_unit};
  struct axis y = {job->rank / size * y_unit, 0, (size - 1) * y_unit, y_unit};
  const struct parts shortest = {part_up(&x, 1), part_down(&x, 1), part_up(&y, 1),
                                 part_down(&y, 1)};
  // Computed after the first messages, which do not need it.
  post_pair(&all, x.me + shortest.above, x.me + shortest.beneath, 0);
  struct parts longest = {0, 0, part_up(&y, half), part_down(&y, half)};
  post_pair(&all, shortest.right + longest.above, shortest.left + longest.beneath, half);
  longest.right = part_up(&x, half);
  longest.left = part_down(&x, half);
  struct parts from = longest;  // The stage's length is a.
  uint32_t a = half;
  for (uint32_t second = 0;; ++second) {
    while (a > 1) {
      if (!second) {  // The additional successor.
        post_pair(&all, from.right + y.me, from.left + y.me, a - 1);
        post_pair(&all, x.me + from.above, x.me + from.beneath, a - 1);
      }
      const struct parts to = shorter(&x, &y, from);
      post_pair(&all, from.right + longest.above, from.left + longest.beneath, a + half - 1);
      --a;
      post_pair(&all, longest.right + to.above, longest.left + to.beneath, half + a - 1);
      from = to;
      struct parts other = longest;
      for (uint32_t b = half - 1; b > a; --b) {
        const uint32_t gap = a + b - 1;
        other = shorter(&x, &y, other);
        post_pair(&all, from.right + other.above, from.left + other.beneath, gap);
        post_pair(&all, other.right + from.above, other.left + from.beneath, gap);
      }
      // The last of these messages is followed by no fifth one.
      post_pair(&all, from.right + from.above, from.left + from.beneath,
                second && a == 1 ? 0 : 2 * a - 1);
    }
    if (second) {
      break;
    }
    // The second round, with y reversed, starting at length 1.
    y = (struct axis){y.me, y.last, y.first, -y.unit};
    longest = (struct parts){longest.right, longest.left, longest.beneath, longest.above};
    from = longest;
    a = half;
    post_pair(&all, shortest.right + longest.above, shortest.left + longest.beneath,
              half == 1 ? 0 : half);
  }
  post_pair(&all, shortest.right + y.me, shortest.left + y.me, 0);
  all.posted = job->nodes - 1;
  return weft_end(&all);
}
