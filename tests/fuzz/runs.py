# One run of the command on a configuration, and the comparison of two results.
"""Run `weft` on configurations whose files are part of them, and compare what results report."""

import json
import os
import signal
import subprocess
from typing import NamedTuple

# Of a result, what is no figure of the run.
NOT_COMPARED = {"config", "engine", "wall_s", "flit_hops_per_s", "notes", "stepped"}
# Of one run, seconds of a processor. The longest takes one; a sanitizer makes it ten.
LIMIT_S = 400  # Yosys takes 150 s for the largest router of kind gates.
WAIT_S = 1800  # Of one run that does nothing, or of a machine that is busy.
SANITIZER_STATUS = 99  # With which a sanitizer ends a program.
# Setting by setting for all sanitizers; a program without one does not read them.
# Coroutines of Boost.Context switch stacks behind the back of the check for returned stack frames.
ENVIRONMENT = {
    "ASAN_OPTIONS": f"exitcode={SANITIZER_STATUS}:detect_leaks=0:detect_stack_use_after_return=0"
                    ":allocator_may_return_null=1",
    "UBSAN_OPTIONS": f"halt_on_error=1:print_stacktrace=1:exitcode={SANITIZER_STATUS}",
    "TSAN_OPTIONS": f"exitcode={SANITIZER_STATUS}",
    "WEFT_VERILATED_OPT": "-O0",  # As in the other tests: what is verilated runs for a moment.
}


class Context(NamedTuple):
    """What all kinds need."""
    weft: str        # The command.
    harness: str     # The harness of the parsers; "" without one.
    folder: str      # For files that nobody keeps.
    keep: str        # For inputs of failures.
    short: bool      # For a test, which has no time to build anything.


class Run(NamedTuple):
    """What became of a run."""
    status: int      # Exit status; None: no end.
    result: dict     # The whole result; None without one, as of a run that failed before its end.
    error: str       # First line of standard error.
    crash: str       # Text of a crash, a sanitizer's report, a hang, an unknown status; or "".


def call(command, environment=None):
    """Exit status (None: no end), standard output and error of a command, and what is wrong with
    the way in which it ended, or ""."""
    try:
        # A hard limit of its own: at that the signal is SIGKILL.
        limit = f"--cpu={LIMIT_S}:{LIMIT_S + 10}"
        done = subprocess.run(["prlimit", limit, *command], capture_output=True, timeout=WAIT_S,
                              check=False, stdin=subprocess.DEVNULL,
                              env={**os.environ, **ENVIRONMENT, **(environment or {})})
    except subprocess.TimeoutExpired:
        return None, "", "", f"no end in {WAIT_S} s"
    if done.returncode == -signal.SIGXCPU:
        return None, "", "", f"no end in {LIMIT_S} s of a processor"
    out, error = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
    wrong = ""
    if done.returncode not in (0, 1, 2, 3):
        report = [line for line in error.splitlines() if "Sanitizer" in line or "error" in line]
        wrong = f"exit status {done.returncode}: {(report or [error.strip()[-300:]])[0]}"
    elif done.returncode != 0 and not error.strip():
        wrong = f"exit status {done.returncode} without a message"
    return done.returncode, out, error, wrong


def with_files(config, stem):
    """The configuration, the files that it holds in place of their names being written."""
    for section, ending in (("topology", "net.json"), ("workload", "input")):
        text = config[section].get("file")
        if isinstance(text, (dict, list)):
            path = f"{stem}.{ending}"
            with open(path, "w", encoding="utf-8") as file:
                if isinstance(text, dict):
                    json.dump(text, file)
                else:
                    file.write("\n".join(text) + "\n")
            config = {**config, section: {**config[section], "file": path}}
    return config


def write(context, config, name):
    """The path of a configuration as a file; `name` is used by no other thread."""
    stem = os.path.join(context.folder, name)
    with open(f"{stem}.config.json", "w", encoding="utf-8") as file:
        json.dump(with_files(config, stem), file)
    return f"{stem}.config.json"


def run(context, config, name, engine="model", threads=1, options=(), processes=1, cache="full",
        environment=None):
    """Runs a configuration, on so many processes; files are named by `name`, which no other thread
    uses. `cache` is the name of a folder for schedules; all cases share the one of that name."""
    path, result = write(context, config, name), os.path.join(context.folder, f"{name}.result.json")
    if os.path.exists(result):
        os.remove(result)
    among = ["mpirun", "--oversubscribe", "-n", str(processes)] if processes > 1 else []
    status, _, error, wrong = call([*among, context.weft, "run", path, "--engine", engine, "--threads",
                                    str(threads), "--json", result, *options],
                                   {"XDG_CACHE_HOME": os.path.join(context.folder, cache),
                                    **(environment or {})})
    got = None
    if os.path.exists(result):
        with open(result, encoding="utf-8") as file:
            got = json.load(file)
        if "cycles" not in got:
            got = None
    return Run(status, got, error.strip().split("\n")[0], wrong)


def too_many_threads(done):
    """Whether a run was refused because it has more threads or processes than nodes."""
    return done.error.startswith(("weft: --threads:", "weft: mpirun:"))


def figures(result):
    return result and {key: value for key, value in result.items() if key not in NOT_COMPARED}


def difference(one, other):
    """What differs between two runs, as text; "" if nothing does."""
    if one.status != other.status:
        return f"exit status {one.status} and {other.status}: {one.error} | {other.error}"
    if one.status in (2, 3) or (one.result is None and other.result is None):
        return "" if one.error == other.error else f"{one.error} | {other.error}"
    left, right = figures(one.result), figures(other.result)
    if left == right:
        return ""
    if left is None or right is None:
        return f"only one has a result: {one.error} | {other.error}"
    keys = [key for key in {**left, **right} if left.get(key) != right.get(key)]
    return "; ".join(f"{key}: {left.get(key)} and {right.get(key)}" for key in keys)


def resumed(context, config, whole, name, percent, engine="model", threads=(1, 1),
            processes=(1, 1), rest=(), environment=None):
    """What differs between a whole run and one that is stopped after so many hundredths of its
    cycles, on so many threads and processes, and resumed from its checkpoint on others; "" if
    nothing does. `rest`: engine and options of the resumed run; () for the same engine.
    `environment`: of the resumed run."""
    if whole.result is None or (config.get("processor") == "native"
                                and "collective" in config["workload"]):
        return ""
    cycle = whole.result["cycles"] * percent // 100
    if cycle == 0 or cycle == whole.result["cycles"]:
        return ""
    file = os.path.join(context.folder, f"{name}.checkpoint")
    first = run(context, {**config, "max_cycles": cycle}, name, engine, threads[0],
                ("--checkpoint", file, "--every", "1000000000"), processes[0])
    if first.crash or too_many_threads(first):
        return first.crash
    if not os.path.exists(file):
        return f"no checkpoint in cycle {cycle}: {first.error}"
    later, *options = rest or (engine,)
    second = run(context, config, name, later, threads[1], ("--resume", file, *options),
                 processes[1], environment=environment)
    os.remove(file)
    if too_many_threads(second):
        return ""
    wrong = second.crash or difference(whole, second)
    return wrong and f"{engine}, resumed in cycle {cycle}: {wrong}"
