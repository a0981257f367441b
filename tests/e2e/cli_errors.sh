#!/usr/bin/env bash
# Unusable arguments and configurations: exit status 2, a message that names cause and key, and
# nothing written.
source "$(dirname "$0")/lib.sh"

net='{"topology": {"kind": "hier_crossbar", "dims": [4, 4]}, "processor": "native",
      "workload": {"collective": "a2a", "message_flits": 2}}'
echo "$net" >good.json
echo '{"topology": {"kind": "hier_crossbar", "dims": [4, 4]},
       "workload": {"traffic": "uniform", "rate": 0.1, "packet_flits": 4}}' >traffic.json
echo '{"topology": {"kind": "hier_crossbar", "dims": [4, 4]}, "rooter": {}}' >unknown.json
echo '{"topology": {"kind": "hier_crossbar", "dims": [4, 4]},
       "router": {"vc_depth": "8"}}' >type.json
echo '{"topology": {"kind": "torus", "dims": [3, 3, 3]}, "processor": "native",
       "workload": {"collective": "hop_group", "message_flits": 12}}' >hops.json
echo '{"topology": {"kind": "board", "dims": [2, 1, 2, 1], "mains": 2, "aggregators": 1},
       "processor": "native",
       "workload": {"collective": "allreduce_nested", "bytes": 64}}' >boards.json
printf '{\n  "topology": {"kind": "full_crossbar" "pes": 4}\n}\n' >syntax.json
echo '{"topology": {"kind": "hier_crossbar", "dims": [4, 4]}}' >no_work.json
echo 'precious' >old.json
printf 'cycle,src,dst,flits\n0,1,16,4\n' >16.csv
mkdir folder
before=$(ls -A . folder)
long=$(printf 'x%.0s' {1..300})  # Names have up to 255 bytes.

# Configuration files.
for command in "run" "topo" "emit -o out"; do
  expect 2 "unknown.json: /rooter: unknown key, value {}: expected: the keys" \
    $weft $command unknown.json
  expect 2 "type.json: /router/vc_depth: value \"8\": expected: a whole number from 3" \
    $weft $command type.json
  expect 2 "syntax.json: line 2, column" $weft $command syntax.json
  expect 2 "none.json: no such file: expected: a file, or one of board_uniform, full16" \
    $weft $command none.json
  expect 2 "folder/: cannot be read" $weft $command folder/
  expect 2 "$long: File name too long" $weft $command "$long"
  expect 2 "weft: --set topology.dims=[0]: /topology/dims/0: value 0: expected" \
    $weft $command good.json --set "topology.dims=[0]"
  expect 2 "/topology/dims: value [1024,1024,1024,2]: expected: sizes whose digits fit" \
    $weft $command good.json --set "topology.dims=[1024,1024,1024,2]"
  expect 2 "/topology/pes: value 2147483648: expected: a whole number from 2 to 1024" \
    $weft $command full16 --set topology.pes=2147483648
  expect 2 "/topology/dims/0: value -3: expected" $weft $command good.json --set topology.dims.0=-3
  expect 2 "/topology/kind: value \"star\": expected: board" \
    $weft $command good.json --set topology.kind=star
  expect 2 "--set vc_depth: expected: path=value" $weft $command good.json --set vc_depth
  expect 2 "--set topology.kind.x=1: expected: the end of the path at /topology/kind, whose value" \
    $weft $command good.json --set topology.kind.x=1
  expect 2 "/link/width_bits: value 96: expected: a power of two from 64 to 512" \
    $weft $command good.json --set link.width_bits=96
done
expect 2 "no_work.json: /workload: missing: expected" $weft run no_work.json
expect 2 "/workload/collective: value \"a2b\": expected: a2a" \
  $weft run good.json --set workload.collective=a2b --json out.json
expect 2 "/workload/transfers/0/to: value 16: expected: a rank from 0 to 15" $weft run good.json \
  --set processor=null --set 'workload={"transfers":[{"from":0,"to":16,"flits":1}]}'
expect 2 '/start: value "network": expected: no such key with transfers; it is for' \
  $weft run good.json --set processor=null --set start=network \
  --set 'workload={"transfers":[{"from":0,"to":1,"flits":1}]}'
# Synthetic traffic.
while IFS='|' read -r change message; do
  expect 2 "$message" $weft run traffic.json --set "$change"
