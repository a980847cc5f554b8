"""Captures of a small fleet: several apps, versions, devices and systems, with faults among them.

Every number follows from the arguments. Times on the wall clock are given by the caller.
"""

import json
import pathlib
import random

APPS = [
    ("com.example.notes", ["1.4", "1.5"], []),
    ("com.example.chat", ["2.2", "3.0"], []),
    ("com.example.photos", ["7.0"], []),
]
DEVICES = [("iPhone7,2", "8.1.0"), ("iPad4,1", "9.3.5"), ("iPhone10,4", "12.4.0")]
FAULTS = [None, "slow_entry", None, "expired", "jetsam", "slow_launch", None, "terminate", "lost"]


class Life:
    """One capture, written event by event."""

    def __init__(self, wall_seconds, **header):
        self.now = 0.0
        self.lines = [json.dumps({"header": {
            "format": "tracecheck-ndjson", "version": 1, "sdk_linked": "8.0", "background_modes": [],
            "refresh_status": "available", "multitasking_supported": True, "exits_on_suspend": False,
            **header}})]
        anchor = {"reason": "launch"}
        if wall_seconds is not None:
            anchor |= {"continuous_ns": 0, "uptime_ns": 0, "wall_ns": int(wall_seconds * 1e9)}
        self.event("trace.start", 0, **anchor)

    def event(self, kind, after, phase=None, lasting=None, thread=1, **arguments):
        self.now += after
        line = {"t_ns": round(self.now * 1e9), "event": kind, "thread": thread}
        if phase:
            line["phase"] = phase
        if lasting is not None:
            line["duration_ns"] = round(lasting * 1e9)
            self.now += lasting
        if arguments:
            line["args"] = arguments
        self.lines.append(json.dumps(line))
        return self

    def launch(self, seconds, number=1):
        self.event("proc.start", 0.001, into="foreground", reason="user_icon", pid=400 + number,
                   launch_id=number)
        self.event("delegate.did_finish_launching", 0.05, lasting=max(0.01, seconds - 0.1))
        return self.event("delegate.did_become_active", 0.05, lasting=0.001)

    def leave(self, seconds, task=None, token=7, saves=False):
        """To the background; a task of so many seconds runs on."""
        self.event("delegate.will_resign_active", 1, lasting=0.002)
        self.event("delegate.did_enter_background", 0.3, "enter")
        if task is not None:
            self.event("bgtask.begin", 0.01, token=token, is_invalid=False, name="save",
                       has_expiration_handler=True)
        self.event("delegate.did_enter_background", seconds, "return")
        if saves:
            self.event("delegate.should_save_state", 0.01, lasting=0.001, result=True)
        if task is not None:
            self.event("bgtask.end", task, token=token, is_invalid=False)
        return self

    def sleep(self, after, seconds):
        self.event("proc.suspend", after, inferred=False, evidence="assertion_model")
        return self.event("proc.resume", seconds, inferred=False, reason="user_icon")

    def come_back(self):
        self.event("delegate.will_enter_foreground", 0.01, lasting=0.003)
        return self.event("delegate.did_become_active", 0.05, lasting=0.001)

    def end(self, after=1):
        return self.event("trace.end", after, reason="clean")

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


def life(wall_seconds, seed, fault=None, **header):
    """One life of some minutes, healthy but for the fault."""
    choose = random.Random(seed)
    header = {"trace_id": f"fleet-{seed:04}", **header}
    one = Life(wall_seconds, **header).launch(6.5 if fault == "slow_launch" else choose.uniform(0.15, 0.9))
    one.event("ui.touch", choose.uniform(5, 60), x=1, y=2)
    if fault == "slow_entry":
        one.event("delegate.will_resign_active", 1, lasting=0.002)
        one.event("delegate.did_enter_background", 0.3, "enter")
        return one.event("proc.kill", 6, signal=9, cause="watchdog", code=0x8BADF00D)
    if fault == "expired":
        one.event("bgtask.begin", 1, token=9, is_invalid=False, name="upload", has_expiration_handler=False)
        one.leave(0.2, saves=True)
        return one.event("proc.kill", 190, signal=9, cause="bgtask_expired")
    one.leave(choose.uniform(0.05, 0.8), task=choose.uniform(0.5, 12), saves=True)
    one.sleep(choose.uniform(0.5, 4), choose.uniform(30, 240)).come_back()
    one.event("ui.touch", choose.uniform(5, 90), x=3, y=4)
    if fault == "lost":
        one.event("trace.lost", 0.5, count=12).event("delegate.did_become_active", 1, lasting=0.001)
    one.leave(choose.uniform(0.05, 0.6), saves=True).event("proc.suspend", 2, inferred=False)
    if fault == "jetsam":
        return one.event("proc.kill", 40, signal=9, cause="jetsam")
    if fault == "terminate":
        one.event("proc.resume", 20, inferred=False, reason="user_icon")
        one.event("delegate.will_terminate", 0.1, lasting=choose.uniform(0.05, 0.3))
        return one.event("proc.exit", 0.05, code=0, by="uikit_after_will_terminate")
    return one.end(5)


def lives(count, first_wall_seconds, spacing_seconds, first_seed=0):
    """Lives that begin one after another: (name, text) each."""
    for place in range(count):
        app, versions, modes = APPS[place % len(APPS)]
        device, system = DEVICES[(place // 2) % len(DEVICES)]
        wall = None if first_wall_seconds is None else first_wall_seconds + place * spacing_seconds
        seed = first_seed + place
        one = life(
            wall, seed, FAULTS[place % len(FAULTS)], app_bundle_id=app,
            app_version=versions[(place // 3) % len(versions)], os_version=system, device_model=device,
            background_modes=modes)
        yield f"{seed:04}.ndjson", one.text


def write(folder, count, first_wall_seconds, spacing_seconds, first_seed=0):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in lives(count, first_wall_seconds, spacing_seconds, first_seed):
        (folder / name).write_text(text)
    return folder
