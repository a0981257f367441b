#!/usr/bin/env bash
# Programs that are damaged or misbehave: the right exit status, and a message that names node and
# cause.
source "$(dirname "$0")/lib.sh"

for name in loop lost overrun code nowhere stray; do
  riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -std=c11 -O2 -g0 -ffreestanding \
    --specs=picolibc.specs -nostartfiles -T "$source_dir/sw/runtime/weft.ld" \
    -Wl,-z,max-page-size=4 -I"$source_dir/sw/include" "$source_dir/sw/runtime/crt0.S" \
    "$source_dir/sw/runtime/boot.c" "$source_dir/tests/e2e/programs/$name.c" \
    -o $name.elf || fail "$name.c does not compile"
done
run() {  # PROGRAM ARGUMENT...
  local program=$1
  shift
  $weft run xbar16 --set workload.program="\"$program\"" --set watchdog=20000 "$@"
}

for engine in model rtl; do
  expect 3 "no progress: no flit moved and no program ended in the 20000 cycles" \
    run loop.elf --engine $engine
  expect 3 "node 0: running at pc 0x" run loop.elf --engine $engine
  expect 3 "node 0: waiting at pc 0x" run lost.elf --engine $engine
  # Every packet is refused, none is written.
  expect 1 "node 5: 1 packets refused: beyond its receive window of 2048 bytes" \
    run overrun.elf --engine $engine
  expect 1 "node 0, cycle" run code.elf --engine $engine
  expect 1 "the program ended with code 7" run code.elf --engine $engine
  expect 3 "barrier 1: 15 of 16 nodes wait for those that have not entered it: 3" \
    run stray.elf --engine $engine --set workload.sync=barrier
  # The start-up's own barrier is not counted.
  expect 3 "barrier 1: 15 of 16 nodes wait for those that have not entered it: 3" \
    run stray.elf --engine $engine --set start=network
  expect 1 "posted a message to address 0xffff, which no node has" run nowhere.elf --engine $engine
done

# Programs have barrier units whatever their collective does, unless the configuration says not.
expect 3 "barrier 1: 15 of 16 nodes wait for those that have not entered it: 3" run stray.elf
expect 3 "barrier 1: 15 of 16 nodes wait" $weft run xbar16 \
  --set watchdog=20000 --set 'workload={"collective": "broadcast", "bytes": 64}' \
  --set workload.program=stray.elf
for engine in model flit; do
  expect 1 "entered a hardware barrier, but there are no barrier units (barrier" run stray.elf \
    --set barrier=software --engine $engine
done

# On several threads the first error is reported, of equals that of the lowest node.
for threads in 1 2 3; do
  torus() {
    $weft run torus_a2at --set topology.dims='[4,4]' --set processor=rv32 \
      --set workload.program="\"$1\"" --set watchdog=2000 --threads "$threads"
  }
  expect 1 "node 0, cycle 6: the program ended with code 7" torus code.elf
  expect 1 "node 0, cycle 8: posted a message to address 0xffff" torus nowhere.elf
  expect 3 "1 messages sent, 0 received" torus overrun.elf
done

size=$(stat -c %s code.elf)
for bytes in 0 3 51 100 $((size - 1)); do
  head -c "$bytes" code.elf >cut.elf
  expect 2 "cut.elf" run cut.elf --json none.json
done
expect 2 "none.elf" run none.elf --json none.json
expect 2 "not an ELF" run "$source_dir/CMakeLists.txt" --json none.json
expect 2 "/bin/true" run /bin/true --json none.json
[ ! -e none.json ] || fail "a result was written without a run"

finish
