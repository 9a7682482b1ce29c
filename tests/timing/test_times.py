# SPDX-License-Identifier: Apache-2.0
"""
What is measured of real kernels and of routines whose times are known, and how far it can be
trusted.
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from chase import METHODS  # noqa: E402
from kernels import WithDaemon, dot_spec, source, spec_of, variant  # noqa: E402


class Times(WithDaemon):
    def test_P31_a_flushed_call_is_slower_than_one_on_operands_in_cache(self):
        fast = variant(source("dot_unroll.c"), flags=("-O3",), UNROLL=8)
        warm, = self.time_all(dot_spec(context="warm", params={"N": 1000}), fast)
        warm_ns = self.assert_timed(warm)["time"]["min_ns"]
        for method in METHODS:
            cold, = self.time_all(dot_spec(context="cold", params={"N": 1000},
                                           timing={"flush": {"method": method}}), fast)
            cold_ns = self.assert_timed(cold)["time"]["median_ns"]
            print(f"{method}: {cold_ns:.0f} ns, warm {warm_ns:.0f} ns")
            self.assertGreater(cold_ns, 1.2 * warm_ns, method)

    def test_P37_calls_too_short_for_the_clock_are_measured_together(self):
        result = self.assert_timed(self.time_one(spec_of("int one(int a)", {"a": 1}),
                                                 "int one(int a) { return a; }"))
        median_ns, calls = result["time"]["median_ns"], result["technique"]["calls"]
        print(f"{median_ns:.2f} ns, {calls} calls a sample")
        self.assertGreater(calls, 100)
        self.assertLess(median_ns, 20)

    def test_X1_a_branchy_kernel_follows_the_order_of_its_data(self):
        """Its branch is taken by half of the elements: the core guesses in random ones, and knows in sorted ones."""
        text = """int f(int n, const int *x) { int s = 0; for (int i = 0; i < n; i++)
                  if (x[i] > 50) { s++; __asm__ volatile("" : "+r"(s)); } return s; }"""
        ns = {}
        for order in ("random", "nearly_sorted", "sorted"):
            init = {"random": {"min": 1, "max": 100, "order": order}}
            result = self.assert_timed(self.time_one(spec_of(
                "int f(int n, const int *x)", {"n": 10000, "x": {"dims": [10000], "init": init}},
                context="warm", data={"rotate": 64}), text))
            ns[order] = result["time"]["median_ns"]
        print(", ".join(f"{order} {time:.0f} ns" for order, time in ns.items()))
        self.assertGreater(ns["random"], 1.5 * ns["sorted"])
        self.assertGreater(ns["random"], 1.2 * ns["nearly_sorted"])

    def test_P25_P26_P27_each_clock_finds_a_nap_and_a_computation(self):
        nap = "#include <unistd.h>\nvoid f(void) { usleep(20000); }\n"
        burn = """void f(void) { unsigned long x = 3; for (long i = 0; i < 2000000; i++)
                  { x *= 3; __asm__ volatile("" : "+r"(x)); } }"""
        spec = {c: spec_of("void f(void)", {}, timing={"clock": c, "samples": 3, "calls": 1})
                for c in ("wall", "cycle", "cpu")}
        naps, burns = ({c: self.assert_timed(self.time_one(s, text))["time"]["min_ns"]
                        for c, s in spec.items()}
                       for text in (nap, burn))
        for what, times in (("a nap of 20 ms", naps), ("a computation", burns)):
            print(f"{what}:", ", ".join(f"{clock} {ns / 1e6:.3f} ms"
                                        for clock, ns in times.items()))
        for clock in ("wall", "cycle"):
            self.assertTrue(20e6 <= naps[clock] * 1.001 and naps[clock] < 21e6)
        self.assertLess(naps["cpu"], 1e6)
        self.assertLess(max(burns.values()), 1.1 * min(burns.values()))

    def test_honest_work_ends_ok_and_is_audited(self):
        variants = [variant(source("dot_plain.c"), "plain"),
                    variant(source("dot_unroll.c"), "unroll4", UNROLL=4),
                    variant(source("dot_prefetch.c"), "prefetch")]
        for context in ("warm", "cold"):
            for result in self.time_all(dot_spec(context=context), *variants):
                print(f"{context} {result['name']}: {result['status']}, {result['trust']}",
                      result["detail"] or "")
                self.assertEqual(("ok", "audited"), (result["status"], result["trust"]))


if __name__ == "__main__":
    unittest.main()
