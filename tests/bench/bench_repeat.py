# SPDX-License-Identifier: Apache-2.0
"""Run-to-run spread of the reported time, hot beside Google Benchmark's in the same interleaved run, and cold."""
from figure import Figure, laboratory

import exp5_spread as spread
from lab import cv

FIGURES = {"cv_hot_pct": "<= 1", "cv_hot_vs_gbench": "<= 0.2", "cv_cold_pct": "<= 3"}
RUNS = 20


def measure(bench):
    lab = laboratory(bench, "repeat")
    with lab.service():
        runs = spread.measure(lab, RUNS)
    for kernel, seen in runs.items():
        bench.note(kernel + ": cv " + ", ".join(f"{name} {100 * cv(v):.2f} %" for name, v in seen.items()))
    hot, peer = spread.median_cv(runs, "Assay"), spread.median_cv(runs, "Google Benchmark")
    yield Figure("cv_hot_pct", hot, "%", FIGURES["cv_hot_pct"])
    yield Figure("cv_hot_vs_gbench", hot / peer, "ratio", FIGURES["cv_hot_vs_gbench"])
    yield Figure("cv_cold_pct", spread.median_cv(runs, "Assay cold"), "%", FIGURES["cv_cold_pct"])
