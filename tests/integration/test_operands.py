# SPDX-License-Identifier: Apache-2.0
"""
What an operand is when a routine is called, on the real daemon: the state of its lines.  Which of
these can be had together is in the result, and refusals name the member.
"""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import RealDaemonTest, RpcError, assert_timed  # noqa: E402

STENCIL = "void step(long n, const double *x, double *y)"
STEP = STENCIL + """
{
	for (long i = 1; i + 1 < n; i++)
		y[i] = x[i - 1] - 2 * x[i] + x[i + 1];
}"""
SIZE = 20000


def stencil(x=None, y=None, **members):
    args = {"n": "N", "x": {"dims": ["N"]} | (x or {}),
            "y": {"dims": ["N"], "access": "out"} | (y or {})}
    return {"routine": STENCIL, "params": {"N": SIZE}, "args": args,
            "check": {"reference": {"source": STEP}}} | members


class OperandsTest(RealDaemonTest):
    def results(self, *specs, source=STEP):
        jobs = [{"variant": {"source": source}, "spec": spec} for spec in specs]
        return [assert_timed(self, result) for result in self.daemon.run(*jobs)]

    def assert_spec_refused(self, spec, member, words, source=STEP):
        with self.assertRaises(RpcError) as refused:
            self.daemon.call("job.submit", {"job": {"variant": {"source": source}, "spec": spec}})
        said = json.dumps(refused.exception.data)
        self.assertEqual("bad_spec", refused.exception.word)
        self.assertIn(member, said)
        self.assertIn(words, said)


class States(OperandsTest):
    def states(self, result):
        operands = result["technique"]["operands"]
        return {name: (o["cache"], o["state"]) for name, o in operands.items()}

    def test_each_state_is_timed_and_recorded_with_the_operand(self):
        cold, warm, dirty, clean, placed, part = self.results(
            stencil(), stencil(context="warm"), stencil({"state": "dirty"}, context="warm"),
            stencil(None, {"state": "clean"}, context="warm"),
            stencil({"cache": "L2", "state": "dirty"}, {"cache": "L3", "state": "clean"}),
            stencil({"state": "dirty"}, context={"flush_bytes": 65536}))
        self.assertEqual({"x": ("cold", "clean"), "y": ("cold", "clean")}, self.states(cold))
        self.assertEqual({"x": ("warm", "clean"), "y": ("warm", "dirty")}, self.states(warm))
        self.assertEqual({"x": ("warm", "dirty"), "y": ("warm", "dirty")}, self.states(dirty))
        self.assertEqual({"x": ("warm", "clean"), "y": ("warm", "clean")}, self.states(clean))
        self.assertEqual({"x": ("L2", "dirty"), "y": ("L3", "clean")}, self.states(placed))
        self.assertEqual({"x": ("part", "dirty"), "y": ("part", "dirty")}, self.states(part))
        for result in (dirty, clean, placed, part):
            self.assertEqual(1, result["technique"]["calls"])
        self.assertGreater(warm["technique"]["calls"], 1)

    def test_pages_that_the_template_shares_are_copied_before_any_region(self):
        """A store into a shared page would be a fault in each sample, or in the first one."""
        for dims in (SIZE, 1 << 20):
            result, = self.results(stencil({"state": "dirty"}, context="warm", params={"N": dims}))
            self.assertEqual(0, result["evidence"]["own_faults"], dims)

    def test_a_dirty_input_holds_what_a_clean_one_holds_in_the_same_runner(self):
        """The three jobs share a template, and the reference is called on operands as they are."""
        results = self.results(stencil(context="warm"), stencil({"state": "dirty"}, context="warm"),
                               stencil(context="warm"))
        self.assertTrue(all(r["check"]["passed"] for r in results))
        self.assertEqual(1, len({r["driver"] for r in results}))

    def test_dirty_operands_are_timed_in_a_comparison_and_in_layouts(self):
        spec = stencil({"state": "dirty"}, context="warm")
        job = {"variant": {"source": STEP}, "spec": spec, "against": {"source": STEP}}
        result, = self.daemon.run(job)
        self.assertGreaterEqual(assert_timed(self, result)["comparison"]["pairs"], 11)
        swept, = self.results(spec | {"timing": {"layout": "sweep", "layouts": 4, "samples": 3}})
        self.assertEqual(4, swept["layout"]["layouts"])

    def test_a_state_that_cannot_be_is_refused_with_a_remedy(self):
        self.assert_spec_refused(stencil({"state": "dirty"}), "spec.args.x.state", "set cache to")
        self.assert_spec_refused(stencil({"state": "wet"}, context="warm"), "spec.args.x.state",
                                 "clean")
        self.assert_spec_refused(stencil({"cache": "warm", "state": "dirty"},
                                         timing={"flush": {"method": "MultiCallFlushLRU"}}),
                                 "spec.timing.flush.method", "several calls a sample")
        self.assert_spec_refused(stencil({"state": "dirty"}, context="warm",
                                         timing={"range_guard": "separate"}),
                                 "spec.timing.range_guard", "leave one of them out")


if __name__ == "__main__":
    unittest.main()
