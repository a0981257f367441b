#!/usr/bin/env bash
# RTL that differs from the model is found by cosim: cycle, instance, port and both values, and
# waves around it.
source "$(dirname "$0")/lib.sh"

cp -r "$source_dir/rtl" rtl
# Buffer-Full one word too late is seen as soon as a buffer fills.
sed -i 's/full_q <= held_d >= .*;/full_q <= held_d >= (CountW + 1)'"'"'(Depth);/' \
  rtl/buffer/weft_input_buffer.sv
cmp -s rtl/buffer/weft_input_buffer.sv "$source_dir/rtl/buffer/weft_input_buffer.sv" &&
  fail "the RTL was not changed"
export WEFT_RTL_DIR=$work/rtl WEFT_CACHE=$work/cache
expect 1 "RTL and model differ: cycle" $weft run xbar16 --engine cosim --set processor=native
expect 1 ", port rx_full_o" $weft run xbar16 --engine cosim --set processor=native
for engine in model rtl; do
  [ -s difference.$engine.fst ] || fail "no waves of $engine"
  [ -s difference.$engine.gtkw ] || fail "no save file of $engine"
done

finish