done <<'END'
workload.traffic=rush_hour|/workload/traffic: value "rush_hour": expected: 
workload.rate=0|/workload/rate: value 0: expected: a number above 0 and up to 1
workload.rate=1.5|/workload/rate: value 1.5: expected: a number above 0 and up to 1
workload.rate=fast|/workload/rate: value "fast": expected: a number above 0 and up to 1
workload.packet_flits=257|/workload/packet_flits: value 257: expected: a whole number from 1 to 256
workload.measure=0|/workload/measure: value 0: expected: a whole number from 1
workload.warmup=-1|/workload/warmup: value -1: expected: "auto", or 0 to 262144
workload.sync=local|/workload/sync: value "local": expected: no such key with uniform traffic
workload.collective=a2a|expected: an object with either
workload.share=0.1|/workload/share: unknown key, value 0.1: expected: the keys traffic
workload={"traffic":"hotspot","share":2}|/workload/share: value 2: expected: a number above 0
workload={"traffic":"hotspot","node":16}|/workload/node: value 16: expected: "middle", or a ra
workload={"traffic":"localized","mean":0}|/workload/mean: value 0: expected: a number above 0
workload={"traffic":"mesh_emulation","dims":[4,5]}|/workload/dims: value [4,5]: expected: "
workload.traffic=[]|/workload/traffic: value []: expected: a name of `weft list traffic`, or a
workload.traffic=[7]|/workload/traffic/0: value 7: expected: an object with the keys traffic, wei
workload.traffic=[{"traffic":"rush_hour"}]|/workload/traffic/0/traffic: value "rush_hour": expected
workload.traffic=[{"traffic":"hotspot","node":16}]|/workload/traffic/0/node: value 16: expected
workload.reply_flits=257|/workload/reply_flits: value 257: expected: a whole number from 0 to 256
workload={"traffic":"mesh_emulation","reply_flits":1}|/workload/reply_flits: value 1: expected: 0
workload={"traffic":"trace"}|/workload/file: missing: expected: the path of a file
workload={"traffic":"trace","file":"old.json"}|old.json:1: value "precious": expected: cycle,src
workload={"traffic":"trace","file":"16.csv"}|16.csv:2: value "0,1,16,4": expected: cycle,src,dst
workload={"traffic":"trace","file":"16.csv","rate":1}|/workload/rate: value 1: expected: no such key
nic.packet_flits=3|--set nic.packet_flits=3: /nic/packet_flits: value 3: expected: no such key with
processor=native|--set processor=native: /processor: value "native": expected: no such key with
END

# Collectives by hops: unsupported jobs are refused before the run.
gaps='expected: "none", "hops-1", "sharers-1", or 0 to 255'
hop='expected: with hop_group:'
while IFS='|' read -r change message; do
  message=${message/HOP/$hop}
  expect 2 "${message/GAPS/$gaps}" $weft run hops.json --set "$change"
done <<'END'
topology.dims=[1]|/topology/dims: value [1]: expected: sizes that make 2 PEs or more
workload.areas=2|/workload/areas: value 2: HOP 1, or as many as there are
workload.areas=0|/workload/areas: value 0: expected: "auto", or 1 to 8
workload.sync=local|/workload/sync: value "local": HOP none or barrier
nic.gap=256|--set nic.gap=256: /nic/gap: value 256: GAPS
nic.gap=-1|--set nic.gap=-1: /nic/gap: value -1: GAPS
nic.gap=1.5|--set nic.gap=1.5: /nic/gap: value 1.5: GAPS
nic.gap=soon|--set nic.gap=soon: /nic/gap: value "soon": GAPS
barrier=tree|--set barrier=tree: /barrier: value "tree": expected: "software", "hardware"
END
expect 2 '/nic/gap: value "hops-1": expected: with hop_group: "hops-1" or "sharers-1" up to' \
  $weft run hops.json \
  --set 'topology={"kind":"mesh","dims":[258]}' --set nic.gap=hops-1
expect 2 '/nic/gap: value "hops-1": expected: "none", or 0 to 255' \
  $weft run hops.json --set workload.collective=a2at --set nic.gap=hops-1
expect 2 '--set workload.collective=hop_groups: /workload/collective: value "hop_groups"' \
  $weft run hops.json --set workload.collective=hop_groups --set nic.gap=hops-1
