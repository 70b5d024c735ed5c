"""A headless Chromium to look at pages with, driven over its DevTools pipe; Linux only, with nothing but Python.

Used by a test and a benchmark of the HTML report and to make pictures of it.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Any

_FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"),
    *("--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--no-first-run", "--disable-default-apps", "--disable-extensions", "--remote-debugging-pipe"),
)
_PATIENCE_S = 60.0


def chromium() -> str | None:
    """The Chromium of this machine, if it has one."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One tab of one browser with an empty profile; a context manager.

    Attributes:
        complaints: What the console said and the policy of the page refused, since the last page was opened.
        requests: Addresses that the page asked for, since it was opened.
    """

    def __init__(self, program: str) -> None:
        self._program = program
        self._number = 0
        self._replies: dict[int, dict[str, Any]] = {}
        self._events: deque[str] = deque(maxlen=1000)
        self._rest = b""
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def __enter__(self) -> Browser:
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def at_3_and_4() -> None:  # where Chromium looks for the pipe
            for source, target in ((os.dup(to_browser), 3), (os.dup(from_browser), 4)):
                os.dup2(source, target)

        self._process = subprocess.Popen(
            [self._program, *_FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"],
            preexec_fn=at_3_and_4,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._session = ""
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(10)
        os.close(self._read)
        os.close(self._write)
        self._profile.cleanup()

    def show(self, page: Path, width: int = 1280, height: int = 900, dark: bool = False, fragment: str = "") -> float:
        """Open a page and wait until it is loaded and drawn.

        Returns:
            Seconds from the start of the navigation to the first frame after everything has run.
        """
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self._open("about:blank")  # another fragment of the same page would not load it again
        self.complaints.clear()
        self.requests.clear()
        self._open(page.absolute().as_uri() + fragment)
        self.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        return float(self.run("performance.now()")) / 1000

    def _open(self, address: str) -> None:
        self._events.clear()
        self.call("Page.navigate", url=address)
        while "Page.loadEventFired" not in self._events:
            self._receive()

    def run(self, script: str) -> Any:  # noqa: ANN401
        """The value of an expression in the page; a promise is awaited."""
        reply = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in reply:
            raise RuntimeError(json.dumps(reply["exceptionDetails"]))
        return reply["result"].get("value")

    def press(self, key: str) -> None:
        """Press and let go a key: ``Enter``, ``ArrowDown``, ``Escape``."""
        codes = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key])

    def picture(self, to: Path, whole: bool = False) -> None:
        """A PNG of what is seen, or of the whole page."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        to.write_bytes(base64.b64decode(shot["data"]))

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Send one command and wait for its result."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        begun = time.monotonic()
        while self._number not in self._replies:
            if time.monotonic() - begun > _PATIENCE_S:
                raise TimeoutError(method)
            self._receive()
        reply = self._replies.pop(self._number)
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']}")
        result: dict[str, Any] = reply["result"]
        return result

    def _receive(self) -> None:
        """Take in what the browser sends next."""
        content = os.read(self._read, 1 << 20)
        if not content:
            raise RuntimeError("Chromium has ended.")
        *messages, self._rest = (self._rest + content).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self._replies[message["id"]] = message
            else:
                self._note(message["method"], message.get("params", {}))

    def _note(self, method: str, parameters: dict[str, Any]) -> None:
        self._events.append(method)
        if method == "Log.entryAdded":
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(parameters["exceptionDetails"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
