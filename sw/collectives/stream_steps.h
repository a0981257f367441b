// Streams: what a member sends over one link and receives over another, message by message in a
// fixed order. A message goes as soon as the data that it carries have arrived, which the counter
// of the link tells (weft_link_data), so that a piece is sent on while the rest of it is still
// arriving. That needs a network that keeps messages in order (struct weft_array_job, `in_order`).
#ifndef WEFT_STREAM_STEPS_H
#define WEFT_STREAM_STEPS_H

#include "sw/include/weft_reduction.h"

/// Messages of a piece that is long enough: the first number if they are shorter than a packet, the
/// second if they are whole packets.
#define WEFT_STREAM_MESSAGES 4
#define WEFT_LONG_STREAM_MESSAGES 16

/// One piece that a stream sends, and one that it receives.
struct weft_stream_step {
  uint32_t to;  ///< Rank of the receiver.
  uint32_t tag;
  struct weft_range send, take;
  /// 1: the piece is the one that arrived in the step before, and is sent message by message.
  uint32_t follows;
  /// Otherwise: steps of stream `after` whose pieces must have been posted and have arrived. What
  /// that stream posts may be sent on here, and need not have arrived by it.
  uint32_t after, after_steps;
};

/// Streams of one node. `step` returns step `i` of stream `s`.
struct weft_streams {
  uint32_t count;
  uint32_t links[WEFT_ROUND_TRANSFERS];  ///< Incoming links; WEFT_NOBODY: the only one in use.
  uint32_t steps[WEFT_ROUND_TRANSFERS];  ///< Steps of each stream.
  /// For each stream: its first steps, in which it reduces, in `phases` equal parts. In each of
  /// these, other streams reduce the same words.
  uint32_t reduced[WEFT_ROUND_TRANSFERS];
  uint32_t phases;
  uint32_t empty_queue;  ///< Descriptors that are free when none is posted.
  const void* plan;
  struct weft_stream_step (*step)(const struct weft_reduction* r, const void* plan, uint32_t s,
                                  uint32_t i);
};

/// Length of the messages of a piece, on both sides: a few messages, so that sending on begins
/// early, and whole packets where they are longer.
static inline uint32_t weft_stream_length(const struct weft_job* job, uint32_t flits) {
  const uint32_t length = (flits + WEFT_STREAM_MESSAGES - 1) / WEFT_STREAM_MESSAGES;
  if (length < WEFT_LEAST_MESSAGE) {
    return WEFT_LEAST_MESSAGE;
  }
  if (length < job->packet_flits) {
    return length;
  }
  const uint32_t packets = flits / (WEFT_LONG_STREAM_MESSAGES * job->packet_flits);
  return (packets != 0 ? packets : 1) * job->packet_flits;
}

static inline uint32_t weft_stream_messages(const struct weft_job* job, uint32_t flits) {
  const uint32_t length = weft_stream_length(job, flits);
  return flits == 0 ? 1 : (flits + length - 1) / length;
}

/// Messages that have arrived for a stream.
static inline uint32_t weft_streamed(const struct weft_reduction* r, const struct weft_streams* all,
                                     uint32_t s) {
  return all->links[s] != WEFT_NOBODY
             ? weft_link_data(r, all->links[s])
             : weft_received(WEFT_TAG_DATA) + weft_received(WEFT_TAG_PARTIAL);
}

/// Progress of a stream.
struct weft_stream {
  uint32_t known, known_due;     ///< Messages that have arrived when the first steps are over.
  uint32_t number;               ///< Number of the current step.
  struct weft_stream_step step;  ///< The current step.
  uint32_t address;              ///< Address of the step's receiver.
  uint32_t length;               ///< Length of the step's messages.
  uint32_t next;                 ///< Position of the next message.
  uint32_t need;                 ///< Messages that must have arrived for the next one.
  uint32_t due;                  ///< Messages that have arrived when the step is over.
};

/// Messages that have arrived for stream `s` when its first `steps` steps are over; never fewer
/// steps than at the call before.
static inline uint32_t weft_stream_due(const struct weft_reduction* r,
                                       const struct weft_streams* all, uint32_t s,
                                       struct weft_stream* at, uint32_t steps) {
  for (; at->known < steps; ++at->known) {
    at->known_due +=
        weft_stream_messages(r->job, weft_length(all->step(r, all->plan, s, at->known).take));
  }
  return at->known_due;
}

