#!/usr/bin/env bash
# Sourced by the other scripts. `weft_packages [PACKAGE...]` installs the missing ones of the Debian
# 12 packages that `weft` itself needs and of those that the script needs in addition (the lists
# below). It installs as root or with sudo; otherwise it prints the one line to run and stops.

# `weft` without hardware, waves and RV32 processors: a study of latency.
WEFT_PACKAGES=(
  build-essential ccache cmake libboost-context-dev libcereal-dev libcli11-dev libfmt-dev
  ninja-build nlohmann-json3-dev pkg-config zlib1g-dev
)
# Engines rtl, cosim and rtl-top, and waves; programs of RV32 processors.
WEFT_RUN_PACKAGES=(verilator gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf)
# What every test needs.
WEFT_TEST_PACKAGES=(
  "${WEFT_RUN_PACKAGES[@]}" bc clang clang-format clang-tidy clangd doctest-dev gtkwave iverilog
  libbenchmark-dev libcadical-dev libjs-d3 librapidcheck-dev libsystemc-dev libunicorn-dev python3
  python3-matplotlib xauth xvfb yosys
)

weft_packages() {
  local missing=() package
  for package in "${WEFT_PACKAGES[@]}" "$@"; do
    # `ii` alone is installed: a removed package is still known to dpkg.
    dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  local sudo=()
  if ((EUID != 0)); then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      sudo=(sudo)
    else
      echo "missing packages; run:" >&2
      echo "  sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
      exit 2
    fi
  fi
  echo "installing: ${missing[*]}" >&2
  weft_watch 's/^Setting up \([^ ]*\).*/installed \1/p' \
    "${sudo[@]}" sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends "$@"' sh "${missing[@]}" || {
    echo "the packages could not be installed" >&2
    exit 2
  }
}

# `weft_watch SED COMMAND...`: runs a command and shows its output if it fails. The sed script makes
# the progress from the output's lines; its last line is shown, on a terminal at once, elsewhere
# every half minute.
weft_watch() {
  local filter=$1 log status=0 every=30 began=$SECONDS said=$SECONDS line shown=
  shift
  log=$(mktemp)
  [[ -t 2 ]] && every=1
  set -m  # A process group of its own, which Ctrl-C ends with all that it has started.
  "$@" >"$log" 2>&1 </dev/null &
  set +m
  trap 'kill -- -$!; rm -f "$log"; exit 130' INT TERM
  while kill -0 $! 2>/dev/null; do
    sleep 0.2
    ((SECONDS - said >= every)) || continue
    said=$SECONDS
    line=$(sed -n "$filter" "$log" | tail -n 1)
    [[ -n $line && $line != "$shown" ]] || continue
    shown=$line
    if ((every == 1)); then
      printf '\r\033[K%4d s  %s' $((SECONDS - began)) "${line:0:65}" >&2
    else
      printf '%4d s  %s\n' $((SECONDS - began)) "$line" >&2
    fi
  done
  wait $! || status=$?
  trap - INT TERM
  if ((every == 1)) && [[ -n $shown ]]; then printf '\r\033[K' >&2; fi
  ((status == 0)) || cat "$log" >&2
  rm -f "$log"
  return "$status"
}

# Configures build/ and builds the given targets; quiet unless it fails. A checkout that was moved
# or copied with its build folder is configured again: CMake's files there name the old folder.
weft_build() {
  local fresh=() folder
  folder=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' build/CMakeCache.txt 2>/dev/null || true)
  if [[ -n $folder && ! $folder -ef . ]]; then
    echo "build/ was configured for $folder: configuring it anew" >&2
    fresh=(--fresh)
  fi
  echo "building in build/" >&2
  # Ninja's lines: `[12/345] Building ...`.
  weft_watch 's|^\[\([0-9]*\)/\([0-9]*\)\].*|\1 of \2 steps of the build|p' \
    bash -c '{ cmake "${@:2:$1}" -B build -G Ninja && cmake --build build --target "${@:$1+2}"; }' \
    weft_build ${#fresh[@]} "${fresh[@]}" "$@" || exit 1
}
