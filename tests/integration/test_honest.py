# SPDX-License-Identifier: Apache-2.0
# runs alone: its load keeps the other CPUs busy
"""
Every honest kernel of tests/kernels/honest/ on one real daemon, while compute and memory load keep
the other CPUs busy: each has its time, and none is accused of anything.
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import honest  # noqa: E402
from harness import BUILD, TIMED, RealDaemonTest, run_as_nobody  # noqa: E402


class Honest(RealDaemonTest):
    def judge(self, kinds, leave_out=(), contexts=honest.CONTEXTS):
        # the filters would judge the sanitizer's system calls, not the team's
        some = [k for k in honest.kernels() if k.threads == 1 or BUILD.name != "asan"]
        some = [k for k in some if k.kind not in leave_out]
        for kernel, context, result in honest.rounds(self.daemon, some, [kinds], contexts):
            with self.subTest(kernel=kernel.name, context=context):
                self.assertIn(result["status"], TIMED, result["detail"])
                self.assertIsNotNone(result["time"])

    def test_every_honest_kernel_has_its_time_beside_computation_and_copies(self):
        self.judge(("compute", "memory"))

    def test_so_has_every_short_one_cold_beside_computation(self):
        self.judge(("compute",), leave_out=("long",), contexts=("cold",))

    def test_the_short_ones_as_an_ordinary_user(self):
        run_as_nobody(self, __file__, "Honest.test_so_has_every_short_one_cold_beside_computation")

    def test_each_source_is_a_kernel_or_the_reference_of_one(self):
        known = {honest.FILES.get(k.name, k.name) for k in honest.KERNELS}
        known |= {k.routine for k in honest.KERNELS}
        self.assertEqual({p.stem for p in honest.SOURCES.glob("*.c")}, known)


if __name__ == "__main__":
    unittest.main()
