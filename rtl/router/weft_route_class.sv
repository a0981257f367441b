// VC set of a packet where VCs are in two classes, below and from `LowVc` on: the set that a route
// unit gives for a network of all VCs, within the packet's class. Combinational.

`include "weft_assert.svh"

module weft_route_class #(
  /// VCs of the links to neighbours; even, 2 to 8.
  parameter int unsigned NumVc = 4,
  /// VCs of class 0; 1 to `NumVc` / 2.
  parameter int unsigned LowVc = NumVc / 2
) (
  /// Class of the packet.
  input  logic                        class_i,
  /// Low bits of its stamp: select among several VCs.
  input  logic [3:0]                  stamp_i,
  /// VC set of the route unit (weft_pkg::VcAny ...); a VC by number is below `LowVc`.
  input  logic [weft_pkg::VcSetW-1:0] set_i,
  /// VC set of the class.
  output logic [weft_pkg::VcSetW-1:0] set_o
);

  localparam int unsigned SetW = weft_pkg::VcSetW;
  localparam bit Halves = 2 * LowVc == NumVc;

  `WEFT_PARAM(gen_check_num_vc, NumVc >= 2 && NumVc % 2 == 0 && NumVc <= weft_pkg::NumberedVcs)
  `WEFT_PARAM(gen_check_low_vc, LowVc >= 1 && 2 * LowVc <= NumVc)

  // No set is low or high within a class: the packet gets one VC of it, its stamp says which. By
  // class: all its VCs, those of set low, and those of set high from number `Size` / 2 on.
  logic [2*SetW-1:0] any, low, high;
  for (genvar c = 0; c < 2; c++) begin : gen_class
    localparam int unsigned First   = c == 1 ? LowVc : 0;
    localparam int unsigned Size    = c == 1 ? NumVc - LowVc : LowVc;
    localparam int unsigned NumLow  = Size > 1 ? Size / 2 : 1;
    localparam int unsigned NumHigh = Size - Size / 2;
    assign any[c*SetW +: SetW] = Halves ? (c == 1 ? weft_pkg::VcHigh : weft_pkg::VcLow)
        : weft_pkg::VcFirst + SetW'(First) + SetW'(stamp_i % 4'(Size));
    assign low[c*SetW +: SetW]  = weft_pkg::VcFirst + SetW'(First) + SetW'(stamp_i % 4'(NumLow));
    assign high[c*SetW +: SetW] =
        weft_pkg::VcFirst + SetW'(First + Size / 2) + SetW'(stamp_i % 4'(NumHigh));
  end
  logic [SetW-1:0] first;
  assign first = class_i ? SetW'(LowVc) : '0;

  assign set_o = (set_i == weft_pkg::VcAny)  ? any[32'(class_i)*SetW +: SetW]
               : (set_i == weft_pkg::VcLow)  ? low[32'(class_i)*SetW +: SetW]
               : (set_i == weft_pkg::VcHigh) ? high[32'(class_i)*SetW +: SetW]
               : (set_i < weft_pkg::VcFirst) ? set_i
               :                               {1'b1, 3'(set_i + first)};

endmodule
