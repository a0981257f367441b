// Allreduce by the main units of boards alone, over all of their links at once. The array is cut
// into pieces. Half of them are reduced on the boards first, then along X, Y and Z, the others
// along these first and then on the boards; last along W. Each of these is a leg: a ring of main
// units, round which a piece is reduced so that every unit keeps one part of it, and later round
// which the results are copied, legs in the reverse order (bucket algorithm).
//
// On a board, of 8 main and 4 aggregation units, a piece has three legs, each an exchange with one
// other unit. Which aggregation unit a message between two main units passes follows from their
// numbers (rtl/router/README.md, route_board), and the exchanges are chosen so that in each leg the
// pieces pass different ones. Along W a piece passes alternately two units of different numbers,
// for the same reason; so W has an even number of boards, or one.
//
// Nothing waits for all nodes. A stream (what a unit sends over one link) sends a piece when it has
// arrived completely from the leg before, and when the receiver has noted that its own has, so that
// no word is reduced from two sides at a time; and within a leg message by message.
#ifndef WEFT_BOARD_STREAMS_H
#define WEFT_BOARD_STREAMS_H

#include "sw/collectives/board_steps.h"
#include "sw/collectives/stream_steps.h"

#define WEFT_BOARD_LINKS 4  // Links to aggregation units: their streams come before X, Y and Z.
#define WEFT_BOARD_LEGS 3
#define WEFT_MOST_PLANE_LEGS 2  // A unit has 8 send controllers.
#define WEFT_MOST_LEGS (WEFT_BOARD_LEGS + WEFT_MOST_PLANE_LEGS + 1)
#define WEFT_MOST_PIECES (2 * WEFT_BOARD_LINKS)

/// Length of a part's messages, the same on both sides.
static inline uint32_t weft_leg_length(uint32_t flits) {
  const uint32_t length = (flits + WEFT_STREAM_MESSAGES - 1) / WEFT_STREAM_MESSAGES;
  return length < WEFT_LEAST_MESSAGE  ? WEFT_LEAST_MESSAGE
         : length < WEFT_MOST_MESSAGE ? length
                                      : WEFT_MOST_MESSAGE;
}
static inline uint32_t weft_leg_messages(uint32_t flits) {
  const uint32_t length = weft_leg_length(flits);
  return flits == 0 ? 1 : (flits + length - 1) / length;
}

/// One leg of a piece, as this unit sees it.
struct weft_leg {
  struct weft_range range;  ///< What this unit keeps of the piece before the leg.
  uint32_t stream;
  uint32_t size, number;    ///< Size of the ring; this unit's number in it.
  uint32_t next, previous;  ///< Ranks of the neighbours in the ring.
  int up;                   ///< Whether `next` has the number one higher.
  uint32_t tag;             ///< Bits for the messages' tags: the way.
};

/// How the pieces go. A piece has as many turns as legs in which it is reduced, and then as many
/// turns back in which it is copied.
struct weft_board_plan {
  uint32_t plane_legs;  ///< Legs of a piece along X, Y and Z.
  uint32_t legs;        ///< All legs of a piece.
  uint32_t pieces;      ///< The first WEFT_BOARD_LINKS of them begin on the boards.
  /// Dimensions of several boards among X, Y and Z.
  const struct weft_dimension* plane[WEFT_MOST_PLANE_LEGS];
  struct weft_range range[WEFT_MOST_PIECES];
  struct weft_leg leg[WEFT_MOST_LEGS][WEFT_MOST_PIECES];
  /// Messages that a stream has received before a turn of a piece, and when it has ended.
  uint32_t before[2 * WEFT_MOST_LEGS][WEFT_MOST_PIECES], due[2 * WEFT_MOST_LEGS][WEFT_MOST_PIECES];
};

/// An exchange on the board.
struct weft_exchange_leg {
  uint8_t unit;  ///< Exclusive or of the numbers of the two units.
  uint8_t
      bits;  ///< Parity of these of its number: the half that a unit sends. Later partners agree.
  uint8_t stream;  ///< 0: by aggregation unit 1; 1: by 3; 2: by twice the number; 3: by two more.
};
static const struct weft_exchange_leg weft_exchanges[WEFT_BOARD_LINKS][WEFT_BOARD_LEGS] = {
    {{1, 7, 0}, {6, 3, 3}, {3, 1, 1}},
    {{3, 2, 1}, {4, 4, 2}, {1, 1, 0}},
    {{4, 4, 2}, {3, 1, 1}, {2, 2, 3}},
    {{2, 2, 3}, {5, 1, 0}, {4, 4, 2}}};

