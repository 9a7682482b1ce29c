# SPDX-License-Identifier: Apache-2.0
# time limit: 300 s
"""
Honest work and cheats on a quiet machine: honest work is believed, and no cheat has a third of its
time and trust above a claim, nor wins a comparison with it.
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from cheats import compared, is_caught, results  # noqa: E402
from harness import RealDaemonTest  # noqa: E402


def in_words(result):
    value = f", {result['time']['value_ns']:.0f} ns" if result["time"] else ""
    return f"{result['name']}: {result['status']}, {result['trust']}{value}"


class Cheats(RealDaemonTest):
    def judge(self, found, tier):
        honest = found.pop("honest")
        print(in_words(honest))
        self.assertEqual(("ok", tier), (honest["status"], honest["trust"]), honest["detail"])
        for name, result in found.items():
            print(in_words(result))
            with self.subTest(cheat=name, tier=tier):
                self.assertTrue(is_caught(result, honest["time"]["min_ns"] / 3), result["detail"])

    def test_honest_work_is_audited_and_no_cheat_is_with_a_time_that_work_cannot_have(self):
        self.judge(results(self.daemon, calls=3), "audited")

    def test_honest_work_is_verified_and_no_cheat_is(self):
        self.judge(results(self.daemon, context="cold", trust="verified", samples=15), "verified")

    def test_no_cheat_wins_a_comparison_with_honest_work_from_either_side(self):
        for against, won in ((False, "faster"), (True, "slower")):
            found = results(self.daemon, lambda p, a=against, **timing: compared(p, a, **timing),
                            calls=3)
            honest = found.pop("honest")
            self.assertEqual(("ok", ["audited", "audited"]),
                             (honest["status"], honest["comparison"]["trust"]))
            for name, result in found.items():
                c = result["comparison"] or {"verdict": None, "trust": ["claimed", "claimed"]}
                print(f"{'against ' if against else ''}{name}: {result['status']}, {c['verdict']}")
                with self.subTest(cheat=name, against=against):
                    self.assertFalse(c["verdict"] == won
                                     and c["trust"][0 if against else 1] != "claimed", c)


if __name__ == "__main__":
    unittest.main()
