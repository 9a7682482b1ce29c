# SPDX-License-Identifier: Apache-2.0
"""
Whether a time is true: against an independent timer, against applications that time themselves, and the cold methods
against each other.  The experiments (tests/experiments) are the same measurements with tables and plots.
"""
import pathlib
import sys

from figure import Figure, TESTS

sys.path.append(str(TESTS / "experiments"))
import exp2_methods as methods  # noqa: E402
import exp6_atlas as atlas  # noqa: E402
import exp7_inapp as inapp  # noqa: E402
import lab as laboratory  # noqa: E402

FIGURES = {
    "atlas_hot_pct": "<= 3",
    "atlas_cold_pct": "<= 3",
    "inapp_late_pct": "<= 3",
    "inapp_first_pct": "<= 10",
    "cold_agree_1mb_pct": "<= 10",
    "cold_agree_160kb_pct": "<= 20",
}
TURNS_ATLAS, TURNS_INAPP, TURNS_METHODS = 25, 25, 7


def measure(bench):
    lab = laboratory.Lab(directory=pathlib.Path(bench.directory) / "truth")
    with lab.service():
        pairs = atlas.measure(lab, TURNS_ATLAS)
        turns = inapp.measure(lab, TURNS_INAPP)
        large = methods.measure(lab, methods.LARGE, TURNS_METHODS)
        middle = methods.measure(lab, methods.MIDDLE, TURNS_METHODS)
    for (context, factor), p in pairs.items():
        least, typical = (atlas.ratio_of(p, member) for member in ("min", "typical"))
        bench.note(f"atlas nb{factor} {context}: minima {least:.3f}, medians {typical:.3f}")
    for name, t in turns.items():
        bench.note(f"in {name}: warm over late {inapp.late_ratio(t):.3f}, cold over first {inapp.first_ratio(t):.3f}")
    for case, ratios in {**middle, **large}.items():
        bench.note(f"cold {case}: " + ", ".join(f"{m} {r:.3f}" for m, r in zip(methods.METHODS, ratios)))
    values = {
        "atlas_hot_pct": atlas.worst_percent(pairs, "warm"),
        "atlas_cold_pct": atlas.worst_percent(pairs, "cold"),
        "inapp_late_pct": max(laboratory.percent_off(inapp.late_ratio(t)) for t in turns.values()),
        "inapp_first_pct": max(laboratory.percent_off(inapp.first_ratio(t)) for t in turns.values()),
        "cold_agree_1mb_pct": max(laboratory.apart(r) for r in large.values()),
        "cold_agree_160kb_pct": max(laboratory.apart(r) for r in {**middle, **large}.values()),
    }
    yield from (Figure(name, values[name], "%", goal) for name, goal in FIGURES.items())
