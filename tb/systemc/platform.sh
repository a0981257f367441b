#!/usr/bin/env bash
# Networks of SystemC modules against `weft run`: the same cycles and the same digest; what a
# platform cannot run is refused with its reason. Arguments: weft, systemc_platform, systemc_tlm.
source "$(dirname "$0")/../../tests/e2e/lib.sh"
platform=$2
tlm=$3

config() {  # FILE TOPOLOGY WORKLOAD OTHERS
  echo "{\"topology\": $2, \"workload\": $3, \"processor\": \"rv32\"$4}" >$1
}
same() {  # CONFIG OPTION...; $cores is --rtl for RTL in all modules
  local run
  run=$(run_of "$@")
  $platform ${cores:-} "$@" >platform.log 2>&1 || fail "platform $*: $(tail -3 platform.log)"
  is "$(awk '$1 == "cycles" || $1 == "digest" {print $2}' platform.log | xargs)" "$run" "$*"
}

a2a='{"collective": "a2a", "message_flits": 6}'
config torus.json '{"kind": "torus", "dims": [4, 4]}' "$a2a" ', "router": {"vcs": 2}'
same torus.json
same torus.json --set seed=7 --set link.parity=true --set nic.controllers=2 --set router.vc_depth=3
# Registers of links, routers of two stages, and barriers in hardware.
config mesh.json '{"kind": "mesh", "dims": [3, 2]}' \
  '{"collective": "a2a", "message_flits": 5, "sync": "barrier"}' \
  ', "barrier": "hardware", "link": {"stages": 2}, "router": {"pipeline": 2, "vcs": 2}'
same mesh.json
config crossbar.json '{"kind": "hier_crossbar", "dims": [4, 2]}' "$a2a" ', "link": {"parity": true}'
same crossbar.json
# Protected links, and registers between crossbars, where credits replace Buffer-Full.
for protection in parity retry; do
  same mesh.json --set link.protection=$protection
  same torus.json --set link.protection=$protection
  same crossbar.json --set link.protection=$protection --set link.stages=1
done
same crossbar.json --set link.stages=2
cores=--rtl same crossbar.json --set link.protection=retry --set link.stages=1
# Packets that are acknowledged; what a restart of the network loses is sent again.
for file in torus crossbar; do
  for protection in none parity retry; do
    reliable="$file.json --set nic.reliable=true --set link.protection=$protection"
    same $reliable
    whole=$(awk '$1 == "flit_hops" {print $2}' platform.log)
    for cycle in 200 250 300; do
      $platform $reliable --restart $cycle >platform.log 2>&1 ||
        fail "restart in cycle $cycle: $(tail -3 platform.log)"
      (($(awk '$1 == "flit_hops" {print $2}' platform.log) > whole)) ||
        fail "$reliable: nothing is sent again after a restart in cycle $cycle"
    done
  done
done
cores=--rtl same torus.json --set nic.reliable=true
expect 0 cycles $platform torus.json --rtl --set nic.reliable=true --restart 200
expect 2 "/nic/reliable: value false: expected: true, for a restart" $platform torus.json \
  --restart 80
# Receive windows with keys.
$weft cc "$source_dir/tests/e2e/programs/keys.c" -o keys.elf || fail keys.c
config keys.json '{"kind": "mesh", "dims": [3, 2]}' \
  '{"collective": "program", "program": "keys.elf", "windows": 3, "key_bits": 3}' \
  ', "barrier": "hardware"'
same keys.json
# The combining tree, and wide flits.
config combine.json '{"kind": "mesh", "dims": [3, 2]}' \
  '{"collective": "allreduce_tree", "bytes": 256, "type": "int32", "op": "sum"}' \
  ', "combining": "tree", "link": {"width_bits": 128}'
same combine.json

expect 2 '/processor: value "native": expected: "rv32"' $platform torus.json \
  --set processor=native
expect 2 '/workload' $platform torus.json \
  --set 'workload={"traffic": "uniform", "rate": 0.1, "packet_flits": 4}' --set processor=null
expect 2 '/faults' $platform crossbar.json \
  --set 'faults=[{"node": 1, "cycle": 40, "bit": 3}]'
expect 2 'none.json' $platform none.json

expect 0 '' $tlm
expect 1 'registers.socket' $tlm unbound
finish
