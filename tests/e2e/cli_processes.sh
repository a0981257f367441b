#!/usr/bin/env bash
# One network on several processes by MPI: for every kind of network, workload and engine the whole
# result is that of one process, for any number of processes and threads. What a process alone finds
# out ends all of them with its error.
source "$(dirname "$0")/lib.sh"

printf '{"topology": {"kind": "torus", "dims": [4, 4]}, "processor": "native",
  "workload": {"collective": "a2a"}}' >first.json
if ! start_mpi; then
  [ -e "$(dirname "$weft")/libweft_mpi.so" ] ||
    OMPI_COMM_WORLD_SIZE=2 expect 2 "but this build has no MPI" $weft run first.json
  finish
fi

# A build without MPI.
mkdir bare
cp "$weft" bare/weft
echo . >bare/weft_source
expect 2 "started as one of 2 processes, but this build has no MPI: expected: packages openmpi" \
  $mpi 2 bare/weft run first.json
$mpi 2 bare/weft run first.json >said 2>&1
is "$(grep -c '^weft: ' said)" 1 "messages of a build without MPI"

# same DIVISIONS CONFIG OPTION...: status and result on processes:threads, each of DIVISIONS, are
# those of one process.
same() {
  local divisions=$1 division status
  shift
  $weft run "$@" --json one.json >one.txt 2>one.err
  status=$?
  [ -s one.json ] || fail "no result: $*: $(<one.err)"
  for division in $divisions; do
    rm -f many.json
    $mpi "${division%:*}" $weft run "$@" --threads "${division#*:}" --json many.json >many.txt \
      2>many.err
    is $? $status "status of $* on $division: $(<many.err)"
    # Why flits are stepped depends on threads and processes.
    is "$(differences one.json many.json stepped)" "" "$* on $division"
  done
}
all="1:2 2:1 2:2 3:1 3:2 4:1 4:2"
some="2:1 3:2"

# Every kind of network: all-to-all and traffic near saturation; flit by flit, too. Starting the
# processes takes most of the time: the first kind is divided in all ways, each other in two.
echo '{"routers": [{"name": "a"}, {"name": "b"}, {"name": "hub"}],
  "nodes": ["a", "a", "b", "hub", "hub", "a", "b", "b"],
  "links": [{"from": "a", "to": "b", "stages": 3, "class": "cable"}, {"from": "a", "to": "hub"},
            {"from": "hub", "to": "b"}]}' >net.json
ways=$all
while read -r topology; do
  for workload in '{"collective": "a2a"}' \
    '{"traffic": "uniform", "rate": 0.5, "warmup": 100, "measure": 600}'; do
    processor='"processor": "native", '
    [[ $workload == *collective* ]] || processor=
    printf '{%s"topology": %s, "workload": %s}' "$processor" "$topology" "$workload" >run.json
    same "$ways" run.json
    same "${ways##* }" run.json --engine flit
  done
  [[ $ways == "2:2 4:1" ]] && ways="3:1 2:1" || ways="2:2 4:1"
done <<'END'
{"kind": "mesh", "dims": [4, 2]}
{"kind": "torus", "dims": [3, 3]}
{"kind": "mdce", "n": 3, "B": 1, "C": 1, "P": 2}
{"kind": "dce", "n": 4, "y_bits": 2, "delta": 1}
{"kind": "board", "dims": [2, 2, 1, 1], "mains": 2, "aggregators": 1}
{"kind": "fat_tree", "levels": 3}
{"kind": "omega", "levels": 3}
{"kind": "tree", "radix": 3, "levels": 2}
{"kind": "ring", "nodes": 9}
{"kind": "hypercube", "dimensions": 3}
{"kind": "hyperx", "dims": [3, 2], "nodes_per_router": 2}
{"kind": "dragonfly", "p": 2, "a": 2, "h": 1}
{"kind": "graph", "file": "net.json"}
{"kind": "full_crossbar", "pes": 8}
{"kind": "crossbar_2d", "dims": [3, 3]}
{"kind": "hier_crossbar", "dims": [2, 2, 2]}
END

# Networks without a symmetry, whose routes all processes follow together: all pairs, those of a
# sample.
same "$all" first.json --set topology.failed.share=0.1
echo '{"topology": {"kind": "mdce", "n": 5, "B": 1, "C": 1, "P": 3}, "workload":
  {"traffic": "uniform", "rate": 0.1, "warmup": 0, "measure": 20}}' >sample.json
