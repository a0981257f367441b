// Proof of the sets of a class: whatever the stamp, the VCs are those of the class; low and high
// name VCs of its lower and its upper half, and each of these for some stamps.

`include "weft_assert.svh"

module route_class_props #(
  parameter int unsigned NumVc = 4,
  parameter int unsigned LowVc = NumVc / 2,
  localparam int unsigned SetW = weft_pkg::VcSetW
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic                        class_i,
  input logic [3:0]                  stamp_i,
  input logic [SetW-1:0]             set_i
);

  // The same packet and one that was stamped a cycle later.
  logic [SetW-1:0] set, later;
  weft_route_class #(
    .NumVc(NumVc),
    .LowVc(LowVc)
  ) u_dut (
    .class_i,
    .stamp_i,
    .set_i,
    .set_o(set)
  );
  weft_route_class #(
    .NumVc(NumVc),
    .LowVc(LowVc)
  ) u_later (
    .class_i,
    .stamp_i(stamp_i ^ 1'b1),
    .set_i,
    .set_o  (later)
  );

  // The VCs of the class.
  logic [31:0] size;
  assign size = class_i ? NumVc - LowVc : LowVc;

  // The one VC of a set, and its number within the class.
  logic            numbered;
  logic [SetW-1:0] vc, inner, later_inner;
  assign numbered    = set >= weft_pkg::VcFirst;
  assign vc          = set - weft_pkg::VcFirst;
  assign inner       = vc - (class_i ? SetW'(LowVc) : SetW'(0));
  assign later_inner = later - weft_pkg::VcFirst - (class_i ? SetW'(LowVc) : SetW'(0));

  `WEFT_ASSERT(AnyIsHalf, 2 * LowVc != NumVc || set_i != weft_pkg::VcAny ||
      set == (class_i ? weft_pkg::VcHigh : weft_pkg::VcLow))
  `WEFT_ASSERT(AnyInClass, 2 * LowVc == NumVc || set_i != weft_pkg::VcAny ||
      (numbered && 32'(inner) < size))
  `WEFT_ASSERT(AnyInTurn, 2 * LowVc == NumVc || set_i != weft_pkg::VcAny ||
      (size > 1) == (inner != later_inner))
  `WEFT_ASSERT(Kept, set_i <= weft_pkg::VcHigh || set_i >= weft_pkg::VcFirst || set == set_i)
  // A route unit of the VCs of class 0 gives numbers below that.
  `WEFT_ASSERT(NumberInClass, set_i < weft_pkg::VcFirst ||
      32'(set_i - weft_pkg::VcFirst) >= LowVc ||
      (numbered && 32'(inner) == 32'(set_i - weft_pkg::VcFirst)))
  // With one VC of a class both halves are that VC.
  `WEFT_ASSERT(LowIsLower, set_i != weft_pkg::VcLow ||
      (numbered && 32'(inner) < (size > 1 ? size / 2 : 1)))
  `WEFT_ASSERT(HighIsUpper, set_i != weft_pkg::VcHigh ||
      (numbered && 32'(inner) >= size / 2 && 32'(inner) < size))
  // Stamps that differ by one take the VCs of each half in turn.
  `WEFT_ASSERT(LowInTurn, set_i != weft_pkg::VcLow || (size > 3) == (inner != later_inner))
  `WEFT_ASSERT(HighInTurn, set_i != weft_pkg::VcHigh || (size > 2) == (inner != later_inner))

endmodule
