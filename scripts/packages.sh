#!/usr/bin/env bash
# Sourced by the other scripts: `weft_packages [PACKAGE...]` installs what is missing of the Debian
# 12 packages that Weft needs, and of those that the script needs besides. As root or with sudo it
# installs; otherwise it prints the one line to run and stops.

WEFT_PACKAGES=(
  bc build-essential ccache clang-format cmake gtkwave iverilog libbenchmark-dev
  libboost-context-dev libcereal-dev libcli11-dev libfmt-dev libjs-d3 librapidcheck-dev
  libsystemc-dev libunicorn-dev ninja-build nlohmann-json3-dev doctest-dev pkg-config
  picolibc-riscv64-unknown-elf gcc-riscv64-unknown-elf python3 python3-matplotlib verilator xauth
  xvfb yosys zlib1g-dev
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
  local log
  log=$(mktemp)
  if ! { "${sudo[@]}" apt-get update -qq &&
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "the packages could not be installed" >&2
    exit 2
  fi
  rm -f "$log"
}

# Configures build/ and builds the given targets; quiet unless it fails. A checkout that was moved
# or copied with its build folder is configured anew: what CMake wrote there names the old folder.
weft_build() {
  local log fresh=() folder
  log=$(mktemp)
  folder=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' build/CMakeCache.txt 2>/dev/null || true)
  if [[ -n $folder && ! $folder -ef . ]]; then
    echo "build/ was configured for $folder: configuring it anew" >&2
    fresh=(--fresh)
  fi
  echo "building in build/" >&2
  if ! { cmake "${fresh[@]}" -B build -G Ninja && cmake --build build --target "$@"; } \
    >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}
