# SPDX-License-Identifier: Apache-2.0
"""
How near search strategies come to the optimum of stored spaces (tests/data/spaces, each timed whole on one host), and what
they take themselves.  Ratios of the best found to the optimum are means over 40 seeds: they depend on the tables alone.
"""
import json
import statistics
import subprocess

from figure import BUILD, Figure, TESTS

FIGURES = {"portfolio_40": "<= 1.05", "portfolio_beats_random": ">= 2", "strategy_own_ms": "<= 1"}
SPACES = sorted((TESTS / "data" / "spaces").glob("*.ndjson"))


def study(table):
    """{strategy: its means and its own time} on one table."""
    out = subprocess.run([BUILD / "assay", "tune", "--replay", "--json", table], stdout=subprocess.PIPE, check=True)
    return {s["strategy"]: s for s in json.loads(out.stdout)["strategies"]}


def after(found, strategy, evaluations=40):
    return found[strategy]["mean_ratio"][str(evaluations)]


def measure(bench):
    spaces = {table.stem: study(table) for table in SPACES}
    for name, found in spaces.items():
        for strategy, s in found.items():
            ratios = " ".join(f"{ratio:.3f}" for ratio in s["mean_ratio"].values())
            bench.note(f"{name}, {strategy}: {ratios} after 20, 40, 80 points; {s['own_ms']:.3f} ms a point of its own")
    yield Figure("portfolio_40", statistics.mean(after(found, "portfolio") for found in spaces.values()), "ratio",
                 FIGURES["portfolio_40"])
    yield Figure("portfolio_beats_random", sum(after(found, "portfolio") < after(found, "random") for found in spaces.values()),
                 "spaces", FIGURES["portfolio_beats_random"])
    yield Figure("strategy_own_ms", max(s["own_ms"] for found in spaces.values() for s in found.values()), "ms",
                 FIGURES["strategy_own_ms"])
