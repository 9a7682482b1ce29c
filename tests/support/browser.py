# SPDX-License-Identifier: Apache-2.0
"""
Headless Chromium, driven over a pipe with the DevTools protocol.

    with Browser() as browser:                  # Missing: there is no Chromium
        page = browser.page(width=1280, height=900, dark=False)
        page.open("http://127.0.0.1:8023/")     # until the page says that it is ready
        page.click("text of a link or button")  # a real click, at its place on the screen
        page.press("Tab")
        page.evaluate("document.title")
        page.errors, page.requests              # what the console said; what was asked for
"""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
TIMEOUT_S = 300
TRIES = 50
# what Chromium says of a page that was asked and went away
GONE = ("navigated or closed", "context was destroyed", "Cannot find context")
KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
        "ArrowRight": 39, "ArrowDown": 40}


class Missing(Exception):
    """There is no browser; the text says what to install."""


class BrowserError(Exception):
    pass


def _alarm(*_):
    raise BrowserError(f"the browser gave no answer for {TIMEOUT_S} s")


class Browser:
    def __init__(self):
        program = next((p for p in map(shutil.which, NAMES) if p), None)
        if program is None:
            raise Missing("there is no Chromium (Debian: chromium)")
        self.profile = tempfile.mkdtemp(prefix="assay-browser-")
        to_read, self.to = os.pipe()
        self.source, from_write = os.pipe()
        words = [program, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "--no-first-run",
                 "--disable-gpu", "--disable-extensions", "--disable-background-networking", "--disable-sync",
                 "--disable-component-update", "--no-default-browser-check", "--mute-audio", "--hide-scrollbars",
                 "--disable-dev-shm-usage", "--force-color-profile=srgb"]
        if os.geteuid() == 0:
            words.append("--no-sandbox")

        def place():
            """It reads its orders from 3 and answers on 4."""
            high_in, high_out = os.dup2(to_read, 60), os.dup2(from_write, 61)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, preexec_fn=place, close_fds=False,
                                        start_new_session=True)
        os.close(to_read)
        os.close(from_write)
        self.buffer, self.last, self.answers, self.pages = b"", 0, {}, {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for fd in (self.to, self.source):
            os.close(fd)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    # ---- messages ----

    def send(self, method, params=None, session=None):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self._write(message)
        return self.last

    def _write(self, message):
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]

    def receive(self):
        """The next message; events go to their page."""
        before = signal.signal(signal.SIGALRM, _alarm)
        left = signal.alarm(TIMEOUT_S)
        try:
            while b"\0" not in self.buffer:
                more = os.read(self.source, 1 << 20)
                if not more:
                    raise BrowserError("the browser ended")
                self.buffer += more
        finally:
            signal.alarm(left)
            signal.signal(signal.SIGALRM, before)
        line, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(line)
        if "id" in message:
            self.answers[message["id"]] = message
        elif message.get("sessionId") in self.pages:
            self.pages[message["sessionId"]].note(message["method"], message["params"])

    def call(self, method, params=None, session=None):
        number = self.send(method, params, session)
        while number not in self.answers:
            self.receive()
        answer = self.answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']}")
        return answer["result"]

    def page(self, width=1280, height=900, dark=False, any_certificate=False):
        page = Page(self, width, height, dark)
        if any_certificate:
            page.call("Security.setIgnoreCertificateErrors", {"ignore": True})
        return page