expect 2 '/workload/areas: value 1: expected: with hop_direct: "auto"' \
  $weft run hops.json --set workload.collective=hop_direct --set workload.areas=1
expect 2 '/workload/message_flits: value 60000: expected: up to 58254 with hop_group on 9 nodes' \
  $weft run hops.json --set topology.dims=[3,3] --set workload.message_flits=60000
expect 0 "0 data" $weft run hops.json --set workload.message_flits=100 --set workload.areas=1

# A collective that cannot run is refused before its program starts.
while IFS='|' read -r change message; do
  expect 2 "$message" $weft run hops.json --set topology.dims=[5,5] \
    --set workload.collective=a2at_slots --set "$change"
done <<'END'
topology.dims=[5,3]|/topology/dims: value [5,3]: expected: with a2at_slots: two equal sizes, odd
topology={"kind":"full_crossbar","pes":9}|/topology: value {"kind":"full_crossbar","pes":9}: exp
nic.controllers=2|/nic/controllers: value 2: expected: with a2at_slots: 4
nic.gap=1|/nic/gap: value 1: expected: with a2at_slots: none
workload.sync=barrier|/workload/sync: value "barrier": expected: with a2at_slots: none
END

# Slots are for two equal odd dimensions, whatever the links.
for kind in mesh hier_crossbar crossbar_2d; do
  expect 0 "errors          0 data" $weft run hops.json --set workload.collective=a2at_slots \
    --set "topology={\"kind\":\"$kind\",\"dims\":[5,5]}"
done
expect 0 "two equal odd dimensions of any network, 4 controllers" $weft list collectives

# Collectives on arrays: lengths, operations, members and shapes that they cannot work on.
ints='expected: 4 to 67108864 bytes, a multiple of 4, the size of int32'
range='expected: 4 to 67108864 bytes, a multiple of the size of an element'
why='powers of two, for halving and doubling; others take any'
while IFS='|' read -r change message; do
  message=${message/INTS/$ints}
  message=${message/RANGE/$range}
  expect 2 "--set $change: ${message/WHY/$why}" $weft run boards.json --set "$change"
done <<'END'
workload.bytes=0|/workload/bytes: value 0: RANGE
workload.bytes=66|/workload/bytes: value 66: INTS
workload.bytes=67108868|/workload/bytes: value 67108868: RANGE
workload.bytes=many|/workload/bytes: value "many": RANGE
workload.type=int8|/workload/type: value "int8": expected: "int32", "int64", "fp32"
workload.op=xor|/workload/op: value "xor": expected: "sum", "prod", "max", "min", "mean"
workload.order=size|/workload/order: value "size": expected: "alphabetical", "bandwidth"
workload.root=8|/workload/root: value 8: expected: 0 with allreduce_nested
workload.transit=dma|/workload/transit: value "dma": expected: "cut_through", "store_and_forwa
workload.chunks=0|/workload/chunks: value 0: expected: a whole number from 1 to 1024
workload.message_flits=16|/workload/message_flits: value 16: expected: no such key with
workload.collective=allreduced|/workload/collective: value "allreduced": expected: a2a
topology.dims=[3,1,2,1]|/topology/dims: value [3,1,2,1]: expected: with allreduce_nested: WHY
topology.mains=0|/topology/mains: value 0: expected: a whole number from 1
start=network|/start: value "network": expected: "loaded" with allreduce_nested
END
expect 2 '/workload/bytes: value 12: expected: 8 to 67108864 bytes, a multiple of 8, the size of' \
  $weft run boards.json --set workload.bytes=12 --set workload.type=int64
expect 2 '/workload/chunks: value 2: expected: with allreduce_nested: 1 with op "mean": an inter' \
  $weft run boards.json --set workload.op=mean --set workload.chunks=2
expect 2 '--set workload.chunks=2: /workload/chunks: value 2: expected: 1 with allreduce_ring' \
  $weft run boards.json --set workload.collective=allreduce_ring --set workload.chunks=2
expect 2 '/topology/kind: value "torus": expected: with allreduce_flat: a network of boards' \
  $weft run boards.json \
  --set 'topology={"kind":"torus","dims":[2,2]}' --set workload.collective=allreduce_flat
expect 2 '/workload/transit: value "store_and_forward": expected: "cut_through" with allreduce' \
  $weft run boards.json --set 'topology={"kind":"torus","dims":[2,2]}' \
  --set workload.collective=allreduce --set workload.transit=store_and_forward
