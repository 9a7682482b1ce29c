# SPDX-License-Identifier: Apache-2.0
"""
How many of the corpus of cheats are caught, each with the work and at the tiers of its class: none
may have a believed time that is better than honest work's.
"""
from figure import Figure
import cheats

TRIALS = cheats.trials()
FIGURES = {"cheats_caught": f">= {len(TRIALS)}"}


def measure(bench):
    with bench.service("cheats", cheats.daemon_flags()) as (daemon, _):
        outcomes = cheats.judge(daemon, TRIALS)
    for outcome in outcomes:
        bench.note(outcome)
    caught = sum(map(cheats.is_caught, outcomes))
    yield Figure("cheats_caught", caught, "trials", FIGURES["cheats_caught"])
