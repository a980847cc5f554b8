"""The program under test: the path given as the first argument, or the release build."""

import os
import pathlib
import signal
import subprocess
import sys

# Who calls the tests may ignore these, as nohup and shells do for what runs behind them; programs
# under test would inherit that.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)

ROOT = pathlib.Path(__file__).resolve().parents[2]


def release_build(name):
    folder = subprocess.run(
        ["swift", "build", "-c", "release", "--show-bin-path"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    return os.path.join(folder, name)


IS_GIVEN = len(sys.argv) > 1 and not sys.argv[1].startswith("-")
TOOL = os.path.abspath(sys.argv.pop(1)) if IS_GIVEN else release_build("tracecheck")


def beside(name):
    """Another program of the same build."""
    path = os.path.join(os.path.dirname(TOOL), name)
    return path if os.path.exists(path) else release_build(name)
