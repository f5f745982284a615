#!/usr/bin/python3
"""Chromium as a Wayland program that copies and pastes; its command line is described in toolkit.py. A page copies and
pastes the kinds "text" and "html", through calls of the DevTools protocol."""

import itertools
import json
import os
import pathlib
import select
import subprocess
import tempfile
import time

import toolkit

MIME = {"text": "text/plain", "html": "text/html"}
PAGE = "<title>chromium.py</title><script>onkeydown = () => { window.isPressed = true }</script>"
ITEMS = "navigator.clipboard.read()"


class Browser:
    """A Chromium with one page."""

    def __init__(self):
        self.numbers = itertools.count(1)
        self.folder = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        page = pathlib.Path(self.folder.name, "page.html")
        page.write_text(PAGE)
        command = [
            "chromium", "--ozone-platform=wayland", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
            "--disable-dev-shm-usage", f"--user-data-dir={self.folder.name}", page.as_uri()]
        if os.getuid() == 0:
            command.insert(1, "--no-sandbox")

        def pipes():
            # Chromium reads from descriptor 3, and writes to descriptor 4.
            os.dup2(to_browser, 13)
            os.dup2(from_browser, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=pipes)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.session = None

    def call(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise toolkit.Absent(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def message(self):
        while b"\0" not in self.buffer:
            more = os.read(self.input, 1 << 20)
            if not more:
                raise toolkit.Absent("Chromium has exited")
            self.buffer += more
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def open(self):
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        # A page may use the clipboard only with the focus. Without this call, it has the focus only if there is a
        # keyboard.
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        while not self.evaluate("document.hasFocus() && document.readyState == 'complete'"):
            time.sleep(0.02)

    def evaluate(self, expression):
        result = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            raise toolkit.Absent(f"Chromium: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def own(contents):
    browser = Browser()
    try:
        browser.open()
        toolkit.say("focused")
        while not browser.evaluate("window.isPressed === true"):
            if select.select([0], [], [], 0.02)[0]:
                break
        blobs = ", ".join(
            f"'{MIME[kind]}': new Blob([{json.dumps(value.decode())}], {{type: '{MIME[kind]}'}})"
            for kind, value in contents.items())
        browser.evaluate(f"navigator.clipboard.write([new ClipboardItem({{{blobs}}})])")
        toolkit.say("owned")
        while not toolkit.ended():
            pass
    finally:
        browser.close()


def read(kind):
    browser = Browser()
    try:
        browser.open()
        # The window may get the clipboard only some time after its page has loaded.
        while not (types := browser.evaluate(f"{ITEMS}.then(items => items.flatMap(item => item.types))")):
            time.sleep(0.02)
        if MIME[kind] not in types:
            raise toolkit.Absent(f"Chromium finds no {kind}, but {types}")
        return browser.evaluate(
            f"{ITEMS}.then(items => items[0].getType('{MIME[kind]}')).then(blob => blob.text())").encode()
    finally:
        browser.close()


toolkit.main("chromium.py", own, read)
