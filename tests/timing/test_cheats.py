# SPDX-License-Identifier: Apache-2.0
"""
Honest work and cheats on a quiet machine: honest work is believed at each tier, and no cheat has a
believed time that is better than honest work's, nor wins a comparison with it.
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import cheats  # noqa: E402
from harness import RealDaemonTest  # noqa: E402


class Cheats(RealDaemonTest):
    @classmethod
    def setUpClass(cls):
        cls.flags = cheats.daemon_flags()
        super().setUpClass()

    def test_honest_work_is_believed(self):
        honest = sorted({t.honest() for t in cheats.trials()}, key=str)
        for trial, r in zip(honest, self.daemon.run(*(t.job() for t in honest))):
            trust = r["comparison"]["trust"] if r["comparison"] else [r["trust"]]
            print(f"{trial}: {r['status']}, {'/'.join(map(str, trust))}")
            with self.subTest(honest=str(trial)):
                self.assertEqual("ok", r["status"], r["detail"])
                right = cheats.TRUST.get(trial.tier, "audited")
                self.assertEqual({right}, set(trust), r["evidence"])

    def test_no_cheat_has_a_believed_time_that_is_better_than_that_of_honest_work(self):
        outcomes = cheats.judge(self.daemon, cheats.trials())
        print("\n", *outcomes, sep="\n", flush=True)
        for outcome in outcomes:
            with self.subTest(cheat=str(outcome.trial)):
                self.assertEqual([], list(outcome.faults()))
                self.assertTrue(cheats.is_caught(outcome), outcome)


if __name__ == "__main__":
    unittest.main()
