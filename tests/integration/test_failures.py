# SPDX-License-Identifier: Apache-2.0
"""What the suite says at its end of what failed: a line for each test, out of what programs of three kinds print."""
import pathlib
import subprocess
import unittest

TREE = pathlib.Path(__file__).resolve().parent.parent.parent

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


def told(output, status):
    words = ["awk", "-v", "program=p", "-v", f"status={status}", "-f", TREE / "tests" / "failures.awk"]
    return subprocess.run(words, input=output, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


class Failures(unittest.TestCase):
    def assert_told(self, expected, output, status):
        """The lines, each without the "failed: p: " that all have."""
        self.assertEqual([f"failed: p: {line}" for line in expected], told(output, status))

    def test_cmockas_failures_come_with_assertion_and_place_and_a_crash_with_its_test(self):
        self.assert_told(["queue_has_a_limit: 0x1 != 0x2, tests/unit/test_queue.c:7",
                          "queue_counts: Test failed with exception: Segmentation fault(11)",
                          "queue_has_one_end: the program ended with 139"], CMOCKA, 139)

    def test_unittests_failures_come_with_their_last_exception_and_the_tests_own_line(self):
        one = "test_one (__main__.Jobs.test_one) (n=2)"
        self.assert_told([f"{one}: test_jobs.py:8: AssertionError: 1 != 2 : of several",
                          "setUpClass (__main__.Rows): OSError: no"], UNITTEST, 1)

    def test_a_broken_rule_is_told_by_its_name(self):
        self.assert_told(["names are unique"], "ok headers compile alone\nnot ok names are unique\n    queue_add\n", 1)

    def test_a_program_that_ends_badly_without_a_failed_test_is_told_by_its_last_line(self):
        self.assert_told(["the time was over: ...."], "....\n", 124)
        self.assert_told(["the program ended with 1: ImportError: none"], "Traceback\nImportError: none\n", 1)

    def test_a_long_story_is_cut(self):
        self.assertEqual(300, max(len(line) for line in told(CMOCKA.replace("0x1", "x" * 1000), 139)))


if __name__ == "__main__":
    unittest.main()
