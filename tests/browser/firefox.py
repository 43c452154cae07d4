# SPDX-License-Identifier: Apache-2.0
"""A headless Firefox that is told what to do over a socket, by its protocol Marionette."""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import browser
from chromium import runs

PROGRAMS = ("firefox-esr", "firefox")
# Scripts with the rights of the browser see what pages are not told: messages and requests.
FLAGS = ("--headless", "--marionette", "--remote-allow-system-access", "--no-remote",
         "--new-instance")
# Any free port, which it writes into a file; and nothing that is on its way for a while.
PREFERENCES = """
user_pref("marionette.port", 0);
user_pref("ui.prefersReducedMotion", 1);
"""
START_LIMIT = 60  # seconds
# WebDriver has a character for each key that writes none.
KEYS = {"Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008",
        "Control": "\ue009", "Alt": "\ue00a", "Escape": "\ue00c", "PageUp": "\ue00e",
        "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012",
        "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Delete": "\ue017",
        "Meta": "\ue03d"}
LISTEN = """
    window.seenByTest = {requests: [], complaints: []};
    Services.obs.addObserver(channel => {
        const request = channel.QueryInterface(Ci.nsIHttpChannel);
        if (request.loadInfo.browsingContextID === gBrowser.selectedBrowser.browsingContext.id) {
            window.seenByTest.requests.push(request.URI.spec);
        }
    }, "http-on-modify-request");
    Services.console.registerListener(message => {
        if (message instanceof Ci.nsIScriptError &&
            /^(file|data|blob|https?):/.test(message.sourceName)) {
            window.seenByTest.complaints.push(message.message);
        }
    });
"""
RESIZE = """
    const style = gBrowser.selectedBrowser.style;
    for (const [side, size] of [["width", arguments[0]], ["height", arguments[1]]]) {
        style.setProperty(`min-${side}`, `${size}px`);
        style.setProperty(`max-${side}`, `${size}px`);
    }
"""


class Firefox(browser.Browser):
    """One page. What it calls on the console is not among the complaints."""

    NAME = "Firefox"

    @staticmethod
    def find():
        return next(filter(runs, filter(None, map(shutil.which, PROGRAMS))), None)

    def __init__(self):
        self.opened = []
        self.folder = tempfile.TemporaryDirectory(prefix="pprofdelta-browser-")
        (Path(self.folder.name) / "user.js").write_text(PREFERENCES)
        self.process = subprocess.Popen(
            [self.find(), *FLAGS, "--profile", self.folder.name], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.folder.name, "MOZ_HEADLESS_WIDTH": "2700",
                 "MOZ_HEADLESS_HEIGHT": "1900"})
        self.rest = b""
        self.number = 0
        self.socket = self.connect()
        self.receive()  # what it is
        self.call("WebDriver:NewSession", capabilities={"alwaysMatch": {}})
        self.evaluate_in_browser(LISTEN)
        self.resize(1300, 900)

    def connect(self):
        port = Path(self.folder.name) / "MarionetteActivePort"
        end = time.monotonic() + START_LIMIT
        while True:
            try:
                return socket.create_connection(("127.0.0.1", int(port.read_text())))
            except (OSError, ValueError):
                if time.monotonic() > end or self.process.poll() is not None:
                    self.process.kill()
                    raise
                time.sleep(0.05)

    def close(self):
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def receive(self):
        """The next message: JSON with its length before it."""
        while b":" not in self.rest:
            self.read()
        length, _, self.rest = self.rest.partition(b":")
        while len(self.rest) < int(length):
            self.read()
        message, self.rest = self.rest[:int(length)], self.rest[int(length):]
        return json.loads(message)

    def read(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise RuntimeError("the browser has ended")
        self.rest += data

    def call(self, command, **parameters):
        """The answer to a command of the protocol."""
        self.number += 1
        message = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(str(len(message)).encode() + b":" + message)
        _, number, error, result = self.receive()
        if error or number != self.number:
            raise RuntimeError(f"{command}: {error}")
        return result

    def evaluate_in_browser(self, script, *arguments):
        self.call("Marionette:SetContext", value="chrome")
        try:
            return self.call("WebDriver:ExecuteScript", script=script, args=arguments)["value"]
        finally:
            self.call("Marionette:SetContext", value="content")

    @property
    def complaints(self):
        return self.evaluate_in_browser("return window.seenByTest.complaints")

    @property
    def requests(self):
        return self.opened + self.evaluate_in_browser("return window.seenByTest.requests")

    def open(self, path):
        address = path.resolve().as_uri()
        self.opened.append(address)
        self.call("WebDriver:Navigate", url=address)

    def reload(self):
        self.opened.append(self.evaluate("location.href"))
        self.call("WebDriver:Refresh")

    def evaluate(self, expression):
        return self.call("WebDriver:ExecuteScript", script=f"return ({expression})",
                         args=[])["value"]

    def act(self, kind, actions):
        self.call("WebDriver:PerformActions",
                  actions=[{"type": kind, "id": kind, "actions": actions}])

    def point(self, x, y):
        self.act("pointer", [{"type": "pointerMove", "x": round(x), "y": round(y)}])

    def click(self, x, y):
        self.act("pointer", [{"type": "pointerMove", "x": round(x), "y": round(y)},
                             {"type": "pointerDown", "button": 0},
                             {"type": "pointerUp", "button": 0}])

    def press(self, key, *held):
        keys = [KEYS.get(each, each) for each in (*held, key)]
        self.act("key", [{"type": "keyDown", "value": each} for each in keys] +
                 [{"type": "keyUp", "value": each} for each in reversed(keys)])

    def resize(self, width, height):
        self.evaluate_in_browser(RESIZE, width, height)
        self.wait(f"innerWidth === {width} && innerHeight === {height}")

    def set_dark(self, is_dark):
        self.evaluate_in_browser(
            'Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", '
            "arguments[0])", 0 if is_dark else 1)
        scheme = "dark" if is_dark else "light"
        self.wait(f'matchMedia("(prefers-color-scheme: {scheme})").matches')

    def screenshot(self, path):
        image = self.call("WebDriver:TakeScreenshot", full=False)["value"]
        path.write_bytes(base64.b64decode(image))

    def print(self):
        return base64.b64decode(self.call("WebDriver:Print", background=True)["value"])
