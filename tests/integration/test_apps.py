# SPDX-License-Identifier: Apache-2.0
# not for sanitizers: its applications are none of ours, and its specs take the ways of others
"""
The applications that `make bench` holds times against: each builds, calls its routine and records
first and later calls; and its routine's spec is one that Assay times.
"""
import pathlib
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "bench")]
from harness import RealDaemonTest, assert_timed  # noqa: E402
import applications  # noqa: E402
import apps_specs  # noqa: E402
from lab import Lab  # noqa: E402

FEW = ("butterfly", "hash_find", "partition")		# the others differ in their routines alone


class Specs(RealDaemonTest):
    def test_each_routine_is_timed_under_its_spec_warm_and_cold(self):
        jobs = []
        for name, made in apps_specs.ALL.items():
            for context in ("warm", "cold"):
                spec = apps_specs.spec(made(), context)
                spec["timing"] = {"samples": 3, "gate": False, "trust": "claimed"}
                jobs.append({"variant": applications.variant(name), "spec": spec})
        for job, result in zip(jobs, self.daemon.run(*jobs)):
            with self.subTest(job["variant"]["name"], context=job["spec"]["context"]):
                assert_timed(self, result)

    def test_members_of_operands_are_put_into_a_copy_of_the_spec(self):
        app = apps_specs.axpy()
        placed = apps_specs.spec(app, "warm", {"x": {"cache": "L3"}})
        self.assertEqual("L3", placed["args"]["x"]["cache"])
        self.assertNotIn("cache", placed["args"]["y"])
        self.assertNotIn("cache", apps_specs.spec(app)["args"]["x"])


class Programs(unittest.TestCase):
    def test_an_application_records_its_first_and_later_calls(self):
        with tempfile.TemporaryDirectory() as directory:
            lab = Lab(directory=pathlib.Path(directory))
            shop = applications.Shop(lab)
            for name in FEW:
                with self.subTest(name):
                    calls = applications.in_application(lab, shop.application(name))
                    self.assertEqual({"first", "later"}, set(calls))
                    self.assertEqual(4, len(calls["first"]))
                    self.assertGreater(len(calls["later"]), 100)
                    self.assertTrue(all(ns > 0 and pace > 0 for ns, pace in calls["later"]))

    def test_nanobench_is_skipped_with_the_reason_where_its_header_is_not(self):
        self.addCleanup(setattr, applications, "NANOBENCH", applications.NANOBENCH)
        applications.NANOBENCH = None
        self.assertIn("NANOBENCH", applications.nanobench_is_missing())
        with tempfile.TemporaryDirectory() as directory:
            applications.NANOBENCH = directory
            self.assertIn("no nanobench.h", applications.nanobench_is_missing())
            (pathlib.Path(directory) / "nanobench.h").write_text("")
            self.assertIsNone(applications.nanobench_is_missing())


if __name__ == "__main__":
    unittest.main()
