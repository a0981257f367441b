// All-to-all with one transfer for each offset and a barrier after each: the comparative example of
// seed 000 (fig. 9, [0049], [0050]). The hops go down from the most in every dimension, in the last
// dimension fastest: (4,4,4), (4,4,3), .. (4,4,0), (4,3,4), ..
//
// All offsets with the same hops form one step, whatever their signs, so that both directions are
// in use; on a line only those whose receiver exists. The gap hops-1 counts the hops of all
// dimensions, the gap sharers-1 the most nodes that share a link of one dimension.
#include "sw/collectives/hop_steps.h"

static struct weft_refusal refuse(const struct weft_job* job) {
  if (job->areas != 0) {
    return (struct weft_refusal){"areas", "\"auto\": blocks have no areas here"};
  }
  uint32_t hops = 0, half = 0;  // At most half of the nodes along a link's dimension share the
                                // link.
  for (uint32_t i = 0; i < job->dim_count; ++i) {
    hops += hop_reach(job, i);
    half = job->dims[i] / 2 > half ? job->dims[i] / 2 : half;
  }
  return hop_refuse(job, hops, half);
}

static inline struct weft_refusal refuse_before(const struct weft_job* job) {
  const struct weft_refusal refusal = refuse(job);
  return refusal.member != NULL ? refusal : weft_refuse_wide(job);
}

WEFT_COLLECTIVE_WITH(hop_direct, WEFT_ALL_TO_ALL, WEFT_CONTROLLERS_1,
                     "all-to-all, a direct transfer for each offset, a barrier after each "
                     "(seed 000, fig. 9)",
                     .buffers = 1, .by_hops = 1, .cuts_blocks = WEFT_CUTS_PACKETS,
                     .refuse = refuse_before);

/// One dimension. Receivers are held as address | rank << 16.
struct axis {
  uint32_t size;
  uint32_t me;     ///< Coordinate of this node.
  uint32_t unit;   ///< Difference in receiver between neighbours.
  uint32_t reach;  ///< Most hops.
  uint32_t ring;   ///< All ones on a ring, else 0.
  uint32_t hops;   ///< Hops of this step.
};

/// A step: the receivers of all its messages.
struct step {
  uint32_t hops;     ///< Hops in all dimensions together.
  uint32_t sharers;  ///< Nodes whose packets share a link, at most.
  uint32_t count;    ///< Number of receivers.
  uint32_t receiver[1U << WEFT_MAX_DIMS];
};

/// Computes the receivers of the step with the current hops.
static void prepare(const struct axis* axes, const struct weft_job* job, struct step* step) {
  const uint32_t dims = job->dim_count;
  uint32_t part[2][WEFT_MAX_DIMS];
  uint32_t exists[2] = {0, 0};  // Dimensions with a partner up and with a partner down.
  uint32_t with_sign = 0;       // Dimensions where these partners are two nodes.
  step->hops = 0;
  step->sharers = 1;
  for (uint32_t d = 0; d < dims; ++d) {
    const struct axis* const axis = &axes[d];
    const uint32_t up = axis->me + axis->hops;
    const uint32_t down = axis->me - axis->hops;
    const uint32_t over = 0U - (up >= axis->size), under = 0U - (axis->me < axis->hops);
    part[0][d] = (up - (axis->size & over)) * axis->unit;
    part[1][d] = (down + (axis->size & under)) * axis->unit;
    exists[0] |= ((~over | axis->ring) & 1) << d;
    exists[1] |= ((~under | axis->ring) & 1) << d;
    const int opposite = axis->ring != 0 && 2 * axis->hops == axis->size;
    with_sign |= (uint32_t)(axis->hops != 0 && !opposite) << d;
    step->hops += axis->hops;
    const uint32_t sharers = hop_sharers(job, d, axis->hops);
    step->sharers = sharers > step->sharers ? sharers : step->sharers;
  }
  step->count = 0;
  uint32_t minus = 0;  // All subsets of with_sign.
  do {
    if ((minus & ~exists[1]) == 0 && (with_sign & ~minus & ~exists[0]) == 0) {
      uint32_t receiver = 0;
      for (uint32_t d = 0; d < dims; ++d) {
        receiver += part[minus >> d & 1][d];
      }
      step->receiver[step->count++] = receiver;
    }
    minus = (minus - with_sign) & with_sign;
  } while (minus != 0);
}

/// Sets the next hops; returns whether any are not 0.
static int next(struct axis* axes, uint32_t dims) {
  uint32_t d = dims;
  while (d-- > 0) {
    if (axes[d].hops > 0) {
      --axes[d].hops;
      break;
    }
    axes[d].hops = axes[d].reach;
  }
  uint32_t any = 0;
  for (d = 0; d < dims; ++d) {
    any |= axes[d].hops;
  }
  return any != 0;
}

static void send(struct weft_all_to_all* all, const struct weft_job* job, const struct step* step) {
  const struct hop_cut cut = hop_cut(job, job->message_flits);
  uint32_t at = 0;  // Offset of the part in its block, bytes.
  for (uint32_t part = 1; part <= cut.parts; ++part) {
    weft_order(part < cut.parts ? cut.flits : cut.last, job->rank * all->block + at, 0,
               hop_gap(job, step->hops, step->sharers));
    const uint32_t from = all->send_base + at;
    for (uint32_t i = 0; i < step->count; ++i) {
      const uint32_t receiver = step->receiver[i];
      weft_post_when_free(receiver & 0xFFFF, from + (receiver >> 16) * all->block);
    }
    at += cut.flits * WEFT_FLIT_BYTES;
  }
  all->posted += cut.parts * step->count;
}

int weft_main(void) {
  const struct weft_job* const job = weft_job();
  if (refuse(job).member != NULL) {
    return WEFT_UNSUPPORTED_JOB;
  }
  weft_window(job->recv_base, job->recv_bytes);
  struct weft_all_to_all all = hop_start(job);
  struct axis axes[WEFT_MAX_DIMS];
  struct step step;
  uint32_t shift = 0, stride = 1, rank = job->rank;
  for (uint32_t i = 0; i < job->dim_count; ++i) {
    const uint32_t size = job->dims[i], reach = hop_reach(job, i);
    axes[i] = (struct axis){
        size, rank % size, (1U << shift) + (stride << 16), reach, 0U - (job->wraps >> i & 1),
        reach};
    rank /= size;
    stride *= size;
    shift += job->dim_bits[i];
  }
  if (job->nodes > 1) {
    int more;
    prepare(axes, job, &step);
    do {
      send(&all, job, &step);
      more = next(axes, job->dim_count);
      if (more) {
        prepare(axes, job, &step);
      }
      hop_end_step(&all, job, 0);
    } while (more);
  }
  return weft_end(&all);
}