/// The leg of a turn.
static inline const struct weft_leg* weft_turn_leg(const struct weft_board_plan* plan,
                                                   uint32_t turn, uint32_t piece) {
  return &plan->leg[turn < plan->legs ? turn : 2 * plan->legs - 1 - turn][piece];
}

static inline uint32_t weft_parity(uint32_t bits) {
  uint32_t parity = 0;
  for (; bits != 0; bits &= bits - 1) {
    parity ^= 1;
  }
  return parity;
}

/// This unit's number on its board as it counts for a piece: on odd boards along W that of the unit
/// that the piece passes on even ones.
static inline uint32_t weft_piece_unit(const struct weft_reduction* r, uint32_t piece) {
  return r->at->dims[0].coordinate % 2 == 0
             ? r->at->unit
             : r->at->unit ^ weft_exchanges[piece % WEFT_BOARD_LINKS][0].unit;
}

/// The leg round a ring of boards, which leads to units whose number differs in `other`.
static inline struct weft_leg weft_ring_leg(const struct weft_reduction* r,
                                            const struct weft_dimension* dim, uint32_t stream,
                                            int up, uint32_t other) {
  const uint32_t number = dim->coordinate;
  const uint32_t there = r->job->rank - r->at->unit + (r->at->unit ^ other);
  const uint32_t above = there + (weft_ring_next(dim, number, 1) - number) * dim->rank_step;
  const uint32_t below = there + (weft_ring_next(dim, number, 0) - number) * dim->rank_step;
  const int other_way = dim->size == 2 && up != (number % 2 == 0);
  return (struct weft_leg){.stream = stream,
                           .size = dim->size,
                           .number = number,
                           .next = up ? above : below,
                           .previous = up ? below : above,
                           .up = up,
                           .tag = other_way ? WEFT_TAG_OTHER_WAY : 0};
}

/// A leg without its range.
static inline struct weft_leg weft_leg(const struct weft_reduction* r,
                                       const struct weft_board_plan* plan, uint32_t piece,
                                       uint32_t leg) {
  const struct weft_exchange_leg* exchanges = weft_exchanges[piece % WEFT_BOARD_LINKS];
  const int board_first = piece < WEFT_BOARD_LINKS;
  const uint32_t before_board = board_first ? 0 : plan->plane_legs;
  if (leg == WEFT_BOARD_LEGS + plan->plane_legs) {
    // Half of the pieces, by unit, go up.
    return weft_ring_leg(r, &r->at->dims[0], exchanges[0].stream,
                         (weft_piece_unit(r, piece) & 4) == 0, exchanges[0].unit);
  }
  if (leg >= before_board && leg - before_board < WEFT_BOARD_LEGS) {
    const struct weft_exchange_leg* exchange = &exchanges[leg - before_board];
    const uint32_t partner = r->job->rank - r->at->unit + (r->at->unit ^ exchange->unit);
    return (struct weft_leg){.stream = exchange->stream,
                             .size = 2,
                             .number = weft_parity(exchange->bits & weft_piece_unit(r, piece)),
                             .next = partner,
                             .previous = partner,
                             .up = 1};
  }
  const uint32_t start = piece % (2 * plan->plane_legs);
  const uint32_t dim = (start / 2 + leg - (board_first ? WEFT_BOARD_LEGS : 0)) % plan->plane_legs;
  return weft_ring_leg(r, plan->plane[dim], WEFT_BOARD_LINKS + 2 * dim + start % 2, start % 2 == 0,
                       0);
}

/// The part that is sent in step `step` of a turn; it is received one step before.
static inline struct weft_range weft_leg_sent(const struct weft_leg* l, int copies, uint32_t step) {
  const uint32_t steps = (copies ? l->size - 1 + step : step) % l->size;
  return weft_cut(l->range, (l->number + (l->up ? l->size - steps : steps)) % l->size, l->size);
}

