# SPDX-License-Identifier: Apache-2.0
# runs alone: its load keeps the other CPUs busy
# not for sanitizers, which judge no time: its kernels take the ways of others
# takes about 90 s
"""
Every honest kernel of tests/kernels/honest/ on one real daemon, while compute and memory load keep
the other CPUs busy: each has its time, and none is accused of anything.
"""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import honest  # noqa: E402
from harness import TIMED, RealDaemonTest, run_as_nobody  # noqa: E402


class HonestTest(RealDaemonTest):
    def judge(self, some, kinds, contexts=honest.CONTEXTS):
        for kernel, context, result in honest.rounds(self.daemon, some, [kinds], contexts):
            with self.subTest(kernel=kernel.name, context=context):
                self.assertIn(result["status"], TIMED, result["detail"])
                self.assertIsNotNone(result["time"])


class Honest(HonestTest):
    def test_every_honest_kernel_has_its_time_beside_computation_and_copies(self):
        self.judge(honest.kernels(), ("compute", "memory"))

    def test_so_has_every_short_one_cold_beside_computation(self):
        self.judge([k for k in honest.kernels() if k.kind != "long"], ("compute",), ("cold",))

    def test_one_of_each_kind_as_an_ordinary_user(self):
        run_as_nobody(self, __file__, "AsAnOrdinaryUser")

    def test_each_source_is_a_kernel_or_the_reference_of_one(self):
        known = {honest.FILES.get(k.name, k.name) for k in honest.KERNELS}
        known |= {k.routine for k in honest.KERNELS}
        self.assertEqual({p.stem for p in honest.SOURCES.glob("*.c")}, known)


@unittest.skipIf(os.geteuid() == 0, "root's is a part of Honest")
class AsAnOrdinaryUser(HonestTest):
    def test_one_of_each_kind_has_its_time_cold_beside_computation(self):
        each = {k.kind: k for k in honest.kernels() if k.kind != "long"}
        self.judge(each.values(), ("compute",), ("cold",))


if __name__ == "__main__":
    unittest.main()
