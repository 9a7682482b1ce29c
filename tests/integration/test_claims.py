# SPDX-License-Identifier: Apache-2.0
"""What the papers claim, judged from the tables of the experiments."""
import contextlib
import csv
import io
import pathlib
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "experiments")]
import claims  # noqa: E402
import experiments  # noqa: E402

QUIET, LOUD = "9 of 9 turns quiet", "1 of 25 turns quiet: all count"


class Claims(unittest.TestCase):
    def judge(self, row, headers, *rows):
        """The verdict of a claim on a table, and its reason."""
        claim = next(c for of in claims.CLAIMS.values() for c in of if c.row == row)
        with tempfile.TemporaryDirectory() as directory:
            directory = pathlib.Path(directory)
            with open(directory / f"{claim.table}.csv", "w", newline="") as file:
                csv.writer(file).writerows([headers, *rows])
            return claim.judged(directory)

    def assert_verdict(self, verdict, words, row, headers, *rows):
        found, why = self.judge(row, headers, *rows)
        self.assertEqual(verdict, found, why)
        self.assertIn(words, why)

    def test_W1_what_a_flush_costs_falls_from_cache_to_cache(self):
        headers = ["operands fit in", "from N", "cold / hot"]
        rows = [["L1", 16, 7.5], ["L2", 3000, 3.1], ["L3", 70000, 2.5], ["memory", 3000000, 1.02]]
        self.assert_verdict(claims.HOLDS, "L1 7.5", "W1", headers, *rows)
        self.assert_verdict(claims.DOES_NOT, "L3 4", "W1", headers, *rows[:2], ["L3", 70000, 4],
                            rows[3])
        self.assert_verdict(claims.DOES_NOT, "L1 3.4", "W1", headers, ["L1", 16, 3.4], *rows[1:])
        self.assert_verdict(claims.CANNOT, "beyond are needed", "W1", headers, *rows[:2])

    def test_W2_the_timer_without_flush_chooses_another_and_slower_kernel(self):
        headers = ["tuned", "timed", "factor", "largest N", "MFLOPS at the end"]

        def rows(other, rate, largest=1200):
            return [["flush", "flush", 24, largest, 8000], ["flush", "no flush", 24, largest, 9000],
                    ["no flush", "flush", other, largest, rate],
                    ["no flush", "no flush", other, largest, 9000]]

        self.assert_verdict(claims.HOLDS, "55 % of the rate", "W2", headers, *rows(72, 4400))
        self.assert_verdict(claims.DOES_NOT, "factors 24 and 24", "W2", headers, *rows(24, 8000))
        self.assert_verdict(claims.DOES_NOT, "95 %", "W2", headers, *rows(72, 7600))
        self.assert_verdict(claims.CANNOT, "largest N is 120", "W2", headers,
                            *rows(72, 4400, 120))

    def test_W10_beside_a_spinner_wall_time_doubles_and_cpu_time_stays(self):
        headers = ["timer, clock", "ratio"]

        def rows(wall, cpu):
            return [["independent timer, wall", wall], ["independent timer, cpu", cpu]]

        self.assert_verdict(claims.HOLDS, "2.00 times", "W10", headers, *rows(2, 1.01))
        self.assert_verdict(claims.DOES_NOT, "CPU time 1.60", "W10", headers, *rows(2, 1.6))
        self.assert_verdict(claims.CANNOT, "took no CPU", "W10", headers, *rows(1.01, 1))

    def test_W28_the_cold_methods_agree_by_size(self):
        headers = ["kernel", "kB", "apart %", "counted"]
        small, good = ["dot 1000", 16, 60, LOUD], ["dot 10000", 160, 19, QUIET]
        self.assert_verdict(claims.HOLDS, "1 kernels", "W28", headers, small, good)
        self.assert_verdict(claims.DOES_NOT, "dot 100000 11 %", "W28", headers, good,
                            ["dot 100000", 1600, 11, QUIET])
        self.assert_verdict(claims.CANNOT, "quiet turns: axpy", "W28", headers, good,
                            ["axpy", 1600, 4, LOUD])
        self.assert_verdict(claims.CANNOT, "no operands", "W28", headers, small)

    def test_W31_a_loop_of_flushes_taken_off_leaves_another_time(self):
        headers = ["wrong way", "flush", "bias %"]
        wrong = [["loop of flushes taken off, dot 1000", "lines", -1000],
                 ["loop of flushes taken off, dot 1000", "area", 300]]
        self.assert_verdict(claims.HOLDS, "2 of 2", "W31", headers, *wrong)
        self.assert_verdict(claims.DOES_NOT, "0 of 1", "W31", headers,
                            ["loop of flushes taken off, dot 1000", "lines", 2])
        self.assert_verdict(claims.CANNOT, "no row", "W31", headers, ["written anew", "lines", 1])

    def test_W60_operands_written_anew_are_warm(self):
        headers = ["wrong way", "bias %"]
        warm = ["written anew, not flushed, dot 1000", -80]
        self.assert_verdict(claims.HOLDS, "-80 %", "W60", headers, warm)
        self.assert_verdict(claims.DOES_NOT, "axpy 20000 -3 %", "W60", headers, warm,
                            ["written anew, not flushed, axpy 20000", -3])
        self.assert_verdict(claims.CANNOT, "no row", "W60", headers, ["loop of flushes", 1])

    def test_E9_two_timers_agree_and_a_flush_is_slower(self):
        headers = ["kernel", "Assay MFLOPS", "median %", "counted"]
        warm, cold = ["nb8 warm", 9000, 101, QUIET], ["nb8 cold", 7000, 97.5, QUIET]
        self.assert_verdict(claims.HOLDS, "nb8 cold is the worst, 97.5 %", "E9", headers, warm,
                            cold)
        self.assert_verdict(claims.DOES_NOT, "nb8 cold", "E9", headers, warm,
                            ["nb8 cold", 9100, 100, QUIET])
        self.assert_verdict(claims.DOES_NOT, "105.0 %", "E9", headers,
                            ["nb8 warm", 9000, 105, QUIET], cold)
        self.assert_verdict(claims.CANNOT, "nb8 cold", "E9", headers, warm, [*cold[:3], LOUD])

    def test_E11_warm_is_like_later_calls_and_cold_like_first_ones(self):
        headers = ["application", "warm / late", "cold / first", "counted, late"]
        good = ["drift", 0.98, 0.93, QUIET]
        self.assert_verdict(claims.HOLDS, "drift 0.98", "E11", headers, good)
        self.assert_verdict(claims.DOES_NOT, "heat 0.96", "E11", headers, good,
                            ["heat", 0.96, 0.93, QUIET])
        self.assert_verdict(claims.DOES_NOT, "heat 0.88", "E11", headers, good,
                            ["heat", 1, 0.88, QUIET])
        self.assert_verdict(claims.CANNOT, "drift", "E11", headers, [*good[:3], LOUD])

    def test_E13_the_more_is_flushed_the_longer_it_takes(self):
        headers = ["kernel", "hot ns", "largest flush ns", "falls > 3 %"]
        good = ["N = 2000", 200, 900, 0]
        self.assert_verdict(claims.HOLDS, "0 times", "E13", headers, good)
        self.assert_verdict(claims.DOES_NOT, "2 times", "E13", headers, good,
                            ["N = 10000", 1300, 4000, 2])
        self.assert_verdict(claims.CANNOT, "costs nothing: N = 1", "E13", headers,
                            ["N = 1", 200, 201, 0])

    def test_a_table_that_is_not_there_or_has_other_columns_is_no_verdict(self):
        [claim] = claims.CLAIMS["exp1_curve"]
        with tempfile.TemporaryDirectory() as directory:
            self.assertEqual(claims.CANNOT, claim.judged(pathlib.Path(directory))[0])
        self.assert_verdict(claims.CANNOT, "exp1_plateaus", "W1", ["other"], [1])
        self.assert_verdict(claims.CANNOT, "no rows", "W1", ["operands fit in", "cold / hot"])


