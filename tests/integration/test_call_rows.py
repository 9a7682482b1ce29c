# SPDX-License-Identifier: Apache-2.0
# not for sanitizers: its jobs take the ways of other programs', and it looks at what results say
"""What a call finds besides its operands, in the results of a real daemon."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import RpcError, assert_count  # noqa: E402
from kernels import WithDaemon, spec_of  # noqa: E402

TRIES = 20
SUM = "double sum(int n, const double *x)"
TEXT = SUM + " { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }"


def sum_spec(**members):
    return spec_of(SUM, {"n": "N", "x": {"dims": ["N"]}}, {"N": 500}, reference=TEXT, **members)


class Calls(WithDaemon):
    def has_warm(self, result):
        """
        A cold time has the same with warm operands beside it, unless three samples took longer than
        an order of them may (40 ms), however quick the one that took least.
        """
        evidence = result["evidence"]
        if "warm_ns" not in evidence:
            self.assertGreaterEqual(result["stages_ms"]["run"], 13 * evidence["taken"])
            return False
        self.assertGreater(evidence["warm_ns"], 0)
        return True

    def assert_refused(self, member, spec, **job):
        with self.assertRaises(RpcError) as refused:
            self.time_one(spec, TEXT, **job)
        self.assertEqual("jobs[0]." + member, refused.exception.data["member"])
        return refused.exception.data

    def with_cold_code(self, context):
        """A switch to another thread voids a proof: then the job is done again."""
        spec = sum_spec(context=context, code="cold", timing={"samples": 31})
        for _ in range(TRIES):
            result = self.assert_timed(self.time_one(spec, TEXT))
            if result["evidence"]["code"]["read"] or isinstance(result["evidence"]["sentinel"], str):
                break
        return result

    def test_X9_cold_code_is_flushed_before_each_call_and_the_result_has_the_proof(self):
        for context in ("warm", "cold", {"flush_level": "L2"}):
            result = self.with_cold_code(context)
            technique, evidence = result["technique"], result["evidence"]
            self.assertEqual(("cold", 1), (technique["code"], technique["calls"]))
            assert_count(self, 31, result)
            self.assertNotIn("InstLdGuard", technique["guards"])
            self.assertLessEqual(evidence["code"]["not_cold"], evidence["code"]["read"])
            if isinstance(evidence["sentinel"], dict):
                self.assertGreater(evidence["code"]["read"], 0)
            self.has_warm(result)
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
        cold = self.assert_timed(self.time_one(sum_spec(context="cold"), TEXT))
        if self.has_warm(cold):
            self.assertIn(cold["evidence"]["warm_calls"], range(1, 129))
        for _ in range(TRIES):      # a first call that is held up is not looked at
            warm = self.assert_timed(self.time_one(sum_spec(context="warm"), TEXT))
            if "warm_calls" in warm["evidence"]:
                break
        self.assertIn(warm["evidence"]["warm_calls"], range(1, 129))

    def test_X18_calls_wait_for_each_other_where_that_is_asked_for(self):
        for serialised in (False, True):
            result = self.assert_timed(self.time_one(
                sum_spec(timing={"calls": 20, "serialised": serialised}), TEXT))
            self.assertIs(serialised, result["technique"]["serialised"])
        flush = {"bytes": 4 << 20}      # sets for all of a large cache may take minutes to make
        walks = self.time_one(sum_spec(context="cold", timing={"calls": 5, "flush": flush}), TEXT)
        self.assertIs(True, self.assert_timed(walks)["technique"]["serialised"])
        one = self.time_one(sum_spec(timing={"calls": 1, "serialised": True}), TEXT)
        self.assertNotIn("serialised", self.assert_timed(one)["technique"])

    def test_X18_a_difference_of_serialised_calls_is_refused(self):
        self.assert_refused("spec.timing.serialised",
                            sum_spec(timing={"difference": True, "serialised": True}))


if __name__ == "__main__":
    unittest.main()
