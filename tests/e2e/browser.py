#!/usr/bin/env python3
"""Opens pages in headless Chromium and runs checks in them.

    browser.py PAGE.html CHECKS.js [PAGE.html CHECKS.js]...
    browser.py --screenshot OUT.png [--width PX] [--dark] [--script FILE.js] [--hide SELECTOR]
               [--first SELECTOR] [--last SELECTOR] PAGE.html

CHECKS.js runs in the page and has `check(condition, text)`, `is(got, expected, text)`,
`choose(name, value)` and `toggle(name)` for the controls, `all(selector)` and `one(selector)`; it
may await. Failed checks, exceptions, messages of errors in the console and anything that the page
loads are printed; the exit status is then 1. A screenshot goes from the first element to the last,
after FILE.js has worked the controls. Chromium is driven through its pipe.
"""

import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HELPERS = """
const failures = [];
const check = (condition, text) => { if (!condition) failures.push(text); };
const is = (got, expected, text) => check(got === expected, `${text}: ${got}, not ${expected}`);
const all = (selector) => [...document.querySelectorAll(selector)];
const one = (selector) => document.querySelector(selector);
const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const choose = (name, value) => {
  const menu = one(`select[name="${name}"]`);
  menu.value = value;
  check(menu.value === value, `menu ${name} has no ${value}`);
  menu.dispatchEvent(new Event('change'));
};
const toggle = (name) => one(`input[name="${name}"]`).click();
"""


class Browser:
    """A Chromium that is driven through descriptors 3 and 4."""

    def __init__(self, profile):
        self.next_id = 0
        self.events = []
        self.rest = b""
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()

        def pipes():
            # Either may be 3 or 4 itself: first both out of the way.
            ends = [os.dup(to_browser), os.dup(from_browser)]
            for number, end in zip((60, 61), ends):
                os.dup2(end, number, inheritable=False)
            os.dup2(60, 3)
            os.dup2(61, 4)

        self.process = subprocess.Popen(
            [shutil.which("chromium") or "chromium", "--headless=new", "--no-sandbox",
             "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--mute-audio",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--hide-scrollbars",
             f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"],
            close_fds=False, preexec_fn=pipes, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        target = next(one for one in self.call("Target.getTargets")["targetInfos"]
                      if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"],
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.page(f"{domain}.enable")

    def read(self):
        while b"\0" not in self.rest:
            part = os.read(self.into, 1 << 20)
            if not part:
                raise RuntimeError("Chromium has ended")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.next_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def page(self, method, **parameters):
        return self.call(method, session=self.session, **parameters)

    def open(self, page):
        self.events.clear()
        self.page("Page.navigate", url=pathlib.Path(page).resolve().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.read())

    def evaluate(self, script):
        """The value of an async function's body, or the text of what it threw."""
        answer = self.page("Runtime.evaluate", expression=f"(async () => {{{script}\n}})()",
                           awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            return None, details.get("exception", {}).get("description", details["text"])
        return answer["result"].get("value"), None

    def complaints(self):
        """What went wrong in the page by itself, and what it loaded."""
        for event in self.events:
            method, about = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = about["exceptionDetails"]
                yield details.get("exception", {}).get("description", details["text"])
            elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "assert"):
                yield f"console: {[one.get('value') for one in about['args']]}"
            elif method == "Log.entryAdded" and about["entry"]["level"] == "error":
                yield f"log: {about['entry']['text']}"
            elif method == "Network.requestWillBeSent":
                url = about["request"]["url"]
                if about.get("type") != "Document" and not url.startswith("data:"):
                    yield f"loaded: {url}"

    def end(self):
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait()


def run_checks(browser, page, checks):
    browser.open(page)
    failures, error = browser.evaluate(
        f"{HELPERS}try {{{pathlib.Path(checks).read_text()}\n}} "
        "catch (error) { failures.push(error.stack); } return failures;")
    found = list(failures or []) + ([error] if error else []) + list(browser.complaints())
    for text in found:
        print(f"FAIL: {page}, {checks}: {text}")
    return not found


def take_screenshot(browser, options):
    if options.dark:
        browser.page("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.page("Emulation.setDeviceMetricsOverride", width=options.width, height=800,
                 deviceScaleFactor=1, mobile=False)
    browser.open(options.files[0])
    script = pathlib.Path(options.script).read_text() if options.script else ""
    ends, error = browser.evaluate(
        f"{HELPERS}{script}\n"
        f"for (const node of all({json.dumps(options.hide)})) node.remove(); await frame();"
        f"return [one({json.dumps(options.first)}).getBoundingClientRect().top + scrollY,"
        f" one({json.dumps(options.last)}).getBoundingClientRect().bottom + scrollY];")
    if error:
        print(error)
        return False
    top = max(0, ends[0] - 12)
    image = browser.page("Page.captureScreenshot", captureBeyondViewport=True, clip={
        "x": 0, "y": top, "width": options.width, "height": ends[1] + 4 - top, "scale": 1})
    pathlib.Path(options.screenshot).write_bytes(base64.b64decode(image["data"]))
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--screenshot")
    parser.add_argument("--width", type=int, default=1200)
    parser.add_argument("--first", default="header")
    parser.add_argument("--last", default="main")
    parser.add_argument("--hide", default="#none")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--script")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    if shutil.which("chromium") is None:
        print("FAIL: no chromium: scripts/test.sh installs the package chromium")
        return 1
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        try:
            if options.screenshot:
                return 0 if take_screenshot(browser, options) else 1
            pairs = zip(options.files[::2], options.files[1::2])
            return 0 if all([run_checks(browser, *pair) for pair in pairs]) else 1
        finally:
            browser.end()


if __name__ == "__main__":
    sys.exit(main())
