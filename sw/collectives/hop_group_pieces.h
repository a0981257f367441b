// Part of hop_group.c: the dimensions that a round serves, and the pieces that go along them.
#ifndef WEFT_HOP_GROUP_PIECES_H
#define WEFT_HOP_GROUP_PIECES_H

#include "sw/collectives/hop_steps.h"

/// Class of a piece: whether it was sent before, and whether at the receiver it has an odd number
/// of dimensions left.
enum { TO_GO = 1, MOVED = 2, PIECES = 4 };

/// The class if the piece differs from this node's coordinates in one more dimension.
static inline uint32_t then(uint32_t piece, uint32_t kind) {
  return kind == MOVED ? piece | MOVED : piece ^ TO_GO;
}

/// A dimension other than the one that is served: a digit of the counter of pieces.
struct digit {
  uint32_t part;  ///< Contribution of v's coordinate to the offset of a block, bytes; in the inner
                  ///< digit always that of this node's coordinate.
  uint32_t unit;  ///< Increment of the offset per node.
  uint32_t span;  ///< Increment of the offset per dimension.
  uint32_t left;  ///< Steps until v's coordinate is this node's again; then it is `size`.
  uint32_t size;  ///< Nodes.
  uint32_t me;    ///< Coordinate of this node.
  uint32_t kind;  ///< MOVED if the area was served in this dimension, else TO_GO.
};

/// A message's receiver and its order to the NIC.
struct heading {
  uint32_t order;    ///< Value for the register TAG_GAP.
  uint32_t address;  ///< Address of the receiver.
  uint32_t local;    ///< Contribution of its coordinate to the offset of a block, bytes.
};

enum { UP, DOWN };

/// A dimension that is served, and its pieces.
struct way {
  // State of the step:
  uint32_t turns;
  enum {
    BOTH,
    ONE,
    HALVES
  } turn;        ///< What a turn is: a piece up and one down, a piece in the only direction, or one
                 ///< piece up and the next down.
  uint32_t odd;  ///< 1: the last turn is a single piece.
  struct heading heading[2];
  // State of the current piece, without its heading:
  uint32_t source;        ///< Byte address of the piece.
  uint32_t target;        ///< Its offset at the receiver.
  uint32_t source_inner;  ///< Added to `source` when the inner digit starts to differ from this
                          ///< node's coordinate.
  uint32_t target_inner;  ///< Added to `target` when `source_inner` is added to `source`.
  struct digit inner;
  struct digit outer[WEFT_MAX_DIMS - 2];
  struct digit* outer_end;
  uint32_t area;              ///< Offset of the current packets in their blocks, bytes.
  uint32_t begin;             ///< Offset of the area in its block, bytes.
  const struct hop_cut* cut;  ///< Packets of the area.
  uint32_t flits;             ///< Length of the current packets.
  uint32_t turns_now;         ///< Turns with the current packets: 0 once there are no more packets.
  uint32_t home;  ///< Contribution of this node's coordinate to the offset of a block, bytes.
  // Constants of the job:
  uint32_t dim;   ///< Number of the dimension.
  uint32_t link;  ///< Controller of the link up, from 0; the link down has the next one.
  uint32_t size;
  uint32_t me;       ///< Coordinate of this node.
  uint32_t unit;     ///< Increment of the offset of a block per node, bytes.
  uint32_t shift;    ///< Position of the digit in the address.
  uint32_t address;  ///< This node's address without this digit.
  uint32_t pieces;   ///< Pieces in one direction.
};

struct group {
  struct weft_all_to_all all;
  const struct weft_job* job;
  struct way* first;  ///< First dimension that the round serves.
  struct way* end;    ///< End of the dimensions that the round serves.
  uint32_t dims;      ///< Dimensions of 2 nodes or more.
  uint32_t areas;
  uint32_t longer;  ///< The first `longer` areas are a flit longer.
  uint32_t round;
  uint32_t steps;   ///< Steps of the round.
  uint32_t turns;   ///< Most turns of a dimension in this step.
  uint32_t single;  ///< Whether single pieces take the direction that the network prefers.
  /// Byte address of block 0, by class of the piece.
  uint32_t source[PIECES];
  uint32_t target[PIECES];  ///< Offset of block 0 at the receiver, by class of the piece.
  struct hop_cut cut[2];    ///< Packets of the longer areas, and of the others.
  struct way way[WEFT_MAX_DIMS];
};

/// Computes the addresses of the current piece from its digits; the inner one has this node's
/// coordinate.
static inline void find_piece(const struct group* g, struct way* way) {
  uint32_t offset = way->area + way->inner.part;
  uint32_t piece = 0;
  for (const struct digit* digit = way->outer; digit != way->outer_end; ++digit) {
    offset += digit->part;
    piece = digit->left != digit->size ? then(piece, digit->kind) : piece;
  }
  const uint32_t inner = then(piece, way->inner.kind);
  way->source = offset + g->source[piece];
  way->target = offset + way->home + g->target[piece];
  way->source_inner = g->source[inner] - g->source[piece];
  way->target_inner = g->target[inner] - g->target[piece];
}

/// Increment of the offset for the step of a digit to `left`; the last coordinate wraps to 0. Has
/// no branch, which nodes would take at different times.
static inline uint32_t step_to(const struct digit* digit, uint32_t left) {
  return digit->unit - (digit->span & (0U - (left == digit->me)));
}

/// The inner digit has wrapped: carries into the others. After a full count all have their first
/// values again.
static __attribute__((noinline)) void carry(const struct group* g, struct way* way) {
  way->inner.left = way->inner.size;
  for (struct digit* digit = way->outer; digit != way->outer_end; ++digit) {
    --digit->left;
    digit->part += step_to(digit, digit->left);
    if (digit->left != 0) {
      break;
    }
    digit->left = digit->size;
  }
  find_piece(g, way);
}

/// Advances to the next piece.
static inline void next_piece(const struct group* g, struct way* way) {
  const uint32_t left = way->inner.left - 1;
  if (left == 0) {
    carry(g, way);
    return;
  }
  const uint32_t step = step_to(&way->inner, left);
  uint32_t source = way->source + step, target = way->target + step;
  if (left == way->inner.size - 1) {
    source += way->source_inner;
    target += way->target_inner;
  }
  way->inner.left = left;
  way->source = source;
  way->target = target;
}

#endif
