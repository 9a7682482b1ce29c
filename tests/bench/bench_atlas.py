# SPDX-License-Identifier: Apache-2.0
"""
Whether a time is true: against an independent timer.  The experiment exp6_atlas is the same
measurement with tables and plots.
"""
from figure import Figure, laboratory

import exp6_atlas as atlas

FIGURES = {"atlas_hot_pct": "<= 3", "atlas_cold_pct": "<= 3"}
TURNS = 7, 13			# quiet turns that are enough, and turns at most


def measure(bench):
    lab = laboratory(bench, "atlas")
    with lab.service():
        timers = atlas.measure(lab, *TURNS)
    for (context, factor), t in timers.items():
        least, typical = atlas.ratio(t, min), atlas.ratio(t)
        bench.note(f"atlas nb{factor} {context}: minima {least:.3f}, medians {typical:.3f} "
                   f"({t.note()})")
    for name, context in (("atlas_hot_pct", "warm"), ("atlas_cold_pct", "cold")):
        yield Figure(name, atlas.worst_percent(timers, context), "%", FIGURES[name])
