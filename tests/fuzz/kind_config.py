# Kind config: a random configuration through all engines, threads, processors, and run again.
"""What all runs of one configuration must have in common."""

from draw_config import configuration
from kind import Kind, wrong_end
from runs import difference, resumed, run, too_many_threads


class Config(Kind):
    """`model` against `flit`, on threads, resumed, with the other processor, and as resolved."""

    def draw(self, draw):
        return {**configuration(draw), "threads": draw.choice([2, 2, 3]),
                "resumed": draw.choice([1, 10, 50, 90, 99])}

    def fault(self, case, name, counts):
        config = {key: value for key, value in case.items() if key not in ("threads", "resumed")}
        context, threads = self.context, case["threads"]
        first = run(context, config, name)
        wrong = wrong_end(config, first)
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
        return (self.saved(config, case, first, name)
                or self.resolved(config, first, name, counts)
                or self.processors(config, first, name, counts))

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
        if not wrong and done.status == 0:
            counts["pairs of processors"] += 1
            for key in ("messages", "packets", "flits"):
                if done.result[key] != first.result[key]:
                    wrong += f"{key}: {first.result[key]} on {one}, {done.result[key]}"
        return wrong and f"processor {other}: {wrong}"
