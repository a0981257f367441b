// Shared by the drivers of collectives on arrays: the array's address, how it is cut into pieces,
// and how these are posted.
//
// Every unit keeps the array at the same address of its memory, so that a piece has the same
// address on both sides of a transfer. Positions and lengths are in flits from the array's first. A
// unit that needs only a part of the array does not touch the rest.
#ifndef WEFT_PIECES_H
#define WEFT_PIECES_H

#include "weft_collective.h"

/// Tags. The interface reduces messages whose tag is odd (WEFT_TAG_REDUCE) where the register
/// REDUCE names an operation, and stores all others.
enum weft_reduction_tag {
  WEFT_TAG_DATA = 0,     ///< Data to be stored.
  WEFT_TAG_BOARD = 1,    ///< Data to be reduced, from a main unit of the own board.
  WEFT_TAG_READY = 2,    ///< The receiver is ready; and data to be stored, from a main unit.
  WEFT_TAG_PARTIAL = 3,  ///< Data to be reduced, from elsewhere.
};

#define WEFT_NOBODY UINT32_MAX
#define WEFT_LEAST_MESSAGE 8  // Flits, if the piece has as many.
#define WEFT_MOST_MESSAGE 32  // Flits: others' messages, also control messages, wait that long.

/// A piece of the array, from `lo` to before `hi`.
struct weft_range {
  uint32_t lo, hi;
};

static inline uint32_t weft_length(struct weft_range range) {
  return range.hi - range.lo;
}

/// Piece `i` of `count`, cut as evenly as flits allow, the longer ones first.
static inline struct weft_range weft_cut(struct weft_range range, uint32_t i, uint32_t count) {
  const uint32_t length = weft_length(range) / count, longer = weft_length(range) % count;
  const uint32_t lo = range.lo + i * length + (i < longer ? i : longer);
  return (struct weft_range){lo, lo + length + (i < longer ? 1 : 0)};
}

/// One node's part in a reduction.
struct weft_reduction {
  const struct weft_job* job;
  const struct weft_array_job* array;
  const struct weft_connections* at;
  struct weft_range segment;  ///< What is reduced at present.
  uint32_t mail;              ///< Byte address of the mailboxes.
  uint32_t posted;            ///< Messages posted so far.
  uint32_t ready_before;      ///< Messages under WEFT_TAG_READY before this turn.
  uint32_t due[4];            ///< Messages that are to be stored, by counter.
  uint32_t barriers;          ///< Hardware barriers so far.
  uint32_t transits;          ///< Steps through main units' memories so far.
  uint32_t most_under_way;    ///< Most messages with data that are posted and not sent.
};

/// Byte address of a position in this unit's memory.
static inline uint32_t weft_place(const struct weft_reduction* r, uint32_t position) {
  return r->job->send_base + position * WEFT_FLIT_BYTES;
}

/// Member `i`'s block of the whole array, or the part of it that is reduced at present:
/// reduce_scatter and allgather give every member one block, cut as evenly as flits allow.
static inline struct weft_range weft_block_of(const struct weft_reduction* r, uint32_t i) {
  const struct weft_range all = {0, r->job->message_flits};
  struct weft_range block = weft_cut(all, i, r->array->members);
  block.lo = block.lo > r->segment.lo ? block.lo : r->segment.lo;
  block.hi = block.hi < r->segment.hi ? block.hi : r->segment.hi;
  return block.lo < block.hi ? block : (struct weft_range){r->segment.lo, r->segment.lo};
}

/// How a piece is cut into messages: all but the last have `length` flits. An empty piece is sent
/// as a message without a body, so that a receiver can count the pieces of a sender, and a sender
/// of empty pieces does not run ahead of it.
struct weft_pieces {
  uint32_t length, count;
};

/// Cuts a piece into messages for `spread` parallel lanes. A lane's time is its flits, a header for
/// each message, and the length of the last message once more, since it is written to memory after
/// it has arrived completely. The time is least if a lane has as many messages as a message has
/// flits.
static inline struct weft_pieces weft_pieces(const struct weft_job* job, uint32_t flits,
                                             uint32_t spread) {
  const uint32_t lane = (flits + spread - 1) / spread;
  uint32_t length = WEFT_LEAST_MESSAGE;
  while (length * length < lane) {
    length *= 2;
  }
  length = length < lane ? length : lane;
  length = length < WEFT_MOST_MESSAGE ? length : WEFT_MOST_MESSAGE;
  length = length < job->part_flits ? length : job->part_flits;
  return (struct weft_pieces){length, length == 0 ? 1 : (flits + length - 1) / length};
}

