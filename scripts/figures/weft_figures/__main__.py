"""From the results of a seed's sweep to its tables and pictures: called by scripts/figures.sh."""

import argparse
import importlib
import pathlib
import sys


def main():
    parser = argparse.ArgumentParser(prog="weft_figures", description=__doc__)
    parser.add_argument("seed", help="000, 001, 003, 004, collectives, routing or matrix")
    parser.add_argument("out", type=pathlib.Path, help="folder with sweep/results.csv")
    parser.add_argument("--weft", required=True, help="the weft command")
    parser.add_argument("--quick", action="store_true", help="the sweep is that of quick.json")
    options = parser.parse_args()
    name = f"seed_{options.seed}" if options.seed.isdigit() else options.seed
    study = importlib.import_module(f"weft_figures.studies.{name}")
    return study.make(options.out, options.weft, options.quick)


if __name__ == "__main__":
    sys.exit(main())
