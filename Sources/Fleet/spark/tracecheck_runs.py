"""Runs `tracecheck check` over lists of files, and never loses one.

What an executor of Spark does, and what any other engine may do: this file knows nothing of Spark.
Every file that is given comes back at least once, whatever becomes of the processes that read it.
"""

import json
import os
import shutil
import stat
import subprocess
import tempfile

CONTRACT = [
    "check", "--files-from", "-", "-0", "--report", "jsonl", "--measures", "--keep-copies",
    "--fail-on", "never", "--allow-damaged", "--config", "none", "--jobs", "1",
]
# A process starts in some milliseconds, and a small capture takes about two.
BATCH_FILES = 256
# What is fetched lies in the task's temporary folder.
BATCH_BYTES = 256 << 20
# A million events take about a second. What takes longer than this hangs.
TIMEOUT_SECONDS = 300
ERROR_CHARACTERS = 2_000
# How what is told of a file begins that is in good order, and holds no trace.
NOTHING = "nothing to judge"
ADVICE = "check it alone to see more"


class Died(Exception):
    """The process didn't end as the contract says."""


class Misused(Exception):
    """The call itself is wrong, whatever the captures are: every further one would fail, too."""


def executable(path, folder):
    """The program as a file that can be run: what ships files may drop the permission."""
    if os.access(path, os.X_OK):
        return path
    try:
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path
    except OSError:
        copy = os.path.join(folder, "tracecheck")
        shutil.copyfile(path, copy)
        os.chmod(copy, 0o700)
        return copy


def unreadable(file, message):
    """The line of a file that no process survives, in the form of the report's own."""
    # A name that isn't UTF-8 is printed as the report prints it.
    path = os.fsencode(file).decode(errors="replace")
    return json.dumps({"path": path, "unreadable": {"message": message, "advice": ADVICE}},
                      ensure_ascii=False, separators=(",", ":"))


class Runs:
    """Checks files in one process after another.

    program: the executable; extra: options after those of the contract.
    """

    def __init__(self, program, extra=(), timeout=TIMEOUT_SECONDS, folder=None):
        self.program = program
        self.extra = list(extra)
        self.timeout = timeout
        self.folder = folder

    def report(self, files):
        """Yields the lines of the report; those in good order that hold no trace have none."""
        return (line for _, line, _ in self.lines(files) if line is not None)

    def lines(self, files):
        """Yields (file, line or None, why there is none) for each file, and each of its traces.

        A file whose process died has a line that says so, as every one that can't be read.
        """
        if not files:
            return
        try:
            found, errors = self._run(files)
        except Died as error:
            if len(files) == 1:
                yield files[0], unreadable(files[0], str(error)), None
                return
            middle = len(files) // 2
            yield from self.lines(files[:middle])
            yield from self.lines(files[middle:])
            return
        if len(files) == 1:
            for line in found:
                yield files[0], line, None
            if not found:
                yield files[0], None, f"{NOTHING}: {errors}" if errors else NOTHING
            return
        by_path = {}
        for line in found:
            by_path.setdefault(json.loads(line)["path"], []).append(line)
        for file in files:
            if file in by_path:
                for line in by_path[file]:
                    yield file, line, None
            else:
                # It tells of no app, or its name is printed in another way: alone it is known.
                yield from self.lines([file])

    def _run(self, files):
        names = b"".join(os.fsencode(file) + b"\0" for file in files)
        with tempfile.TemporaryFile(dir=self.folder) as output, \
                tempfile.TemporaryFile(dir=self.folder) as errors:
            try:
                done = subprocess.run(
                    [self.program, *CONTRACT, *self.extra], input=names, stdout=output,
                    stderr=errors, timeout=self.timeout)
            except subprocess.TimeoutExpired:
                raise Died(f"tracecheck took longer than {self.timeout} s") from None
            errors.seek(0)
            told = errors.read(4 * ERROR_CHARACTERS).decode(errors="replace").strip()
            told = told[:ERROR_CHARACTERS]
            if done.returncode == 2:
                raise Misused(f"tracecheck refuses its options: {told}")
            if done.returncode not in (0, 1, 3):
                how = f"signal {-done.returncode}" if done.returncode < 0 else "exit status " \
                    f"{done.returncode}"
                raise Died(f"tracecheck ended with {how}: {told}".rstrip(": "))
            output.seek(0)
            # Lines end with a line feed and nothing else: texts may hold other separators.
            found = [line.decode() for line in output.read().split(b"\n") if line]
        return found, told
