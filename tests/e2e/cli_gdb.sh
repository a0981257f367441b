#!/usr/bin/env bash
# weft run --gdb: a session of gdb-multiarch, in which nothing changes the run's cycles and digest.
source "$(dirname "$0")/lib.sh"

if ! command -v gdb-multiarch >/dev/null; then
  source "$source_dir/scripts/packages.sh"
  (weft_packages gdb-multiarch) || fail "gdb-multiarch is not there"
fi
$weft cc "$source_dir/tests/e2e/programs/debugged.c" -o debugged.elf || fail "debugged.c"
options=(xbar16 --program debugged.elf)

line="gdb-multiarch debugged.elf -ex 'target remote :"
# debugged OPTION...: starts a run that waits for gdb at node 3; its port is in $port.
debugged() {
  rm -f gdb.json
  : >gdb.err  # Not the port of the run before.
  $weft run "${options[@]}" --gdb 3:0 --json gdb.json "$@" >gdb.out 2>gdb.err &
  run=$!
  port=
  for ((i = 0; i < 300; ++i)); do
    port=$(sed -n "s/^gdb: node 3 waits on 127\.0\.0\.1:\([0-9]*\): $line\1'$/\1/p" gdb.err)
    [ -z "$port" ] || return
    sleep 0.1
  done
  fail "no port: $(<gdb.err)"
}
# session COMMAND...: gdb with these, its output in session.txt.
session() {
  local commands=()
  for command in "$@"; do commands+=(-ex "$command"); done
  timeout 60 gdb-multiarch -nx -batch -ex 'set style enabled off' debugged.elf \
    -ex "target remote :$port" "${commands[@]}" >session.txt 2>&1
}
# ended STATUS: the run has ended so.
ended() {
  wait "$run"
  is $? "$1" "status of a run with gdb: $(<gdb.err)"
}
told() {  # TEXT: gdb has said that.
  grep -qF -e "$1" session.txt || fail "no \"$1\" in a session: $(<session.txt)"
}

# From the first instruction to the end: the same run as without gdb.
without=$(run_of "${options[@]}")
for more in "" "--threads 3" "--engine flit"; do
  debugged $more
  session 'info registers pc' 'break twice' 'c' 'print value' 'bt' 'stepi' 'finish' 'c' \
    'info registers a0' 'delete' 'watch table[2]' 'c' 'print table' \
    'set var counter = 1000' 'print counter' 'c'
  ended 0
  is "$(field gdb.json cycles) $(field gdb.json digest)" "$without" "with gdb $more"
  [ "$more" = "--engine flit" ] ||
    is "$(field gdb.json stepped)" "gdb debugs a program" "why every flit is stepped"
  told '0x1000'
  told 'Breakpoint 1, twice (value=value@entry=3)'
  told '$1 = 3'
  told 'in weft_main ()'
  told 'Value returned is $2 = 6'
  told 'Old value = 0'
  told 'New value = 10'
  told '{6, 8, 10, 0}'
  told '= 1000'
  told 'exited normally'
  # What gdb has written is what the program goes on with: 1000 and the last of 3 + 4 + 5 + 6.
  is "$(field gdb.json values/3/value)" 1006 "counter of node 3"
  is "$(field gdb.json values/4/value)" 22 "counter of node 4"
done

# A change by a message is seen, too, and gdb may leave at any time.
debugged
session 'break weft_main' 'c' 'watch *(unsigned *)((struct weft_job *)0x100)->recv_base' 'c' \
  'detach'
ended 0
told 'New value ='
is "$(field gdb.json cycles) $(field gdb.json digest)" "$without" "after detach"

# A program that fails, that returns a code, and one that waits for ever.
debugged --set workload.arguments=[1]
session 'c' 'print counter' 'c'
ended 1
told 'rank, not expected: 3'
told 'SIGABRT'
told '$1 = 18'
grep -q 'node 3, cycle [0-9]*: .*rank, not expected: 3' gdb.err || fail "$(<gdb.err)"
debugged --set workload.arguments=[0,5]
session 'c'
ended 1
told 'exited with code 05'
debugged --set workload.arguments=[3] --set watchdog=20000
session 'c' 'bt' 'c'
ended 3
told 'no progress'
told 'weft_main'
debugged
session 'kill'
ended 1
grep -q 'gdb has killed the program' gdb.err || fail "$(<gdb.err)"

# Without gdb's client: Ctrl-C in a program that runs and in one that sleeps; then the connection
# ends.
cat >client.py <<'END'
import socket, sys, time
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10)
link.settimeout(10)
def packet(text):
    return f"${text}#{sum(text.encode()) & 255:02x}".encode()
def reply():
    got = b""
    while not got[-3:].startswith(b"#"):
        got += link.recv(1000)
    return got.decode()
link.sendall(packet("QStartNoAckMode"))
reply()
link.sendall(packet("c"))
time.sleep(0.05)
link.sendall(b"\x03")
print(reply())
END
for argument in 2 3; do
  debugged --set workload.arguments=[$argument] --set watchdog=1000000000 --set max_cycles=2000000
  is "$(python3 client.py "$port")" '$S02#b5' "an interrupt, argument $argument"
  ended 1
  grep -q 'cycles *2000000' gdb.out || fail "the run does not go on without its connection"
done

# What cannot be debugged, and a port that cannot be taken.
refused() {  # TEXT OPTION...
  local text=$1
  shift
  expect 2 "$text" $weft run "$@" --json none.json
}
refused '--gdb: value "3": expected: NODE:PORT' "${options[@]}" --gdb 3
for wrong in 3: :1 3:65536 3:1x -1:0 a:0 4294967296:0; do
  refused 'expected: NODE:PORT' "${options[@]}" --gdb=$wrong
done
refused '--gdb: value node 16: expected: 0 to 15' "${options[@]}" --gdb 16:0
refused 'processor "native": expected: "rv32"' xbar16 --set processor=native --gdb 0:0
refused 'expected: a program or collective' torus32_uniform --set topology.dims=[4,4] --gdb 0:0
expect 2 '--gdb' $weft run torus32_uniform --gdb 0:0 --saturation
python3 -c 'import socket, sys, time
taken = socket.socket()
taken.bind(("127.0.0.1", 0))
taken.listen()
print(taken.getsockname()[1], flush=True)
time.sleep(600)' >taken.txt &
holder=$!
for ((i = 0; i < 100; ++i)); do [ -s taken.txt ] || sleep 0.1; done
refused "--gdb: value port $(<taken.txt): expected: a port that is free" "${options[@]}" \
  --gdb "0:$(<taken.txt)"
kill "$holder"
[ ! -e none.json ] || fail "a result was written without a run"

finish
