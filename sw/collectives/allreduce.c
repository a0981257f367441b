// Allreduce that selects the algorithm by the network (from the connection table) and the array's
// length, so that all units select the same. Rings in all dimensions if a size is not a power of
// two, and for long arrays if a size is above 2: they use the links of all dimensions at once.
// Pairs of main units (Rabenseifner) for arrays of less than 8 flits for each main unit of a board,
// for which a slot on the board costs more time than it saves. Otherwise nested halving and
// doubling, the widest dimension first. Measured: scripts/figures/README.md, seed 003.
#include "sw/collectives/bucket_steps.h"
#include "sw/collectives/pair_steps.h"

#define SHORT_FLITS 8
#define LONG_FLITS (1U << 14)

static int is_power(uint32_t number) {
  return (number & (number - 1)) == 0;
}

static struct weft_choice choose(uint32_t flits, const struct weft_array_job* array) {
  const struct weft_connections* at = &array->at;
  for (uint32_t i = 0; i < at->dim_count; ++i) {
    if (!is_power(at->dims[i].size) || (at->dims[i].size > 2 && flits >= LONG_FLITS)) {
      return (struct weft_choice){WEFT_REDUCED_BY_BUCKET, WEFT_ORDER_ALPHABETICAL};
    }
  }
  if (is_power(at->mains) && flits < SHORT_FLITS * at->mains) {
    return (struct weft_choice){WEFT_REDUCED_BY_PAIRS, WEFT_ORDER_ALPHABETICAL};
  }
  return (struct weft_choice){WEFT_REDUCED_BY_BOARDS, WEFT_ORDER_BANDWIDTH};
}

WEFT_COLLECTIVE_WITH(allreduce, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce on boards by the algorithm that suits network and length",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS, .boards = 1, .choose = choose,
                     .reduces = 1);

static void reduce(struct weft_reduction* r) {
  const struct weft_array_job* given = r->array;
  const struct weft_choice choice = choose(r->job->message_flits, given);
  struct weft_array_job chosen = *given;
  chosen.order = choice.order;
  r->array = &chosen;
  if (choice.reduced_by == WEFT_REDUCED_BY_PAIRS) {
    weft_rabenseifner(r);
  } else if (choice.reduced_by == WEFT_REDUCED_BY_BUCKET) {
    weft_bucket(r);
  } else {
    weft_nested(r);
  }
  r->array = given;
}

int weft_main(void) {
  return weft_in_turns(reduce);
}
