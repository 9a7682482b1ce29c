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
# quiet turns that are enough, and turns at most: two minutes in all, and a half more while the host is loud
ATLAS, INAPP, METHODS = (7, 13), (11, 21), (7, 11)


def measure(bench):
    lab = laboratory.Lab(directory=pathlib.Path(bench.directory) / "truth")
    with lab.service():
        timers = atlas.measure(lab, *ATLAS)
        places = inapp.measure(lab, *INAPP)
        large = methods.measure(lab, methods.LARGE, *METHODS)
        middle = methods.measure(lab, methods.MIDDLE, *METHODS)
    for (context, factor), t in timers.items():
        least, typical = atlas.ratio(t, min), atlas.ratio(t)
        bench.note(f"atlas nb{factor} {context}: minima {least:.3f}, medians {typical:.3f} ({t.note()})")
    for name, p in places.items():
        late, first = p.ratios()
        bench.note(f"in {name}: warm over late {late:.3f} ({p.late.note()})")
        bench.note(f"in {name}: cold over first {first:.3f} ({p.first.note()})")
    ratios = {case: methods.ratios(t) for case, t in {**middle, **large}.items()}
    for case, t in {**middle, **large}.items():
        said = ", ".join(f"{m} {r:.3f}" for m, r in zip(methods.METHODS, ratios[case]))
        bench.note(f"cold {case}: {said} ({t.note()})")
    in_place = [p.ratios() for p in places.values()]
    values = {
        "atlas_hot_pct": atlas.worst_percent(timers, "warm"),
        "atlas_cold_pct": atlas.worst_percent(timers, "cold"),
        "inapp_late_pct": max(laboratory.percent_off(late) for late, _ in in_place),
        "inapp_first_pct": max(laboratory.percent_off(first) for _, first in in_place),
        "cold_agree_1mb_pct": max(laboratory.apart(ratios[case]) for case in large),
        "cold_agree_160kb_pct": max(laboratory.apart(r) for r in ratios.values()),
    }
    yield from (Figure(name, values[name], "%", goal) for name, goal in FIGURES.items())
