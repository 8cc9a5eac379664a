"""The program that scripts/torture disturbs: its inputs, how it is run, and what holds after any disturbance."""

import os
import pathlib
import shutil
import subprocess
import tempfile

# Some hundred units and recordings, in about a second.
LONG_STUDY = """
name = 'long'
seed = 5
[[settings]]
id = 'random'
domain = 'random-mdp'
features = 'binary'
steps = 300
instances = 8
runs = 20
fresh-runs = 2
metrics = ['mave', 'rmspbe']
grid = { alpha = { base = 0.1, factor = 2, from = -5, to = 6 }, eta = [0.1, 1, 8], lambda = [0, 0.5, 0.9, 1] }
algorithms = ['td0', 'off-policy-td', 'gtd', 'to-etd']
"""
# Every kind of thing that is stored, in an instant.
SHORT_STUDY = """
name = 'short'
seed = 5
[[settings]]
id = 'random'
domain = 'random-mdp'
steps = 20
instances = 3
runs = 2
fresh-runs = 1
metrics = ['rmsve']
grid = { alpha = [0.1, 0.5], eta = 1, lambda = 0 }
algorithms = ['td0', 'gtd']
"""
STREAM = "x0,x1,reward,gamma,rho\n" + "1,0,0,0.9,1\n0,1,1,0.9,0.5\n0.5,0.5,1,0,1\n" * 50


class Broken(Exception):
    """A promise that was not kept."""


def must(holds, what):
    if not holds:
        raise Broken(what)


class Outcome:
    def __init__(self, status, output, errors):
        self.status, self.output, self.errors = status, output, errors


class ProgramUnderTest:
    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="bellwether-torture."))
        self.folder = self.base / "work"  # where it is disturbed
        (self.base / "long.toml").write_text(LONG_STUDY)
        (self.base / "short.toml").write_text(SHORT_STUDY)
        (self.base / "stream.csv").write_text(STREAM)
        self.broken = 0

    def run(self, *words, environment=None, timeout=120):
        done = subprocess.run(
            [self.program, *map(str, words)],
            env={**os.environ, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=timeout,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr.decode(errors="replace"))

    def exports(self, results):
        """All that `export` says; the store opens, and is complete."""
        text = b""
        for options in ([], ["--by-instance"], ["--curves"]):
            outcome = self.run("export", results, *options)
            must(outcome.status == 0, f"export: {outcome.status}: {outcome.errors}")
            text += outcome.output
        return text

    def must_open(self, results):
        """After any disturbance: there is a store that can be read, or none yet."""
        outcome = self.run("status", results)
        none_yet = outcome.status == 2 and "no results here" in outcome.errors
        must(outcome.status == 0 or none_yet, f"the store does not open: {outcome.errors}")
        return outcome

    def fresh_folder(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()

    def attempt(self, story, what):
        """One story; a broken promise is reported and counted."""
        try:
            story()
        except Broken as problem:
            self.broken += 1
            print(f"broken: {what}: {problem}", flush=True)
