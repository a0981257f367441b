// Oldest packet first (seed 004 [10]): selects the requesters of greatest age. Combinational: a
// tree of comparisons finds the greatest age, with which each requester's is then compared.

`include "weft_assert.svh"

module weft_age_arbiter #(
  /// Requesters; 1 or more.
  parameter int unsigned NumReq = 4
) (
  /// The present cycle, modulo 2^16.
  input  logic [weft_pkg::StampW-1:0]        now_i,
  /// Requesters.
  input  logic [NumReq-1:0]                  req_i,
  /// Cycle of injection of each requester's packet, requester 0 lowest.
  input  logic [NumReq*weft_pkg::StampW-1:0] stamp_i,
  /// The requesters of greatest age.
  output logic [NumReq-1:0]                  oldest_o
);

  `WEFT_PARAM(gen_check_num_req, NumReq >= 1)

  localparam int unsigned StampW = weft_pkg::StampW;

  // Ages; 0 without a request, which never exceeds a requester's.
  logic [NumReq*StampW-1:0] ages;
  for (genvar i = 0; i < NumReq; i++) begin : gen_age
    assign ages[i*StampW +: StampW] = req_i[i] ? now_i - stamp_i[i*StampW +: StampW] : '0;
  end

  // The greatest age: a tree of pairwise maxima.
  function automatic logic [StampW-1:0] greatest(input logic [NumReq*StampW-1:0] all);
    logic [NumReq*StampW-1:0] left;
    left = all;
    for (int unsigned step = 1; step < NumReq; step = step * 2) begin
      for (int unsigned i = 0; i + step < NumReq; i = i + 2 * step) begin
        if (left[(i+step)*StampW +: StampW] > left[i*StampW +: StampW]) begin
          left[i*StampW +: StampW] = left[(i+step)*StampW +: StampW];
        end
      end
    end
    greatest = left[StampW-1:0];
  endfunction

  logic [StampW-1:0] age;
  assign age = greatest(ages);

  for (genvar i = 0; i < NumReq; i++) begin : gen_oldest
    assign oldest_o[i] = req_i[i] && ages[i*StampW +: StampW] == age;
  end

endmodule
