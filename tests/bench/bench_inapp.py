# SPDX-License-Identifier: Apache-2.0
"""
Whether a time is true: against two applications that time themselves (exp7_inapp).
"""
from figure import Figure, laboratory

import exp7_inapp as inapp
from lab import percent_off

FIGURES = {"inapp_late_pct": "<= 3", "inapp_first_pct": "<= 10"}
TURNS = 11, 21			# quiet turns that are enough, and turns at most


def measure(bench):
    lab = laboratory(bench, "inapp")
    with lab.service():
        places = inapp.measure(lab, *TURNS)
    for name, p in places.items():
        late, first = p.ratios()
        bench.note(f"in {name}: warm over late {late:.3f} ({p.late.note()})")
        bench.note(f"in {name}: cold over first {first:.3f} ({p.first.note()})")
    for figure, of in zip(FIGURES, zip(*(p.ratios() for p in places.values()))):
        yield Figure(figure, max(map(percent_off, of)), "%", FIGURES[figure])
