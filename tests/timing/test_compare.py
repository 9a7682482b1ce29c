# SPDX-License-Identifier: Apache-2.0
"""Verdicts about two variants that differ by a factor, and about one and itself."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import RealDaemonTest  # noqa: E402
from totals import PLAIN, SLOW, spec, variant  # noqa: E402


class Comparing(RealDaemonTest):
    def compare(self, against, source, how=None, **members):
        (result,) = self.daemon.run({"variant": variant(source, "b"),
                                     "against": variant(against, "a"),
                                     "spec": how or spec(), **members})
        self.assertEqual("ok", result["status"], result["detail"])
        c = result["comparison"]
        low, high = c["interval"]
        print(f"{c['verdict']}, {c['ratio']:.4f} ({low:.4f} to {high:.4f}), {c['pairs']} pairs,",
              " and ".join(c["trust"]))
        return c

    def test_W63_the_faster_of_two_really_different_kernels_is_found(self):
        for against, source, verdict, winner in ((SLOW, PLAIN, "faster", "b"),
                                                 (PLAIN, SLOW, "slower", "a")):
            c = self.compare(against, source)
            self.assertEqual((verdict, winner, "interval"),
                             (c["verdict"], c["winner"], c["ended_by"]))
            self.assertGreaterEqual(c["pairs"], 11)
            self.assertEqual(["audited", "audited"], c["trust"])

    def test_W64_a_kernel_is_as_fast_as_itself_and_the_smaller_wins_a_tie(self):
        how = {"resolution": 0.5, "tie_break": "size"}
        same = self.compare(PLAIN, PLAIN, compare=how)
        self.assertEqual(("indistinguishable", None), (same["verdict"], same["winner"]))
        larger = PLAIN + '\nvoid never(void) { __asm__ volatile (".skip 4096"); }'
        tie = self.compare(larger, PLAIN, compare=how)
        self.assertEqual(("indistinguishable", "b", "size"),
                         (tie["verdict"], tie["winner"], tie["tie_broken_by"]))

    def test_cold_contexts_are_compared_by_each_method(self):
        for method in ("OneCallFlushX86", "OneCallFlushLRU", "MultiCallFlushLRU"):
            how = spec("cold", flush={"method": method})
            self.assertEqual(11, self.compare(SLOW, PLAIN, how, compare={"max_pairs": 11})["pairs"],
                             method)


if __name__ == "__main__":
    unittest.main()
