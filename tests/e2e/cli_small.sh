#!/usr/bin/env bash
# A small installation, without Verilator, a RISC-V compiler and what tests need: it says so,
# builds, simulates traffic and native processors, and names the package of what it cannot do.
source "$(dirname "$0")/lib.sh"

# In a copy of the checkout, with its options: ccache has most of it from the build that is tested.
mkdir small
cp -r "$source_dir"/{CMakeLists.txt,rtl,scripts,sim,sw} small
expect 0 "a small installation, without tests" cmake -S small -B small/build -G Ninja \
  -DVERILATOR=OFF -DRISCV_GCC=OFF
cmake --build small/build --target weft >build.log 2>&1 || fail "small: $(tail -n 20 build.log)"
large=$weft weft=$PWD/small/build/weft
echo '{"topology": {"kind": "torus", "dims": [4, 4]}, "processor": "native",
  "workload": {"collective": "a2a"}}' >native.json
echo '{"topology": {"kind": "mesh", "dims": [4, 4]},
  "workload": {"traffic": "uniform", "rate": 0.2, "measure": 1000}}' >traffic.json
for file in native.json traffic.json; do
  is "$(run_of $file)" "$(weft=$large run_of $file)" "$file without Verilator"
done
expect 2 "packages gcc-riscv64-unknown-elf" "$weft" run native.json --set processor=rv32
expect 2 "package verilator" "$weft" run traffic.json --engine cosim
expect 2 "package verilator" "$weft" run traffic.json --trace waves.fst
[[ ! -e waves.fst ]] || fail "waves without a writer"
