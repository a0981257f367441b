// For scripts/equiv.sh: what a pair of equal registers or outputs (A of the RTL, B of the netlist)
// means to the solver. Registers without reset (memories) start equal in both.
(* techmap_celltype = "$equiv" *)
module equal (
  input  A,
  input  B,
  output Y
);
  assign Y = B;
  always @* if ($initstate) assume (A == B);
  always @* assert (A == B);
endmodule
