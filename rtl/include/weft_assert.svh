// Assertions of all blocks, in the one form that Verilator, Yosys and Icarus all read: an immediate
// assertion at the clock edge, silent during reset. They hold in simulation (Verilator with
// -DWEFT_CHECKED --assert) and are proved (tests/formal, -DWEFT_FORMAL); else they are empty.
// Registers that only assertions need are under `ifdef WEFT_CHECKED with them, so that they are
// neither in a netlist nor in a fast simulation. WEFT_ASSUME is what a block requires of its
// environment: an assumption in the proof of the block itself, an assertion in simulation and in
// the proof of an enclosing block (scripts/prove.sh).
`ifndef WEFT_ASSERT_SVH
`define WEFT_ASSERT_SVH

`ifdef WEFT_FORMAL
`define WEFT_CHECKED
// The label is left out: Yosys reports file and line.
`define WEFT_ASSERT(label, property) \
  always @(posedge clk_i) if (rst_ni) assert (property);
`define WEFT_ASSUME(label, property) \
  always @(posedge clk_i) if (rst_ni) assume (property);
`elsif WEFT_CHECKED
`define WEFT_ASSERT(label, property) \
  always @(posedge clk_i) if (rst_ni) label: assert (property);
`define WEFT_ASSUME(label, property) \
  always @(posedge clk_i) if (rst_ni) label: assert (property);
`else
`define WEFT_ASSERT(label, property)
`define WEFT_ASSUME(label, property)
`endif

// A parameter out of range stops elaboration.
`define WEFT_PARAM(label, condition) \
  if (!(condition)) begin : label \
    weft_parameter_out_of_range u_stop (); \
  end

`endif