class Page:
    def __init__(self, browser, width, height, dark):
        self.browser, self.errors, self.requests, self.bytes = browser, [], [], 0
        self.context = browser.call("Target.createBrowserContext")["browserContextId"]
        target = browser.call("Target.createTarget", {"url": "about:blank", "browserContextId": self.context})["targetId"]
        self.session = browser.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)
        self.call("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def close(self):
        """Its window, with all that it had stored."""
        self.browser.call("Target.disposeBrowserContext", {"browserContextId": self.context})
        del self.browser.pages[self.session]

    def call(self, method, params=None):
        return self.browser.call(method, params, self.session)

    def note(self, method, params):
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Network.loadingFinished":
            self.bytes += params["encodedDataLength"]

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1,
                                                         "mobile": width < 600})

    # ---- looking ----

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True})
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def until(self, condition):
        """Waits until the expression is true, on whatever page is shown by then; returns its value."""
        end = time.monotonic() + TIMEOUT_S
        while True:
            try:
                return self.until_here(condition)
            except BrowserError as error:
                # the page that was asked has gone: its successor may have what is waited for
                if not any(words in str(error) for words in GONE) or time.monotonic() > end:
                    raise

    def until_here(self, condition):
        """The same on this page, frame by frame."""
        return self.evaluate(f"""new Promise((done, fail) => {{
            const end = Date.now() + {1000 * TIMEOUT_S // 2};
            const look = () => {{
                let value;
                try {{ value = {condition}; }} catch (e) {{ value = null; }}
                if (value) done(value);
                else if (Date.now() > end) fail(new Error("never: " + {json.dumps(condition)} + " in " + document.body.innerText.slice(0, 2000)));
                else setTimeout(look, 10);
            }};
            look();
        }})""")

    def open(self, url, ready="document.body && document.body.dataset.ready"):
        """Goes there; the load event may be over before or after the page is ready."""
        self.call("Page.navigate", {"url": url})
        self.until(f"location.href.split('#')[0] === {json.dumps(url.split('#')[0])} && {ready}")

    def text(self, selector="body"):
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")

    # ---- hands ----

    @staticmethod
    def _find(words):
        """JavaScript: the link, button, label or element by selector that has this text."""
        return f"""((words) => {{
            const all = [...document.querySelectorAll("a, button, summary, label, th, option, input, select")];
            return words.startsWith("#") ? document.querySelector(words) : all.find((x) => x.textContent.trim() === words) ||
                all.find((x) => x.textContent.trim().startsWith(words));
        }})({json.dumps(words)})"""

    def _place(self, words):
        """Its middle, once it is there."""
        return self.until(f"""(() => {{
            const e = {self._find(words)};
            if (!e) return null;
            e.scrollIntoView({{ block: "center" }});
            const box = e.getBoundingClientRect();
            return {{ x: box.left + box.width / 2, y: box.top + box.height / 2 }};
        }})()""")

    def _mouse(self, kind, place, button="left"):
        self.call("Input.dispatchMouseEvent", {"type": kind, **place, "button": button, "clickCount": int(button == "left")})

    def down(self, words):
        """
        The button goes down over it.  If the page has moved it away meanwhile, as news may do, it is
        released elsewhere, and looked for again.
        """
        for _ in range(TRIES):
            place = self._place(words)
            self._mouse("mouseMoved", place, "none")
            self._mouse("mousePressed", place)
            under = f"document.elementFromPoint({place['x']}, {place['y']})"
            if self.evaluate(f"((e) => !!e && e.contains({under}))({self._find(words)})"):
                return place
            self.up({"x": 0, "y": 0})
        raise BrowserError(f"never under the pointer: {words}")

    def up(self, place):
        self._mouse("mouseMoved", place)
        self._mouse("mouseReleased", place)

    def click(self, words):
        self._mouse("mouseReleased", self.down(words))

    def press(self, key):
        text = {"Enter": "\r", " ": " "}.get(key)
        params = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key]}
        self.call("Input.dispatchKeyEvent", {"type": "keyDown" if text else "rawKeyDown", **params, **({"text": text} if text else {})})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", **params})

    def type(self, text):
        self.call("Input.insertText", {"text": text})

    def focused(self):
        """What has the focus, as a reader's program would say it."""
        return self.evaluate("(document.activeElement.innerText || document.activeElement.id || document.activeElement.tagName).trim()")
