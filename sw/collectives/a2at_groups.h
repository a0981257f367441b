// The groups of A2AT (a2at.c defines them) in any number of dimensions of any sizes.
//
// To enumerate each group once, only the least of the sets M that r maps to each other is used, and
// the first coordinate that has a sign is positive. If some r^t maps M to itself the enumeration
// yields a group several times; then only the vector that is last in lexicographic order is used.
//
// Most messages of large networks are sent in runs: one coordinate counts up, and for each message
// of the groups of v and of v with that coordinate negative a slot holds the receiver, to which a
// step adds or subtracts the unit of one dimension.
#ifndef WEFT_A2AT_GROUPS_H
#define WEFT_A2AT_GROUPS_H

#include "sw/collectives/a2at_vector.h"

/// Receiver of one message of a run. Receivers are held as address | rank << 16.
struct slot {
  uint32_t fixed;    ///< Sum over the coordinates that do not change.
  uint32_t moving;   ///< Contribution of the coordinate that counts.
  uint32_t step;     ///< Added to `moving` for the next message.
  uint32_t edge;     ///< Value at which `moving` leaves the dimension.
  uint32_t wrapped;  ///< Value that `moving` has then instead.
};

/// A group in its order, message by message. Constants are copied here because the compiler must
/// reload memory after each message.
struct member {
  uint32_t position;
  uint32_t turn;  ///< The t of +-r^t v.
  uint32_t down;  ///< 1 where the sign of +-r^t v is -.
  uint32_t turns;
  uint32_t dims;
  uint32_t on_axis;
  uint32_t with_sign;
  uint32_t minus;
};

static inline struct member first_member(const struct a2at* a) {
  const uint32_t on_axis = (a->in_use & (a->in_use - 1)) == 0;
  return (struct member){0, 0, 0, a->turns, a->dims, on_axis, a->with_sign, a->minus};
}

/// Receiver of the message; completes m->down.
static inline uint32_t receiver_of(const struct a2at* a, struct member* m) {
  const uint8_t* const source = a->source[m->turn];
  m->down = m->position >= m->turns;
  if (!m->on_axis) {
    m->down = 0;
    for (uint32_t d = 0; d < m->dims; ++d) {
      if ((m->with_sign >> source[d] & 1) != 0) {
        m->down = (m->position ^ m->minus >> source[d]) & 1;
        break;
      }
    }
  }
  const uint8_t* index = a->index[m->turn];
  const uint8_t* const end = index + m->dims;
  const uint32_t* const part = a->part[m->down];
  uint32_t receiver = 0;
  do {
    receiver += part[*index++];
  } while (index != end);
  return receiver;
}

/// The next message; the second half starts with t = 1 if that makes its signs alternate too.
static inline void advance(struct member* m) {
  ++m->position;
  if (++m->turn == m->turns) {
    m->turn = m->position == m->turns && m->turns % 2 == 0 && !m->on_axis;
  }
}

static inline void post(struct weft_all_to_all* all, uint32_t receiver) {
  weft_post_block(all, receiver & 0xFFFF, all->send_base + (receiver >> 16) * all->block);
}

/// Not inlined, so that the sending loop has more registers.
static __attribute__((noinline)) void end_phase(struct a2at* a) {
  if (weft_part_begun(&a->all, a->sent)) {
    weft_phase_barrier(&a->all, a->job, a->sent);
  }
}

/// Before the first message of a group: the barrier, if a shell has ended since the last one.
static inline void begin_group(struct a2at* a) {
  if (a->shell_ended) {
    a->shell_ended = 0;
    if (a->all.posted != 0 && a->job->sync == WEFT_SYNC_BARRIER) {
      end_phase(a);
    }
  }
}

