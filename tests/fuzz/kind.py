# What all kinds of cases share.
"""The base of the kinds, and what is wrong with a run by itself."""

import glob
import json
import os
import shutil

from shrink import smaller_config


class Kind:
    """A kind of cases: what is drawn, when it fails, and what is smaller."""

    def __init__(self, context):
        self.context = context

    def smaller(self, case):
        return smaller_config(case)

    def text(self, case, seed):
        """The case, as it is printed; `seed` may name a file for it."""
        del seed
        return json.dumps(case)

    def summary(self):
        """What else to say of all cases, as text, or ""."""
        return ""

    def clean(self, name):
        """Removes what a case has left."""
        for path in glob.glob(os.path.join(self.context.folder, f"{name}.*")):
            if os.path.isdir(path):
                shutil.rmtree(path)
            else:
                os.remove(path)


def wrong_end(config, done):
    """What is wrong with a run of itself, as text, or ""."""
    if done.crash:
        return done.crash
    if done.status in (0, 2) or config.get("faults"):
        return ""
    if done.status == 1 and done.result and done.result["stopped"]:
        return "" if not any(done.result["errors"].values()) else done.error
    return f"status {done.status} without a fault: {done.error}"
