#!/usr/bin/env bash
# Checkpoints of one network on several processes, flit by flit (checkpoint_lib.sh). What is no
# checkpoint of the run is refused with one error.
source "$(dirname "$0")/lib.sh"
start_mpi || finish
source "$source_dir/tests/e2e/checkpoint_lib.sh"

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
