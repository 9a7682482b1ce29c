# SPDX-License-Identifier: Apache-2.0
# takes about 300 s
# time limit: 1800 s
"""
Every cheat of tests/hostile/cheats/ through one real daemon, with the work and at the tiers of its
class: none has a believed time that is better than honest work's in each of five repetitions, and
what gives itself away ends badly.  Started by root, each cheat runs a second time as an ordinary
user, with the first work and tier of its class: the jail is another, who judges is not.  Sanitizers
look at that, and at each work and tier once.  tests/timing/ judges whether honest work is believed.
"""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import cheats  # noqa: E402
from harness import IS_SANITIZED, TIMED, RealDaemonTest, run_as_nobody  # noqa: E402

LEAST_CHEATS, LEAST_CLASSES = 30, 15


class CheatsTest(RealDaemonTest):
    @classmethod
    def setUpClass(cls):
        cls.flags = cheats.daemon_flags()
        super().setUpClass()

    def judge(self, wanted):
        """Those trials that are wanted."""
        trials = cheats.few_trials() if IS_SANITIZED else cheats.trials()
        outcomes = cheats.judge(self.daemon, [t for t in trials if wanted(t)])
        print("\n", *outcomes, sep="\n", flush=True)
        for outcome in outcomes:
            with self.subTest(cheat=str(outcome.trial)):
                self.assertEqual([], list(outcome.faults()), outcome.results[-1]["detail"])
                self.assertTrue(cheats.is_caught(outcome), str(outcome))
                for honest in outcome.honest:
                    self.assertIn(honest["status"], (*TIMED, "suspect"), honest["detail"])


class Cheats(CheatsTest):
    def test_the_corpus_is_whole(self):
        trials = cheats.trials()
        self.assertGreaterEqual(len({t.path for t in trials}), LEAST_CHEATS)
        self.assertGreaterEqual(len({cheats.class_of(t.path) for t in trials}), LEAST_CLASSES)

    def test_no_cheat_is_audited_with_a_time_that_is_better_than_honest_work(self):
        self.judge(lambda t: not t.is_compared() and not t.is_verified())

    def test_nor_is_one_verified(self):
        self.judge(lambda t: t.is_verified())

    def test_none_wins_a_comparison_with_honest_work_from_either_side(self):
        self.judge(lambda t: t.is_compared())

    def test_without_a_reference_a_time_is_a_claim_and_says_so(self):
        document = cheats.Trial(None, "poly", "warm").job()
        del document["spec"]["check"]
        (result,) = self.daemon.run(document)
        self.assertIn(result["status"], TIMED, result["detail"])
        self.assertEqual("claimed", result["trust"])
        self.assertIn("no reference", result["evidence"]["claimed"])

    def test_each_cheat_as_an_ordinary_user(self):
        run_as_nobody(self, __file__, "AsAnOrdinaryUser")


@unittest.skipIf(os.geteuid() == 0, "root's is a part of Cheats")
class AsAnOrdinaryUser(CheatsTest):
    def test_each_cheat_at_the_first_tier_of_its_class(self):
        self.judge(cheats.Trial.is_first)


if __name__ == "__main__":
    unittest.main()
