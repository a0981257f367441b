// Proof of the selection between the way by the waypoint and the direct way: a packet that has left
// class 0 never returns to it, a waypoint is not passed by, and with ugal only the source router
// looks at queues. The case of the first rule that applies is selected here in one chain.

`include "weft_assert.svh"

module route_phase_props #(
  parameter int unsigned NumVc = 4,
  parameter int unsigned NumLinks = 4,
  parameter int unsigned NumLocal = 1,
  parameter int unsigned LoadW = 3,
  parameter bit          Ugal = 1'b0,
  localparam int unsigned NumPorts = NumLinks + NumLocal,
  localparam int unsigned PortW = $clog2(NumPorts),
  localparam int unsigned SetW = weft_pkg::VcSetW
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic                        local_i,
  input logic                        class_i,
  input logic [3:0]                  stamp_i,
  input logic [PortW-1:0]            way_port_i,
  input logic [SetW-1:0]             way_set_i,
  input logic [PortW-1:0]            on_port_i,
  input logic [SetW-1:0]             on_set_i,
  input logic [NumLinks*LoadW-1:0]   low_load_i,
  input logic [NumLinks*LoadW-1:0]   high_load_i,
  input logic [NumLinks-1:0]         busy_i
);

  logic [PortW-1:0] port;
  logic [SetW-1:0]  set;
  logic             cls;
  weft_route_phase #(
    .NumVc   (NumVc),
    .NumLinks(NumLinks),
    .NumLocal(NumLocal),
    .LoadW   (LoadW),
    .Ugal    (Ugal)
  ) u_dut (
    .local_i,
    .class_i,
    .stamp_i,
    .way_port_i,
    .way_set_i,
    .on_port_i,
    .on_set_i,
    .low_load_i,
    .high_load_i,
    .busy_i,
    .port_o (port),
    .set_o  (set),
    .class_o(cls)
  );

  `WEFT_ASSUME(PortsExist, 32'(way_port_i) < NumPorts && 32'(on_port_i) < NumPorts)

  // Queues of the two ports, found by shifting.
  logic [31:0] way_load, on_load;
  assign way_load = 32'(LoadW'(low_load_i >> (32'(way_port_i) * LoadW)));
  assign on_load  = 32'(LoadW'(high_load_i >> (32'(on_port_i) * LoadW)));

  logic on;
  always_comb begin
    if (!local_i && class_i) on = 1'b1;
    else if (32'(way_port_i) >= NumLinks) on = 1'b1;
    else if (!Ugal || !local_i) on = 1'b0;
    else if (32'(on_port_i) >= NumLinks) on = 1'b1;
    else if (!(1'(busy_i >> on_port_i))) on = 1'b1;
    else on = !(on_load > way_load);
  end

  // The set within each class: proved of route_class.
  logic [SetW-1:0] way_set, on_set;
  weft_route_class #(
    .NumVc(NumVc)
  ) u_way (
    .class_i(1'b0),
    .stamp_i,
    .set_i  (way_set_i),
    .set_o  (way_set)
  );
  weft_route_class #(
    .NumVc(NumVc)
  ) u_on (
    .class_i(1'b1),
    .stamp_i,
    .set_i  (on_set_i),
    .set_o  (on_set)
  );

  `WEFT_ASSERT(PortOfWay, port == (on ? on_port_i : way_port_i))
  `WEFT_ASSERT(SetOfWay, 32'(port) >= NumLinks || set == (on ? on_set : way_set))
  `WEFT_ASSERT(AnyAtLocal, 32'(port) < NumLinks || set == weft_pkg::VcAny)
  `WEFT_ASSERT(LocalOnlyOn, 32'(port) < NumLinks || on)
  `WEFT_ASSERT(ClassOfWay, cls == on)
  `WEFT_ASSERT(NeverBack, !class_i || local_i || port == on_port_i)

endmodule
