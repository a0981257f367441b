#!/usr/bin/env bash
# On engines with RTL an RV32 program uses the interface through the register block in RTL: same
# cycles and digest as on the model, and a block that is wrong is named.
source "$(dirname "$0")/lib.sh"

# same OPTION...: on model, rtl and cosim.
same() {
  local engine cycles digest
  for engine in model rtl cosim; do
    $weft run torus_a2at --set topology.dims=[3,2] --set processor=rv32 "$@" --engine $engine \
      --json $engine.json >$engine.log 2>&1 || fail "$* on $engine: $(<$engine.log)"
    cycles=$(field $engine.json cycles) digest=$(field $engine.json digest)
    [ $engine = model ] && wanted="$cycles $digest"
    is "$cycles $digest" "$wanted" "$* on $engine"
  done
}
$weft cc "$source_dir/sw/examples/ping_pong.c" -o ping_pong.elf || fail "weft cc"
ping_pong='workload={"collective": "program", "program": "ping_pong.elf"}'
same --set "$ping_pong"
same --set 'workload={"collective": "a2at", "message_flits": 12, "sync": "barrier"}' \
  --set barrier=hardware

# One fault in each of the ways from the driver to the interface and back.
fault() {  # expression of sed, what is said
  rm -rf rtl cache && cp -r "$source_dir/rtl" rtl
  sed -i "$1" rtl/bus/weft_register_block.sv
  cmp -s rtl/bus/weft_register_block.sv "$source_dir/rtl/bus/weft_register_block.sv" &&
    fail "no change: $1"
  WEFT_RTL_DIR=$work/rtl WEFT_CACHE=$work/cache expect 1 "$2" \
    $weft run torus_a2at --set topology.dims=[3,2] --set processor=rv32 --set "$ping_pong" \
    --engine rtl
}
fault 's/assign desc_dst_o *= dst_q/& + 1/' \
  'register block: port desc_dst_o: RTL 0x2, model 0x1'
fault "s/rdata_o = 32'(received)/& + 32'd7/" \
  'register block: register 0x20: RTL 0x7, model 0x0'

finish
