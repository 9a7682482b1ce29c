# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of the experiment on what statistics cost, on results that are made up."""
import pathlib
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / "experiments"),
                str(pathlib.Path(__file__).resolve().parent.parent / "support")]
import exp12_statistics as exp  # noqa: E402


def result(*samples_ns, run_ms=1.0, **time):
    return {"time": {"samples_ns": list(samples_ns), **time}, "stages_ms": {"run": run_ms}}


class Statistics(unittest.TestCase):
    def test_X12_a_process_and_its_samples_have_each_a_cost(self):
        few = [result(run_ms=ms) for ms in (4.0, 5.0, 90.0)]
        many = [result(run_ms=5.0 + 0.1 * (exp.MOST - exp.FEW))] * 3
        fixed, each = exp.cost_ms(few, many)
        self.assertAlmostEqual(0.1, each)
        self.assertAlmostEqual(5.0 - 0.1 * exp.FEW, fixed)
        self.assertEqual((2.0, 0), exp.cost_ms([result(run_ms=2.0)], [result(run_ms=1.0)]))

    def test_X12_the_error_of_a_group_is_that_of_the_median_over_its_processes(self):
        results = [result(ns) for ns in (90, 110, 100, 100, 130, 100)]
        median = exp.ESTIMATORS["median"]
        for got, want in zip(exp.errors(results, median, 1, 1, 100), (0, 0, 0, 10, 10, 30)):
            self.assertAlmostEqual(want, got)
        for got, want in zip(exp.errors(results, median, 2, 1, 100), (0, 0, 15)):
            self.assertAlmostEqual(want, got)

    def test_X12_an_estimator_sees_only_the_samples_that_were_paid_for(self):
        noisy = result(30, 20, 10, slowness=[1.5, 1, 1])
        self.assertEqual([30, 20, 10], [exp.ESTIMATORS["min"](noisy, n) for n in (1, 2, 3)])
        self.assertEqual([30, 25, 20], [exp.ESTIMATORS["median"](noisy, n) for n in (1, 2, 3)])
        self.assertEqual(20, exp.ESTIMATORS["normalised"](noisy, 2))
        self.assertEqual(25, exp.ESTIMATORS["normalised"](result(30, 20), 2))

    def test_X12_the_curve_has_each_choice_and_its_frontier_only_what_no_cheaper_one_beats(self):
        results = [result(*[100 + i % 7] * exp.MOST) for i in range(64)]
        rows = list(exp.rows_of("warm", results, (2.0, 0.1)))
        self.assertEqual(len(exp.ESTIMATORS) * len(exp.PROCESSES) * len(exp.SAMPLES), len(rows))
        best = exp.frontier(rows)
        self.assertEqual(sorted(r[4] for r in best), [r[4] for r in best])
        self.assertEqual(sorted((r[6] for r in best), reverse=True), [r[6] for r in best])
        for row in best:
            self.assertFalse(any(r[4] < row[4] and r[6] <= row[6] for r in rows))


if __name__ == "__main__":
    unittest.main()
