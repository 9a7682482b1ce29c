# SPDX-License-Identifier: Apache-2.0
"""
The demo on a quiet machine: its honest kernels are timed and believed, and the best of each sweep
is confirmed.
"""
import collections
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from demo import DemoRun, sweeps  # noqa: E402
from harness import TIMED  # noqa: E402


class Demo(DemoRun):
    def test_the_demo_ends_well(self):
        self.assertEqual(0, self.ran.returncode, self.ran.stdout[-500:])

    def test_honest_kernels_are_timed_and_believed(self):
        ends = collections.Counter()
        for sweep, result in self.honest_results():
            ends[result["status"], result["trust"]] += 1
            with self.subTest(sweep=sweep, variant=result["name"]):
                self.assertIn(result["status"], TIMED, result["detail"])
        print(", ".join(f"{n} {status} ({trust})" for (status, trust), n in sorted(ends.items())))

    def test_the_best_of_each_sweep_was_timed_in_turn_with_the_next(self):
        (count,), = self.rows("SELECT count(*) FROM results WHERE sweep_id IS NULL")
        self.assertGreaterEqual(count, len(sweeps.everything()))


if __name__ == "__main__":
    unittest.main()
