// VC set of a packet where VCs are in two classes of equal size, below and from `NumVc` / 2 on: the
// set that a route unit gives for a network of all VCs, within the half that is the packet's class.
// Combinational.

`include "weft_assert.svh"

module weft_route_class #(
  /// VCs of the links to neighbours; even, 2 to 8.
  parameter int unsigned NumVc = 4
) (
  /// Class of the packet.
  input  logic                        class_i,
  /// Low bits of its stamp: select among several VCs.
  input  logic [3:0]                  stamp_i,
  /// VC set of the route unit (weft_pkg::VcAny ...); a VC by number is below `NumVc` / 2.
  input  logic [weft_pkg::VcSetW-1:0] set_i,
  /// VC set of the class.
  output logic [weft_pkg::VcSetW-1:0] set_o
);

  localparam int unsigned SetW = weft_pkg::VcSetW;
  localparam int unsigned Half = NumVc / 2;
  // VCs of set low in a class, and of set high, from number Half / 2 of the class on.
  localparam int unsigned NumLow  = Half > 1 ? Half / 2 : 1;
  localparam int unsigned NumHigh = Half - Half / 2;

  `WEFT_PARAM(gen_check_num_vc, NumVc >= 2 && NumVc % 2 == 0 && NumVc <= weft_pkg::NumberedVcs)

  // No set is low or high within a class: the packet gets one VC of it, its stamp says which.
  logic [SetW-1:0] first, low, high;
  assign first = weft_pkg::VcFirst + (class_i ? SetW'(Half) : '0);
  assign low   = first + SetW'(stamp_i % 4'(NumLow));
  assign high  = first + SetW'(Half / 2) + SetW'(stamp_i % 4'(NumHigh));

  assign set_o = (set_i == weft_pkg::VcAny)  ? (class_i ? weft_pkg::VcHigh : weft_pkg::VcLow)
               : (set_i == weft_pkg::VcLow)  ? low
               : (set_i == weft_pkg::VcHigh) ? high
               : (set_i < weft_pkg::VcFirst) ? set_i
               :                               {1'b1, 3'(set_i + first)};

endmodule
