#!/usr/bin/env bash
# A router as gates: Yosys synthesises weft_vc_router, and Icarus runs the netlist beside the RTL
# under random packets and credits. Every output is equal in every cycle, with X as a value of its
# own; the netlist of a faulty router is told apart.
source "$(dirname "$0")/lib.sh"

for tool in yosys iverilog; do
  command -v $tool >/dev/null || { echo "SKIPPED: no $tool"; exit 0; }
done

# Icarus 11 knows `parameter int` but not `parameter int unsigned`.
cp -r "$source_dir/rtl" rtl
find rtl -name '*.sv' \
  -exec sed -i -E 's/\b((local)?param(eter)?) int unsigned\b/\1 bit [31:0]/' {} +
sources=(rtl/weft_pkg.sv rtl/router/weft_{vc_router,input_unit,output_unit,vc_alloc,way_select}.sv
  rtl/router/weft_{packet_order,switch_alloc,switch_hold}.sv rtl/buffer/weft_{fifo,ram}.sv
  rtl/arbiter/weft_{age,rr}_arbiter.sv)

# synthesised FOLDER NETLIST
synthesised() {
  yosys -q -p "read_verilog -sv -I$1/include ${sources[*]/#rtl/$1}
    chparam -set NumPorts 3 -set Depth 3 -set Age 1 -set Stamps 1 weft_vc_router
    synth -flatten -top weft_vc_router
    rename -top router_gates
    write_verilog -noattr $2" >yosys.log 2>&1 || fail "no netlist: $(tail -n 3 yosys.log)"
}
# compared NETLIST: what the bench says.
compared() {
  iverilog -g2012 -Irtl/include -s netlist_tb -o netlist.vvp "${sources[@]}" "$1" netlist_tb.sv \
    >iverilog.log 2>&1 || fail "Icarus: $(head -n 3 iverilog.log)"
  vvp -n netlist.vvp | grep -m 1 -E '^(PASS|FAIL)'
}

