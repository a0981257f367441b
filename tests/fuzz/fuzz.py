#!/usr/bin/env python3
# Random and mutated inputs for the command: draws cases, tries them, shrinks what fails.
"""Try a `weft` command on random cases of one kind (README.md explains the kinds).

Prints a failure as the smallest case that still shows it. Exit status 0: none; 1: failures; 2:
unusable arguments, or too few cases to mean anything.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import random
import sys
import tempfile
import time

import kind_config
import kind_cosim
import kind_fault
import kind_gates
import kind_inputs
import kind_processes
import kind_sweep
from runs import Context
from shrink import shrink

KINDS = {"config": kind_config.Config, "cosim": kind_cosim.Cosim, "fault": kind_fault.Fault,
         "gates": kind_gates.Gates, "cosim_gates": kind_gates.CosimGates,
         "processes": kind_processes.Processes, "sweep": kind_sweep.Sweep, "elf": kind_inputs.Elf,
         "trace": kind_inputs.Trace, "json": kind_inputs.Json, "checkpoint": kind_inputs.Checkpoint}
LIKE = 35  # Characters that tell failures apart: engines and statuses, no cycles or places.
LEAST_SHARE = 0.5  # Of the cases that can be judged; fewer, and the generator is poor.


def cases(arguments):
    """Seeds until the time is over, or as many as asked for."""
    end = time.monotonic() + arguments.seconds
    for number in itertools.count():
        if number >= arguments.count if arguments.count else time.monotonic() > end:
            return
        yield arguments.seed + number


def in_turn(pool, workers, job, seeds):
    """Results of jobs in their order, with few of them waiting."""
    waiting = collections.deque()
    for seed in seeds:
        waiting.append(pool.submit(job, seed))
        if len(waiting) > 2 * workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft", help="the command, as build/weft")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("seconds", type=float, nargs="?", default=60, help="how long; default: 60")
    parser.add_argument("seed", type=int, nargs="?", default=1,
                        help="of the first case; the next has the next")
    parser.add_argument("--count", type=int, help="cases to try, in place of a time; cosim: on "
                        "networks that the tests verilate")
    parser.add_argument("--harness", default="", help="the program tests/fuzz/harness.cpp")
    parser.add_argument("--keep", default="build/fuzz", help="folder for inputs that fail")
    parser.add_argument("-j", type=int, default=os.cpu_count(), help="cases at a time")
    arguments = parser.parse_args()
    tried, judged, failures = 0, 0, 0
    counts = collections.Counter()

    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        context = Context(os.path.abspath(arguments.weft),
                          arguments.harness and os.path.abspath(arguments.harness), folder,
                          os.path.abspath(arguments.keep), bool(arguments.count))
        os.chdir(folder)  # Where cosim leaves waves of a difference.
        kind = KINDS[arguments.kind](context)

        def job(seed):
            case = kind.draw(random.Random(seed))
            own = collections.Counter()
            what = kind.fault(case, str(seed), own)
            kind.clean(str(seed))
            return seed, case, what, own

        for seed, case, what, own in in_turn(pool, arguments.j, job, cases(arguments)):
            tried += 1
            judged += what is not None
            counts.update(own)
            if what:
                failures += 1
                print(f"seed {seed}: {what}", flush=True)
                # A smaller case may fail in another way: it counts if the failure begins alike.
                alike = what[:LIKE]
                case = shrink(lambda one: (kind.fault(one, f"shrink{seed}", collections.Counter())
                                           or "").startswith(alike), case, kind.smaller)
                print(f"  smallest: {kind.text(case, seed)}", flush=True)
            if sys.stderr.isatty():
                print(f"\r{tried} cases, {failures} failures", end="", file=sys.stderr)
    details = "".join(f", {number} {name}" for name, number in sorted(counts.items()))
    details += kind.summary() and f", {kind.summary()}"
    print(f"{arguments.kind}: {judged} of {tried} cases judged{details}; {failures} failures")
    if judged < LEAST_SHARE * tried or not judged:
        print("too few: the generator makes cases that are refused", file=sys.stderr)
        return 2
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
