"""Runs every test_*.py beside it, or those named on the command line; the last line counts them."""

import sys
import time
import unittest


class Result(unittest.TextTestResult):
    """Says how long each test took, and counts what passed."""

    passed = 0

    def startTest(self, test):
        self.started = time.monotonic()
        super().startTest(test)

    def addSuccess(self, test):
        self.passed += 1
        super().addSuccess(test)

    def stopTest(self, test):
        super().stopTest(test)
        self.stream.writeln(f"    {time.monotonic() - self.started:6.1f} s")


def main(names):
    loader = unittest.defaultTestLoader
    tests = loader.loadTestsFromNames(names) if names else loader.discover(sys.path[0])
    runner = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Result, warnings="ignore")
    result = runner.run(tests)
    failed = result.testsRun - result.passed
    print(f"{result.passed} passed, {failed} failed")
    return 1 if failed or not result.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