/// Sends the group of v, every receiver once. `check`: some may be the same.
static void send_group(struct a2at* a, int check) {
  uint32_t sent[MAX_GROUP];
  struct weft_all_to_all all;
  begin_group(a);
  all = a->all;
  check |= a->with_sign == 0;
  for (struct member m = first_member(a); m.position < 2 * m.turns; advance(&m)) {
    const uint32_t receiver = receiver_of(a, &m);
    if (check) {
      uint32_t earlier = 0;
      sent[m.position] = receiver;
      while (sent[earlier] != receiver) {
        ++earlier;
      }
      if (earlier != m.position) {
        continue;
      }
    }
    post(&all, receiver);
  }
  a->all = all;
}

/// Sends the groups of v with its coordinate in dimension `mover` from 1 to `last`; with `both`
/// also, for each of these, the group of v with that coordinate negative. All are full groups
/// without repetition.
static void send_run(struct a2at* a, uint32_t mover, uint32_t last, int both) {
  if (last < SHORT_RUN) {
    for (uint32_t value = 1; value <= last; ++value) {
      for (int side = 0; side <= both; ++side) {
        set_value(a, mover, value, (uint32_t)side);
        send_group(a, 0);
      }
    }
    return;
  }
  struct slot slots[2 * MAX_GROUP];
  struct slot* end = slots;
  begin_group(a);
  for (int side = 0; side <= both; ++side) {
    set_value(a, mover, 1, (uint32_t)side);
    for (struct member m = first_member(a); m.position < 2 * m.turns; advance(&m), ++end) {
      const uint32_t receiver = receiver_of(a, &m);
      uint32_t d = 0;
      while (a->source[m.turn][d] != mover) {
        ++d;
      }
      const struct axis* const axis = &a->axis[d];
      const uint32_t round = axis->size * axis->unit;
      const int down = (uint32_t)side != m.down;
      end->moving = a->part[m.down][mover * WEFT_MAX_DIMS + d];
      end->fixed = receiver - end->moving;
      end->step = down ? -axis->unit : axis->unit;
      end->edge = down ? -axis->unit : round;
      end->wrapped = down ? round - axis->unit : 0;
    }
  }
  struct weft_all_to_all all = a->all;
  for (; last > 0; --last) {
    for (struct slot* s = slots; s != end; ++s) {
      const uint32_t receiver = s->fixed + s->moving;
      s->moving += s->step;
      if (s->moving == s->edge) {
        s->moving = s->wrapped;
      }
      post(&all, receiver);
    }
  }
  a->all = all;
}

/// The first dimension of a mask, as a mask; those of `before` precede the others.
static inline uint32_t leader(uint32_t mask, uint32_t before) {
  mask = (mask & before) != 0 ? mask & before : mask;
  return mask & -mask;
}

/// Whether v is the last in lexicographic order of the vectors of its group that the enumeration
/// can yield: with the same set at the limit, and with a positive leader.
static int represents(const struct a2at* a, uint32_t set) {
  for (uint32_t t = 1; t < a->turns; ++t) {
    const uint8_t* const source = a->source[t];
    uint32_t turned_set = 0, turned_sign = 0, turned_minus = 0;
    for (uint32_t d = 0; d < a->dims; ++d) {
      turned_set |= (set >> source[d] & 1) << d;
      turned_sign |= (a->with_sign >> source[d] & 1) << d;
      turned_minus |= (a->minus >> source[d] & 1) << d;
    }
    if (turned_set != set) {
      continue;
    }
    if ((turned_minus & leader(turned_sign, set)) != 0) {
      turned_minus ^= turned_sign;
    }
    for (uint32_t d = 0; d < a->dims; ++d) {
      const int32_t here = (int32_t)a->axis[d].value;
      const int32_t there = (int32_t)a->axis[source[d]].value;
      const int32_t more = ((turned_minus >> d & 1) != 0 ? -there : there) -
                           ((a->minus >> d & 1) != 0 ? -here : here);
      if (more > 0) {
        return 0;
      }
      if (more < 0) {
        break;
      }
    }
  }
  return 1;
}

