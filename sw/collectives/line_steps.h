// Lines of a mesh, in both directions of all dimensions at once. The array is cut into a piece for
// each direction of every dimension. Piece 2 q is reduced up the lines of dimension q to their last
// nodes, from these up the lines of dimension q + 1, and so on to the last node of all; piece 2 q +
// 1 is reduced down to the first node. The results go back the same way. A message is sent on when
// it has arrived. Between stages there is a barrier, so that no word is reduced from two sides at
// the same time.
#ifndef WEFT_LINE_STEPS_H
#define WEFT_LINE_STEPS_H

#include "sw/collectives/ring_steps.h"

/// The dimensions that have several nodes.
struct weft_lines {
  uint32_t count;
  const struct weft_dimension* dim[WEFT_ROUND_TRANSFERS / 2];
  uint32_t empty_queue;  ///< Descriptors that are free when none is posted.
};

/// What leaves this node over a link in a stage, and what arrives over the link of the same number.
/// Link 2 i leads up dimension i of those that have several nodes, 2 i + 1 down.
struct weft_line {
  uint32_t to;             ///< Network address of the receiver.
  struct weft_range left;  ///< The part that is not posted yet.
  uint32_t length;         ///< Length of the messages.
  uint32_t tag;
  uint32_t gate;  ///< Link over which a message must arrive before the next one is sent on;
                  ///< WEFT_NOBODY: there is none.
  uint32_t need;  ///< Messages that must have arrived over `gate` for the next one.
  uint32_t due;   ///< Messages that have arrived over this link when the stage is over.
};

/// Length of the messages of a piece. They go along several lines in turn: the time is least when
/// the length grows with the square root of the piece's length.
static inline uint32_t weft_line_length(const struct weft_job* job, uint32_t flits) {
  uint32_t length = WEFT_LEAST_MESSAGE;
  while (8 * length * length < flits) {
    length *= 2;
  }
  return length < job->packet_flits ? length : job->packet_flits;
}

/// Whether this node is where pieces go (`up`: 2 q, otherwise 2 q + 1) in the first `stages`
/// dimensions from dimension q on.
static inline int weft_at_end(const struct weft_lines* all, uint32_t q, uint32_t stages, int up) {
  for (uint32_t i = 0; i < stages; ++i) {
    const struct weft_dimension* dim = all->dim[(q + i) % all->count];
    if (dim->coordinate != (up ? dim->size - 1 : 0)) {
      return 0;
    }
  }
  return 1;
}

/// Adds the way of a piece along dimension q + stage, or with `back` that of its result. With
/// `turns` a result goes back message by message from where the piece arrives.
static inline void weft_add_line(const struct weft_reduction* r, const struct weft_lines* all,
                                 struct weft_line* lines, uint32_t piece, uint32_t stage, int back,
                                 int turns) {
  const uint32_t q = piece / 2;
  const struct weft_range range = weft_cut(r->segment, piece, 2 * all->count);
  if (!weft_at_end(all, q, stage, piece % 2 == 0) || weft_length(range) == 0) {
    return;
  }
  const uint32_t along = (q + stage) % all->count;
  const struct weft_dimension* dim = all->dim[along];
  const int up = (piece % 2 == 0) != back;
  const uint32_t link = 2 * along + !up;
  struct weft_line* line = &lines[link];
  line->length = weft_line_length(r->job, weft_length(range));
  line->tag = back ? WEFT_TAG_DATA : WEFT_TAG_PARTIAL;
  line->gate = link;
  if (dim->coordinate == (up ? 0 : dim->size - 1)) {
    line->gate = turns ? link ^ 1 : WEFT_NOBODY;
  } else {
    line->due += (weft_length(range) + line->length - 1) / line->length;
  }
  line->need = line->gate == WEFT_NOBODY ? 0 : weft_link_data(r, line->gate) + 1;
  if (dim->coordinate != (up ? dim->size - 1 : 0)) {
    line->left = range;
    line->to = weft_address_in(weft_job(),
                               up ? r->job->rank + dim->rank_step : r->job->rank - dim->rank_step);
  }
}

