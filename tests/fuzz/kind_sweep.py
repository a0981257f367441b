# Kind sweep: random grids, killed and resumed, and by two processes at once.
"""A sweep that was stopped gives the files of one that was not."""

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import time

from kind import Kind
from runs import WAIT_S, call
from shrink import without_parts

TIMES = {"wall_s", "flit_hops_per_s"}
IN_USE = "in use by another sweep"

AXES = {
    "seed": [1, 2, 3, 4, 5, 6], "workload.rate": [0.05, 0.1, 0.3, 0.6, 1.0],
    "router.vc_depth": [2, 4, 8, 20], "topology.dims": [[2, 2], [3, 2], [4, 4], [5]],
    "workload.measure": [100, 2000, 8000], "nic.queue_depth": [1, 8, 20],  # 20: refused.
    "workload.traffic": ["uniform", "tornado", "transpose"], "workload.packet_flits": [1, 4, 16],
}


def axes(draw, without=()):
    names = [name for name in AXES if name not in without]
    return [{name: draw.sample(AXES[name], draw.randint(1, min(3, len(AXES[name]))))}
            for name in draw.sample(names, draw.choice([1, 2, 2, 3]))]


def table(path):
    """Rows of a table without what differs from run to run."""
    with open(path, encoding="utf-8", newline="") as file:
        return [{key: value for key, value in row.items() if key not in TIMES}
                for row in csv.DictReader(file)]


def lines(path):
    """Runs of results.jsonl, whose order depends on which ended first."""
    with open(path, encoding="utf-8") as file:
        text = file.read().splitlines()
    try:
        rows = [json.loads(line) for line in text]
    except ValueError:
        return text
    return sorted(json.dumps({key: value for key, value in row.items() if key not in TIMES})
                  for row in rows)


def cut(path, draw, counts):
    """Leaves a line without its end, as a kill in the middle of a write does, which is rare."""
    size = os.path.getsize(path) if os.path.exists(path) else 0
    if size:
        os.truncate(path, size - draw.randint(1, min(size, 500)))
        counts["lines cut"] += 1


class Sweep(Kind):
    """The case is a sweep and what happens to it: kills after shares of its time, or twins."""

    def draw(self, draw):
        base = {"topology": {"kind": draw.choice(["torus", "mesh", "mesh"]), "dims": [3, 3]},
                "workload": {"traffic": "uniform", "warmup": 50, "measure": 1000},
                "max_cycles": draw.choice([20000, 20000, 1500])}
        sweep = {"base": base}
        if draw.random() < 0.3:
            sweep["series"] = [{"name": f"s{number}", "set": {"watchdog": 5000 + number},
                                "axes": axes(draw)} for number in range(draw.randint(1, 2))]
        else:
            sweep["axes"] = axes(draw, ("seed",))
            if draw.random() < 0.3:
                sweep["seeds"] = draw.choice([2, 3])
        if draw.random() < 0.2:
            sweep["losses"] = True
        return {"sweep": sweep, "jobs": draw.choice([1, 2, 3]), "twins": draw.random() < 0.25,
                "kills": [draw.uniform(0, 1.1) for _ in range(draw.randint(1, 4))],
                "by": draw.choice(["SIGKILL", "SIGKILL", "SIGTERM", "SIGINT"])}

    def smaller(self, case):
        sweep = case["sweep"]
        for some in without_parts(case["kills"]):
            yield {**case, "kills": some}
        for key in ("losses", "seeds"):
            if key in sweep:
                yield {**case, "sweep": {k: v for k, v in sweep.items() if k != key}}
        for some in without_parts(sweep.get("axes", [])):
            if some:
                yield {**case, "sweep": {**sweep, "axes": some}}
        for place, axis in enumerate(sweep.get("axes", [])):
            for name, values in axis.items():
                for some in without_parts(values):
                    if some:
                        others = [*sweep["axes"]]
                        others[place] = {name: some}
                        yield {**case, "sweep": {**sweep, "axes": others}}

    def clean(self, name):
        super().clean(name)
        for folder in ("whole", "part"):
            shutil.rmtree(os.path.join(self.context.folder, f"{name}-{folder}"), ignore_errors=True)

    def fault(self, case, name, counts):
        self.clean(name)
        path = os.path.join(self.context.folder, f"{name}.sweep.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(case["sweep"], file)
        whole, part = (os.path.join(self.context.folder, f"{name}-{folder}")
                       for folder in ("whole", "part"))
        command = [self.context.weft, "sweep", path, "-j", str(case["jobs"]), "-o"]
        begin = time.monotonic()
        status, _, error, wrong = call([*command, whole])
        took = time.monotonic() - begin
        if wrong:
            return wrong
        if not os.path.exists(os.path.join(whole, "results.csv")):
            return None if status == 2 else f"status {status}, no table: {error}"
        wrong = (self.twins(command, part, status, counts) if case["twins"]
                 else self.killed(case, command, part, took, counts))
        if wrong:
            return wrong
        again, _, error, wrong = call([*command, part])
        if wrong or again != status:
            return wrong or f"exit status {again} in place of {status}: {error}"
        return self.differ(case, whole, part)

    @staticmethod
    def killed(case, command, part, took, counts):
        """Ends the sweep at the times of the case; sometimes cuts what it has written."""
        moments = random.Random(json.dumps(case, sort_keys=True))
        for share in case["kills"]:
            with subprocess.Popen([*command, part], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as run:
                time.sleep(share * took * moments.uniform(0.3, 1))
                run.send_signal(getattr(signal, case["by"]))
                try:
                    run.wait(WAIT_S)
                except subprocess.TimeoutExpired:
                    run.kill()
                    return f"no end in {WAIT_S} s after {case['by']}"
            counts["kills"] += run.returncode < 0
            if moments.random() < 0.5:
                cut(os.path.join(part, "results.jsonl"), moments, counts)
        return ""

    @staticmethod
    def twins(command, part, status, counts):
        """Two at once: one makes the runs; the other finds them, or is refused."""
        both = [subprocess.Popen([*command, part], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True) for _ in range(2)]
        refused = 0
        for run in both:
            try:
                error = run.communicate(timeout=WAIT_S)[1]
            except subprocess.TimeoutExpired:
                for one in both:
                    one.kill()
                return f"two at once: no end in {WAIT_S} s"
            if IN_USE in error and run.returncode == 2:
                refused += 1
            elif run.returncode != status:
                return f"two at once: exit status {run.returncode}, alone {status}: {error}"
        counts["twins refused"] += refused
        return "two at once: both refused" if refused == 2 else ""

    @staticmethod
    def differ(case, whole, part):
        names = {"results.csv": table, "results.jsonl": lines}
        if "seeds" in case["sweep"]:
            names["confidence.csv"] = table
        for name, read in names.items():
            one, other = (read(os.path.join(folder, name)) for folder in (whole, part))
            if one != other:
                first = next((pair for pair in zip(one, other) if pair[0] != pair[1]),
                             (len(one), len(other)))
                return f"{name}: {first[0]} | {first[1]}"
        left = set(os.listdir(part)) - set(os.listdir(whole))
        return f"files left: {', '.join(sorted(left))}" if left else ""
