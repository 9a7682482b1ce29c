# SPDX-License-Identifier: Apache-2.0
"""
A routine of some 20 ns against its throughput in an unrolled loop: five kinds, each limited by something else.  Both by
turns, judged by one gate (tests/experiments/turns.py).
"""
from figure import Figure, TESTS, laboratory

import lab as l
import turns as by_turns

FIGURES = {"short_routine_pct": "<= 5"}
KINDS = ("wide", "chain", "carried", "divides", "dot")
FLAGS = ["-O2", "-falign-functions=64"]
TIMERS = ("Assay", "loop")
TURNS, SAMPLES, ROUNDS = (7, 21), 31, 40		# quiet turns that are enough, and turns at most
SPEC = {
    "routine": "double short_work(const int N, const double *X, const double *Y)",
    "args": {"N": 32, "X": {"dims": [32], "init": {"random": {"min": 1, "max": 2}}},
             "Y": {"dims": [32], "init": {"random": {"min": 1, "max": 2}}}},
    "context": "warm",
    "timing": {"samples": SAMPLES},
}


def program(lab, kind):
    oracle = l.ORACLE
    return lab.build("unrolled", [oracle / "unrolled.c", oracle / "clock.c", oracle / "pace.c"], l.TIMER_FLAGS,
                     TESTS / "kernels" / "short.c", FLAGS, {"KIND": kind})


def turn(lab, kind, first):
    def own():
        return l.samples(lab.evaluate(l.variant(KINDS[kind], "short.c", FLAGS, KIND=kind), SPEC))

    return by_turns.one_turn(dict(zip(TIMERS, (own, lambda: lab.timed([program(lab, kind), SAMPLES, ROUNDS])))), first)


def measure(bench):
    lab = laboratory(bench, "short")
    taken = {kind: by_turns.Turns(TIMERS, TIMERS) for kind in range(len(KINDS))}
    with lab.service():
        by_turns.take(taken, lambda kind, first: turn(lab, kind, first), *TURNS)
    for kind, turns in taken.items():
        bench.note(f"short, {KINDS[kind]}: {turns.typical('Assay'):.2f} ns, over its unrolled loop "
                   f"{turns.ratio(*TIMERS):.3f} ({turns.note()})")
    worst = max(l.percent_off(turns.ratio(*TIMERS)) for turns in taken.values())
    yield Figure("short_routine_pct", worst, "%", FIGURES["short_routine_pct"])
