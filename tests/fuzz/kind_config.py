# Kind config: a random configuration through all engines, threads, processors, and run again.
"""What all runs of one configuration must have in common."""

import os
import shutil

from draw_config import configuration
from draw_extremes import ends_of_keys, small_ring, with_extremes, with_self_transfers
from draw_network import topology
from kind import Kind, wrong_end
from runs import difference, resumed, run, too_many_threads


class Config(Kind):
    """`model` against `flit`, on threads, resumed, with the other processor, and as resolved; with
    other schedules in the cache; and no run in fewer cycles than its bound."""

    def __init__(self, context):
        super().__init__(context)
        self.ends = ends_of_keys(context.weft)

    def draw(self, draw):
        small = draw.random() < 0.3
        config = with_self_transfers(draw, configuration(draw, small_ring if small else topology))
        if small and config["router"].get("switching", "wormhole") == "wormhole":
            config["router"]["vc_depth"] = draw.randint(1, 4)
        if draw.random() < 0.3:
            config = with_extremes(draw, config, self.ends)
        return {**config, "threads": draw.choice([2, 2, 3]),
                "resumed": draw.choice([1, 10, 50, 90, 99]),
                "before": draw.choice(["auto", "shortest", "up_down"])}

    def fault(self, case, name, counts):
        own = ("threads", "resumed", "before")
        config = {key: value for key, value in case.items() if key not in own}
        context, threads = self.context, case["threads"]
        first = run(context, config, name)
        wrong = wrong_end(config, first) or below_bound(config, first, counts)
        if wrong:
            return wrong
        other = run(context, config, name, "flit")
        counts["runs"] += 2
        wrong = other.crash or difference(first, other)
        if wrong:
            return f"model and flit: {wrong}"
        if first.status == 2:
            return None
        cut = run(context, config, name, threads=threads)
        counts["runs"] += 1
        if not too_many_threads(cut):
            wrong = cut.crash or difference(first, cut)
            if wrong:
                return f"1 and {threads} threads: {wrong}"
        return (self.cached(config, case, first, name, counts)
                or self.saved(config, case, first, name)
                or self.resolved(config, first, name, counts)
                or self.processors(config, first, name, counts))

    def cached(self, config, case, first, name, counts):
        """With an empty cache, and then with what a run with another routing, of its links and
        VCs, has left there, the schedule is the same."""
        if config["workload"].get("collective") != "a2a_scheduled":
            return ""
        router = {**config.get("router", {}), "routing": case["before"]}
        router.pop("vcs", None)
        cache = f"{name}.cache"
        for what, before in (("empty", None), ("of another run", {**config, "router": router})):
            shutil.rmtree(os.path.join(self.context.folder, cache), ignore_errors=True)
            if before:
                run(self.context, before, name, cache=cache)
            done = run(self.context, config, name, cache=cache)
            counts["runs"] += 1
            wrong = done.crash or difference(first, done)
            if wrong:
                return f"with a cache that is {what}: {wrong}"
        counts["schedules with other caches"] += 1
        return ""

    def saved(self, config, case, first, name):
        """A run that was stopped goes on from its checkpoint as if it had not been."""
        percent, threads = case["resumed"], case["threads"]
        return (resumed(self.context, config, first, name, percent)
                or resumed(self.context, config, first, name, percent, "model", (threads, threads))
                or resumed(self.context, config, first, name, percent, "flit", (threads, 1)))

    def resolved(self, config, first, name, counts):
        """The configuration of the result gives the same result, itself included."""
        if not first.result:
            return ""
        again = run(self.context, first.result["config"], name)
        counts["runs"] += 1
        wrong = again.crash or difference(first, again)
        if not wrong and again.result["config"] != first.result["config"]:
            wrong = "another configuration"
        return wrong and f"the resolved configuration: {wrong}"

    def processors(self, config, first, name, counts):
        """Both processors send the same, and leave the right data."""
        if "processor" not in config or config.get("faults") or not first.result:
            return ""
        if first.result["stopped"]:
            return ""
        one = config["processor"]
        other = {"rv32": "native", "native": "rv32"}[one]
        done = run(self.context, {**config, "processor": other, "max_cycles": 400000}, name)
        counts["runs"] += 1
        wrong = wrong_end(config, done)
        if done.status == 2:
            wrong = f"refused: {done.error}"
        wrong = wrong or below_bound(config, done, counts)
        if not wrong and done.status == 0:
            counts["pairs of processors"] += 1
            left, right = sent_by(first.result), sent_by(done.result)
            for key in left:
                if right.get(key, left[key]) != left[key]:
                    wrong += f"{key}: {left[key]} on {one}, {right[key]}; "
        return wrong and f"processor {other}: {wrong}"


def sent_by(result):
    """What both processors send alike. What is picked is the best for one of them, and time slots
    divide blocks so that an RV32 processor has time to post their parts: then the words alone."""
    picked = [note for note in result["notes"] if note.startswith("picked: ")]
    program = result["config"]["workload"].get("collective")
    words = {f"words, {picked or program}": result["flits"] - result["packets"]}
    if picked == ["picked: a2a_scheduled"] or program == "a2a_scheduled":
        return words
    return words | {f"{key}, {picked}": result[key] for key in ("messages", "packets", "flits")}


def below_bound(config, done, counts):
    """What is wrong with a run in fewer cycles than its bound; "" if nothing is. Faults may take
    work away, and a run that was stopped has not done it."""
    if not done.result or done.result["stopped"] or config.get("faults"):
        return ""
    bound = done.result.get("bound_cycles", 0)
    cycles = done.result["cycles"] - done.result.get("startup_cycles", 0)
    counts["bounds"] += bound > 0
    return "" if cycles >= bound else f"{cycles} cycles, and a bound of {bound}"
