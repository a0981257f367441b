// Way of a packet with valiant or ugal routing: to its waypoint in VCs of class 0, then to its
// destination in VCs of class 1. With ugal the source router sends a packet directly unless the
// queue on that way is long. Combinational.

`include "weft_assert.svh"

module weft_route_phase #(
  /// VCs of the links to neighbours; even, 2 to 8.
  parameter int unsigned NumVc = 4,
  /// VCs of class 0, as of route_class.
  parameter int unsigned LowVc = NumVc / 2,
  /// Ports to neighbours; 1 or more.
  parameter int unsigned NumLinks = 4,
  /// Local ports, numbered after those to neighbours; a router without them is no waypoint.
  parameter int unsigned NumLocal = 1,
  /// Width of the load of a port, bits.
  parameter int unsigned LoadW = 6,
  /// 1: ugal; 0: valiant, all packets go by their waypoints.
  parameter bit          Ugal = 1'b0,
  // Derived.
  localparam int unsigned NumPorts = NumLinks + NumLocal,
  localparam int unsigned PortW = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned SetW = weft_pkg::VcSetW
) (
  /// The packet is from a local port.
  input  logic                        local_i,
  /// Class of the VC on which it arrived.
  input  logic                        class_i,
  /// Low bits of its stamp.
  input  logic [3:0]                  stamp_i,
  /// Way to its waypoint: the out-port,
  input  logic [PortW-1:0]            way_port_i,
  /// and its VC set.
  input  logic [SetW-1:0]             way_set_i,
  /// Way to its destination: the out-port,
  input  logic [PortW-1:0]            on_port_i,
  /// and its VC set.
  input  logic [SetW-1:0]             on_set_i,
  /// Queue of class 0 of every link, port 0 lowest (route_load); ignored without `Ugal`, as are
  input  logic [NumLinks*LoadW-1:0]   low_load_i,
  /// the queue of class 1,
  input  logic [NumLinks*LoadW-1:0]   high_load_i,
  /// and the links whose queue of class 1 is long.
  input  logic [NumLinks-1:0]         busy_i,
  /// Out-port.
  output logic [PortW-1:0]            port_o,
  /// VCs of that port that the packet may be allocated (weft_pkg::VcAny ...).
  output logic [SetW-1:0]             set_o,
  /// Class of the packet from here on.
  output logic                        class_o
);

  `WEFT_PARAM(gen_check_ports, NumLinks >= 1)
  `WEFT_PARAM(gen_check_load_w, LoadW >= 1)

  // At the source router: the direct way has a queue that is not long among those of all links, or
  // is no longer than that on the way by the waypoint.
  logic direct;
  if (Ugal) begin : gen_ugal
    logic             on_busy;
    logic [LoadW-1:0] way_load, on_load;
    always_comb begin
      on_busy  = 1'b0;
      way_load = '0;
      on_load  = '0;
      for (int unsigned l = 0; l < NumLinks; l++) begin
        if (32'(way_port_i) == l) way_load = low_load_i[l*LoadW +: LoadW];
        if (32'(on_port_i) == l) on_load = high_load_i[l*LoadW +: LoadW];
        if (32'(on_port_i) == l) on_busy = busy_i[l];
      end
    end
    assign direct = local_i && (!on_busy || on_load <= way_load);
  end else begin : gen_valiant
    logic unused_load;
    assign unused_load = ^{low_load_i, high_load_i, busy_i};
    assign direct      = 1'b0;
  end

  // A local port that leads to the waypoint: it is this router's, and passed.
  logic goes_on;
  assign goes_on = (class_i && !local_i) || 32'(way_port_i) >= NumLinks || direct;

  logic [SetW-1:0] set, class_set;
  assign port_o = goes_on ? on_port_i : way_port_i;
  assign set    = goes_on ? on_set_i : way_set_i;

  weft_route_class #(
    .NumVc(NumVc),
    .LowVc(LowVc)
  ) u_class (
    .class_i(goes_on),
    .stamp_i,
    .set_i  (set),
    .set_o  (class_set)
  );
  assign class_o = goes_on;
  assign set_o = (32'(port_o) >= NumLinks) ? weft_pkg::VcAny : class_set;

endmodule
