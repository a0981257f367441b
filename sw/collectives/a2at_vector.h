// The state of A2AT: the dimensions, and an offset vector v with the contribution of its
// coordinates to the receiver in every dimension that r moves them to (a2at.c defines r).
#ifndef WEFT_A2AT_VECTOR_H
#define WEFT_A2AT_VECTOR_H

#include "sw/include/weft_all_to_all.h"

enum {
  MAX_TURNS = 15,  // Greatest order of r: 8 dimensions as 3 and 5 of equal size.
  MAX_GROUP = 2 * MAX_TURNS,
  SHORT_RUN = 3,  // Shorter runs are cheaper message by message.
};

/// One dimension.
struct axis {
  uint32_t size;
  uint32_t me;     ///< Coordinate of this node.
  uint32_t unit;   ///< Difference in receiver between neighbours.
  uint32_t below;  ///< Limit of the shell before.
  uint32_t limit;  ///< Limit of this shell.
  uint32_t value;  ///< Size of the coordinate of v.
};

/// v is stored as the absolute values of its coordinates and masks of dimensions.
struct a2at {
  struct weft_all_to_all all;
  const struct weft_job* job;
  struct weft_part* sent;  ///< The part of the blocks that is being sent, or null.
  uint32_t dims;           ///< Dimensions with more than one node; only these count here.
  uint32_t turns;          ///< Order of r.
  int shell_ended;
  uint32_t in_use;     ///< Coordinates of v that are not 0.
  uint32_t with_sign;  ///< Coordinates in use that are not half of an even size.
  uint32_t minus;      ///< Coordinates with a sign that are negative.
  struct axis axis[WEFT_MAX_DIMS];
  /// (r^t v)[d] = v[source[t][d]]; index: index of its contribution in part[0].
  uint8_t source[MAX_TURNS][WEFT_MAX_DIMS];
  uint8_t index[MAX_TURNS][WEFT_MAX_DIMS];
  /// Contribution of the coordinate of v [0], or of -v [1], in dimension e to the receiver when r^t
  /// moves it to dimension d, at index e * WEFT_MAX_DIMS + d.
  uint32_t part[2][WEFT_MAX_DIMS * WEFT_MAX_DIMS];
  uint32_t set_count;
  uint8_t sets[256];   ///< The sets M, the least of those that r maps to each other.
  uint8_t check[256];  ///< Whether some r^t maps the set to itself.
};

/// Contribution of the coordinate `offset` in a dimension to the receiver; offset < size.
static inline uint32_t part_up(const struct axis* axis, uint32_t offset) {
  const uint32_t to = axis->me + offset;
  return (to < axis->size ? to : to - axis->size) * axis->unit;
}

static inline uint32_t part_down(const struct axis* axis, uint32_t offset) {
  const uint32_t to = axis->me - offset;
  return (axis->me >= offset ? to : to + axis->size) * axis->unit;
}

/// Sets the coordinate of v in dimension e, its absolute value and sign.
static void set_value(struct a2at* a, uint32_t e, uint32_t value, uint32_t negative) {
  const uint32_t bit = 1U << e;
  const uint32_t size = a->axis[e].size;
  if (a->axis[e].value == value && (a->minus >> e & 1) == negative) {
    return;
  }
  a->axis[e].value = value;
  a->in_use &= ~bit;
  a->with_sign &= ~bit;
  a->minus = (a->minus & ~bit) | negative << e;
  if (value != 0) {
    a->in_use |= bit;
    a->with_sign |= 2 * value != size ? bit : 0;
  }
  uint32_t* const as_is = &a->part[negative][e * WEFT_MAX_DIMS];
  uint32_t* const reverse = &a->part[1 - negative][e * WEFT_MAX_DIMS];
  for (uint32_t d = 0; d < a->dims; ++d) {
    const struct axis* const axis = &a->axis[d];
    if (axis->size == size) {
      as_is[d] = part_up(axis, value);
      reverse[d] = part_down(axis, value);
    }
  }
}

/// Sizes and this node's coordinates.
static void describe_axes(struct a2at* a) {
  a->dims = 0;
  uint32_t shift = 0, stride = 1, rank = a->job->rank;
  for (uint32_t i = 0; i < a->job->dim_count; ++i) {
    const uint32_t size = a->job->dims[i];
    if (size > 1) {
      struct axis* const axis = &a->axis[a->dims++];
      axis->size = size;
      axis->me = rank % size;
      axis->unit = (1U << shift) + (stride << 16);
      axis->value = UINT32_MAX;  // None yet.
    }
    rank /= size;
    stride *= size;
    shift += a->job->dim_bits[i];
  }
}

/// r, the sets, and v = 0.
static void describe_groups(struct a2at* a) {
  a->in_use = a->with_sign = a->minus = 0;
  for (uint32_t d = 0; d < a->dims; ++d) {
    a->axis[d].value = UINT32_MAX;  // Value of the part before.
  }
  // r moves to each dimension the coordinate of the one of equal size before it, cyclically.
  a->turns = 1;
  for (uint32_t d = 0; d < a->dims; ++d) {
    uint32_t equal = 0, from = d;
    for (uint32_t e = a->dims; e-- > 0;) {
      equal += a->axis[e].size == a->axis[d].size;
    }
    do {
      from = from == 0 ? a->dims - 1 : from - 1;
    } while (a->axis[from].size != a->axis[d].size);
    a->source[0][d] = (uint8_t)d;
    a->source[1][d] = (uint8_t)from;
    uint32_t multiple = a->turns;
    while (multiple % equal != 0) {
      multiple += a->turns;
    }
    a->turns = multiple;
  }
  for (uint32_t t = 0; t < a->turns; ++t) {
    for (uint32_t d = 0; d < a->dims; ++d) {
      if (t > 1) {
        a->source[t][d] = a->source[t - 1][a->source[1][d]];
      }
      a->index[t][d] = (uint8_t)(a->source[t][d] * WEFT_MAX_DIMS + d);
    }
  }
  a->set_count = 0;
  for (uint32_t set = 1; set < 1U << a->dims; ++set) {
    uint32_t least = set;
    int check = 0;
    for (uint32_t t = 1; t < a->turns && least == set; ++t) {
      uint32_t image = 0;
      for (uint32_t d = 0; d < a->dims; ++d) {
        image |= (set >> a->source[t][d] & 1) << d;
      }
      least = image < least ? image : least;
      check |= image == set;
    }
    if (least == set) {
      a->sets[a->set_count] = (uint8_t)set;
      a->check[a->set_count++] = (uint8_t)check;
    }
  }
}

#endif
