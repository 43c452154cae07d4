# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium that is told what to do over a pipe, by Chrome's DevTools protocol."""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile

import browser

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A browser's own requests are not those of a page.
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--no-first-run", "--remote-debugging-pipe", "--window-size=1300,900")
# The numbers that Windows has for keys, by which Chromium knows what they do.
KEY_CODES = {"Backspace": 8, "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33,
             "PageDown": 34, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
             "ArrowRight": 39, "ArrowDown": 40, "Delete": 46}
MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
# The window of a browser makes this of these keys, which a page alone does not.
COMMANDS = {"a": "selectAll", "c": "copy", "v": "paste"}


def runs(program):
    """Whether it is a browser: Ubuntu has a script of its name that asks for a snap."""
    return subprocess.run([program, "--version"], check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


class Chromium(browser.Browser):
    """One page."""

    NAME = "Chromium"

    @staticmethod
    def find():
        return next(filter(runs, filter(None, map(shutil.which, PROGRAMS))), None)

    def __init__(self):
        self.complaints, self.requests, self.loads = [], [], 0
        self.folder = tempfile.TemporaryDirectory(prefix="pprofdelta-browser-")
        commands, self.write_end = os.pipe()
        self.read_end, answers = os.pipe()
        # It reads from descriptor 3 and writes to 4, which may be in use here.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (commands, answers)]
        self.process = subprocess.Popen(
            ["bash", "-c", 'exec 3<&"$0" 4>&"$1"; shift; exec "$@"', *map(str, ends), self.find(),
             *FLAGS, f"--user-data-dir={self.folder.name}"],
            pass_fds=ends, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        for end in (commands, answers, *ends):
            os.close(end)
        self.rest = b""
        self.number = 0
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.set_dark(False)

    def close(self):
        os.close(self.write_end)  # which ends it
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read_end)
        self.folder.cleanup()

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        return self.number

    def call(self, method, **parameters):
        """The answer to a command of the protocol."""
        number = self.send(method, **parameters)
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        while b"\0" not in self.rest:
            data = os.read(self.read_end, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            self.rest += data
        text, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(text)
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loads += 1
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.complaints.append(json.dumps(parameters))
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append(json.dumps(parameters))
            self.send("Page.handleJavaScriptDialog", accept=False)
        return message

    def open(self, path):
        self.load("Page.navigate", url=path.resolve().as_uri())

    def reload(self):
        self.load("Page.reload")

    def load(self, method, **parameters):
        loads = self.loads
        self.call(method, **parameters)
        while self.loads == loads:
            self.receive()

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def point(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x, y):
        self.point(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                      clickCount=1)

    def press(self, key, *held):
        parameters = {"key": key, "code": key,
                      "modifiers": sum(MODIFIERS[each] for each in held)}
        if code := KEY_CODES.get(key):
            parameters["windowsVirtualKeyCode"] = code
        down = {}
        if held == ("Control",) and key in COMMANDS:
            down["commands"] = [COMMANDS[key]]
        if not held and (len(key) == 1 or key == "Enter"):
            down["text"] = "\r" if key == "Enter" else key
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters, **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.wait(f"innerWidth === {width} && innerHeight === {height}")

    def set_dark(self, is_dark):
        scheme = "dark" if is_dark else "light"
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def print(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])