/// Begins the next step of stream `s`, whose progress is in `at`.
static inline void weft_begin_step(const struct weft_reduction* r, const struct weft_streams* all,
                                   uint32_t s, struct weft_stream* streams) {
  struct weft_stream* at = &streams[s];
  const uint32_t taken =
      at->number == 0 ? 0 : weft_stream_messages(r->job, weft_length(at->step.take));
  at->step = all->step(r, all->plan, s, at->number);
  at->address = weft_address_in(weft_job(), at->step.to);
  at->next = at->step.send.lo;
  at->length = weft_stream_length(r->job, weft_length(at->step.send));
  if (at->step.follows) {
    at->need = at->due - taken + 1;
  } else if (at->step.after_steps != 0) {
    at->need =
        weft_stream_due(r, all, at->step.after, &streams[at->step.after], at->step.after_steps);
  }
  at->due += weft_stream_messages(r->job, weft_length(at->step.take));
}

/// Posts the next message of a stream if its data have arrived. Returns whether it has posted one.
static inline int weft_post_stream(struct weft_reduction* r, const struct weft_streams* all,
                                   uint32_t s, struct weft_stream* streams) {
  struct weft_stream* at = &streams[s];
  const struct weft_stream_step* step = &at->step;
  if (step->follows ? !weft_reached(weft_streamed(r, all, s), at->need)
                    : step->after_steps != 0 &&
                          (streams[step->after].number < step->after_steps ||
                           !weft_reached(weft_streamed(r, all, step->after), at->need))) {
    return 0;
  }
  const uint32_t place = weft_place(r, at->next), left = step->send.hi - at->next;
  weft_order(left < at->length ? left : at->length, place - r->mail,
             step->tag | WEFT_CONTROLLER(s + 1), 0);
  weft_post(at->address, place);
  ++r->posted;
  at->next += at->length;
  at->need += step->follows;
  if (left <= at->length) {
    ++at->number;
  }
  return 1;
}

/// Runs every stream from the step that it has reached to before step `end` (each of its own), and
/// waits until all that they receive is in memory.
static inline void weft_run_streams(struct weft_reduction* r, const struct weft_streams* all,
                                    struct weft_stream* at, const uint32_t* end) {
  uint32_t open = 0;
  for (uint32_t s = 0; s < all->count; ++s) {
    if (at[s].number < end[s]) {
      weft_begin_step(r, all, s, at);
      open |= 1U << s;
    }
  }
  uint32_t turn = 0, idle = 0;  // The stream whose turn it is; successive streams that posted
                                // nothing.
  while (open != 0) {
    // A descriptor whose controller is busy would hold up those of other links behind it.
    if (idle == all->count || weft_free() != all->empty_queue) {
      weft_wfi();
      idle = 0;
      continue;
    }
    const uint32_t number = at[turn].number;
    idle = (open >> turn & 1) != 0 && weft_post_stream(r, all, turn, at) ? 0 : idle + 1;
    if (at[turn].number != number && at[turn].number == end[turn]) {
      open &= ~(1U << turn);
    } else if (at[turn].number != number) {
      weft_begin_step(r, all, turn, at);
    }
    turn = turn + 1 < all->count ? turn + 1 : 0;
  }
  for (uint32_t s = 0; s < all->count; ++s) {
    while (!weft_reached(weft_streamed(r, all, s), at[s].due)) {
      weft_wfi();
    }
  }
}

/// The barrier of streams, whose data have only the other two tags.
static inline void weft_stream_barrier(struct weft_reduction* r) {
  weft_node_barrier(r, WEFT_TAG_BOARD, WEFT_TAG_READY);
}

/// Runs all streams. The last steps that reduce divide where the operation is a mean: no other
/// message may be on its way then.
static inline void weft_all_streams(struct weft_reduction* r, struct weft_streams* all) {
  struct weft_stream at[WEFT_ROUND_TRANSFERS];
  uint32_t end[WEFT_ROUND_TRANSFERS];
  for (uint32_t s = 0; s < all->count; ++s) {
    // No neighbour sends before the barrier.
    const uint32_t before = weft_streamed(r, all, s);
    at[s] = (struct weft_stream){.due = before, .known_due = before};
    end[s] = 0;
  }
  all->empty_queue = weft_free();
  weft_set_operation_before_barrier(r, 0);
  weft_stream_barrier(r);
  // A neighbour reduces into words of this node when the phase before has ended here too.
  for (uint32_t phase = 1; phase < all->phases; ++phase) {
    for (uint32_t s = 0; s < all->count; ++s) {
      end[s] += all->reduced[s] / all->phases;
    }
    weft_run_streams(r, all, at, end);
    weft_stream_barrier(r);
  }
  if (r->array->op == WEFT_OP_MEAN && all->reduced[0] != 0) {
    for (uint32_t s = 0; s < all->count; ++s) {
      end[s] = all->reduced[s] - 1;
    }
    weft_run_streams(r, all, at, end);
    weft_stream_barrier(r);
    weft_set_operation(r, 1);
    weft_stream_barrier(r);
  }
  weft_run_streams(r, all, at, all->steps);
}

#endif
