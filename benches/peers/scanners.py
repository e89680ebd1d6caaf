"""The scanners: how each is installed, started at its defaults without a network judge, and what counts as flagged.

Each answers for itself: a scanner that cannot be installed is left out with the reason, and a run whose answer cannot be
read counts as failed, never as a verdict. `flagged` reads a run over one skill; `flagged_in_folder` gives the verdicts of a
run over a folder by the skills' names, or None where the scanner does not tell one skill from another in it.
"""

import json
import os
import pathlib
import subprocess
import sys

CC_AUDIT = "3.23.30"
CISCO = "2.3.2"
INSTALL_LIMIT = 1800


class Unavailable(Exception):
    """A scanner that is not there and could not be installed; the message says why."""


class SkillGate:
    """The build that the environment names. Flagged is what it would quarantine or block."""

    name = "SkillGate"
    threshold = "exit code 1: quarantined or blocked"

    def prepare(self, _home):
        self.program = os.environ.get("SKILLGATE_BIN", "")
        if not os.access(self.program, os.X_OK):
            raise Unavailable(f"no program at SKILLGATE_BIN={self.program!r}; start the bench by `run`, which builds it")

    def version(self):
        return first_line([self.program, "--version"])

    def one(self, folder):
        return [self.program, "scan", folder]

    def many(self, folder):
        return [self.program, "scan", folder]

    def flagged(self, run):
        # 3: nothing worse than something that was not read.
        return {0: False, 1: True, 3: False}.get(run.code)

    def flagged_in_folder(self, _run):
        return None


class CcAudit:
    """cc-audit with the settings that its own `init` writes, which it insists on."""

    name = "cc-audit"
    threshold = "exit code 1, with the settings that its `init` writes"

    def __init__(self, target):
        self.root = target / "cc-audit"
        self.program = self.root / "bin/cc-audit"

    def prepare(self, home):
        if not self.program.exists():
            install(["cargo", "install", "--quiet", "cc-audit", "--version", CC_AUDIT, "--locked", "--root", self.root])
        self.settings = home / ".cc-audit.yaml"
        subprocess.run([self.program, "init", self.settings], check=True, stdout=subprocess.DEVNULL)

    def version(self):
        return first_line([self.program, "--version"])

    def one(self, folder):
        return [self.program, "check", "--config", self.settings, folder]

    def many(self, folder):
        # It takes a folder as one skill and passes over skills below it, so each is named.
        return [self.program, "check", "--config", self.settings, *sorted(pathlib.Path(folder).iterdir())]

    def flagged(self, run):
        return {0: False, 1: True}.get(run.code)

    def flagged_in_folder(self, _run):
        return None


class Cisco:
    """Cisco's skill scanner in a virtual environment of its own, with the analyzers that it runs unasked."""

    name = "Cisco skill-scanner"
    threshold = "`is_safe` is false: a finding of severity HIGH or CRITICAL"

    def __init__(self, target):
        self.root = target / "cisco"
        self.program = self.root / "bin/skill-scanner"

    def prepare(self, _home):
        if not self.program.exists():
            install([sys.executable, "-m", "venv", self.root])
            package = f"cisco-ai-skill-scanner=={CISCO}"
            install([self.root / "bin/pip", "install", "--quiet", "--disable-pip-version-check", package])

    def version(self):
        ask = "import importlib.metadata as m; print(m.version('cisco-ai-skill-scanner'))"
        return f"skill-scanner {first_line([self.root / 'bin/python', '-c', ask])}"

    def one(self, folder):
        return [self.program, "scan", folder, "--format", "json"]

    def many(self, folder):
        return [self.program, "scan-all", folder, "--recursive", "--format", "json"]

    def flagged(self, run):
        try:
            return not answer(run)["is_safe"]
        except (ValueError, KeyError):
            return None

    def flagged_in_folder(self, run):
        try:
            return {pathlib.Path(one["skill_path"]).name: not one["is_safe"] for one in answer(run)["results"]}
        except (ValueError, KeyError):
            return {}


def answer(run):
    """The JSON that a scanner prints, maybe after words for people."""
    return json.loads(run.output[run.output.index(b"{") :])


def install(command):
    """Runs a registry's own client; what it complains of last is the reason where it fails."""
    print(f"installing: {' '.join(map(str, command))}", file=sys.stderr, flush=True)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=INSTALL_LIMIT)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"installing failed: {error}") from error
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no word of why"]
        raise Unavailable(f"installing failed (is the network there?): {lines[-1].strip()}")


def first_line(command):
    """What a program says of its version; one that does not start is as good as not there."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable(f"it does not start: {error}") from error
    return done.stdout.strip().partition("\n")[0]


def environment(home):
    """What the scanners see: no keys of anybody's, so that no judge can be asked, and a home of their own."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "SKILLGATE_HOME": str(home / "skillgate"),
    }


def all_scanners(target):
    return [SkillGate(), CcAudit(target), Cisco(target)]