class Runner(unittest.TestCase):
    def test_an_experiment_that_failed_leaves_its_claims_without_a_verdict(self):
        nowhere = pathlib.Path("/nonexistent")
        found = experiments.judged("exp4_guards", nowhere, "RuntimeError: too_noisy")
        self.assertEqual([("W31", claims.CANNOT), ("W60", claims.CANNOT)],
                         [(claim.row, verdict) for claim, verdict, _ in found])
        self.assertEqual({"RuntimeError: too_noisy"}, {why for *_, why in found})

    def test_each_claim_belongs_to_an_experiment_that_is_there(self):
        names = {p.stem for p in (TESTS / "experiments").glob("exp*.py")}
        self.assertLessEqual(set(claims.CLAIMS), names)
        rows = {claim.row for of in claims.CLAIMS.values() for claim in of}
        self.assertEqual({"W1", "W2", "W10", "W28", "W31", "W60", "E9", "E11", "E13"}, rows)

    def test_a_verdict_is_a_line(self):
        found = experiments.judged("exp1_curve", pathlib.Path("/nonexistent"), "why")
        with contextlib.redirect_stdout(io.StringIO()) as out:
            experiments.show(found)
        self.assertRegex(out.getvalue(), r"^  claim: cannot be judged: W1, .*: why\n$")


if __name__ == "__main__":
    unittest.main()
