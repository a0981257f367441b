#!/usr/bin/env bash
# Checkpoints of one network on several processes: what any number of processes and threads has
# saved, any other goes on with, and the file does not tell how many they were. What is no
# checkpoint of the run is refused with one error.
# Where packets move as runs the file has their parts, and what goes on with it is the same.
source "$(dirname "$0")/lib.sh"
start_mpi || finish

# on RANKS:THREADS ARGUMENT...: the run of run.json on so many processes and threads.
on() {
  local ranks=${1%:*} threads=${1#*:} among=
  shift
  [ "$ranks" = 1 ] || among="$mpi $ranks"
  $among $weft run run.json --threads "$threads" "$@"
}

# state FILE: the state in a checkpoint, without the header, which names the threads.
state() {
  python3 -c 'import struct, sys
data = open(sys.argv[1], "rb").read()
header, = struct.unpack_from("<Q", data, 16)
sys.stdout.buffer.write(data[48 + header:])' "$1" | sha256sum
}

# save RANKS:THREADS CYCLE OPTION...: the state of a cycle, in run.ckpt, which every division saves
# alike.
save() {
  local division=$1 cycle=$2
  shift 2
  rm -f run.ckpt
  on "$division" "$@" --set max_cycles="$cycle" --checkpoint run.ckpt --every 1000000 >said 2>&1
  grep -q "last checkpoint: .*run.ckpt, cycle $cycle" said ||
    fail "no checkpoint in cycle $cycle of $* on $division: $(<said)"
  [ -n "$parted" ] ||
    is "$(state run.ckpt)" "${first_state:=$(state run.ckpt)}" "state of $* on $division"
}

# resume RANKS:THREADS CYCLE OPTION...: goes on with it to the end of the whole run.
resume() {
  local division=$1 cycle=$2 got
  shift 2
  on "$division" "$@" --resume run.ckpt --json now.json >said 2>&1
  got=$?
  is $got "$status" "status of $* on $division, resumed: $(<said)"
  grep -q "resumed from run.ckpt, cycle $cycle" said || fail "not resumed: $(<said)"
  is "$(differences whole.json now.json stepped "notes/resumed from" "notes/last checkpoint")" "" \
    "$* from cycle $cycle, resumed on $division"
}

# whole_run OPTION...: without a checkpoint, in whole.json.
whole_run() {
  $weft run run.json "$@" --json whole.json >said 2>&1
  status=$?
  [ -s whole.json ] || fail "no result of $*: $(<said)"
}

# moves OPTION...: from and to several divisions, in two cycles; after the first call fewer.
# Starting the processes takes most of the time.
moves() {
  local cycles at
  whole_run "$@"
  cycles=$(field whole.json cycles)
  at=$((cycles / 3)) first_state=
  save 1:1 $at "$@"
  [ -n "$moved" ] || resume 3:1 $at "$@"
  save 3:1 $at "$@"
  resume 1:1 $at "$@"
  if [ -z "$moved" ]; then
    resume 2:2 $at "$@"
    resume 4:1 $at "$@"
  fi
  at=$((cycles * 4 / 5)) first_state=
  save 1:2 $at "$@"
  resume 2:2 $at "$@"
  if [ -z "$moved" ]; then
    save 2:2 $at "$@"
    resume 1:2 $at "$@"
    save 4:1 $at "$@"
    resume 3:1 $at "$@"
  fi
  moved=1
}
moved=

# moves_runs OPTION...: the same on engine model with packets that move as runs; one after the
# other instead, in all calls but the first.
moves_runs() {
  local at division before=1:2
  parted=1
  if [ -z "$moved_runs" ]; then
    moves "$@"
    moved_runs=1
  else
    whole_run "$@"
  fi
  grep -q "^stepped" said && fail "$* steps flits"
  rm -f run.ckpt
  for at in 40 90 91 150; do  # By 1:2, 1:1, 3:1 and 4:2.
    division=$((at % 4 + 1)):$((at % 2 + 1))
    on $before "$@" --set max_cycles=$at --checkpoint new.ckpt --every 1000000 \
      $([ ! -e run.ckpt ] || echo --resume run.ckpt) >said 2>&1
    mv new.ckpt run.ckpt
    before=$division
  done
  resume 3:1 150 "$@"
  parted=
}
parted= moved_runs=

config() {  # TOPOLOGY WORKLOAD [MORE], into run.json
  echo "{\"topology\": $1, \"workload\": $2, \"seed\": 7 ${3:+, $3}}" >run.json
}
torus='{"kind": "torus", "dims": [4, 3]}'
crossbars='{"kind": "hier_crossbar", "dims": [4, 2]}'
uniform='{"traffic": "uniform", "rate": 0.3, "packet_flits": 4, "warmup": 100, "measure": 400}'
transfers='{"transfers": [{"from": 0, "to": 5, "flits": 300, "start": 10},
  {"from": 1, "to": 5, "flits": 200, "start": 300}, {"from": 5, "to": 0, "flits": 100}]}'
