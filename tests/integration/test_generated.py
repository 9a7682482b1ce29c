# SPDX-License-Identifier: Apache-2.0
"""
Kernels as other generators write them, in tests/kernels/generated/: each has the right answer and a
time.  Verdicts are about answers and arithmetic, not about how long it took.
"""
import json
import pathlib
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "support"))
from harness import Daemon, RealDaemonTest, assert_timed  # noqa: E402

KERNELS = TESTS / "kernels" / "generated"
TIMING = {"samples": 3, "gate": False, "processes": 1}
FFTW = subprocess.run(["pkg-config", "--exists", "fftw3"], stderr=subprocess.DEVNULL).returncode == 0


def source(name):
    return (KERNELS / f"{name}.c").read_text()


class Generated(RealDaemonTest):
    def run_one(self, spec, text, daemon=None, **variant):
        spec = json.loads((KERNELS / f"{spec}.spec.json").read_text())
        (result,) = (daemon or self.daemon).run({"variant": {"source": text, **variant},
                                                 "spec": {**spec, "timing": TIMING}})
        return result

    def timed(self, *words, **more):
        result = assert_timed(self, self.run_one(*words, **more))
        self.assertTrue(result["check"]["passed"], result["check"])
        self.assertGreater(result["time"]["value_ns"], 0)
        return result

    def right_and_wrong(self, spec, name, statement):
        """It has a time, and without one of its statements the wrong answer."""
        result = self.timed(spec, source(name))
        lame = source(name).replace(statement, "", 1)
        self.assertNotEqual(source(name), lame)
        self.assertEqual("wrong_answer", self.run_one(spec, lame)["status"])
        return result

    def test_X7_phipac_a_matrix_multiply_in_blocks_of_registers(self):
        result = self.right_and_wrong("gemm_phipac", "gemm_phipac", "c1_3 += _a1 * _b3;")
        self.assertGreater(result["rate"]["mflops_max"], 0)

    def test_X7_spiral_a_transform_as_straight_line_code(self):
        self.right_and_wrong("fft16", "fft16_spiral", "y[31] = ")

    @unittest.skipUnless(FFTW, "no FFTW")
    def test_X7_fftw_the_same_transform_by_the_library(self):
        daemon = Daemon("--libraries", "fftw3")
        self.addCleanup(daemon.stop)
        self.timed("fft16", source("fft16_fftw"), daemon=daemon, libraries=["fftw3"])
        self.timed("fft16", source("fft16_spiral"), daemon=daemon)

    def test_X7_oski_a_sparse_multiply_finds_its_blocks_by_index(self):
        self.right_and_wrong("spmv_oski", "spmv_oski", "y1 += val[5] * x2;")

    def test_X7_xray_a_chain_of_operations_has_a_time_for_each(self):
        result = self.right_and_wrong("latency_xray", "latency_xray", "OP4 OP4 OP4 OP4")
        each = result["time"]["per_iteration"]
        self.assertEqual(1600, each["iterations"])
        self.assertAlmostEqual(result["time"]["value_ns"] / 1600, each["value_ns"], places=9)


if __name__ == "__main__":
    unittest.main()
