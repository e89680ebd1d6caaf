"""MCP Inspector's command line, one call each: what it prints is the same directly and through a bridge."""

import subprocess
import unittest

import harness
import recording


class Inspector(unittest.TestCase):
    maxDiff = 4000

    def check(self, server, *arguments):
        """Runs the inspector on a server, directly and bridged, and compares outputs and recordings."""
        home = harness.Home(self)
        server = [word.format(home=home.path) for word in server]
        inner, outer = home.path / "inner", home.path / "outer"
        bridged = harness.tee(outer, home.bridge(harness.tee(inner, server), "--agent", "inspector"))
        direct, through = (self.inspect(home, target, arguments) for target in (server, bridged))
        self.assertEqual((direct.returncode, direct.stderr), (0, ""))
        self.assertEqual(recording.normalise(direct.stdout), recording.normalise(through.stdout))
        self.assertEqual((through.returncode, through.stderr), (0, ""))
        recording.assert_nothing_changed(self, recording.streams(outer), recording.streams(inner))

    def inspect(self, home, target, arguments):
        # The program stands before the options, its arguments after the first `--`, which the inspector takes away.
        return subprocess.run(
            [*harness.INSPECTOR, target[0], *arguments, "--", *target[1:]],
            env=home.env(MEMORY_FILE_PATH=str(home.path / "graph.jsonl")),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def test_calling_a_tool(self):
        call = ("--method", "tools/call", "--tool-name", "get-sum", "--tool-arg", "a=2", "b=40")
        self.check(harness.EVERYTHING, *call)

    def test_listing_tools(self):
        self.check(harness.EVERYTHING, "--method", "tools/list")

    def test_reading_a_resource(self):
        self.check(harness.EVERYTHING, "--method", "resources/read", "--uri", "demo://resource/dynamic/text/1")

    def test_getting_a_prompt(self):
        arguments = ("--prompt-name", "args-prompt", "--prompt-args", "city=Graz")
        self.check(harness.EVERYTHING, "--method", "prompts/get", *arguments)

    def test_setting_the_log_level(self):
        self.check(harness.EVERYTHING, "--method", "logging/setLevel", "--log-level", "debug")

    def test_naming_the_directories(self):
        call = ("--method", "tools/call", "--tool-name", "list_allowed_directories")
        self.check([*harness.FILESYSTEM, "{home}"], *call)

    def test_reading_a_graph(self):
        self.check(harness.MEMORY, "--method", "tools/call", "--tool-name", "read_graph")

    def test_a_server_of_both_eras(self):
        self.check(harness.DUAL_ERA, "--method", "tools/call", "--tool-name", "reading", "--tool-arg", "station=north")


if __name__ == "__main__":
    unittest.main()