/// Sends v with all signs. The leader, the first coordinate with a sign (those of `set` first),
/// stays positive. The coordinate `mover`, now 0, runs up to below its limit; a->dims: none does.
static void send_signs(struct a2at* a, uint32_t set, uint32_t mover, int check) {
  const uint32_t with_sign = a->with_sign;
  const uint32_t free = with_sign & ~leader(with_sign, set);
  // Without the mover v belongs to this step only if it has coordinates outside the set.
  const int whole = mover == a->dims || (a->in_use & ~set) != 0;
  uint32_t minus = 0;
  do {
    for (uint32_t d = 0; (a->minus ^ minus) >> d != 0; ++d) {
      if (((a->minus ^ minus) >> d & 1) != 0) {
        set_value(a, d, a->axis[d].value, minus >> d & 1);
      }
    }
    if (whole && (!check || represents(a, set))) {
      send_group(a, check);
    }
    if (mover < a->dims) {
      send_run(a, mover, a->axis[mover].below, with_sign != 0);
      set_value(a, mover, 0, 0);
    }
    minus = (minus - free) & free;  // The next subset.
  } while (minus != 0);
}

/// Sends the vectors of this shell and step whose coordinates at the limit are those of `set`.
/// `check`: the enumeration may yield a group more than once.
static void send_set(struct a2at* a, uint32_t set, int step, int check) {
  uint32_t mover = a->dims;
  for (uint32_t d = 0; d < a->dims && step == 2; ++d) {
    mover = (set >> d & 1) == 0 && a->axis[d].below > 0 ? d : mover;
  }
  if (step == 2 && mover == a->dims) {
    return;
  }
  for (uint32_t d = 0; d < a->dims; ++d) {
    set_value(a, d, (set >> d & 1) != 0 ? a->axis[d].limit : 0, 0);
  }
  if (step == 1) {
    send_signs(a, set, a->dims, check);
    return;
  }
  // All others, the last dimension fastest; without `check` the runs count the mover.
  const uint32_t places = check ? mover + 1 : mover;
  if (!check) {
    send_signs(a, set, mover, 0);
  }
  for (;;) {
    uint32_t d = places;
    for (; d > 0; --d) {
      const struct axis* const axis = &a->axis[d - 1];
      if ((set >> (d - 1) & 1) == 0) {
        if (axis->value < axis->below) {
          break;
        }
        set_value(a, d - 1, 0, 0);
      }
    }
    if (d == 0) {
      return;
    }
    set_value(a, d - 1, a->axis[d - 1].value + 1, 0);
    send_signs(a, set, check ? a->dims : mover, check);
  }
}

/// Sends the shell that the limits describe, in one step.
static void send_shell(struct a2at* a, int step) {
  uint32_t grown = 0;
  for (uint32_t d = 0; d < a->dims; ++d) {
    grown |= (uint32_t)(a->axis[d].limit != a->axis[d].below) << d;
  }
  a->shell_ended = 1;
  for (uint32_t i = 0; i < a->set_count; ++i) {
    if ((a->sets[i] & ~grown) == 0) {
      send_set(a, a->sets[i], step, a->check[i]);
    }
  }
}

/// Sends all vectors. Where sizes differ the steps alternate from shell to shell, so that the loads
/// of the dimensions stay close to proportional to their sizes.
static __attribute__((noinline)) void send_groups(struct a2at* a) {
  uint32_t shells = 0;
  int equal = 1;
  describe_groups(a);
  for (uint32_t d = 0; d < a->dims; ++d) {
    shells = a->axis[d].size / 2 > shells ? a->axis[d].size / 2 : shells;
    equal &= a->axis[d].size == a->axis[0].size;
  }
  for (int step = 1; step <= (equal ? 2 : 1); ++step) {
    for (uint32_t s = 1; s <= shells; ++s) {
      for (uint32_t d = 0; d < a->dims; ++d) {
        struct axis* const axis = &a->axis[d];
        axis->below = (s - 1) * (axis->size / 2) / shells;
        axis->limit = s * (axis->size / 2) / shells;
      }
      send_shell(a, step);
      if (!equal) {
        send_shell(a, 2);
      }
    }
  }
}

#endif
