# SPDX-License-Identifier: Apache-2.0
"""
Several timers by turns, with one gate for all of them.

A time comes with its pace: what a loop of additions in registers took beside it, which is slow while somebody else is
on the core.  Quiet is what is within QUIET of the tenth percentile of all paces that the same loop had in all turns:
of the fastest state that lasted.  (The least of all would be a moment of a higher clock.  A core has one as long as
no wide vectors are at work, here 13 % above, and what is held against that selects such moments, not quiet ones.)

A turn is quiet if each timer had so many quiet times in it, and then those alone count.  The ratio of two timers is
the median over the quiet turns of what their medians in a turn are to each other, so that what lasts longer than a
turn, a state of the host or where a process has its pages, is in both.  Turns go on until enough were quiet, or there
have been as many as may be; if too few were by then, all turns count with all their times.  How long the times are
has no part in choosing.
"""
import statistics

QUIET = 1.06
QUIET_TIMES = 3			# of each timer in a quiet turn; all of them, if it has fewer
FEWEST = 3			# quiet turns, or they cannot stand for all


def tenth_percentile(values):
    return sorted(values)[len(values) // 10]


class Turns:
    """Of the timers of these names; `loops`: for each, which loop its paces are of, if not all are of one."""

    def __init__(self, timers, loops=None):
        self.timers = list(timers)
        self.loops = dict(zip(self.timers, loops or [0] * len(self.timers)))
        self.turns = []

    def add(self, turn):
        """{timer: (times, paces)}, as many paces as times."""
        self.turns.append(turn)

    def limits(self):
        """For each loop the longest pace that is quiet."""
        paces = {}
        for turn in self.turns:
            for timer in self.timers:
                paces.setdefault(self.loops[timer], []).extend(turn[timer][1])
        return {loop: QUIET * tenth_percentile(p) for loop, p in paces.items()}

    def quiet(self):
        """The quiet turns, of each timer its quiet times."""
        limits, chosen = self.limits() if self.turns else {}, []
        for turn in self.turns:
            times = {t: [ns for ns, pace in zip(*turn[t]) if pace <= limits[self.loops[t]]] for t in self.timers}
            if all(len(times[t]) >= min(QUIET_TIMES, len(turn[t][0])) for t in self.timers):
                chosen.append(times)
        return chosen

    def chosen(self):
        """The turns that count: {timer: times}."""
        quiet = self.quiet()
        return quiet if len(quiet) >= FEWEST else [{t: turn[t][0] for t in self.timers} for turn in self.turns]

    def typical(self, timer):
        return statistics.median(statistics.median(times[timer]) for times in self.chosen())

    def ratio(self, timer, to, of=statistics.median):
        return statistics.median(of(times[timer]) / of(times[to]) for times in self.chosen())

    def note(self):
        """How much of it counts."""
        quiet, taken = self.quiet(), sum(len(turn[t][0]) for turn in self.turns for t in self.timers)
        if len(quiet) < FEWEST:
            return f"{len(quiet)} of {len(self.turns)} turns quiet: all count"
        kept = sum(len(times[t]) for times in quiet for t in self.timers)
        return f"{len(quiet)} of {len(self.turns)} turns quiet, {100 * (1 - kept / taken):.0f} % of the times rejected"


def one_turn(takes, first):
    """A turn of {timer: what takes its (times, paces)}: from first to last if `first`, else from last to first."""
    return {timer: takes[timer]() for timer in (takes if first else reversed(takes))}


def take(all_turns, one, enough, most):
    """
    Turns of each of {key: Turns}, key after key, until each had `enough` quiet ones or `most` in all.  one(key, first)
    gives a turn; the timers take theirs from first to last if `first`, else from last to first.
    """
    for i in range(most):
        open_ = {key: t for key, t in all_turns.items() if len(t.quiet()) < enough}
        if not open_:
            return
        for key, turns in open_.items():
            turns.add(one(key, i % 2 == 0))
