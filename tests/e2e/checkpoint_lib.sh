# Checkpoints, sourced after lib.sh by cli_checkpoint.sh, and after start_mpi by
# cli_checkpoint_processes.sh and cli_checkpoint_spans.sh, for one network on several processes:
# what any number of processes and threads has saved, any other goes on with, and the file does not
# tell how many they were.

# on PROCESSES:THREADS ARGUMENT...: the run of run.json on so many processes and threads.
on() {
  local processes=${1%:*} threads=${1#*:} among=
  shift
  [ "$processes" = 1 ] || among="$mpi $processes"
  $among $weft run run.json --threads "$threads" "$@"
}

# state FILE: the state in a checkpoint, without the header, which names the threads.
state() {
  python3 -c 'import struct, sys
data = open(sys.argv[1], "rb").read()
header, = struct.unpack_from("<Q", data, 16)
sys.stdout.buffer.write(data[48 + header:])' "$1" | sha256sum
}

# save PROCESSES:THREADS CYCLE OPTION...: the state of a cycle, in run.ckpt, which every division
# saves alike, unless `parted` is set: then the file has the parts of the division.
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

# resume PROCESSES:THREADS CYCLE OPTION...: goes on with it to the end of the whole run.
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
moved= parted=

config() {  # TOPOLOGY WORKLOAD [MORE], into run.json
  echo "{\"topology\": $1, \"workload\": $2, \"seed\": 7 ${3:+, $3}}" >run.json
}
torus='{"kind": "torus", "dims": [4, 3]}'
crossbars='{"kind": "hier_crossbar", "dims": [4, 2]}'
uniform='{"traffic": "uniform", "rate": 0.3, "packet_flits": 4, "warmup": 100, "measure": 400}'
transfers='{"transfers": [{"from": 0, "to": 5, "flits": 300, "start": 10},
  {"from": 1, "to": 5, "flits": 200, "start": 300}, {"from": 5, "to": 0, "flits": 100}]}'
