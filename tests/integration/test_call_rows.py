# SPDX-License-Identifier: Apache-2.0
"""What a call finds besides its operands, in the results of a real daemon."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import RpcError, assert_count  # noqa: E402
from kernels import WithDaemon, spec_of  # noqa: E402

SUM = "double sum(int n, const double *x)"
TEXT = SUM + " { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }"


def sum_spec(**members):
    return spec_of(SUM, {"n": "N", "x": {"dims": ["N"]}}, {"N": 500}, reference=TEXT, **members)


class Calls(WithDaemon):
    def assert_refused(self, member, spec, **job):
        with self.assertRaises(RpcError) as refused:
            self.time_one(spec, TEXT, **job)
        self.assertEqual("jobs[0]." + member, refused.exception.data["member"])
        return refused.exception.data

    def test_X9_cold_code_is_flushed_before_each_call_and_the_result_has_the_proof(self):
        for context in ("warm", "cold", {"flush_level": "L2"}):
            result = self.assert_timed(self.time_one(
                sum_spec(context=context, code="cold", timing={"samples": 31}), TEXT))
            technique, evidence = result["technique"], result["evidence"]
            self.assertEqual(("cold", 1), (technique["code"], technique["calls"]))
            assert_count(self, 31, result)
            self.assertNotIn("InstLdGuard", technique["guards"])
            self.assertLessEqual(evidence["code"]["not_cold"], evidence["code"]["read"])
            if isinstance(evidence["sentinel"], dict) and technique["ended_by"] == "samples":
                self.assertGreater(evidence["code"]["read"], 0)
            self.assertGreater(evidence["warm_ns"], 0)
            self.assertEqual("claimed", result["trust"])
            self.assertTrue(evidence["claimed"])

    def test_X9_without_it_code_is_in_a_cache_and_nothing_is_proved_of_it(self):
        cold = self.assert_timed(self.time_one(sum_spec(context="cold"), TEXT))
        self.assertEqual("in cache", cold["technique"]["code"])
        self.assertNotIn("code", cold["evidence"])
        warm = self.assert_timed(self.time_one(sum_spec(), TEXT))
        self.assertNotIn("code", warm["technique"])

    def test_X9_what_cold_code_excludes_is_refused_by_its_member(self):
        for member, timing in (("spec.timing.calls", {"calls": 2}),
                               ("spec.timing.trust", {"trust": "audited"}),
                               ("spec.timing.flush.walk", {"flush": {"walk": "random"}})):
            said = self.assert_refused(member, sum_spec(context="cold", code="cold",
                                                        timing=timing))
            self.assertIn("code", said["hint"])

    def test_X4_calls_until_the_routine_was_warm_are_counted_in_warm_and_cold_results(self):
        for context in ("warm", "cold"):
            result = self.assert_timed(self.time_one(sum_spec(context=context), TEXT))
            self.assertIn(result["evidence"]["warm_calls"], range(1, 129), context)

    def test_X18_calls_wait_for_each_other_where_that_is_asked_for(self):
        for serialised in (False, True):
            result = self.assert_timed(self.time_one(
                sum_spec(timing={"calls": 20, "serialised": serialised}), TEXT))
            self.assertIs(serialised, result["technique"]["serialised"])
        walks = self.time_one(sum_spec(context="cold", timing={"calls": 5}), TEXT)
        self.assertIs(True, self.assert_timed(walks)["technique"]["serialised"])
        one = self.time_one(sum_spec(timing={"calls": 1, "serialised": True}), TEXT)
        self.assertNotIn("serialised", self.assert_timed(one)["technique"])

    def test_X18_a_difference_of_serialised_calls_is_refused(self):
        self.assert_refused("spec.timing.serialised",
                            sum_spec(timing={"difference": True, "serialised": True}))


if __name__ == "__main__":
    unittest.main()
