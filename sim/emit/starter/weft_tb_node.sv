// Starter testbench, one node: the memory of its network interface, a driver that posts messages,
// and the check of what has arrived. A processor or traffic of your own takes the driver's place.
// Written by `weft emit`.

module weft_tb_node #(
  /// Rank of this node.
  parameter bit [31:0] Rank = 0,
  /// Nodes of the network.
  parameter bit [31:0] NumNodes = 1,
  /// Messages that every node sends: message m goes to rank `Rank` + 1 + m, modulo `NumNodes`.
  parameter bit [31:0] Messages = 1,
  /// Length of a message, flits; 1 or more.
  parameter bit [31:0] Flits = 1,
  /// What receive counter 0 shows when all messages to this node are in its memory.
  parameter bit [31:0] Expected = 1,
  /// Width of a flit without parity, bits; a multiple of 64.
  parameter bit [31:0] DataW = 64,
  /// Read lanes of the memory.
  parameter bit [31:0] NumLanes = 1,
  /// Write lanes of the memory.
  parameter bit [31:0] NumLinks = 1,
  /// Width of an offset in the receive window, bits.
  parameter bit [31:0] OffW = 20,
  /// Width of the key on its top, bits: 0 for all messages.
  parameter bit [31:0] KeyW = 0,
  /// Width of the id of a packet below the key, bits, which the interface fills in.
  parameter bit [31:0] IdW = 0,
  /// Receive windows of the interface, of which window 0 is used.
  parameter bit [31:0] Windows = 1,
  /// Width of the number of free descriptors, bits.
  parameter bit [31:0] FreeW = 4
) (
  /// Clock.
  input  logic                                   clk_i,
  /// Asynchronous reset, active low.
  input  logic                                   rst_ni,
  /// All nodes are done: the memory is compared.
  input  logic                                   check_i,
  /// All messages of this node are sent, and all messages to it have arrived.
  output logic                                   done_o,
  /// What was found wrong; valid in the cycle after `check_i`.
  output logic                                   failed_o,
  /// Descriptor for the interface: valid,
  output logic                                   desc_valid_o,
  /// rank of the destination,
  output logic [31:0]                            desc_rank_o,
  /// first word in the memory,
  output logic [weft_pkg::MemAddrW-1:0]          desc_addr_o,
  /// length,
  output logic [weft_pkg::MsgLenW-1:0]           desc_len_o,
  /// and offset in the destination's receive window.
  output logic [OffW-1:0]                        desc_off_o,
  /// Free slots of the descriptor queue.
  input  logic [FreeW-1:0]                       desc_free_i,
  /// Messages sent.
  input  logic [weft_pkg::CountW-1:0]            tx_count_i,
  /// Memory: read,
  input  logic [NumLanes-1:0]                    mem_ren_i,
  /// read addresses,
  input  logic [NumLanes*weft_pkg::MemAddrW-1:0] mem_raddr_i,
  /// the words read in the cycle before,
  output logic [NumLanes*DataW-1:0]              mem_rdata_o,
  /// write,
  input  logic [NumLinks-1:0]                    mem_wen_i,
  /// write addresses,
  input  logic [NumLinks*weft_pkg::MemAddrW-1:0] mem_waddr_i,
  /// words to write.
  input  logic [NumLinks*DataW-1:0]              mem_wdata_i,
  /// Receive windows: first word in the memory,
  output logic [Windows*weft_pkg::MemAddrW-1:0]  rx_base_o,
  /// and size.
  output logic [Windows*weft_pkg::MemAddrW-1:0]  rx_size_o,
  /// Receive counter 0.
  input  logic [weft_pkg::CountW-1:0]            rx_count_i,
  /// Packets dropped for a parity error,
  input  logic [weft_pkg::CountW-1:0]            rx_parity_i,
  /// and for a wrong address or length.
  input  logic [weft_pkg::CountW-1:0]            rx_refused_i
);

  localparam bit [31:0] MemAddrW = weft_pkg::MemAddrW;
  // Words that a node sends, and that it receives; the memory has the first below the second. Not
  // 0, so that the simulator comes to the check of the parameters below.
  localparam bit [31:0] Area = Messages * Flits == 0 ? 1 : Messages * Flits;
  localparam bit [31:0] IndexW = $clog2(2 * Area);
  // Words that an offset can tell.
  localparam bit [31:0] MaxArea = 32'd1 << (OffW - KeyW - IdW);

  // Word `w` of what rank `src` sends. It differs from every other word.
  function automatic logic [DataW-1:0] sent_word(input logic [31:0] src, input logic [31:0] w);
    for (int unsigned part = 0; part < DataW / 64; part++) begin
      sent_word[part*64 +: 64] = 64'h9e37_79b9_7f4a_7c15 * {src + 32'd1, (w << 3) + 32'(part)};
    end
  endfunction

  logic [DataW-1:0] mem [2*Area];
  // In a variable, so that Verilator unrolls no loop over it.
  int unsigned      area = Area;

  initial begin
    if (Flits == 0 || Messages == 0 || Area > MaxArea) begin
      $display("FAIL: %0d messages of %0d flits: expected: 1 or more, in all at most %0d flits",
               Messages, Flits, MaxArea);
      $fatal(1);
    end
    for (int unsigned w = 0; w < area; w++) begin
      mem[w] = sent_word(Rank, w);
      mem[Area+w] = '0;
    end
  end

  // Memory. A read returns the word before the writes of the same cycle.
  always @(posedge clk_i) begin
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (mem_ren_i[l]) begin
        mem_rdata_o[l*DataW +: DataW] <= mem[IndexW'(mem_raddr_i[l*MemAddrW +: MemAddrW])];
      end
    end
    for (int unsigned l = 0; l < NumLinks; l++) begin
      if (mem_wen_i[l]) begin
        mem[IndexW'(mem_waddr_i[l*MemAddrW +: MemAddrW])] = mem_wdata_i[l*DataW +: DataW];
      end
    end
  end

  // Driver: a descriptor in each cycle in which the queue has a free slot. That of the present
  // cycle is not counted in `desc_free_i`.
  logic [31:0] next_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q       <= '0;
      desc_valid_o <= 1'b0;
      desc_rank_o  <= '0;
      desc_addr_o  <= '0;
      desc_off_o   <= '0;
    end else if (next_q < Messages && 32'(desc_free_i) > 32'(desc_valid_o)) begin
      next_q       <= next_q + 32'd1;
      desc_valid_o <= 1'b1;
      desc_rank_o  <= (Rank + 32'd1 + next_q) % NumNodes;
      desc_addr_o  <= MemAddrW'(next_q * Flits);
      desc_off_o   <= OffW'(next_q * Flits);
    end else begin
      desc_valid_o <= 1'b0;
    end
  end
  assign desc_len_o = weft_pkg::MsgLenW'(Flits);
  assign rx_base_o  = (Windows*MemAddrW)'(Area);
  assign rx_size_o  = (Windows*MemAddrW)'(Area);
  assign done_o     = tx_count_i == Messages && rx_count_i == Expected;

  // Check: message m has come from the rank m + 1 below this one.
  logic [31:0]      wrong, source;
  logic [DataW-1:0] wanted;
  always @(posedge clk_i) begin
    if (check_i) begin
      wrong = '0;
      for (int unsigned w = 0; w < area; w++) begin
        source = (Rank + NumNodes - 32'd1 - (w / Flits) % NumNodes) % NumNodes;
        wanted = sent_word(source, w);
        if (mem[Area+w] !== wanted) begin
          if (wrong == '0) begin
            $display("FAIL: node %0d, word %0d (of node %0d): expected %h, got %h", Rank, w, source,
                     wanted, mem[Area+w]);
          end
          wrong = wrong + 32'd1;
        end
      end
      if (wrong > 1) $display("FAIL: node %0d: %0d words of %0d are wrong", Rank, wrong, Area);
      if (rx_parity_i != '0 || rx_refused_i != '0) begin
        $display("FAIL: node %0d: dropped %0d packets for parity, %0d for address or length", Rank,
                 rx_parity_i, rx_refused_i);
      end
      failed_o <= wrong != '0 || rx_parity_i != '0 || rx_refused_i != '0;
    end
  end

endmodule
