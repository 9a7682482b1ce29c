# SPDX-License-Identifier: Apache-2.0
# time limit: 600 s
"""
Every cheat of tests/hostile/cheats/ through one real daemon: none ends "ok" with a time that no
honest work can have and a trust tier above "claimed", on any machine.  Started by root, all of it
runs a second time as an ordinary user.  That honest work is believed, and a cheat's time is near
that of honest work or caught, tests/timing/ judges.
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from cheats import CHEATS, DETECTED, compared, is_caught, job, results  # noqa: E402
from harness import TIMED, RealDaemonTest, run_as_nobody  # noqa: E402

# The work is 360 000 scalar floating-point operations, of which no core does six in a cycle of a
# sixth of a nanosecond.
IMPOSSIBLE_NS = 10000


class Cheats(RealDaemonTest):
    def judge(self, found):
        honest = found.pop("honest")
        self.assertIn(honest["status"], (*TIMED, "suspect"), honest["detail"])
        for name, r in found.items():
            said = (r["status"], r["trust"], (r["time"] or {}).get("value_ns"), r["detail"])
            with self.subTest(cheat=name):
                self.assertTrue(is_caught(r, IMPOSSIBLE_NS), said)
                if name in DETECTED:
                    self.assertIn(r["status"], ("wrong_answer", "suspect"), said)
        return found

    def test_no_cheat_is_audited_with_a_time_that_work_cannot_have(self):
        found = self.judge(results(self.daemon, calls=3))
        self.assertGreaterEqual(len(found), 10)
        for name in ("fake_write", "exit_early"):
            self.assertIn(found[name]["status"], ("crashed", "forbidden"), found[name]["detail"])

    def test_nor_is_one_verified(self):
        self.judge(results(self.daemon, context="cold", trust="verified", samples=15))

    def compare(self, against, only=("*",)):
        """
        Each with honest work, which an audit may doubt on a busy machine; then the cheat has not
        been judged.
        """
        found = results(self.daemon, lambda p, **timing: compared(p, against, **timing), only, calls=3)
        found.pop("honest")
        side, of_result, place = ("against", "a", 0) if against else ("variant", "b", 1)
        for name, r in found.items():
            with self.subTest(cheat=name, side=side):
                c = r["comparison"]
                if r["status"] not in TIMED:
                    self.assertTrue(c is None or c["verdict"] is None)
                elif c["trust"][place] != "claimed":
                    self.assertGreater(c[of_result]["median_ns"], IMPOSSIBLE_NS, r)
                if name in DETECTED:
                    self.assertIn(r["status"], ("wrong_answer", "suspect"), r)
                if r["status"] not in (*TIMED, "suspect"):
                    self.assertEqual(side, r["evidence"]["failed"], r["detail"])

    def test_none_wins_a_comparison_with_honest_work(self):
        self.compare(against=False)

    def test_nor_as_the_one_that_another_is_compared_with(self):
        self.compare(True, ("honest", "memo_*", "every_other_call", "done_*", "forged_samples"))

    def test_without_a_reference_a_time_is_a_claim_and_says_so(self):
        document = job(CHEATS / "honest.c")
        del document["spec"]["check"]
        (result,) = self.daemon.run(document)
        self.assertIn(result["status"], TIMED, result["detail"])
        self.assertEqual("claimed", result["trust"])
        self.assertIn("no reference", result["evidence"]["claimed"])

    def test_the_same_as_an_ordinary_user(self):
        run_as_nobody(self, __file__, "Cheats")


if __name__ == "__main__":
    unittest.main()