/// Messages received over the link of stream `s`, without those that tell.
static inline uint32_t weft_board_received(const struct weft_reduction* r, uint32_t s) {
  const uint32_t twice = 2 * r->at->unit;
  const uint32_t link = s == 0   ? 1
                        : s == 1 ? 3
                        : s == 2 ? twice % WEFT_BOARD_LINKS
                        : s == 3 ? (twice + 2) % WEFT_BOARD_LINKS
                                 : s;
  return weft_link_tag_received(link, WEFT_TAG_PARTIAL) +
         weft_link_tag_received(link, WEFT_TAG_DATA);
}

/// Computes the legs of all pieces, and the messages of their turns; no unit has sent any yet.
static inline void weft_set_legs(const struct weft_reduction* r, struct weft_board_plan* plan) {
  uint32_t sums[WEFT_ROUND_TRANSFERS];
  for (uint32_t s = 0; s < WEFT_BOARD_LINKS + 2 * plan->plane_legs; ++s) {
    sums[s] = weft_board_received(r, s);
  }
  for (uint32_t piece = 0; piece < plan->pieces; ++piece) {
    struct weft_range range = plan->range[piece];
    for (uint32_t leg = 0; leg < plan->legs; ++leg) {
      struct weft_leg* l = &plan->leg[leg][piece];
      *l = weft_leg(r, plan, piece, leg);
      l->range = range;
      range = weft_leg_sent(l, 0, l->size - 1);
    }
  }
  for (uint32_t turn = 0; turn < 2 * plan->legs; ++turn) {
    for (uint32_t piece = 0; piece < plan->pieces; ++piece) {
      const struct weft_leg* l = weft_turn_leg(plan, turn, piece);
      plan->before[turn][piece] = sums[l->stream];
      for (uint32_t step = 1; step < l->size; ++step) {
        sums[l->stream] +=
            weft_leg_messages(weft_length(weft_leg_sent(l, turn >= plan->legs, step)));
      }
      plan->due[turn][piece] = sums[l->stream];
    }
  }
}

/// Progress of a stream of this unit.
struct weft_board_stream {
  uint32_t turn, piece;  ///< What it sends; twice plan->legs at its end.
  uint32_t step;
  const struct weft_leg* leg;
  struct weft_range left;  ///< The part of the step that is not posted yet.
  uint32_t length;         ///< Length of the step's messages.
  uint32_t need;           ///< Messages that must have been received before the next one goes.
};

static inline void weft_set_step(const struct weft_board_plan* plan, struct weft_board_stream* at) {
  at->left = weft_leg_sent(at->leg, at->turn >= plan->legs, at->step);
  at->length = weft_leg_length(weft_length(at->left));
}

/// Goes to the next turn of stream `s`, from (at->turn, at->piece) on.
static inline void weft_next_turn(const struct weft_board_plan* plan, uint32_t s,
                                  struct weft_board_stream* at) {
  for (; at->turn < 2 * plan->legs; ++at->turn, at->piece = 0) {
    for (; at->piece < plan->pieces; ++at->piece) {
      at->leg = weft_turn_leg(plan, at->turn, at->piece);
      if (at->leg->stream == s) {
        at->step = 0;
        at->need = plan->before[at->turn][at->piece];
        weft_set_step(plan, at);
        return;
      }
    }
  }
}

_Static_assert((2 * WEFT_MOST_LEGS - 1) * WEFT_MOST_PIECES <= WEFT_ROUND_SLOTS, "mailboxes");

/// Mailbox in which a unit is told that it may begin turn `turn` of a piece.
static inline uint32_t weft_turn_slot(const struct weft_board_plan* plan, uint32_t turn,
                                      uint32_t piece) {
  return (turn - 1) * plan->pieces + piece;
}

/// Whether a unit is told to begin a turn: not when results are copied, as nobody reduces into
/// their place any more, and not round rings along X, Y and Z, where a stream has one sender.
static inline int weft_is_told(const struct weft_board_plan* plan, uint32_t turn, uint32_t stream) {
  return turn != 0 && (turn < plan->legs || stream < WEFT_BOARD_LINKS);
}

/// Progress of a piece at this unit.
struct weft_board_piece {
  uint32_t ended;  ///< Turns that the piece has ended, in order; data of the next turn may arrive
                   ///< before.
  uint32_t told;   ///< The last turn that another unit was told to begin, or may begin untold.
};

