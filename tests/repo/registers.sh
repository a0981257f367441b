#!/usr/bin/env bash
# The registers' addresses for C and SystemVerilog and their table in rtl/bus/README.md are as
# scripts/registers.py writes them from sim/packet/register_map.hpp.
set -euo pipefail
exec "$(dirname "$0")/../../scripts/registers.py" --check