same "$some" sample.json

# Workloads and what they bring with them.
torus='{"topology": {"kind": "torus", "dims": [4, 3]}, '
echo "$torus\"workload\": {\"collective\": \"allreduce_ring\", \"bytes\": 384}}" >reduce.json
same "$all" reduce.json
same "$some" reduce.json --engine rtl
same "$some" reduce.json --set link.width_bits=256 --engine flit
by_tree='"combining": "tree", "workload": {"collective": "allreduce_tree", "bytes": 384}}'
echo "$torus$by_tree" >tree.json
same "$all" tree.json
same "$some" tree.json --engine flit
same 2:1 tree.json --engine cosim
echo "$torus\"barrier\": \"hardware\", \"workload\": {\"collective\": \"barrier\"}}" >barrier.json
same "$all" barrier.json
same "$some" barrier.json --engine flit
same "$some" barrier.json --set barrier=software
same "$some" first.json --set workload.sync=barrier --set start=network --set barrier=hardware
echo "$torus\"workload\": {\"transfers\": [{\"from\": 0, \"to\": 11, \"flits\": 500},
  {\"from\": 11, \"to\": 0, \"flits\": 3, \"start\": 40}, {\"from\": 5, \"to\": 6, \"flits\": 0},
  {\"from\": 5, \"to\": 6, \"flits\": 700, \"start\": 30000}]}}" >transfers.json
same "$all" transfers.json
same "$some" transfers.json --engine flit --set watchdog=5000
# Parts that are blocks of a grid, not slices, or that METIS has made of nodes in any order.
blocks="4:1 4:2 7:1"
blocks_of='{"topology": {"kind": "torus", "dims": [20, 4]}, '
echo "$blocks_of$by_tree" >blocks.json
same "$blocks" blocks.json
same 4:1 blocks.json --engine flit
echo "$blocks_of\"workload\": {\"traffic\": \"uniform\", \"rate\": 0.4, \"warmup\": 100,
  \"measure\": 500}, \"link\": {\"stages\": [0, 2]}}" >blocks.json
same "$blocks" blocks.json
same 4:2 blocks.json --engine flit
python3 - <<'END' >shuffled.json
import json
ring = ["r%d" % r for r in range(24)]
print(json.dumps({"routers": [{"name": name} for name in ring],
                  "nodes": [ring[7 * n % 24] for n in range(24)],
                  "links": [{"from": ring[r - 1], "to": ring[r]} for r in range(24)]}))
END
echo '{"topology": {"kind": "graph", "file": "shuffled.json"}, "processor": "native",
  "workload": {"collective": "a2a"}}' >shuffled_a2a.json
same "$blocks" shuffled_a2a.json
same 4:1 shuffled_a2a.json --engine flit
echo '{"topology": {"kind": "torus", "dims": [8, 4]}, "workload": {"traffic": "transpose",
  "rate": 0.4, "warmup": 100, "measure": 500}, "partition": [1, 0]}' >regions.json
same "$some" regions.json
echo "$torus\"workload\": {\"traffic\": \"uniform\", \"rate\": 0.3, \"reply_flits\": 2,
  \"warmup\": 100, \"measure\": 500}}" >replies.json
same "$all" replies.json
same "$some" replies.json --set link.stages=3
same "$some" replies.json --set router.pipeline=3 --set router.arbiter=age
same "$some" replies.json --set router.switching=cut_through --set router.routing=ugal
same "$some" replies.json --set router.switching=store_forward
same "$some" replies.json --set max_cycles=300

# Faults; a link that dies in the middle.
same "$some" first.json --set link.protection=retry \
  --set 'faults=[{"link": "all", "field": "any", "rate": 0.001}]'
same "$some" first.json --set link.parity=true \
  --set 'faults=[{"node": 3, "cycle": 60, "bit": 5}, {"node": 14, "cycle": 80, "bit": 7}]'
same "$all" first.json --set link.protection=retry --set nic.reliable=true --set 'faults=[
  {"link": "r_0 out 0", "cycle": 60, "field": "any", "rate": 1},
  {"link": "r_10 out 0", "cycle": 900, "field": "any", "rate": 1}]'