/// Posts the next message of stream `s` if it may go. Returns whether it has.
static inline int weft_post_board(struct weft_reduction* r, const struct weft_board_plan* plan,
                                  uint32_t s, struct weft_board_stream* at,
                                  const struct weft_board_piece* pieces) {
  if (at->step != 0) {
    if (!weft_reached(weft_board_received(r, s), at->need + 1)) {
      return 0;
    }
  } else if (pieces[at->piece].ended < at->turn ||
             (weft_is_told(plan, at->turn, s) &&
              !weft_mail_came(r, weft_turn_slot(plan, at->turn, at->piece), 1))) {
    return 0;
  }
  const uint32_t left = weft_length(at->left), place = weft_place(r, at->left.lo);
  const uint32_t flits = left < at->length ? left : at->length;
  weft_order(flits, place - r->mail,
             (at->turn < plan->legs ? WEFT_TAG_PARTIAL : WEFT_TAG_DATA) | at->leg->tag |
                 WEFT_CONTROLLER(s + 1),
             0);
  weft_post(weft_address_in(weft_job(), at->leg->next), place);
  ++r->posted;
  at->left.lo += flits;
  at->need += at->step != 0;
  if (weft_length(at->left) == 0) {
    if (++at->step + 1 < at->leg->size) {
      weft_set_step(plan, at);
    } else {
      ++at->piece;
      weft_next_turn(plan, s, at);
    }
  }
  return 1;
}

/// Notes which turns a piece has ended. Tells the unit before this one in the piece's next turn to
/// begin that turn, when nothing is reduced into the same words here any more and what others send
/// over the same link has arrived.
static inline void weft_advance_piece(struct weft_reduction* r, const struct weft_board_plan* plan,
                                      uint32_t i, struct weft_board_piece* piece) {
  const uint32_t turns = 2 * plan->legs;
  while (piece->ended < turns &&
         weft_reached(weft_board_received(r, weft_turn_leg(plan, piece->ended, i)->stream),
                      plan->due[piece->ended][i])) {
    ++piece->ended;
  }
  const uint32_t turn = piece->told + 1;
  if (turn >= turns || weft_free() == 0) {
    return;
  }
  const struct weft_leg* l = weft_turn_leg(plan, turn, i);
  if (weft_is_told(plan, turn, l->stream)) {
    if ((turn < plan->legs && piece->ended < turn) ||
        (l->stream < WEFT_BOARD_LINKS &&
         !weft_reached(weft_board_received(r, l->stream), plan->before[turn][i]))) {
      return;
    }
    weft_mail(r, l->previous, weft_turn_slot(plan, turn, i), 1);
  }
  piece->told = turn;
}

/// Runs all streams of this unit, until every piece has ended all turns here and others need
/// nothing from it.
static inline void weft_run_board_streams(struct weft_reduction* r,
                                          const struct weft_board_plan* plan) {
  const uint32_t count = WEFT_BOARD_LINKS + 2 * plan->plane_legs, turns = 2 * plan->legs;
  struct weft_board_stream at[WEFT_ROUND_TRANSFERS] = {{0}};
  struct weft_board_piece pieces[WEFT_MOST_PIECES] = {{0}};
  const uint32_t empty_queue = weft_free();
  uint32_t open, turn = 0, idle = 0;
  for (uint32_t s = 0; s < count; ++s) {
    weft_next_turn(plan, s, &at[s]);
  }
  for (;;) {
    uint32_t ended = 0;
    for (uint32_t i = 0; i < plan->pieces; ++i) {
      weft_advance_piece(r, plan, i, &pieces[i]);
      ended += pieces[i].ended == turns && pieces[i].told + 1 == turns;
    }
    open = 0;
    for (uint32_t s = 0; s < count; ++s) {
      open += at[s].turn < turns;
    }
    if (open == 0 && ended == plan->pieces) {
      return;
    }
    // A descriptor whose controller is busy would hold up those of other links behind it.
    if (idle >= count || weft_free() != empty_queue) {
      weft_wfi();
      idle = 0;
      continue;
    }
    idle =
        at[turn].turn < turns && weft_post_board(r, plan, turn, &at[turn], pieces) ? 0 : idle + 1;
    turn = turn + 1 < count ? turn + 1 : 0;
  }
}

#endif
