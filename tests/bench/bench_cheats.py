# SPDX-License-Identifier: Apache-2.0
"""
How many of the corpus of cheats are caught, as audited and as verified: none may have a time that
work could not have.
"""
from figure import Figure
import cheats

TIERS = {"audited": {"calls": 3}, "verified": {"context": "cold", "trust": "verified", "samples": 15}}
TOTAL = len(TIERS) * (len(list(cheats.CHEATS.glob("*.c"))) - 1)
FIGURES = {"cheats_caught": f">= {TOTAL}"}


def measure(bench):
    caught = 0
    with bench.service("cheats") as (daemon, _):
        for tier, timing in TIERS.items():
            found = cheats.results(daemon, **timing)
            work_ns = found.pop("honest")["time"]["min_ns"]
            for name, result in found.items():
                time = result["time"] or {"value_ns": 0}
                bench.note(f"{tier}: {name}: {result['status']}, {result['trust'] or '-'}, {time['value_ns']:.0f} ns of {work_ns:.0f}")
                caught += cheats.is_caught(result, work_ns / 3)
    yield Figure("cheats_caught", caught, "cheats", FIGURES["cheats_caught"])
