"""One run of one program: how long it took by the clock and of the processors, how much memory it held, what it said.

Memory is the kernel's own high-water mark of the largest process. It counts from before the program replaced its
parent's image, so nothing smaller than this bench itself can be told; `floor` says how much that is.
"""

import dataclasses
import os
import signal
import subprocess
import tempfile
import time


@dataclasses.dataclass(frozen=True)
class Run:
    """What one process did; the exit code is None where it ran out of time."""

    seconds: float
    cpu: float
    peak_kib: int
    code: int | None
    output: bytes
    complaint: str


def run(command, environment, folder, limit):
    """Runs a program to its end, at most `limit` seconds, and ends whatever it started when the time is over."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment, cwd=folder,
            start_new_session=True,
        )
        previous = signal.signal(signal.SIGALRM, lambda *_: os.killpg(child.pid, signal.SIGKILL))
        signal.alarm(limit)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
        # Popen would otherwise wait for a child that is gone.
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        complaint = errors.read().decode(errors="replace").strip()
        code = None if child.returncode == -signal.SIGKILL else child.returncode
        return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, code, output.read(), complaint)


def floor():
    """The least that `peak_kib` can be: that of a program that does nothing."""
    return run(["true"], dict(os.environ), "/", 10).peak_kib


def percentile(values, share):
    """The value that this share of the values does not exceed, one that was measured."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