/// Posts the next message over a link if it has arrived. Returns whether it has posted one.
static inline int weft_post_line(struct weft_reduction* r, struct weft_line* line, uint32_t link) {
  const uint32_t left = weft_length(line->left), place = weft_place(r, line->left.lo);
  const uint32_t flits = left < line->length ? left : line->length;
  if (left == 0 ||
      (line->gate != WEFT_NOBODY && !weft_reached(weft_link_data(r, line->gate), line->need))) {
    return 0;
  }
  weft_order(flits, place - r->mail, line->tag | WEFT_CONTROLLER(link + 1), 0);
  weft_post(line->to, place);
  ++r->posted;
  ++line->need;
  line->left.lo += flits;
  return 1;
}

/// Runs a stage: posts all messages, and waits until all that are due have arrived.
static inline void weft_run_lines(struct weft_reduction* r, const struct weft_lines* all,
                                  struct weft_line* lines) {
  const uint32_t links = 2 * all->count;
  uint32_t link = 0, idle = 0;  // The link whose turn it is; successive links over which nothing
                                // was posted.
  uint32_t left = 0;            // Links over which something is left to post.
  for (uint32_t i = 0; i < links; ++i) {
    left += weft_length(lines[i].left) != 0;
  }
  while (left != 0) {
    if (idle == links || weft_free() != all->empty_queue) {
      weft_wfi();
      idle = 0;
      continue;
    }
    if (weft_post_line(r, &lines[link], link)) {
      left -= weft_length(lines[link].left) == 0;
      idle = 0;
    } else {
      ++idle;
    }
    link = link + 1 < links ? link + 1 : 0;
  }
  for (uint32_t i = 0; i < links; ++i) {
    while (!weft_reached(weft_link_data(r, i), lines[i].due)) {
      weft_wfi();
    }
  }
}

/// The whole allreduce. In several dimensions results turn back within the last stage, since the
/// lines of pieces that go up are not those of pieces that go down.
static inline void weft_all_lines(struct weft_reduction* r, struct weft_lines* all) {
  const uint32_t pieces = 2 * all->count;
  const int turns = all->count > 1;
  const int root = weft_at_end(all, 0, all->count, 1) || weft_at_end(all, 0, all->count, 0);
  all->empty_queue = weft_free();
  weft_set_operation_before_barrier(r, 0);
  for (uint32_t i = 0; i < pieces - (turns != 0); ++i) {
    const int last = i + 1 == all->count;
    const int back = i + 1 > all->count;
    const uint32_t stage = back ? pieces - 1 - (turns != 0) - i : i;
    struct weft_line lines[WEFT_ROUND_TRANSFERS] = {{0}};
    for (uint32_t link = 0; link < pieces; ++link) {
      lines[link].due = weft_link_data(r, link);
    }
    for (uint32_t piece = 0; piece < pieces; ++piece) {
      weft_add_line(r, all, lines, piece, stage, back, 0);
      if (last && turns) {
        weft_add_line(r, all, lines, piece, stage, 1, 1);
      }
    }
    if (last && root) {
      weft_set_operation(r, 1);
    }
    weft_node_barrier(r, WEFT_TAG_BOARD, WEFT_TAG_READY);
    weft_run_lines(r, all, lines);
  }
}

/// The whole allreduce. On other networks, and where messages may overtake each other, it goes
/// round a ring of all members.
static inline void weft_lines_allreduce(struct weft_reduction* r) {
  const uint32_t dims = r->at->dim_count;
  if (weft_member(r) == WEFT_NOBODY) {
    return;
  }
  if (!r->array->in_order || !r->at->grid || r->job->controllers != 2 * dims) {
    weft_ring_allreduce(r);
    return;
  }
  struct weft_lines all = {.count = 0};
  for (uint32_t i = 0; i < dims; ++i) {
    if (r->at->dims[i].size > 1) {
      all.dim[all.count++] = &r->at->dims[i];
    }
  }
  if (all.count != 0) {
    weft_all_lines(r, &all);
  }
}

#endif