# Errors are those of one process, whichever process finds them.
said_by_all() {  # STATUS OPTION...
  local status=$1
  shift
  rm -f one.json many.json
  $weft run "$@" --json one.json >/dev/null 2>one.err
  is $? "$status" "status of $*"
  $mpi 3 $weft run "$@" --json many.json >/dev/null 2>many.err
  is $? "$status" "status of $* on 3 processes"
  is "$(grep -c '^weft: ' many.err)" 1 "messages of $*: $(<many.err)"
  is "$(grep -A99 '^weft: ' many.err | head -n "$(wc -l <one.err)")" "$(<one.err)" "message of $*"
  [ ! -e one.json ] || is "$(<many.json)" "$(<one.json)" "what a failed run leaves: $*"
}
all_refuse() {  # TEXT OPTION...
  local text=$1
  shift
  $mpi 2 $weft run "$@" >said 2>&1
  is $? 2 "status of $*"
  is "$(grep -c '^weft: ' said)" 1 "messages of $*: $(<said)"
  grep -qF -e "$text" said || fail "no \"$text\" in the output of $*: $(<said)"
}
said_by_all 3 torus_a2at --set router.vcs=1 --set workload.collective=a2a \
  --set deadlock_check=false --set watchdog=2000 --set router.vc_depth=4
said_by_all 2 first.json --set workload.collective=none
# Channels that wait in a cycle, of which no process has seen more than a part.
echo '{"routers": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}],
  "nodes": ["a", "b", "c", "d"], "links": [
    {"from": "a", "to": "b", "one_way": true}, {"from": "b", "to": "c", "one_way": true},
    {"from": "c", "to": "d", "one_way": true}, {"from": "d", "to": "a", "one_way": true}],
  "routes": [{"router": "a", "out": [null, 0, 0, 0]}, {"router": "b", "out": [0, null, 0, 0]},
    {"router": "c", "out": [0, 0, null, 0]}, {"router": "d", "out": [0, 0, 0, null]}]}' >round.json
said_by_all 2 first.json --set 'topology={"kind": "graph", "file": "round.json"}'
# And all of it.
said_by_all 2 first.json --set router.vcs=1
said_by_all 2 first.json --set router.vcs=1 \
  --set 'topology={"kind": "mdce", "n": 3, "B": 1, "C": 1, "P": 3}'
said_by_all 2 none.json
echo "no program" >garbage
said_by_all 2 first.json --set processor=rv32 --program garbage
others="processes 1 and 2 of 2 have other versions of weft, configurations, files that these name, \
options or checkpoints: expected: the same"
two="timeout 300 mpirun --oversubscribe -n 1 $weft run"
expect 2 "$others" $two first.json : -n 1 $weft run first.json --set seed=7
# A network whose file is another one on another machine.
mkdir elsewhere
sed 's/"stages": 3/"stages": 4/' net.json >elsewhere/net.json
echo '{"topology": {"kind": "graph", "file": "net.json"}, "workload": {"traffic": "uniform"}}' \
  | tee elsewhere/graph.json >graph.json
expect 2 "$others" $two graph.json : -n 1 --wdir "$PWD/elsewhere" $weft run graph.json
all_refuse "--bogus" first.json --bogus

# What one process alone can do, and what is no division.
all_refuse "--trace: value in 2 processes: expected: one process" first.json --trace a.fst
all_refuse "--losses: value in 2 processes: expected: one process" first.json --losses
all_refuse "--engine rtl-top: value in 2 processes" first.json --engine rtl-top
all_refuse "--saturation: value in 2 processes: expected: one process" replies.json --saturation
expect 2 "mpirun: value 3 processes: expected: at most 2 threads of all processes" \
  $mpi 3 $weft run first.json --set 'topology={"kind": "full_crossbar", "pes": 2}'
all_refuse "--threads: value 9 in 2 processes: expected: at most 16" first.json --threads 9
[ ! -e a.fst ] || fail "a refused run writes waves"

# A process that is killed ends all.
$mpi 2 $weft run replies.json --set "topology.dims=[16,16]" --set workload.measure=262144 \
  >said 2>&1 &
sleep 2
pkill -9 -n -f "run replies.json --set topology.dims=.16,16."
wait $! && fail "a run with a killed process ends with status 0"
grep -q "signal 9" said || fail "nothing is said of a killed process: $(<said)"

finish
