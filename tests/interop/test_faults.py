"""What is left, and what the agent hears, when one of the four processes goes away or misbehaves."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

import harness
from harness import wait_until
from line_client import LineClient
from loopback_judge import LoopbackJudge

PLAIN = [sys.executable, "-I", "-S", str(harness.HERE / "plain_server.py")]
# A wrapper as npx is one: the server is its child, and there is another one that nobody waits for.
WRAPPED = ["sh", "-c", 'sleep 600 & "$@"; exit $?', "sh", *PLAIN]
# How soon everything must be gone.
GONE = 3


def is_answer(message):
    """True for a result or an error: what an agent can go on with."""
    return "result" in message or "error" in message


class DaemonDies(unittest.TestCase):
    def verify(self, home):
        done = home.run("audit", "verify")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_in_the_middle_of_a_judged_call(self):
        judge = LoopbackJudge(self, "SAFE")
        home = harness.Home(self, judge.policy("everything"))
        client = LineClient(self, home.bridge(PLAIN), home.env())
        client.initialize()
        judge.delay, before = 2, len(judge.questions)
        id = client.ask("tools/call", {"name": "echo", "arguments": {"text": "asked while it dies"}})
        wait_until(lambda: len(judge.questions) > before, 10, "the judge was never asked")
        killed = home.daemon()
        judge.delay = 0
        os.kill(killed, signal.SIGKILL)
        self.assertTrue(is_answer(client.answer(id)))
        self.assertEqual(client.call("echo", text="next")["result"]["content"][0]["text"], "next")
        self.assertNotEqual(home.daemon(), killed)
        self.verify(home)

    def test_again_and_again_while_calls_run(self):
        home = harness.Home(self)
        client = LineClient(self, home.bridge(PLAIN), home.env())
        client.initialize()
        ids = []
        for round in range(4):
            ids += [client.ask("tools/call", {"name": "echo", "arguments": {"text": f"{round} {n}"}}) for n in range(8)]
            os.kill(wait_until(home.daemon, 10, "no daemon"), signal.SIGKILL)
            ids += [client.ask("tools/call", {"name": "echo", "arguments": {"text": f"{round} {n}"}}) for n in range(8)]
        for id in ids:
            self.assertTrue(is_answer(client.answer(id)))
        answered = [message["id"] for message in client.got if is_answer(message)]
        self.assertEqual(len(answered), len(set(answered)), "an id was answered twice")
        self.assertEqual(client.call("echo", text="next")["result"]["content"][0]["text"], "next")
        self.verify(home)

    def test_and_cannot_come_back(self):
        home = harness.Home(self, policy='mode = "enfroce"\n')
        with open(home.path / "stderr", "wb") as stderr:
            client = LineClient(self, home.bridge(PLAIN), home.env(), stderr=stderr)
        started = time.monotonic()
        answer = client.request("initialize", {"protocolVersion": "2025-11-25"})
        self.assertIn("error", answer)
        self.assertNotIn("plain", json.dumps(answer), "the server's words came through unscreened")
        self.assertLess(time.monotonic() - started, 5, "agents give a server 10 s")
        self.assertIn("did you mean `enforce`", (home.path / "stderr").read_text(), "nobody is told why")
        self.assertEqual(client.close(), 0)


class NothingIsLeft(unittest.TestCase):
    # An agent: starts the bridge, says hello, and then does nothing until it is killed.
    AGENT = (
        "import json, subprocess, sys, time\n"
        "bridge = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "hello = {'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': {'protocolVersion': '2025-11-25'}}\n"
        "bridge.stdin.write(json.dumps(hello).encode() + b'\\n'); bridge.stdin.flush()\n"
        "sys.stdout.buffer.write(bridge.stdout.readline()); sys.stdout.flush()\n"
        "time.sleep(600)\n"
    )

    def agent(self, home, server):
        """An agent whose bridge runs the server; gives its pid and the bridge's, when all is up."""
        command = [sys.executable, "-I", "-S", "-c", self.AGENT, *home.bridge(server)]
        agent = subprocess.Popen(command, env=home.env(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(agent.stdout.close)
        self.addCleanup(agent.wait)
        self.addCleanup(agent.kill)
        self.assertIn(b'"result"', agent.stdout.readline())
        running = home.processes()
        for word in ["plain_server", *(["sleep 600"] if server is WRAPPED else [])]:
            self.assertTrue(any(word in line for line in running.values()), running)
        bridges = [pid for pid, line in running.items() if line.startswith(harness.SKILLGATE + " bridge")]
        self.assertEqual(len(bridges), 1, running)
        return agent.pid, bridges[0]

    def left(self, home):
        """What still runs of a session: everything but the daemon."""
        return {pid: line for pid, line in home.processes().items() if f"{harness.SKILLGATE} daemon" not in line}

    def check(self, server, kill, seconds=GONE):
        home = harness.Home(self)
        agent, bridge = self.agent(home, server)
        os.kill(agent if kill == "agent" else bridge, signal.SIGKILL)
        gone = lambda: all("-c import json" in line for line in self.left(home).values())
        wait_until(gone, seconds, f"{kill} was killed, and these live on: {self.left(home)}")
        wait_until(lambda: not json.loads(home.run("status", "--json").stdout)["sessions"], 3, "the session stays open")

    def test_of_a_wrapped_server_when_the_agent_is_killed(self):
        self.check(WRAPPED, "agent")

    def test_of_a_wrapped_server_when_the_bridge_is_killed(self):
        self.check(WRAPPED, "bridge")

    def test_of_a_deaf_server_when_the_agent_is_killed(self):
        # It is given time to end by itself, and time after SIGTERM.
        self.check([*PLAIN, "--deaf"], "agent", GONE + 2)

    def test_of_a_deaf_server_when_the_bridge_is_killed(self):
        self.check([*PLAIN, "--deaf"], "bridge")


class ServerMisbehaves(unittest.TestCase):
    def start(self, *server):
        self.home = harness.Home(self)
        client = LineClient(self, self.home.bridge(server), self.home.env())
        client.initialize()
        return client

    def test_its_exit_code_is_the_bridges(self):
        client = self.start(*PLAIN)
        client.ask("tools/call", {"name": "exit", "arguments": {"code": 7}})
        self.assertEqual(client.process.wait(10), 7)

    def test_its_signal_is_told_as_shells_do(self):
        client = self.start(*PLAIN)
        client.ask("tools/call", {"name": "die", "arguments": {"signal": signal.SIGKILL}})
        self.assertEqual(client.process.wait(10), 128 + signal.SIGKILL)

    def test_it_ends_well_when_the_client_hangs_up(self):
        self.assertEqual(self.start(*PLAIN).close(), 0)

    def test_a_banner_on_its_stdout_is_dropped(self):
        client = self.start(*PLAIN, "--banner", "Plain server v1 ready ☂")
        for text in ("one", "two"):
            self.assertEqual(client.call("echo", text=text)["result"]["content"][0]["text"], text)
        self.assertEqual(client.noise, [])

    def test_a_command_that_is_not_there_is_an_exit_code_not_a_hang(self):
        home = harness.Home(self)
        client = LineClient(self, home.bridge(["/nonexistent/server"]), home.env())
        self.assertEqual(client.process.wait(10), 127)


if __name__ == "__main__":
    unittest.main()
