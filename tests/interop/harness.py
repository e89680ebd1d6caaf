"""A SkillGate home of its own for each test, the command lines that run through it, and the recordings on the way.

A home is a temp directory whose path stands in the environment of every process started for the test: that is how
leftovers are found, and how a test can say that nothing is left. Ends only processes of its own home, by their pid.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
SKILLGATE = os.environ.get("SKILLGATE_BIN", str(HERE.parents[1] / "target/debug/skillgate"))
MODULES = HERE / "node_modules/@modelcontextprotocol"
EVERYTHING = ["node", str(MODULES / "server-everything/dist/index.js")]
FILESYSTEM = ["node", str(MODULES / "server-filesystem/dist/index.js")]
MEMORY = ["node", str(MODULES / "server-memory/dist/index.js")]
INSPECTOR = ["node", str(MODULES / "inspector-cli/build/index.js")]
DUAL_ERA = [sys.executable, "-W", "ignore", str(HERE / "dual_era_server.py")]


def screen_everything():
    """A policy.toml that screens every kind of message, in both directions."""
    switches = tomllib.loads((HERE.parents[1] / "policy.toml").read_text())["screen"]
    return "[screen]\n" + "".join(f"{json.dumps(name)} = true\n" for name in switches)


def tee(log, command):
    """The command, recorded in the log."""
    return [sys.executable, "-I", "-S", str(HERE / "tee.py"), str(log), "--", *command]


def wait_until(condition, seconds, what):
    """Polls until the condition gives something true, and gives that."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"after {seconds} s: {what}")
        time.sleep(0.02)
    return found


class Home:
    """A temp directory that is HOME for all that the test runs, and so has SkillGate's home in it."""

    def __init__(self, test, policy=None):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="sgi-"))
        test.addCleanup(self.close)
        self.skillgate_home = self.path / ".skillgate"
        self.skillgate_home.mkdir(mode=0o700)
        if policy is not None:
            (self.skillgate_home / "policy.toml").write_text(policy)

    def env(self, **more):
        """The environment for processes of this test: nothing in it shows an agent, or is taken amiss by a rule."""
        return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self.path)} | more

    def bridge(self, command, *options):
        """The command behind a bridge."""
        return [SKILLGATE, "bridge", *options, "--", *command]

    def run(self, *arguments, **options):
        """Runs a skillgate command to its end."""
        return subprocess.run(
            [SKILLGATE, *arguments],
            env=self.env(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
            **options,
        )

    def lines(self, *arguments):
        """The JSON objects that a skillgate command prints, one a line."""
        done = self.run(*arguments)
        assert done.returncode == 0, f"{arguments}: {done.returncode} {done.stderr}"
        return [json.loads(line) for line in done.stdout.splitlines()]

    def audit(self):
        """The lines of the audit log."""
        path = self.skillgate_home / "logs/audit.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def daemon(self):
        """The daemon's pid, or nothing where none runs."""
        done = self.run("status", "--json")
        return json.loads(done.stdout)["pid"] if done.returncode == 0 else None

    def processes(self):
        """Living processes that were started for this home: pid -> command line."""
        mark, found = str(self.path).encode(), {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                if mark in (entry / "environ").read_bytes() and "Z" not in state(entry):
                    command = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
                    found[int(entry.name)] = command.decode(errors="replace")
            except OSError:
                continue  # It is gone, or another user's.
        return found

    def close(self):
        """Stops the daemon, and fails the test where anything is left."""
        try:
            if pid := self.daemon():
                os.kill(pid, signal.SIGTERM)
            wait_until(lambda: not self.processes(), 5, f"still running: {self.processes()}")
        finally:
            for pid in self.processes():
                os.kill(pid, signal.SIGKILL)
            shutil.rmtree(self.path, ignore_errors=True)


def state(process):
    """The state letter of a directory in /proc."""
    return (process / "stat").read_text().rpartition(")")[2].split()[0]
