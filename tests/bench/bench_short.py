# SPDX-License-Identifier: Apache-2.0
"""
A routine of some 20 ns against its throughput in an unrolled loop: five kinds, each limited by something else.  Both by
turns; the ratio is that of quiet medians, or of minima where the host lets nobody be quiet.
"""
import pathlib
import statistics
import sys

from figure import Figure, TESTS

sys.path.append(str(TESTS / "experiments"))
import lab as laboratory  # noqa: E402

FIGURES = {"short_routine_pct": "<= 5"}
KINDS = ("wide", "chain", "carried", "divides", "dot")
FLAGS = ["-O2", "-falign-functions=64"]
TURNS, SAMPLES, ROUNDS = 7, 31, 40
SPEC = {
    "routine": "double short_work(const int N, const double *X, const double *Y)",
    "args": {"N": 32, "X": {"dims": [32], "init": {"random": {"min": 1, "max": 2}}},
             "Y": {"dims": [32], "init": {"random": {"min": 1, "max": 2}}}},
    "context": "warm",
    "timing": {"samples": SAMPLES, "gate": True},
}


def program(lab, kind):
    oracle = laboratory.ORACLE
    return lab.build("unrolled", [oracle / "unrolled.c", oracle / "clock.c", oracle / "pace.c"], laboratory.TIMER_FLAGS,
                     TESTS / "kernels" / "short.c", FLAGS, {"KIND": kind})


def turn(lab, kind):
    """(Assay's ns, the loop's, whether nobody disturbed either)."""
    own = lab.evaluate(laboratory.variant(KINDS[kind], "short.c", FLAGS, KIND=kind), SPEC)
    other = lab.quietly([program(lab, kind), SAMPLES, ROUNDS], "samples_ns")
    if laboratory.is_gated(own) and other["is_quiet"]:
        return laboratory.typical_ns(own), statistics.median(other["quiet"]), True
    return own["time"]["min_ns"], min(other["samples_ns"]), False


def measure(bench):
    lab = laboratory.Lab(directory=pathlib.Path(bench.directory) / "short")
    with lab.service():
        turns = {kind: [] for kind in range(len(KINDS))}
        for _ in range(TURNS):
            for kind, list_ in turns.items():
                list_.append(turn(lab, kind))
    worst = 0
    for kind, list_ in turns.items():
        chosen = laboratory.quiet_turns(list_, lambda t: t[2])
        ratio = statistics.median(own / other for own, other, _ in chosen)
        worst = max(worst, laboratory.percent_off(ratio))
        bench.note(f"short, {KINDS[kind]}: {statistics.median(o for o, _, _ in chosen):.2f} ns, over its unrolled loop "
                   f"{ratio:.3f} ({len(chosen)} turns)")
    yield Figure("short_routine_pct", worst, "%", FIGURES["short_routine_pct"])
