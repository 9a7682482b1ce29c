#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A variant that is slower than the submitter knows how to be is given up; its bound is never a time."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import DaemonTest, RealDaemonTest, RpcError, job  # noqa: E402
from schemas import validator  # noqa: E402
from test_cli import WithDaemon  # noqa: E402


def variant(ns, name=None):
    source = f"/* takes {ns} ns */\nint same(const int N) {{ return N; }}\n"
    return {"name": name or f"{ns}", "language": "c", "source": source}


SPEC = {name: value for name, value in job()["spec"].items() if name != "timing"}


def timing_of(ns, **members):
    return job(variant=variant(ns), spec=SPEC, **members)


def racing(ns, above_ns, **members):
    return timing_of(ns, race={"above_ns": above_ns}, **members)


class RaceTest(DaemonTest):
    flags = ("--reuse-results", "yes")

    def assert_raced(self, result, bound_ns):
        self.assertEqual([], [e.message for e in validator("result").iter_errors(result)])
        time = result["time"]
        self.assertEqual(("ok", True, bound_ns, None, 5), (result["status"], time["raced"], time["bound_ns"],
                                                           time["value_ns"], time["count"]))
        self.assertIsNone(result["rate"])
        self.assertEqual("race", result["technique"]["ended_by"])

    def assert_timed(self, result, ns):
        self.assertEqual(("ok", ns, 11), (result["status"], result["time"]["value_ns"], result["time"]["count"]))
        self.assertNotIn("raced", result["time"] or {})
        self.assertNotIn("bound_ns", result["time"])

    def test_D11_a_slower_variant_has_a_bound_and_a_faster_one_its_time(self):
        slow, fast, equal = self.daemon.run(racing(30, 20), racing(10, 20), racing(20, 20))
        self.assert_raced(slow, 30)
        self.assert_timed(fast, 10)
        self.assert_timed(equal, 20)

    def test_D11_a_raced_result_is_given_to_no_other_job_and_a_whole_one_is(self):
        raced, = self.daemon.run(racing(31, 20))
        whole, = self.daemon.run(timing_of(31))
        self.assertNotIn("repeat_of", whole)
        self.assert_timed(whole, 31)
        again, = self.daemon.run(racing(31, 20))
        self.assertEqual(whole["job"], again["repeat_of"])
        self.assert_timed(again, 31)
        for above_ns in (21, 20):
            other, = self.daemon.run(racing(32, above_ns))
            self.assertNotIn("repeat_of", other)
            self.assert_raced(other, 32)
        self.assert_raced(raced, 31)

    def test_D11_equal_jobs_that_are_alive_at_once_do_not_share_a_bound(self):
        for result in self.daemon.run(*[racing(33, 20), timing_of(33)] * 4):
            if "raced" in result["time"]:
                self.assertNotIn("repeat_of", result)
                self.assert_raced(result, 33)
            else:
                self.assert_timed(result, 33)

    def test_D11_a_sweep_ranks_times_alone_and_its_yardstick_is_timed_whole(self):
        self.daemon.call("sweep.create", {"sweep": {
            "name": "raced", "spec": SPEC, "variants": [variant(ns) for ns in (50, 12, 40, 11, 60)],
            "race": {"above_ns": 20}, "fresh": True,
            "yardstick": {"every": 2}}})
        self.daemon.call("job.wait", {"sweep": "raced"})
        best = self.daemon.call("results.best", {"sweep": "raced", "top": 10})
        self.assertEqual([11, 12], [r["time"]["value_ns"] for r in best["results"]])
        found = self.daemon.call("results.query", {"sweep": "raced", "limit": 100})["results"]
        marks = [r for r in found if r.get("yardstick")]
        self.assertEqual([50] * 4, [r["time"]["value_ns"] for r in marks])
        self.assertEqual([40, 50, 60], sorted(r["time"]["bound_ns"] for r in found if r["time"].get("raced")))
        fastest = self.daemon.call("results.query", {"sweep": "raced", "order": "fastest", "limit": 100})["results"]
        self.assertFalse([r for r in fastest if "raced" in r["time"]])
        shown = self.daemon.call("sweep.get", {"sweep": "raced"})
        self.assertEqual({"ok": len(found)}, shown["statuses"])
        self.assertEqual((4, 50, 50), tuple(shown["drift"][name] for name in ("timings", "first_ns", "last_ns")))

    def refused(self, bad):
        with self.assertRaises(RpcError) as caught:
            self.daemon.call("job.submit", {"jobs": [bad]})
        return caught.exception

    def test_D11_what_has_no_bound_is_refused_with_the_remedy(self):
        refused = [({"timing": {"estimator": "min"}}, {}, 'estimator is "min"', "median"),
                   ({"timing": {"layout": "random"}}, {}, "layout", "leave race out"),
                   ({"timing": {"gate": False}}, {}, "gate is false", "or gate"),
                   ({"timing": {"samples": 4}}, {}, "asks for 4 samples", "spec.timing.samples"),
                   ({"timing": {"processes": 3}}, {}, "asks for 3 processes", "spec.timing.processes"),
                   ({}, {"against": variant(1)}, "a comparison ends by a rule of its own", "or against"),
                   ({}, {"yardstick": True}, "timed whole", "or yardstick")]
        for members, of_job, text, hint in refused:
            with self.subTest(text=text):
                error = self.refused({**racing(5, 1), "spec": {**SPEC, **members}, **of_job})
                self.assertEqual("jobs[0].race", error.data["member"])
                self.assertIn(text, json.loads(str(error))["message"])
                self.assertIn(hint, error.data["hint"])
        for above, text in ((-1, "0 to 1e+18"), ("1", "number"), (None, "number"), (2e18, "0 to 1e+18")):
            with self.subTest(above=above):
                error = self.refused(racing(5, above))
                self.assertEqual("jobs[0].race.above_ns", error.data["member"])
                self.assertIn(text, json.loads(str(error))["message"])