# Three ports, the last one local; two VCs of three flits. Senders and receivers count credits.
cat >netlist_tb.sv <<'SV'
module netlist_tb;
  localparam int Ports = 3, Vcs = 2, Depth = 3, Cycles = 4000;
  localparam int LocalDepth = weft_pkg::RxDepth;
  reg clk = 0, rst_n = 0;
  reg  [Ports-1:0]       rx_valid = 0, rx_last, rx_vc;
  reg  [Ports*64-1:0]    rx_data;
  reg  [Ports*16-1:0]    rx_stamp;
  reg  [Ports*2-1:0]     route_port;
  reg  [Ports*4-1:0]     route_set;
  reg  [Ports*Ports-1:0] route_minimal = 0;
  reg  [Ports*Vcs-1:0]   tx_credit = 0;
  wire [Ports*Vcs-1:0]   credit, credit_gates;
  wire [Ports-1:0]       valid, valid_gates, last, last_gates, vc, vc_gates;
  wire [Ports*64-1:0]    data, data_gates;
  wire [Ports*16-1:0]    stamp, stamp_gates;

  weft_vc_router #(.NumPorts(Ports), .Depth(Depth), .Age(1'b1), .Stamps(1'b1)) u_rtl (
    .clk_i(clk), .rst_ni(rst_n), .rx_valid_i(rx_valid), .rx_last_i(rx_last), .rx_vc_i(rx_vc),
    .rx_data_i(rx_data), .rx_stamp_i(rx_stamp), .route_port_i(route_port),
    .route_set_i(route_set), .route_minimal_i(route_minimal), .rx_credit_o(credit),
    .tx_valid_o(valid), .tx_last_o(last), .tx_vc_o(vc), .tx_data_o(data), .tx_stamp_o(stamp),
    .tx_credit_i(tx_credit));
  router_gates u_gates (
    .clk_i(clk), .rst_ni(rst_n), .rx_valid_i(rx_valid), .rx_last_i(rx_last), .rx_vc_i(rx_vc),
    .rx_data_i(rx_data), .rx_stamp_i(rx_stamp), .route_port_i(route_port),
    .route_set_i(route_set), .route_minimal_i(route_minimal), .rx_credit_o(credit_gates),
    .tx_valid_o(valid_gates), .tx_last_o(last_gates), .tx_vc_o(vc_gates),
    .tx_data_o(data_gates), .tx_stamp_o(stamp_gates), .tx_credit_i(tx_credit));

  // Of each in-port and VC: credits, flits left of its packet, its stamp. Of each out-port and VC:
  // flits that the receiver holds.
  integer credits [0:Ports*Vcs-1], left [0:Ports*Vcs-1], held [0:Ports*Vcs-1];
  reg [15:0] stamps [0:Ports*Vcs-1];
  integer p, v, i, cycle, moved = 0, seed = 1;
  function integer below(input integer bound);
    below = $unsigned($random(seed)) % bound;
  endfunction

  always #5 clk = !clk;
  initial begin
    for (i = 0; i < Ports * Vcs; i = i + 1) begin
      credits[i] = Depth;
      left[i] = 0;
      held[i] = 0;
      stamps[i] = 0;
    end
    repeat (2) @(negedge clk);
    rst_n = 1;
    for (cycle = 0; cycle < Cycles; cycle = cycle + 1) begin
      // The inputs of the cycle; then its outputs, which depend on registers alone.
      for (p = 0; p < Ports; p = p + 1) begin
        v = below(Vcs);
        i = p * Vcs + v;
        rx_valid[p] = credits[i] != 0 && below(4) != 0;
        if (rx_valid[p]) begin
          if (left[i] == 0) begin
            left[i] = 1 + below(5);
            stamps[i] = cycle - below(200);
          end
          left[i] = left[i] - 1;
          credits[i] = credits[i] - 1;
        end
        rx_last[p] = left[i] == 0;
        rx_vc[p] = v;
        rx_data[p*64 +: 64] = {$random(seed), $random(seed)};
        rx_stamp[p*16 +: 16] = stamps[i];
        route_port[p*2 +: 2] = below(Ports);
        route_set[p*4 +: 4] = below(4);
        for (v = 0; v < Vcs; v = v + 1) begin
          tx_credit[p*Vcs + v] = held[p*Vcs + v] != 0 && below(3) != 0;
          if (tx_credit[p*Vcs + v]) held[p*Vcs + v] = held[p*Vcs + v] - 1;
        end
      end
      @(posedge clk);
      #1;
      if ({credit, valid, last, vc, data, stamp} !==
          {credit_gates, valid_gates, last_gates, vc_gates, data_gates, stamp_gates}) begin
        $display("FAIL: RTL and netlist differ in cycle %0d", cycle);
        $finish;
      end
      if (^{credit, valid, last, vc, data, stamp} === 1'bx) begin
        $display("FAIL: an output is X in cycle %0d", cycle);
        $finish;
      end
      for (p = 0; p < Ports; p = p + 1) begin
        if (valid[p]) begin
          held[p*Vcs + vc[p]] = held[p*Vcs + vc[p]] + 1;
          moved = moved + 1;
          if (held[p*Vcs + vc[p]] > (p == Ports - 1 ? LocalDepth : Depth)) begin
            $display("FAIL: a flit without a credit in cycle %0d", cycle);
            $finish;
          end
        end
        for (v = 0; v < Vcs; v = v + 1) begin
          if (credit[p*Vcs + v]) credits[p*Vcs + v] = credits[p*Vcs + v] + 1;
        end
      end
    end
    $display("PASS: %0d flits in %0d cycles", moved, Cycles);
    $finish;
  end
endmodule
SV

synthesised rtl gates.v
said=$(compared gates.v)
echo "$said"
[[ $said =~ ^PASS:\ ([0-9]+)\ flits ]] && [ "${BASH_REMATCH[1]}" -gt 1000 ] ||
  fail "netlist of the router: $said"

# A counter of credits in the gates alone that loses one.
cp -r rtl faulty
sed -i 's/tx_credit_i\[o\*NumVc +: OutVc\]/tx_credit_i[0 +: OutVc]/' faulty/router/weft_vc_router.sv
cmp -s {rtl,faulty}/router/weft_vc_router.sv && fail "no fault in the router"
synthesised faulty faulty.v
said=$(compared faulty.v)
[[ $said == "FAIL: RTL and netlist differ in cycle "* ]] || fail "a faulty netlist: $said"

finish
