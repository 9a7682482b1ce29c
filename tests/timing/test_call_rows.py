# SPDX-License-Identifier: Apache-2.0
"""
What a call finds besides its operands: its code in a cache or not, and the call before it over or
not.
"""
import pathlib
import platform
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from kernels import WithDaemon, spec_of, variant  # noqa: E402

SCALE = "void scale(int n, double a, const double *x, double *y)"
TIMES = 64
ROLLED = SCALE + " { for (int i = 0; i < n; i++) y[i] = a * x[i]; }"
UNROLLED = (SCALE + f" {{ for (int i = 0; i < n; i += {TIMES}) {{\n"
            + "\n".join(f"y[i + {k}] = a * x[i + {k}];" for k in range(TIMES)) + " } }")
SIZE = {"N": 2 * TIMES}
CHAIN = "double chain(double x)"
MULTIPLICATIONS = 20
HIDE = '__asm__ volatile("" : "+x"(x)); ' if platform.machine() == "x86_64" else ""


def scale_spec(**members):
    return spec_of(SCALE, {"n": "N", "a": 1.5, "x": {"dims": ["N"]},
                           "y": {"dims": ["N"], "access": "out", "init": 0}},
                   SIZE, reference=ROLLED, timing={}, **members)


class Calls(WithDaemon):
    def both_ns(self, **members):
        flags = ("-O1", "-fno-tree-vectorize")
        results = self.time_all(scale_spec(**members), variant(ROLLED, "rolled", flags),
                                variant(UNROLLED, "unrolled", flags))
        return [self.assert_timed(r)["time"]["median_ns"] for r in results]

    def test_X9_unrolling_wins_with_its_code_in_a_cache_and_loses_without(self):
        for context in ("warm", "cold"):
            warm, cold = self.both_ns(context=context), self.both_ns(context=context, code="cold")
            print(f"operands {context}: rolled and unrolled {TIMES} times",
                  *(f"{ns:.1f}" for ns in warm), "ns; code cold", *(f"{ns:.1f}" for ns in cold))
            self.assertGreater(cold[0], warm[0])
            self.assertGreater(cold[1], warm[1])
            if context == "warm":
                self.assertLess(warm[1], warm[0])
                self.assertGreater(cold[1], cold[0])

    def test_X18_a_chain_of_multiplications_overlaps_with_the_next_unless_calls_wait(self):
        text = CHAIN + " { " + f"x *= x; {HIDE}" * MULTIPLICATIONS + " return x; }"
        overlapping, serialised = (
            self.assert_timed(self.time_one(
                spec_of(CHAIN, {"x": 1.0}, timing={"serialised": s}), text))["time"]["median_ns"]
            for s in (False, True))
        print(f"a chain of {MULTIPLICATIONS} multiplications: {overlapping:.1f} ns overlapping, "
              f"{serialised:.1f} ns serialised")
        self.assertGreater(serialised, 1.5 * overlapping)


if __name__ == "__main__":
    unittest.main()