retry='"link": {"protection": "retry", "stages": 2}'
errors='"faults": [{"link": "all", "field": "any", "rate": 0.0005},
  {"node": 5, "cycle": 100, "field": "data", "bit": 3, "cycles": 300},
  {"node": 5, "cycle": 100, "field": "data", "effect": "set", "bit": 3, "cycles": 200}]'

config "$torus" "$uniform"
moves --engine flit
moves --engine model --set router.hold=flit
config '{"kind": "torus", "dims": [4, 4]}' "$uniform" '"partition": [1, 0], "router": {"vcs": 4}'
moves --engine flit
config "$crossbars" "$transfers"
moves --engine flit
# RV32 processors with barrier units and combine units.
config "$torus" '{"collective": "a2a", "message_flits": 6, "sync": "barrier"}' \
  '"barrier": "hardware", "start": "network"'
moves --engine flit
config "$torus" '{"collective": "allreduce_tree", "bytes": 512, "type": "int64", "op": "sum"}' \
  '"combining": "tree"'
moves --engine flit
config "$crossbars" '{"collective": "allreduce_tree", "bytes": 512, "type": "int64", "op": "sum"}' \
  '"combining": "tree"'
moves --engine flit
# Faults on wires, with what links count; those of several cycles are saved in the midst of them.
config "$torus" "$uniform" "$retry, $errors"
moves --engine model
config "$crossbars" "$transfers" "$retry, $errors"
moves --engine flit
config "$torus" "$uniform" '"link": {"stages": 3, "parity": true}, '"$errors"
moves --engine flit
# Links that die: before, in and behind the restarts.
config "$torus" '{"collective": "allreduce_ring", "bytes": 256, "type": "fp32", "op": "sum"}' \
  '"link": {"protection": "retry"}, "nic": {"reliable": true, "timeout": 2000},
   "watchdog": 20000, "faults": [{"link": "r_0 out 0", "cycle": 60, "field": "any", "rate": 1},
   {"link": "r_10 out 0", "cycle": 3000, "field": "any", "rate": 1}]'
moves --engine flit
for ((at = 60; at < 420; at += 61)); do
  first_state=
  save 3:1 "$at" --engine flit
  resume 2:1 "$at" --engine flit
done

# Packets that move as runs: of routers and crossbars, with registers in links, with words that are
# read and combined on the way, cut into blocks of a grid.
config "$torus" "$uniform"
moves_runs
config '{"kind": "torus", "dims": [20, 4]}' "$uniform" '"link": {"stages": [0, 2]}'
moves_runs
config "$crossbars" "$uniform" '"nic": {"controllers": 2}'
moves_runs
config '{"kind": "crossbar_2d", "dims": [4, 8]}' "$uniform" '"link": {"parity": true},
  "faults": [{"node": 5, "cycle": 130, "bit": 20}, {"node": 9, "cycle": 170, "bit": 3}]'
moves_runs
config "$torus" '{"collective": "a2a", "message_flits": 6, "sync": "barrier"}' \
  '"barrier": "hardware", "start": "network"'
moves_runs
config "$torus" '{"collective": "allreduce_tree", "bytes": 2048, "type": "int64", "op": "sum"}' \
  '"combining": "tree"'
moves_runs
config "$torus" '{"collective": "allreduce_ring", "bytes": 512, "type": "int32", "op": "sum"}'
moves_runs
config "$crossbars" "$transfers"
moves_runs

