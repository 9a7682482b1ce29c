# SPDX-License-Identifier: Apache-2.0
"""How the experiments hold timers against each other (tests/experiments/turns.py): recorded times, nothing is timed."""
import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "experiments"))
import turns  # noqa: E402

QUIET, LOUD = 100.0, 180.0


def turn(a, b, pace_a=QUIET, pace_b=QUIET, times=7):
    return {"a": ([a] * times, [pace_a] * times), "b": ([b] * times, [pace_b] * times)}


class Turns(unittest.TestCase):
    def taken(self, list_, loops=None):
        t = turns.Turns(["a", "b"], loops)
        for one in list_:
            t.add(one)
        return t

    def test_a_turn_in_which_one_timer_was_disturbed_does_not_count(self):
        t = self.taken([turn(10, 20)] * 5 + [turn(10, 40, pace_b=LOUD)] * 6)
        self.assertEqual(t.ratio("b", "a"), 2)
        self.assertEqual(len(t.quiet()), 5)
        self.assertEqual(t.note(), "5 of 11 turns quiet, 55 % of the times rejected")

    def test_in_a_quiet_turn_loud_times_do_not_count(self):
        mixed = {"a": ([10] * 3 + [99] * 4, [QUIET] * 3 + [LOUD] * 4), "b": ([20] * 7, [QUIET] * 7)}
        self.assertEqual(self.taken([mixed] * 4).typical("a"), 10)

    def test_too_few_quiet_turns_let_all_count(self):
        t = self.taken([turn(10, 20)] * 2 + [turn(10, 30, pace_b=LOUD)] * 6)
        self.assertEqual(t.ratio("b", "a"), 3)
        self.assertEqual(t.note(), "2 of 8 turns quiet: all count")

    def test_a_moment_of_a_higher_clock_is_not_what_quiet_is_held_against(self):
        fast = {"a": ([9] + [10] * 19, [87.0] + [QUIET] * 19), "b": ([20] * 20, [QUIET] * 20)}
        self.assertEqual(len(self.taken([fast] * 3).quiet()), 3)

    def test_each_loop_has_its_own_pace(self):
        apart = [turn(10, 20, pace_b=3 * QUIET)] * 4
        self.assertEqual(len(self.taken(apart, ["canary", "pace"]).quiet()), 4)
        self.assertEqual(len(self.taken(apart).quiet()), 0)

    def test_one_time_in_a_turn_is_enough_where_there_is_but_one(self):
        self.assertEqual(len(self.taken([turn(10, 20, times=1)] * 3).quiet()), 3)

    def test_a_state_that_lasts_a_turn_is_in_both_timers(self):
        self.assertEqual(self.taken([turn(10, 20), turn(13, 26), turn(15, 30)]).ratio("b", "a"), 2)


class One(unittest.TestCase):
    def test_a_turn_goes_from_first_to_last_or_from_last_to_first(self):
        for first, order in ((True, ["a", "b"]), (False, ["b", "a"])):
            asked = []
            takes = {t: lambda t=t: asked.append(t) or ([10], [QUIET]) for t in ("a", "b")}
            self.assertEqual(turns.one_turn(takes, first), {"a": ([10], [QUIET]), "b": ([10], [QUIET])})
            self.assertEqual(asked, order)


class Take(unittest.TestCase):
    def take(self, paces, enough, most):
        """How many turns it took, and who went first in each."""
        left, firsts, t = list(paces), [], turns.Turns(["a", "b"])

        def one(_, first):
            firsts.append(first)
            return turn(10, 20, *[left.pop(0)] * 2)

        turns.take({"key": t}, one, enough, most)
        return firsts

    def test_turns_end_when_enough_were_quiet(self):
        self.assertEqual(self.take([QUIET] * 9, 4, 9), [True, False, True, False])

    def test_turns_end_at_the_most_when_quiet_is_rare(self):
        self.assertEqual(len(self.take([QUIET] + [LOUD] * 8, 4, 9)), 9)


if __name__ == "__main__":
    unittest.main()
