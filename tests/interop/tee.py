"""Runs CMD and passes its stdin, stdout and exit code on untouched, recording every byte that went by.

    tee.py LOG -- CMD [ARG]...

Each line of LOG is one chunk as JSON: ["client", "..."] for what went to CMD, ["server", "..."] for what came from it,
bytes as the code points of latin-1, so that any byte survives. A chunk is recorded before it is passed on: what one end
has seen is in the log even when everything is killed. Knows nothing of MCP, and nothing beyond the standard library.
"""

import json
import os
import signal
import subprocess
import sys
import threading


def pump(name, source, sink, record):
    """Moves chunks from one descriptor to another until either end is closed, then closes the sink."""
    try:
        while chunk := os.read(source, 1 << 16):
            record(name, chunk)
            rest = memoryview(chunk)
            while rest:
                rest = rest[os.write(sink, rest) :]
    except OSError:
        pass  # The other end is gone: the same as the end of the stream.
    finally:
        os.close(sink)


def main(log_path, command):
    log = os.open(log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def record(name, chunk):
        os.write(log, json.dumps([name, chunk.decode("latin-1")]).encode() + b"\n")

    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: child.send_signal(number))
    to_child, from_child = os.dup(child.stdin.fileno()), child.stdout.fileno()
    child.stdin.close()
    # A daemon thread: the client may never close our stdin though the child is long gone.
    threading.Thread(target=pump, args=("client", 0, to_child, record), daemon=True).start()
    pump("server", from_child, 1, record)
    code = child.wait()
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[2] != "--":
        sys.exit("usage: tee.py LOG -- CMD [ARG]...")
    main(sys.argv[1], sys.argv[3:])