# On the way, and from and to one file.
config "$torus" "$uniform"
whole_run --engine flit
on 3:1 --engine flit --checkpoint run.ckpt --every 150 --json now.json >said 2>&1 ||
  fail "with checkpoints: $(<said)"
is "$(differences whole.json now.json "notes/last checkpoint")" "" "with checkpoints"
on 2:1 --engine flit --resume run.ckpt --checkpoint run.ckpt --every 10 >said 2>&1
grep -q "last checkpoint: .*run.ckpt, cycle 5[0-9]0" said || fail "from and to one file: $(<said)"
# A state of more than one message of MPI.
config '{"kind": "torus", "dims": [8, 8]}' \
  '{"collective": "allreduce_ring", "bytes": 1024, "type": "int32", "op": "sum"}'
whole_run --engine flit
first_state=
save 2:1 200 --engine flit
bytes=$(python3 -c 'import struct
print(struct.unpack_from("<Q", open("run.ckpt", "rb").read(), 24)[0])')
[ "$bytes" -gt $((3 << 20)) ] || fail "a state of $bytes bytes"
resume 3:1 200 --engine flit

# One error, which one process has, too.
refused() {  # STATUS TEXT OPTION...
  local status=$1 text=$2
  shift 2
  on 3:1 "$@" >said 2>&1
  is $? "$status" "status of $*"
  is "$(grep -c '^weft: ' said)" 1 "messages of $*: $(<said)"
  grep -qF -e "$text" said || fail "no \"$text\" in the output of $*: $(<said)"
}
config "$torus" "$uniform"
$weft run run.json --engine flit --checkpoint run.ckpt --every 100 >said 2>&1 || fail "$(<said)"
refused 2 "a checkpoint of another configuration: /router/vcs was 2: expected: 4" \
  --engine flit --resume run.ckpt --set router.vcs=4
head -c 3000 run.ckpt >cut.ckpt
refused 2 "cut.ckpt: a damaged file: it is cut off" --engine flit --resume cut.ckpt
refused 2 "none.ckpt: cannot be read: No such file" --engine flit --resume none.ckpt
refused 2 "a checkpoint of engine \"flit\": expected: \"model\"" --resume run.ckpt
refused 2 "none/run.ckpt: cannot be written: No such file" --engine flit \
  --checkpoint none/run.ckpt --every 100
refused 2 "--checkpoint: value processor \"native\": expected: \"rv32\"" --checkpoint other.ckpt \
  --every 5 --set processor=native --set 'workload={"collective": "a2a"}'
other="processes 1 and 2 of 2 have other versions of weft, configurations, files that these name"
two="timeout 300 mpirun --oversubscribe -n 1"
expect 2 "$other" $two $weft run run.json --engine flit --checkpoint other.ckpt --every 100 \
  : -n 1 $weft run run.json --engine flit
# Files of one name that are not one file, as on two machines.
mkdir elsewhere
cp run.json elsewhere
(cd elsewhere && $weft run run.json --engine flit --checkpoint run.ckpt --every 150 >said 2>&1)
expect 2 "processes 1 and 2 of 2 have other checkpoints: expected: the same" \
  $two $weft run run.json --engine flit --resume run.ckpt \
  : -n 1 --wdir "$PWD/elsewhere" $weft run run.json --engine flit --resume run.ckpt

# A deadlock behind the checkpoint, which the first process repeats from there.
deadlock="torus_a2at --engine flit --set processor=rv32 --set router.vcs=1
  --set workload.collective=a2a --set deadlock_check=false --set watchdog=2000
  --set router.vc_depth=4"
$weft run $deadlock --set max_cycles=200 --checkpoint run.ckpt --every 1000000 >said 2>&1
expect 3 "no progress: no flit moved" $weft run $deadlock --resume run.ckpt
$weft run $deadlock --resume run.ckpt >one.txt 2>one.err
rm -f now.ckpt
$mpi 3 $weft run $deadlock --resume run.ckpt --checkpoint now.ckpt --every 300 >now.txt 2>now.err
is $? 3 "status of a deadlock"
is "$(grep -A99 '^weft: ' now.err | head -n "$(wc -l <one.err)")" "$(<one.err)" "a deadlock"

finish
