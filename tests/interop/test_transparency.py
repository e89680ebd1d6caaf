"""Benign talk passes a bridge byte for byte: the Python SDK's client, each server, both eras, direct and bridged.

Every kind of message is screened here, in both directions: what is not screened passes anyhow.
"""

import functools
import json
import shutil
import unittest

import anyio

import harness
import recording
import scenarios
from line_client import LineClient
from visit import MODERN, Visit


class Transparency(unittest.TestCase):
    maxDiff = 4000

    def check(self, server, mode, scenario, **env):
        """Visits a server directly and through a bridge; both see the same, and the bridge changes nothing."""
        home = harness.Home(self, harness.screen_everything())
        data = home.path / "data"
        env = home.env(**{name: value.format(data=data) for name, value in env.items()})
        server = [word.format(data=data) for word in server]

        def visit(command):
            data.mkdir()
            try:
                errors = home.path / "stderr"
                return anyio.run(self.visit, command, mode, functools.partial(scenario, data), env, errors)
            finally:
                shutil.rmtree(data)

        direct = visit(harness.tee(home.path / "direct", server))
        inner, outer = home.path / "inner", home.path / "outer"
        bridged = visit(harness.tee(outer, home.bridge(harness.tee(inner, server), "--server", "interop")))
        for kind in sorted(direct.seen | bridged.seen):
            self.assertEqual(direct.seen[kind], bridged.seen[kind], kind)
        recording.assert_nothing_changed(self, recording.streams(outer), recording.streams(inner))
        self.assert_all_was_screened(home, recording.streams(outer))
        return home, direct

    def assert_all_was_screened(self, home, wire):
        """Each answer that says something has a decision of its own, and every decision is to allow."""
        decisions = [line for line in home.audit() if line["type"] == "decision"]
        self.assertEqual({line["action"] for line in decisions}, {"allow"})
        messages = [json.loads(line) for line in recording.messages(wire["server"])]
        self.assertGreaterEqual(len(decisions), len([m for m in messages if m.get("result") or m.get("error")]))

    async def visit(self, command, mode, scenario, env, errors):
        visit = Visit()
        with open(errors, "a") as errlog, anyio.fail_after(60):
            async with visit.to(command, mode, env, errlog):
                await scenario(visit)
        return visit

    def test_everything_in_the_legacy_era(self):
        _, seen = self.check(harness.EVERYTHING, "legacy", lambda _, visit: scenarios.everything(visit))
        for kind in ("sampling", "elicitation", "roots", "log", "progress of trigger-long-running-operation"):
            self.assertTrue(seen.seen[kind], f"the scenario saw no {kind}")

    def test_a_legacy_server_probed_for_the_modern_era(self):
        _, seen = self.check(harness.EVERYTHING, "auto", lambda _, visit: scenarios.listed_and_asked(visit))
        self.assertIn("2025-11-25", seen.seen["hello"][0])

    def test_a_task_that_asks_the_user(self):
        home = harness.Home(self, harness.screen_everything())
        inner, outer = home.path / "inner", home.path / "outer"
        bridged = harness.tee(outer, home.bridge(harness.tee(inner, harness.EVERYTHING)))
        accept = {"action": "accept", "content": {"interpretation": "historical"}}
        answers = []
        for command in (harness.EVERYTHING, bridged):
            client = LineClient(self, command, home.env(), {"elicitation/create": accept})
            answers.append(recording.normalise(json.dumps(scenarios.task(client))))
            client.close()
        self.assertIn("historical", answers[0])
        self.assertEqual(*answers)
        recording.assert_nothing_changed(self, recording.streams(outer), recording.streams(inner))
        self.assert_all_was_screened(home, recording.streams(outer))

    def test_filesystem(self):
        self.check([*harness.FILESYSTEM, "{data}"], "legacy", lambda data, visit: scenarios.filesystem(visit, data))

    def test_memory(self):
        scenario = lambda _, visit: scenarios.memory(visit)
        self.check(harness.MEMORY, "legacy", scenario, MEMORY_FILE_PATH="{data}/graph.jsonl")

    def test_weather_in_the_legacy_era(self):
        _, seen = self.check(harness.DUAL_ERA, "legacy", lambda _, visit: scenarios.weather(visit))
        changed = "notification notifications/tools/list_changed"
        for kind in ("sampling", "elicitation", "log", "progress of forecast", changed):
            self.assertTrue(seen.seen[kind], f"the scenario saw no {kind}")

    def test_weather_in_the_modern_era_found_by_a_probe(self):
        home, seen = self.check(harness.DUAL_ERA, "auto", lambda _, visit: scenarios.weather(visit))
        for kind in ("sampling", "elicitation", "log", "progress of forecast", "event"):
            self.assertTrue(seen.seen[kind], f"the scenario saw no {kind}")
        wire = recording.streams(home.path / "outer")
        self.assertIn(b'"input_required"', wire["server"])
        self.assertIn(b'"requestState"', wire["client"])

    def test_weather_in_the_modern_era_without_a_probe(self):
        self.check(harness.DUAL_ERA, MODERN, lambda _, visit: scenarios.weather(visit))


if __name__ == "__main__":
    unittest.main()