stored='/workload/transit: value "store_and_forward": expected: with'
for name in allreduce_ring reduce_nested; do
  expect 2 "/workload/transit: value \"store_and_forward\": expected: \"cut_through\" with $name" \
    $weft run boards.json --set workload.transit=store_and_forward --set "workload.collective=$name"
done
for change in chunks=2 bytes=4194308; do
  expect 2 "$stored" $weft run boards.json --set workload.transit=store_and_forward \
    --set "workload.$change"
done
expect 2 "$stored allreduce_nested: \"cut_through\"; \"store_and_forward\" with allreduce_nested" \
  $weft run boards.json --set workload.transit=store_and_forward --set topology.mains=9
expect 2 'powers of two, for halving and doubling; others take any' $weft run boards.json \
  --set topology.dims=[3,1,2,1]
expect 0 "0 data" $weft run boards.json \
  --set workload.collective=allreduce_rabenseifner --set topology.mains=3
# Hardware that a named collective needs, or could not use.
needs() {  # message, collective, settings
  expect 2 "$1" $weft run boards.json --set 'topology={"kind":"torus","dims":[4,2]}' \
    --set "workload.collective=$2" "${@:3}"
}
none='/combining: value "none": expected: "tree" with'
for collective in allreduce reduce reduce_scatter; do
  needs "$none ${collective}_tree, which uses the combining tree" ${collective}_tree
done
needs "$none allreduce_tree_links, which uses the combining tree" allreduce_tree_links
needs '/combining: value "tree": expected: "none" with allreduce_ring, which does not use' \
  allreduce_ring --set combining=tree
needs '/barrier: value "hardware": expected: "software" with allreduce_ring, which has no' \
  allreduce_ring --set barrier=hardware
needs 'with arrays of up to 4194304 bytes' allreduce_tree --set combining=tree \
  --set barrier=hardware --set workload.bytes=8388608
expect 2 '/barrier: value "hardware": expected: "software" with a2at, which has no' \
  $weft run hops.json --set barrier=hardware --set workload.collective=a2at \
  --set nic.gap=none
expect 2 '/combining: value "tree": expected: "none" with hop_group' $weft run hops.json \
  --set combining=tree
expect 2 '/combining: value "trees": expected: "none", "tree"' $weft run hops.json \
  --set combining=trees
expect 2 '/workload/bytes: value 4194304: expected: up to 4193792 with allreduce_recursive_doubl' \
  $weft run boards.json --set workload.collective=allreduce_recursive_doubling \
  --set workload.bytes=4194304
expect 0 "picked: broadcast_tree" $weft run boards.json --set combining=tree \
  --set 'topology={"kind":"torus","dims":[4,2]}' --set workload.collective=broadcast
expect 0 "0 data" $weft run boards.json --set workload.collective=allreduce_ring \
  --set topology.dims=[3,1,2,1] --set topology.mains=5
expect 0 "0 data" $weft run boards.json --set workload.bytes=4

# Wide addresses leave fewer bits for the offset into a receive window, and have no other limit.
echo '{"topology": {"kind": "mesh", "dims": [257, 257]}, "router": {"vcs": 1}, "workload":
       {"transfers": [{"from": 15000, "to": 9, "flits": 99}, {"from": 9, "to": 15000, "flits": 9}]}
      }' >wide.json
expect 0 "0 data" $weft run wide.json
expect 0 "0 data" $weft run wide.json --set topology.dims=[5,5,5,5,5,5] --trace wide.fst
expect 2 "value 16: expected: up to 0 with a2a on 66049 nodes: a receive window holds 65536 flits" \
  $weft run wide.json --set 'workload={"collective":"a2a","message_flits":16}'
rm -r wide.*

# Arguments.
expect 2 "--engine: fpga not in {model,flit,rtl,gates,cosim,rtl-top}" \
  $weft run good.json --engine fpga
expect 2 "--threads" $weft run good.json --threads 0
expect 2 "--threads" $weft run good.json --threads many
expect 2 "a thread cannot be started" \
  timeout 60 bash -c "ulimit -v 400000; '$weft' run xbar256 --threads 64"
expect 2 "CONFIG is required" $weft run
# An empty name is refused, and only --json writes to standard output.
for option in --json --events --trace --states --links --latencies; do
  expect 2 "$option: value \"\": expected: a" $weft run good.json $option ''
  [ $option = --json ] ||
    expect 2 "$option: value \"-\": expected: a name; ./- is one" $weft run good.json $option -
