// Registers of a NIC, byte offsets from WEFT_MMIO_BASE; all are 32-bit words.
// Written by scripts/registers.py from sim/packet/register_map.hpp.
#ifndef WEFT_REGISTER_MAP_H
#define WEFT_REGISTER_MAP_H

// w: network address of the destination node.
#define WEFT_REG_DST 0x00

// w: local byte address of the body, a multiple of a flit.
#define WEFT_REG_ADDR 0x04

// w: body length in flits.
#define WEFT_REG_LEN 0x08

// w: byte offset in the destination's receive window, a multiple of a flit.
#define WEFT_REG_OFFSET 0x0C

// w: tag in bits 2:0, OF_BARRIER, gap in packet times in bits 15:8, CONTROLLER.
#define WEFT_REG_TAG_GAP 0x10

// w: any value; puts the order into the descriptor queue.
#define WEFT_REG_POST 0x14

// r: free descriptors of the descriptor queue.
#define WEFT_REG_FREE 0x18

// r: messages sent to the last flit.
#define WEFT_REG_SENT 0x1C

// r: messages stored with tag & 3 == 0; then tags 1, 2 and 3.
#define WEFT_REG_RECEIVED0 0x20
#define WEFT_REG_RECEIVED1 0x24
#define WEFT_REG_RECEIVED2 0x28
#define WEFT_REG_RECEIVED3 0x2C

// w: first byte of the receive window that RX_SIZE opens, a multiple of a flit.
#define WEFT_REG_RX_BASE 0x30

// w: opens a receive window with what RX_BASE and RX_KEY have: bytes, a multiple of a flit; 0
// closes it.
#define WEFT_REG_RX_SIZE 0x34

// r: packets dropped for their parity.
#define WEFT_REG_PARITY_ERRORS 0x38

// r: packets dropped for their key, offset or length.
#define WEFT_REG_REFUSED 0x3C

// w: ends this processor with the value as its exit code.
#define WEFT_REG_EXIT 0x40

// r: the clock cycle, low 32 bits.
#define WEFT_REG_CYCLE 0x44

// rw: written, any value: this node enters its next hardware barrier; read: hardware barriers
// released so far.
#define WEFT_REG_BARRIER 0x48

// w: n, once: the job starts. From now on SENT and BARRIER count from zero, and RECEIVED3 and
// ARRIVED3 do not count the n messages of the start-up.
#define WEFT_REG_JOB_START 0x4C

// r: messages arrived with tag & 3 == 0, perhaps not yet in memory (seed 004 4.1); then tags 1, 2
// and 3.
#define WEFT_REG_ARRIVED0 0x50
#define WEFT_REG_ARRIVED1 0x54
#define WEFT_REG_ARRIVED2 0x58
#define WEFT_REG_ARRIVED3 0x5C

// w: what is done with messages with an odd tag: operation in bits 2:0 (0 stores them), type of the
// elements in bits 4:3, divisor of a mean in bits 31:16.
#define WEFT_REG_REDUCE 0x60

// r: messages stored that came by incoming link 0, of all tags together; then links 1 to 7. They
// leave out what had come when the node entered the start-up's hardware barrier, or without one
// when it wrote JOB_START.
#define WEFT_REG_LINK_RECEIVED0 0x64
#define WEFT_REG_LINK_RECEIVED7 0x80

// w: the message of the next POST, and of no other, starts in this cycle (CYCLE) at the earliest; a
// cycle up to 2^31 - 1 ago is over. For collectives with .timed.
#define WEFT_REG_START 0x84

// r: accesses of the interface that the memory answered with an error; 0 in the simulator.
#define WEFT_REG_MEMORY_ERRORS 0x88

// r: writes that were refused and had no effect; 0 in the simulator, whose processors stop at the
// first one.
#define WEFT_REG_REFUSED_WRITES 0x8C

// w: byte address of the own vector, a multiple of a flit.
#define WEFT_REG_COMBINE_ADDR 0x90

// w: byte address of the result, a multiple of a flit.
#define WEFT_REG_COMBINE_TO 0x94

// w: flits, 1 to 2^20 - 1.
#define WEFT_REG_COMBINE_LEN 0x98

// w: operation in bits 2:0, type of the elements in bits 4:3, SILENT, DISCARD, divisor of a mean in
// bits 31:16; posts the order. At most two orders may be posted and not completed.
#define WEFT_REG_COMBINE_POST 0x9C

// r: orders to the combining tree completed.
#define WEFT_REG_COMBINE_DONE 0xA0

// w: byte address of a text that ends with a zero byte, for the next three.
#define WEFT_REG_TEXT 0xA4

// w: a value, printed behind the text.
#define WEFT_REG_PRINT 0xA8

// w: a value, which the run's result has with the text as its name.
#define WEFT_REG_RESULT 0xAC

// w: a value; the run ends with a message of the text and the value.
#define WEFT_REG_FAIL 0xB0

// w: byte address of the name of the phase that begins, which ends with a zero byte; 0: none.
#define WEFT_REG_PHASE 0xB4

// w: key of the destination's receive window; 0 at first.
#define WEFT_REG_KEY 0xB8

// w: key in bits 7:0, number of the window in bits 15:8; window 0 and key 0 at first, as all
// windows have. A packet goes into the window of the lowest number with its key, open or closed,
// and is refused where none has it or its body ends beyond. A closed window takes messages without
// a body.
#define WEFT_REG_RX_KEY 0xBC

// r: as LINK_RECEIVED0, by incoming link and tag: of link 0 those with tag & 3 == 0, 1, 2 and 3,
// then of links 1 to 7.
#define WEFT_REG_LINK_TAG_RECEIVED0 0x100
#define WEFT_REG_LINK_TAG_RECEIVED31 0x17C

#endif
