"""A client of the standard library alone that says exactly the lines it is told to, for talk that no SDK would make.

It keeps every message it gets, answers what servers ask from a table, and can be asked for the answer to an id. A
message that never comes is an AssertionError with all that did come.
"""

import itertools
import json
import subprocess
import threading

from harness import wait_until

INITIALIZE = {"protocolVersion": "2025-11-25", "clientInfo": {"name": "line-client", "version": "1"}}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "line-client", "version": "1"},
}


class LineClient:
    """A running command that speaks lines of JSON."""

    def __init__(self, test, command, env, replies=None, stderr=subprocess.DEVNULL):
        self.replies = replies or {}
        self.got, self.noise = [], []
        self.ids = itertools.count(1)
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr)
        test.addCleanup(self.close)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                self.noise.append(line)
                continue
            self.got.append(message)
            if "method" in message and "id" in message:
                result = self.replies.get(message["method"], {})
                self.say({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def say(self, message):
        """Sends one message."""
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params=None):
        """Sends a request and gives its id."""
        id = next(self.ids)
        self.say({"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}})
        return id

    def answer(self, id, seconds=20):
        """Waits for the answer to an id."""
        found = lambda: [message for message in self.got if message.get("id") == id and "method" not in message]
        return wait_until(found, seconds, f"no answer to {id}; got {str(self.got)[-2000:]}")[0]

    def request(self, method, params=None, seconds=20):
        """Sends a request and waits for its answer."""
        return self.answer(self.ask(method, params), seconds)

    def call(self, tool, seconds=20, **arguments):
        """Calls a tool and waits for the answer."""
        return self.request("tools/call", {"name": tool, "arguments": arguments}, seconds)

    def initialize(self, **capabilities):
        """The opening of the legacy era."""
        answer = self.request("initialize", INITIALIZE | {"capabilities": capabilities})
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def close(self):
        """Hangs up as a client should: first closes stdin, then ends it, then kills it; gives the exit code."""
        if not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass  # It is gone already.
        for end in (lambda: None, self.process.terminate, self.process.kill):
            end()
            try:
                code = self.process.wait(3)
                break
            except subprocess.TimeoutExpired:
                continue
        self.reader.join(5)
        return code
