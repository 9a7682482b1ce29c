# SPDX-License-Identifier: Apache-2.0
"""
What the test run makes of what its programs print: counts, verdicts, and a line for each test that
failed.
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import verdicts  # noqa: E402

CMOCKA = """\
[==========] Running 5 test(s).
[ RUN      ] queue_is_a_queue
[       OK ] queue_is_a_queue
[ RUN      ] queue_has_a_limit
[  ERROR   ] --- 0x1 != 0x2
[   LINE   ] --- tests/unit/test_queue.c:7: error: Failure!
[  FAILED  ] queue_has_a_limit
[ RUN      ] queue_counts
[  ERROR   ] --- Test failed with exception: Segmentation fault(11)
[  FAILED  ] queue_counts
[ RUN      ] queue_has_one_end
"""

UNITTEST = """\
.FF
======================================================================
FAIL: test_one (__main__.Jobs.test_one) (n=2)
What it is about
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/srv/tests/integration/test_jobs.py", line 7, in test_one
    self.check(2)
  File "/srv/tests/support/harness.py", line 19, in check
    raise KeyError
KeyError

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/tests/integration/test_jobs.py", line 8, in test_one
    self.assertEqual(1, 2)
AssertionError: 1 != 2 : of several
lines

======================================================================
ERROR: setUpClass (__main__.Rows)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/usr/lib/python3.11/subprocess.py", line 1024, in __init__
    self._execute_child(args, executable, preexec_fn, close_fds,
OSError: no

----------------------------------------------------------------------
Ran 2 tests in 0.005s

FAILED (failures=1, errors=1)
"""


VERBOSE = """\
test_one (__main__.Cache.test_one)
What it is about ... ok
test_two (__main__.Cache.test_two) ... warm 10 ns, cold 90 ns
FAIL
test_three (__main__.Cache.test_three) ... skipped 'no clock'

----------------------------------------------------------------------
Ran 3 tests in 0.1s

FAILED (failures=1, skipped=1)
"""
RULES = "ok headers compile alone\nnot ok names are unique\n    queue_add\n"


def failed(kind, output, end=None):
    """The lines, each without the "failed: p: " that all have."""
    return [line.removeprefix("failed: p: ") for line in verdicts.lines(kind(), "p", output, end)]


class Failures(unittest.TestCase):
    def test_cmockas_failures_come_with_assertion_and_place_and_a_crash_with_its_test(self):
        self.assertEqual(["queue_has_a_limit: 0x1 != 0x2, tests/unit/test_queue.c:7",
                          "queue_counts: Test failed with exception: Segmentation fault(11)",
                          "queue_has_one_end: the program ended with 139"],
                         failed(verdicts.Cmocka, CMOCKA, "the program ended with 139"))

    def test_a_sanitizers_summary_is_the_reason_of_the_test_that_ran(self):
        output = CMOCKA + "SUMMARY: AddressSanitizer: heap-use-after-free queue.c:7 in queue_add\n"
        self.assertEqual("queue_has_one_end: the program ended with 1, "
                         "SUMMARY: AddressSanitizer: heap-use-after-free queue.c:7 in queue_add",
                         failed(verdicts.Cmocka, output, "the program ended with 1")[-1])

    def test_unittests_failures_come_with_their_last_exception_and_the_tests_own_line(self):
        one = "test_one (__main__.Jobs.test_one) (n=2)"
        self.assertEqual([f"{one}: test_jobs.py:8: AssertionError: 1 != 2 : of several",
                          "setUpClass (__main__.Rows): OSError: no"],
                         failed(verdicts.Unittest, UNITTEST, "the program ended with 1"))

    def test_a_broken_rule_comes_with_its_name(self):
        self.assertEqual(["names are unique"],
                         failed(verdicts.Rules, RULES, "the program ended with 1"))

    def test_a_program_that_ends_badly_without_a_failed_test_comes_with_its_last_line(self):
        self.assertEqual(["the time was over: ...."],
                         failed(verdicts.Unittest, "....\n", "the time was over"))
        self.assertEqual(["the program ended with 1: ImportError: none"],
                         failed(verdicts.Unittest, "Traceback\nImportError: none\n",
                                "the program ended with 1"))
        self.assertEqual(["the program ended with 1"],
                         failed(verdicts.Rules, "", "the program ended with 1"))

    def test_a_long_reason_is_cut(self):
        output = CMOCKA.replace("0x1", "x" * 1000)
        self.assertEqual(300, max(map(len, verdicts.lines(verdicts.Cmocka(), "p", output, None))))


class Counts(unittest.TestCase):
    def test_each_kind_counts_what_passed_failed_and_was_skipped(self):
        skipped = ("[ RUN      ] queue_waits\n[  SKIPPED ] queue_waits\n"
                   "[  SKIPPED ] 1 test(s), listed below:\n")
        cmocka = CMOCKA.replace("[ RUN      ] queue_has_one_end\n", skipped)
        self.assertEqual([1, 2, 1], verdicts.Cmocka().count(cmocka))
        self.assertEqual([0, 2, 0], verdicts.Unittest().count(UNITTEST))
        self.assertEqual([1, 1, 1], verdicts.Unittest().count(VERBOSE))
        self.assertEqual([0, 0, 0], verdicts.Unittest().count("Traceback\n"))
        self.assertEqual([1, 1, 0], verdicts.Rules().count(RULES))


class Verdicts(unittest.TestCase):
    def test_a_verdict_comes_with_what_its_test_printed(self):
        self.assertEqual([("ok", "test_one", []),
                          ("failed", "test_two", ["warm 10 ns, cold 90 ns"]),
                          ("skipped", "test_three", [])], verdicts.Unittest().verdicts(VERBOSE))
        output = "[ RUN      ] cold\n4000 steps: cold 9 ns\n[       OK ] cold\n[ RUN      ] warm\n"
        self.assertEqual([("ok", "cold", ["4000 steps: cold 9 ns"])],
                         verdicts.Cmocka().verdicts(output))


if __name__ == "__main__":
    unittest.main()
