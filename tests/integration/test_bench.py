# SPDX-License-Identifier: Apache-2.0
"""make bench ends with a whole table, whichever way its modules end, and counts short figures."""
import pathlib
import sys
import tempfile
import time
import types
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "bench")]
import bench  # noqa: E402
import bench_apps  # noqa: E402
import bench_processes  # noqa: E402
from figure import Figure, Unmeasured, result_of  # noqa: E402


LOST = "dot 1000: internal: not cold before 26 of 31 samples"


def module(figures, measure):
    return types.SimpleNamespace(FIGURES=figures, measure=measure)


def good(_):
    yield Figure("fast", 1, "ms", "<= 2")
    yield Figure("slow", 3, "ms", "<= 2")


def half(_):
    yield Figure("first", 1, "ms", "<= 2")
    raise Unmeasured(LOST)


def wrong(_):
    yield Figure("ratio", 1 / 0, "ratio", "<= 2")


class Answering:
    """A client whose jobs end with this result."""

    def __init__(self, **result):
        self.result = {"name": "dot", "detail": None, "time": None, **result}

    def call(self, *_):
        return None

    def notification(self):
        return {"result": self.result}


class Table(unittest.TestCase):
    def run_all(self, *modules):
        lines = []
        figures, status = bench.run_all(modules, None, lambda line, **_: lines.append(str(line)))
        return figures, status, lines

    def test_a_row_says_which_reading_prevented_its_figure_and_the_others_follow(self):
        figures, status, lines = self.run_all(module({"first": "<= 2", "second": "<= 2"}, half),
                                              module({"ratio": "<= 2"}, wrong),
                                              module({"fast": "<= 2", "slow": "<= 2"}, good))
        self.assertEqual(["first", "second", "ratio", "fast", "slow"], [f.name for f in figures])
        self.assertEqual(3, status)
        self.assertIn(f"second none - <=2 short: {LOST}", lines)
        self.assertIn("ratio none - <=2 short: ZeroDivisionError: division by zero", lines)
        self.assertEqual(LOST, figures[1].as_json()["why"])

    def test_the_whole_table_stands_at_the_end(self):
        figures, _, lines = self.run_all(module({"fast": "<= 2", "slow": "<= 2"}, good))
        self.assertEqual(["\n2 figures, 1 short", *map(str, figures)], lines[2:])

    def test_a_figure_that_its_module_forgot_is_short(self):
        [forgotten], status, _ = self.run_all(module({"first": "<= 2"}, lambda _: iter(())))
        self.assertEqual((None, False, 1), (forgotten.value, forgotten.ok, status))

    def test_a_module_that_does_not_end_is_left(self):
        def endless(_):
            while True:
                time.sleep(1)
            yield

        self.addCleanup(setattr, bench, "LIMIT_S", bench.LIMIT_S)
        bench.LIMIT_S = 1
        [late], _, _ = self.run_all(module({"late": "<= 2"}, endless))
        self.assertEqual("not done after 1 s", late.why)

    def test_the_exit_status_never_has_another_meaning(self):
        names = {f"figure{i}": "<= 2" for i in range(100)}
        _, status, _ = self.run_all(module(names, lambda _: iter(())))
        self.assertEqual(63, status)

    def test_a_module_that_cannot_be_imported_has_a_row(self):
        with tempfile.TemporaryDirectory() as directory:
            (pathlib.Path(directory) / "bench_lost.py").write_text("import no_such_module\n")
            sys.path.append(directory)
            self.addCleanup(sys.path.remove, directory)
            [lost] = bench.chosen([], pathlib.Path(directory))
        [row], status, _ = self.run_all(lost)
        self.assertEqual(("bench_lost", 1), (row.name, status))
        self.assertIn("no_such_module", row.why)


class Results(unittest.TestCase):
    def test_a_job_without_a_time_is_named_with_its_outcome(self):
        with self.assertRaisesRegex(Unmeasured, "dot: internal: not cold"):
            result_of(Answering(status="internal", detail="not cold"), {})
        with self.assertRaisesRegex(Unmeasured, "dot: wrong_answer"):
            result_of(Answering(status="wrong_answer", time={"value_ns": 1}), {})

    def test_a_time_beside_noise_is_one(self):
        result = {"status": "too_noisy", "time": {"value_ns": 1}}
        self.assertEqual(1, result_of(Answering(**result), {})["time"]["value_ns"])


class Intervals(unittest.TestCase):
    def time(self, value, interval, estimator="median"):
        wide = {"ci95_ns": [0, 1000]}
        return {"value_ns": value, "estimator": estimator, "ci95_ns": interval, "normalised": wide}

    def test_an_interval_is_the_reported_value_s_own(self):
        self.assertEqual([9, 11], bench_processes.interval_of(self.time(10, [9, 11])))
        normalised = self.time(10, [9, 11], "normalised")
        self.assertEqual([0, 1000], bench_processes.interval_of(normalised))

    def test_those_that_hold_the_median_of_all_runs_are_counted_and_none_holds_nothing(self):
        times = [self.time(10, [9, 11]), self.time(12, [11, 13]), self.time(10, None)]
        self.assertEqual(1, bench_processes.holding(times))


class Applications(unittest.TestCase):
    def case(self, name, why=None, **ns):
        case = bench_apps.Case(name, None)
        case.why = why
        for what, value in ns.items():
            case.add(what, value)
        return case

    def test_those_within_the_limit_are_counted_and_the_others_say_why(self):
        cases = [self.case("near", cold=103, first=100), self.case("far", cold=80, first=100),
                 self.case("lost", why="lost: internal: not cold", first=100)]
        self.assertEqual((1, "lost: lost: internal: not cold"),
                         bench_apps.within(cases, "cold", "first", 0.05))

    def test_loud_calls_of_an_application_do_not_count(self):
        quiet, loud = [(100, 10), (102, 10.1), (300, 20)], [(300, 20)]
        self.assertEqual(101, bench_apps.apps.typical_ns([quiet, quiet, quiet, loud]))
        self.assertEqual(300, bench_apps.apps.typical_ns([loud, loud, loud]))

    def test_a_step_that_fails_ends_the_case_alone(self):
        case = self.case("lost")

        def fails(_):
            raise RuntimeError("lost: too_noisy: no quiet")

        case.attempt(fails)
        case.attempt(lambda _: self.fail("it went on"))
        self.assertEqual("lost: too_noisy: no quiet", case.why)


if __name__ == "__main__":
    unittest.main()
