#!/usr/bin/env bash
# A checkout that is moved or copied with its build folder: the command runs there as it is, and the
# scripts configure the build folder anew.
source "$(dirname "$0")/lib.sh"
build=$(dirname "$weft")

# What a run needs, in another folder: the program, its cache, and the checkout at the same relative
# path.
$weft run xbar16 --engine rtl --json here.json >/dev/null 2>&1 || fail "xbar16 does not run"
copy=$work/one/two/three/build
source_copy=$(realpath -m "$copy/$(cat "$build/weft_source")")
mkdir -p "$copy" "$source_copy/sim/cli"
cp -a "$build"/{weft,weft_source,libweft_verilator.so,sw,verilated} "$copy"
cp -r "$source_dir/rtl" "$source_copy"
cp -r "$source_dir/sim/cli/configs" "$source_copy/sim/cli"
mv "$source_copy/sim/cli/configs/xbar16.json" "$source_copy/sim/cli/configs/only_there.json"
libraries=$(find "$copy/verilated" -type f | sort)
expect 0 "" "$copy/weft" run only_there --engine rtl --json there.json
is "$(field there.json digest)" "$(field here.json digest)"
is "$(find "$copy/verilated" -type f | sort)" "$libraries"
for program in "$weft" "$build/libweft_verilator.so"; do
  grep -qF "$source_dir" "$program" && fail "$program holds the checkout's path"
done

# Without the checkout, or without the build folder, it says what is missing.
mv "$source_copy/rtl" "$work/rtl"
expect 2 "configure" "$copy/weft" run xbar16 --engine rtl
mkdir "$work/alone"
cp "$weft" "$build/libweft_verilator.so" "$work/alone"
expect 2 "no build folder of Weft" "$work/alone/weft" run xbar16

# The scripts' part of a build, of a project that has nothing to compile.
mkdir "$work/old"
cp -r "$source_dir/scripts" "$work/old"
printf 'cmake_minimum_required(VERSION 3.25)\nproject(moved NONE)\nadd_custom_target(weft)\n' \
  > "$work/old/CMakeLists.txt"
build_in() { (cd "$work/$1" && source scripts/packages.sh && weft_build weft); }
expect 0 "building" build_in old
mv "$work/old" "$work/new"
expect 0 "was configured for $work/old: configuring it anew" build_in new
expect 0 "building" build_in new

finish
