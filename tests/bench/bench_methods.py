# SPDX-License-Identifier: Apache-2.0
"""
Whether a cold time is true: the three methods against each other (exp2_methods).
"""
from figure import Figure, laboratory

import exp2_methods as methods
from lab import apart

FIGURES = {"cold_agree_1mb_pct": "<= 10", "cold_agree_160kb_pct": "<= 20"}
TURNS = 7, 11			# quiet turns that are enough, and turns at most


def measure(bench):
    lab = laboratory(bench, "methods")
    with lab.service():
        large = methods.measure(lab, methods.LARGE, *TURNS)
        middle = methods.measure(lab, methods.MIDDLE, *TURNS)
    ratios = {case: methods.ratios(t) for case, t in {**middle, **large}.items()}
    for case, t in {**middle, **large}.items():
        said = ", ".join(f"{m} {r:.3f}" for m, r in zip(methods.METHODS, ratios[case]))
        bench.note(f"cold {case}: {said} ({t.note()})")
    values = {"cold_agree_1mb_pct": max(apart(ratios[case]) for case in large),
              "cold_agree_160kb_pct": max(apart(r) for r in ratios.values())}
    yield from (Figure(name, value, "%", FIGURES[name]) for name, value in values.items())