/// The direction in which messages go round a ring if both are equally long.
enum weft_ways {
  WEFT_WAY_USUAL = 0,  ///< Up from even coordinates, down from odd ones.
  WEFT_WAY_OTHER = 1,
  WEFT_WAY_BOTH = 2,  ///< Alternating: as many messages as there are controllers in each.
};

/// A piece that is being sent, message by message.
struct weft_outgoing {
  uint32_t to;             ///< Network address of the receiver.
  struct weft_range left;  ///< The part that is not posted yet.
  uint32_t shift;          ///< Its position at the receiver is higher by so many flits, modulo
                           ///< 2^32.
  uint32_t length;         ///< Flits of a message.
  uint32_t tag;
  enum weft_ways ways;
  uint32_t count;  ///< Messages so far; at least 1 in the end.
};

static inline struct weft_outgoing weft_outgoing(const struct weft_reduction* r, uint32_t rank,
                                                 struct weft_range piece, uint32_t tag,
                                                 uint32_t spread) {
  return (struct weft_outgoing){.to = weft_address_in(weft_job(), rank),
                                .left = piece,
                                .length = weft_pieces(r->job, weft_length(piece), spread).length,
                                .tag = tag};
}

/// Whether a message of the piece is still to be posted.
static inline int weft_is_left(const struct weft_outgoing* out) {
  return weft_length(out->left) != 0 || out->count == 0;
}

/// Posts the next message of a piece that is not all posted. A descriptor must be free.
static inline void weft_post_next(struct weft_reduction* r, struct weft_outgoing* out) {
  const uint32_t left = weft_length(out->left);
  const uint32_t flits = left < out->length ? left : out->length;
  const int other = out->ways == WEFT_WAY_BOTH ? (out->count / r->job->controllers & 1) != 0
                                               : out->ways == WEFT_WAY_OTHER;
  weft_order(flits, weft_place(r, out->left.lo + out->shift) - r->mail,
             out->tag | (other ? WEFT_TAG_OTHER_WAY : 0), 0);
  weft_post(out->to, weft_place(r, out->left.lo));
  out->left.lo += flits;
  ++out->count;
  ++r->posted;
}

/// Pieces that are sent in parallel, one message of each in turn. The owner supplies the array
/// `out`, as large as it needs: a program has 12 KiB of stack or less.
struct weft_outgoings {
  uint32_t count;
  uint32_t next;  ///< Piece whose turn it is.
  struct weft_outgoing* out;
};

/// Begins `count` pieces, which the caller fills in.
static inline void weft_begin_pieces(struct weft_outgoings* all, struct weft_outgoing* room,
                                     uint32_t count) {
  *all = (struct weft_outgoings){.count = count, .out = room};
}

/// Posts messages while descriptors are free, up to the first message of a piece whose bit in
/// `may_go` is clear: the order of messages does not depend on which receiver is ready first.
/// Returns whether all are posted.
static inline int weft_post_some(struct weft_reduction* r, struct weft_outgoings* all,
                                 uint64_t may_go) {
  uint32_t whole = 0;  // Successive pieces with nothing left to post.
  uint32_t i = all->next;
  while (whole < all->count && weft_free() != 0 &&
         !weft_reached(r->posted, weft_sent() + r->most_under_way)) {
    if (!weft_is_left(&all->out[i])) {
      ++whole;
    } else if ((may_go >> i & 1) == 0) {
      break;
    } else {
      weft_post_next(r, &all->out[i]);
      whole = 0;
    }
    i = i + 1 < all->count ? i + 1 : 0;
  }
  all->next = i;
  for (i = 0; i < all->count; ++i) {
    if (weft_is_left(&all->out[i])) {
      return 0;
    }
  }
  return 1;
}

/// Posts `count` pieces in parallel; sleeps while no descriptor is free.
static inline void weft_post_all(struct weft_reduction* r, struct weft_outgoing* pieces,
                                 uint32_t count) {
  struct weft_outgoings all;
  weft_begin_pieces(&all, pieces, count);
  while (!weft_post_some(r, &all, UINT64_MAX)) {
    weft_wfi();
  }
}

#endif