done
expect 2 '--json: value "": expected: a file name, or - for' $weft topo good.json --json ''
expect 2 '-o: value "": expected: a name' $weft emit good.json -o ''
expect 2 '-o: value "-": expected: a name' $weft sweep good.json -o -
expect 2 "-o is required" $weft emit good.json
expect 2 "--speed" $weft run good.json --speed 9
expect 2 "KIND: networks not in" $weft list networks
expect 2 "subcommand" $weft
known="run, topo, emit, schedule, sweep, merge, plot, report"
expect 2 "unknown subcommand walk: expected: $known" $weft walk good.json

# Targets that cannot be written are refused before the run. A network that would take minutes
# makes sure that it is before.
big="xbar1024 --set workload.message_flits=1000"
for target in nowhere/out.json folder /proc/out.json new/ old.json/; do
  expect 2 "$target: cannot be written" timeout 20 $weft run $big --json $target
done
mkdir folder.fst
ln -s folder link.fst
mkfifo pipe.fst
for target in nowhere/out.fst folder.fst /proc/out.fst link.fst pipe.fst; do
  expect 2 "cannot be written" timeout 20 $weft run $big --trace $target
done
[ -L link.fst ] && [ -p pipe.fst ] || fail "--trace replaced what is no regular file"
rm -r folder.fst link.fst pipe.fst
expect 2 "--trace: value waves.vcd: expected: a file name that ends in .fst" \
  $weft run $big --trace waves.vcd
expect 2 "nowhere/out.json: cannot be written" $weft topo good.json --json nowhere/out.json
expect 2 "old.json: expected: a folder" $weft emit good.json -o old.json
expect 2 "/proc/out: cannot be written" $weft emit good.json -o /proc/out
expect 2 "standard output: cannot be written" bash -c "'$weft' topo good.json >/dev/full"
expect 2 "standard output: cannot be written" bash -c "'$weft' run good.json --json - >/dev/full"

[ "$(ls -A . folder)" = "$before" ] || fail "something was written: $(ls -A . folder)"
[ "$(cat old.json)" = precious ] || fail "old.json was changed"
# A region's own errors name the region, its own pattern and its own keys.
regions="mdce_uniform --set partition=[0,1,1]"
printf '0,0,256,4\n' >257.csv
while IFS='|' read -r change message; do
  expect 2 "/workload/regions/$message" $weft run $regions --set "workload.regions=$change"
done <<'END'
[{"traffic":"hotspot","node":300}]|0/node: value 300: expected: "middle", or a rank within a region
[{},{"share":0.2}]|1/share: unknown key, value 0.2: expected: the keys traffic, rate, burst_cycles
[{"traffic":"trace","file":"257.csv","rate":1}]|0/rate: value 1: expected: no such key with trace tr
[{"traffic":"hotspot","sync":"local"}]|0/sync: value "local": expected: no such key with hotspot tra
[{"warmup":9}]|0/warmup: value 9: expected: no such key: all regions have the same
[{"regions":[]}]|0/regions: value []: expected: no regions within a region
[{"traffic":"transpose"},{"traffic":"mesh_emulation","dims":[3,3]}]|1/dims: value [3,3]: expected: "
END
keys='expected: the keys traffic, rate, burst_cycles, burst_rate, packet_flits, reply_flits, '
keys+='share, node'
output=$($weft run $regions --set 'workload.regions=[{"traffic":"hotspot","mean":1}]' 2>&1)
[ "${output##*expected}" = "${keys#expected}" ] || fail "not \"$keys\" in: $output"
expect 2 "257.csv:1: value \"0,0,256,4\": expected: cycle,src,dst,flits: cycle 0 to 2147483647, \
src and dst 0 to 255 within a region" $weft run $regions \
  --set 'workload.regions=[{"traffic":"trace","file":"257.csv"}]'
# A value that a region takes from the workload is named there.
expect 2 "/workload/node: value 300: expected: \"middle\", or a rank within a region from 0 to" \
  $weft run $regions --set 'workload={"traffic":"hotspot","node":300,"regions":[{"rate":0.1}]}'
expect 2 "/partition: value [1]: expected: regions that share no link: link r_" \
  $weft run mdce_uniform --set 'partition=[1]'

finish
