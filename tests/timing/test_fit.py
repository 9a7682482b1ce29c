# SPDX-License-Identifier: Apache-2.0
"""assay fit on a quiet host: the context that it finds gives the time that was asked for."""
import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, TREE  # noqa: E402
from kernels import WithDaemon, dot_spec, source, variant  # noqa: E402

SIZE = {"N": 20000}


class Fit(WithDaemon):
    def value_ns(self, context, args=None):
        fast = variant(source("dot_unroll.c"), flags=("-O3",), UNROLL=8)
        spec = dot_spec(context=context, params=SIZE)
        for name, members in (args or {}).items():
            spec["args"][name] = {**spec["args"][name], **members}
        result, = self.time_all(spec, fast)
        return self.assert_timed(result)["time"]["value_ns"]

    def fit(self, asked_ns, band):
        done = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "--json", "fit", "--time",
                               f"{asked_ns:.1f}ns", "--band", str(band), "-O", "-O3",
                               "-D", "UNROLL=8", "-p", f"N={SIZE['N']}",
                               TREE / "tests/kernels/dotprod.spec.json",
                               TREE / "tests/kernels/dot_unroll.c"],
                              stdout=subprocess.PIPE, text=True)
        [fit] = json.loads(done.stdout)["fits"]
        again = self.value_ns(fit["context"], fit["args"])
        print(f"asked {asked_ns:.0f} ns: {fit['outcome']} {fit['context']} {fit['args']},",
              f"{fit['reached_ns']:.0f} ns, again {again:.0f} ns")
        return fit, again

    def test_P41_a_time_between_warm_and_cold_is_hit_within_a_tenth_and_reached_again(self):
        warm, cold = self.value_ns("warm"), self.value_ns("cold")
        asked = (warm + cold) / 2
        print(f"warm {warm:.0f} ns, cold {cold:.0f} ns")
        fit, again = self.fit(asked, 10)
        self.assertEqual("hit", fit["outcome"])
        self.assertLess(abs(again / asked - 1), 0.2)

    def test_P41_a_time_with_an_operand_in_memory_is_reached_by_states_of_operands(self):
        asked = self.value_ns("warm", {"X": {"cache": "cold"}})
        fit, again = self.fit(asked, 5)
        self.assertEqual("hit", fit["outcome"])
        self.assertNotIn("flush_bytes", fit["context"])
        self.assertLess(abs(again / asked - 1), 0.1)


if __name__ == "__main__":
    unittest.main()
