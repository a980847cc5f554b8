"""What is ready to be copied: actions, templates, lanes, completions and manual pages.

Usage: integration.py [PATH-OF-TRACECHECK]; without a path the release build is used.
TRACECHECK_RELEASE names a folder that .ci/release has made; without it the program under test is
put where the one with Swift's libraries inside belongs, since that takes minutes to be built.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

from executable import ROOT, TOOL
import gate
import report_validators as validators

EXAMPLES = ROOT / ".github" / "examples"
ACTION = ROOT / ".github" / "actions" / "gate" / "action.yml"
RELEASE = os.environ.get("TRACECHECK_RELEASE")


def needs(tool):
    if shutil.which(tool):
        return lambda test: test
    if os.environ.get("CI") == "true":
        raise AssertionError(f"{tool} is missing")
    return unittest.skip(f"{tool} is missing")


def check(*command, stdin=None):
    done = subprocess.run(command, input=stdin, capture_output=True, text=True)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


class Files(unittest.TestCase):
    @needs("check-jsonschema")
    def test_schemas(self):
        for path, schema in [(ACTION, "vendor.github-actions"),
                             (EXAMPLES / "github-workflow.yml", "vendor.github-workflows"),
                             (EXAMPLES / "gitlab-ci.yml", "vendor.gitlab-ci")]:
            validators.check_jsonschema(path, builtin=schema)

    @needs("ruby")
    def test_ruby_is_ruby(self):
        for name in ["Fastfile", "Dangerfile"]:
            self.assertIn("Syntax OK", check("ruby", "-c", str(EXAMPLES / name)))

    def test_options_in_examples_exist(self):
        known = check(TOOL, "gate", "--help")
        for path in [ACTION, *EXAMPLES.iterdir()]:
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", path.read_text()):
                self.assertIn(option, known, path.name)


class Action(unittest.TestCase):
    """The action's own script, run as the runner runs it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        (self.path / "captures").mkdir()
        self.step = yaml.safe_load(ACTION.read_text())["runs"]["steps"][0]
        self.inputs = {name: value.get("default", "") for name, value in
                       yaml.safe_load(ACTION.read_text())["inputs"].items()}

    def run_step(self, **inputs):
        self.assertNotIn("${{", self.step["run"], "texts of inputs stay out of the script")
        inputs = {**self.inputs, "captures": "captures", "tracecheck": TOOL, **inputs}
        env = {}
        for name, text in self.step["env"].items():
            env[name] = inputs[re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", text)[1]]
        output, summary = self.path / "output", self.path / "summary.md"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.step["run"]],
            cwd=self.path, capture_output=True, text=True, env={
                **os.environ, **env, "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(summary)})
        self.assertEqual(output.read_text(), f"status={done.returncode}\n", done.stderr)
        output.unlink()
        return done.returncode, done.stdout, summary

    def test_it_passes_and_fails_and_says_why(self):
        capture = self.path / "captures" / "a.ndjson"
        capture.write_text(gate.capture())
        self.assertEqual(self.run_step()[0], 0)
        check(TOOL, "gate", str(self.path / "captures"), "--write-baseline",
              str(self.path / "tracecheck-baseline.jsonl"))
        self.assertEqual(self.run_step()[0], 0)
        capture.write_text(gate.capture(slow_entry=True))
        code, out, summary = self.run_step(sarif="r.sarif", junit="r.xml", html="r.html")
        self.assertEqual(code, 1)
        commands = validators.github(out, summary)
        self.assertEqual([c[1]["title"] for c in commands if c[0] == "error"],
                         ["LC003 watchdog/did-enter-background-over-5s"])
        for name in ["r.sarif", "r.xml", "r.html"]:
            self.assertTrue((self.path / name).exists(), name)
        self.assertIn("1 new finding", summary.read_text())

    def test_inputs_are_no_code(self):
        (self.path / "captures" / "a.ndjson").write_text(gate.capture())
        code, _, _ = self.run_step(html='"; touch owned; echo "$(touch owned)`touch owned`.html')
        self.assertFalse((self.path / "owned").exists())
        self.assertIn(code, (0, 2))


class Release(unittest.TestCase):
    """What .ci/release makes."""

    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.path = pathlib.Path(RELEASE or cls.holder.name).resolve()
        if not RELEASE:
            check(str(ROOT / ".ci" / "release"), str(cls.path), TOOL)
        cls.program = cls.path / "bin" / "tracecheck"

    def test_the_program_judges(self):
        # As on a machine without a toolchain: no variables that lead to one.
        done = subprocess.run([self.program, "check", ROOT / "traces", "--quiet"], env={},
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 1, done.stderr)

    @unittest.skipUnless(RELEASE, "TRACECHECK_RELEASE names no release")
    def test_the_program_needs_no_swift(self):
        libraries = check("ldd", str(self.program))
        self.assertNotRegex(libraries, r"libswift|Foundation|dispatch|not found")
        print(f"\n{self.program.stat().st_size / 2**20:.1f} MiB; needs "
              + ", ".join(re.findall(r"^\s*(\S+)", libraries, re.M)))

    def test_wrong_usage_is_told(self):
        for arguments in [[], ["a", "b", "c"]]:
            done = subprocess.run([ROOT / ".ci" / "release", *arguments], capture_output=True,
                                  text=True)
            self.assertEqual((done.returncode, done.stderr),
                             (2, "usage: .ci/release FOLDER [PROGRAM]\n"))

    def test_completions(self):
        for place, command in [("bash-completion/completions/tracecheck", ["bash", "-n"]),
                               ("zsh/site-functions/_tracecheck", ["zsh", "-n"]),
                               ("fish/vendor_completions.d/tracecheck.fish",
                                ["fish", "--no-execute"])]:
            script = self.path / "share" / place
            self.assertIn("merge-reports", script.read_text())
            if not shutil.which(command[0]) and os.environ.get("CI") != "true":
                continue
            check(*command, str(script))

    @needs("mandoc")
    def test_manual_pages(self):
        folder = self.path / "share" / "man" / "man1"
        pages = sorted(folder.glob("tracecheck*.1"))
        names = {page.name for page in pages}
        self.assertTrue({"tracecheck.1", "tracecheck.gate.1", "tracecheck.diff.1"} <= names, names)
        for page in pages:
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(page)],
                                  capture_output=True, text=True)
            self.assertEqual(done.stdout + done.stderr, "", page.name)
        gate = check("mandoc", "-T", "ascii", str(folder / "tracecheck.gate.1"))
        gate = re.sub(".\x08", "", gate)  # bold and underlined letters
        self.assertRegex(gate, r"(?m)^ +tracecheck gate --candidate captures/branch --max .*$")


if __name__ == "__main__":
    unittest.main(verbosity=2)
