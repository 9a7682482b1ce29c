# SPDX-License-Identifier: Apache-2.0
"""
What a routine feels of where its operands are (Whaley and Castaldo, sections 3 to 5), on the real
daemon.  A time is the least of six turns, in each of which all that are compared are timed once:
others make each longer and none shorter.
"""
import pathlib
import statistics
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from chase import METHODS, job, spec, strided_spec  # noqa: E402
from harness import RealDaemonTest, assert_timed  # noqa: E402

TURNS = 6


class CacheRows(RealDaemonTest):
    def results(self, *specs):
        return [assert_timed(self, result) for result in self.daemon.run(*map(job, specs))]

    def least_ns(self, what, *specs):
        turns = [[r["time"]["min_ns"] for r in self.results(*specs)] for _ in range(TURNS)]
        least = [min(times) for times in zip(*turns)]
        print(f"{what}:", *(f"{ns:.0f}" for ns in least), "ns")
        return least

    def assert_cold_by_proof(self, result):
        sentinel = result["evidence"]["sentinel"]
        self.assertIsInstance(sentinel, dict)
        self.assertLessEqual(2 * sentinel["not_cold"], sentinel["read"])

    def test_W30_W41_one_operand_held_warm_beside_a_cold_one_lies_between_the_extremes(self):
        for method in METHODS:
            def how(p, q):
                return spec("cold", p, q, samples=7, gate=False, flush={"method": method})
            warm, p_warm, q_warm, cold = self.least_ns(
                f"{method}: both warm, P warm, Q warm, both cold",
                spec("warm", samples=7, gate=False),
                how("warm", "cold"), how("cold", "warm"), how("cold", "cold"))
            for mixed in (p_warm, q_warm):
                self.assertGreater(mixed, 1.5 * warm, method)
                self.assertGreater(cold, 1.2 * mixed, method)

    def test_W29_W40_P40_the_more_is_flushed_the_longer_it_takes(self):
        caches = self.daemon.call("host.get")["caches"]
        levels = [level for level in ("L1", "L2", "L3") if caches.get(level.lower() + "_bytes")]
        warm, *flushed = self.least_ns(f"warm, flushed {', '.join(levels)}", *(
            spec(c, samples=15, gate=False) for c in ["warm",
                                                      *({"flush_level": level}
                                                        for level in levels)]))
        self.assertGreater(flushed[0], 1.3 * warm)
        self.assertGreater(flushed[-1], (1.5 if len(flushed) > 1 else 1) * flushed[0] - 1)
        for less, more in zip(flushed, flushed[1:]):
            self.assertGreater(more, 0.9 * less)

        sizes = [0, 2 * caches["l1_bytes"], 2 * caches[levels[-1].lower() + "_bytes"]]
        none, some, much = self.least_ns("flushed " + ", ".join(f"{n >> 10} KiB" for n in sizes), *(
            spec({"flush_bytes": n} if n else "warm", samples=15, gate=False) for n in sizes))
        self.assertGreater(some, 1.3 * none)
        self.assertGreater(much, 1.3 * some)

    def test_W28_flushing_line_by_line_and_by_reading_give_about_the_same_time(self):
        lines, reading = self.least_ns(f"{METHODS[0]}, {METHODS[1]}", *(
            spec("cold", samples=15, gate=False, flush={"method": m}) for m in METHODS[:2]))
        self.assertLess(max(lines, reading), 1.3 * min(lines, reading))

    def test_W34_a_walk_forward_is_helped_by_the_prefetcher_and_one_backward_is_not(self):
        """
        Each set is read from its beginning on: forward, the next one is what a prefetcher guesses.
        """
        routine = "double total(const double *X)"
        text = routine + " { double s = 0; for (int i = 0; i < 256; i++) s += X[i]; return s; }"
        how = {"routine": routine, "args": {"X": {"dims": [256], "type": "double"}},
               "context": "cold"}
        jobs = [{"variant": {"source": text, "flags": ["-O3", "-ffast-math"]},
                 "spec": {**how, "timing": {
            "samples": 15, "gate": False, "flush": {"method": METHODS[2], "walk": walk}}}}
            for walk in ("forward", "backward", "random")]
        turns = [[assert_timed(self, r)["time"]["min_ns"] for r in self.daemon.run(*jobs)]
                 for _ in range(TURNS)]
        forward, backward, random = (min(times) for times in zip(*turns))
        print(f"sets forward, backward, at random: {forward:.0f} {backward:.0f} {random:.0f} ns")
        self.assertGreater(backward, 1.5 * forward)
        self.assertGreater(random, 1.5 * forward)

    def test_W38_a_strided_operand_is_cold_although_only_a_part_of_its_space_is_touched(self):
        warm, cold = self.least_ns("strided, warm and cold",
                                   strided_spec("warm", samples=9, gate=False),
                                   strided_spec("cold", samples=9, gate=False,
                                                flush={"method": "MultiCallFlushLRU"}))
        self.assertGreater(cold, 1.5 * warm)

    def test_W42_the_first_sample_of_working_sets_is_as_cold_as_the_others(self):
        how = spec("cold", samples=5, calls=8, gate=False,
                   flush={"method": "MultiCallFlushLRU", "walk": "backward"})
        shares = []
        for result in self.results(*[how] * 5):
            first, *others = result["time"]["samples_ns"]
            shares.append(first / statistics.median(others))
            self.assert_cold_by_proof(result)
        print("the first of five samples over the median of the others:",
              *(f"{s:.2f}" for s in shares))
        self.assertGreater(statistics.median(shares), 0.6)
        self.assertLess(statistics.median(shares), 1.7)

    def test_W51_W52_the_dummy_call_comes_before_the_flush(self):
        """
        One sample is one order: had the call come after the flush, it would have brought its
        operands in.
        """
        warm, *cold = self.least_ns(f"warm, then one sample by {', '.join(METHODS)}",
                                    spec("warm", samples=3, gate=False),
                                    *(spec("cold", samples=1, gate=False, flush={"method": m})
                                      for m in METHODS))
        for ns in cold:
            self.assertGreater(ns, 1.5 * warm)

    def test_P38_what_a_flush_costs_is_in_no_time(self):
        areas = [spec("cold", samples=3, gate=False,
                      flush={"method": "OneCallFlushLRU", "bytes": n << 20})
                 for n in (128, 256)]
        small, large = self.least_ns("after 128 and 256 MiB were read",
                                     *areas)     # which takes milliseconds
        self.assertLess(large, 200e3)
        self.assertLess(large, 1.7 * small)


if __name__ == "__main__":
    unittest.main()