class CommandTest(WithDaemon):
    """The replay worker by the command line."""

    def test_D11_submit_and_sweep_take_the_bound_and_the_table_says_what_was_given_up(self):
        jobs = self.file("jobs.json", [timing_of(ns) for ns in (30, 10)])
        ran = self.assay("submit", "-f", "--race", "20", jobs)
        self.assertIn("given up: slower than 30.00 ns", ran.stdout)
        self.assertEqual(1, ran.stdout.count("given up"))
        sweep = self.file("sweep.json", {"name": "by hand", "spec": SPEC,
                                         "variants": [variant(ns) for ns in (30, 10, 40)]})
        self.assay("sweep", "create", "-f", "--race", "20", sweep)
        best = json.loads(self.assay("best", "by hand", "--json", "--top", "9").stdout)
        self.assertEqual([10], [r["time"]["value_ns"] for r in best["results"]])
        table = self.assay("results", "--sweep", "by hand", "--csv").stdout.splitlines()
        at = table[0].split(",").index("bound_ns")
        self.assertEqual(["", "30.0", "40.0"], sorted(line.split(",")[at] for line in table[1:]))

    def test_D11_a_file_that_races_is_compared_whole(self):
        spec = self.file("raced.json", {"spec": SPEC, "race": {"above_ns": 1}})
        sources = [self.file(f"{ns}.c", variant(ns)["source"]) for ns in (30, 10)]
        self.assertIn("faster", self.assay("compare", spec, *sources).stdout)

    def test_D11_tune_gives_the_search_the_bound_of_what_the_daemon_gave_up(self):
        bowl = {"language": "c", "source": "/* bowl 100 ns X=5 Y=0 */\nint same(const int N) { return N; }\n"}
        document = self.file("bowl.json", {"name": "bowl", "spec": SPEC, "template": bowl,
                                           "space": {"X": [5, 6, 7, 9], "Y": [0]}})
        found = json.loads(self.assay("tune", "--race", "--strategy", "exhaustive", "--window", "1", "--top", "1",
                                      "-n", "4", "--json", document).stdout)
        ends = {r["point"]["X"]: (r["cells"][0]["status"], r["value"]) for r in found["records"]}
        self.assertEqual({5: ("ok", 100), 6: ("ok", 101), 7: ("ok", 104), 9: ("stopped", 116)}, ends,
                         "a margin of 5 % over the best, 100 ns")
        self.assertEqual({"X": 5, "Y": 0}, found["winner"]["point"])
        stopped, = (r["cells"][0] for r in found["records"] if r["cells"][0]["status"] == "stopped")
        self.assertEqual(116, stopped["bound_ns"])
        self.assertIn("exclude each other", self.assay("tune", "--race", "--no-race", document, code=64).stderr)


TRIES = 5


class RealTest(RealDaemonTest):
    """Real kernels: what is given up depends on the order of magnitude alone."""
    TEXT = ("double sum(const int N, const double *X) "
            "{ double s = 0; for (int i = 0; i < N; i++) s += X[i] * X[i]; return s; }")

    def test_D11_1_ns_is_too_fast_for_any_kernel_and_a_quarter_of_an_hour_for_none(self):
        for context in ("warm", "cold"):
            spec = {"routine": "double sum(const int N, const double *X)", "params": {"N": 4000}, "context": context,
                    "args": {"N": "N", "X": {"dims": ["N"], "init": "random"}}, "timing": {"budget_ms": 3000},
                    "check": {"reference": {"language": "c", "source": self.TEXT}, "rtol": 1e-9}}
            for above_ns in (1, 1e12):
                with self.subTest(context=context, above_ns=above_ns):
                    job = {"variant": {"language": "c", "source": self.TEXT}, "spec": spec, "race": {"above_ns": above_ns}}
                    self.assert_raced(self.one_that_raced(job)) if above_ns == 1 else self.assert_not_raced(self.one(job))

    def one(self, job):
        result, = self.daemon.run(job)
        self.assertEqual([], [e.message for e in validator("result").iter_errors(result)])
        return result

    def one_that_raced(self, job):
        """Samples beside a neighbour count for nothing here, so a busy host may have nothing to give up on."""
        for _ in range(TRIES):
            result = self.one(job)
            if result["technique"]["ended_by"] == "race":
                return result
            self.assertNotIn("raced", result["time"] or {})
        self.skipTest(f"the host was too busy {TRIES} times: {result['technique']['ended_by']}")

    def assert_raced(self, result):
        time = result["time"]
        self.assertEqual("ok", result["status"])
        self.assertIs(True, time["raced"])
        self.assertGreater(time["bound_ns"], 1)
        self.assertLess(time["bound_ns"], time["max_ns"] * 1.000001)
        self.assertIsNone(time["value_ns"])
        self.assertGreaterEqual(len(set(time["process"])) if time["processes"] else time["count"], 5)
        self.assertTrue(result["check"]["passed"])

    def assert_not_raced(self, result):
        self.assertNotIn("raced", result["time"] or {})
        self.assertNotEqual("race", result["technique"]["ended_by"])


if __name__ == "__main__":
    unittest.main()
