"""A Chromium for the tests of a timeline's page, and small traces for it."""

import json
import os
import pathlib
import unittest

from timeline import CHROMIUM, IS_CI, Folder, sync_playwright

SECOND = 1_000_000_000


@unittest.skipIf((sync_playwright is None or CHROMIUM is None) and not IS_CI,
                 "chromium or PyPI's playwright is not installed")
class Browser(Folder):
    # Without it Chromium has no scroll bars that take room.
    has_scroll_bars = False

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.playwright = sync_playwright().start()
        cls.addClassCleanup(cls.playwright.stop)
        cls.browser = cls.playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"],
            ignore_default_args=["--hide-scrollbars"] if cls.has_scroll_bars else None)
        cls.addClassCleanup(cls.browser.close)

    def open(self, path, address="", script="", width=1400, **options):
        """Opens a page, and fails at the test's end if it erred, logged, or asked for anything."""
        page = self.browser.new_page(viewport={"width": width, "height": 800}, **options)
        self.addCleanup(page.close)
        told = []
        self.addCleanup(lambda: self.assertEqual(told, []))
        page.on("pageerror", lambda error: told.append(f"error {error}"))
        page.on("console", lambda message: told.append(f"console {message.text}"))
        page.on("dialog", lambda dialog: told.append(f"dialog {dialog.message}"))
        page.on("request", lambda request: None if request.url.startswith(path.as_uri())
                else told.append(f"request {request.url}"))
        if script:
            page.add_init_script(script)
        page.goto(path.as_uri() + address)
        self.until(page, "window.tracecheckTimeline !== undefined")
        return page

    def until(self, page, condition):
        """Waits. Playwright's own way of waiting is what the page's policy forbids."""
        for _ in range(300):
            if page.evaluate(condition):
                return
            page.wait_for_timeout(50)
        self.fail(f"never: {condition}")

    def picture(self, page, name):
        folder = os.environ.get("SCREENSHOTS")
        if folder:
            self.shown(page)
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=f"{folder}/{name}.png")

    def shown(self, page):
        # A change of the address comes as an event of its own, soon after.
        page.wait_for_timeout(50)
        self.until(page, "tracecheckTimeline.isAtRest")
        return page.evaluate("tracecheckTimeline.shown")

    def details(self, page):
        return page.inner_text("#details")

    def drag(self, page, start, end, y=300):
        box = page.locator("#lanes").bounding_box()
        page.mouse.move(box["x"] + start, box["y"] + y)
        page.mouse.down()
        page.mouse.move(box["x"] + end, box["y"] + y, steps=3)
        page.mouse.up()

    def trace(self, name, events, **header):
        """Writes a trace."""
        path = self.folder / f"{name}.ndjson"
        header = {"format": "tracecheck-ndjson", "version": 1, "app_bundle_id": "com.example.app",
                  "os_version": "8.1", "device_model": "iPhone7,2", "clock_kind": "continuous",
                  **header}
        lines = [{"header": header}, *sorted(events, key=lambda event: event["t_ns"])]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path


def event(seconds, kind, phase=None, thread=1, **arguments):
    told = {"t_ns": round(seconds * SECOND), "event": kind, "thread": thread}
    if phase:
        told["phase"] = phase
    if arguments:
        told["args"] = arguments
    return told


def call(start, end, kind, **options):
    return [event(start, kind, "enter", **options), event(end, kind, "return", **options)]


def launch(at, number=1, into="foreground", is_active=True):
    """A launch that takes 300 ms until the app is active, if it becomes so."""
    reason = "user_icon" if into == "foreground" else "fetch"
    events = [
        event(at, "proc.start", into=into, reason=reason, pid=number, launch_id=number),
        event(at + 0.1, "delegate.did_finish_launching", "enter"),
        event(at + 0.2, "delegate.did_finish_launching", "return", result=True)]
    return events + call(at + 0.3, at + 0.31, "delegate.did_become_active") if is_active else events


def life(events=(), end=60):
    return [*launch(1), *events, event(end, "trace.end", reason="clean")]


def slow_background(at, number, seconds):
    """A launch that enters the background slowly: the limit is 5 s."""
    return [
        *launch(at, number), *call(at + 4, at + 4.01, "delegate.will_resign_active"),
        *call(at + 4.1, at + 4.1 + seconds, "delegate.did_enter_background"),
        event(at + 15, "proc.suspend"), event(at + 17, "proc.kill", cause="jetsam")]
