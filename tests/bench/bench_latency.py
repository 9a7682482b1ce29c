# SPDX-License-Identifier: Apache-2.0
"""What one evaluation costs beside its timed windows: submit to result, a cached variant of a kernel of about 1 us."""
import statistics
import time

from figure import Figure, result_of

FIGURES = {"latency_over_windows_ms": "<= 6"}
ROUNDS = 50


def windows_ms(result):
    return 1e3 * sum(result["time"]["ticks"]) / result["technique"]["tick_hz"]


def measure(bench):
    job = {
        "variant": {"name": "plain", "language": "c", "source": bench.kernel("dot_plain.c"), "flags": ["-O3"]},
        "spec": bench.dot_spec(1000, "warm", samples=7),
    }
    over = []
    with bench.service("latency") as (_, client):
        for n in range(ROUNDS + 1):
            began = time.perf_counter()
            result = result_of(client, job)
            took_ms = 1e3 * (time.perf_counter() - began)
            if n > 0:  # the first is compiled
                over.append(took_ms - windows_ms(result))
    bench.note(f"latency over windows: {min(over):.2f} to {max(over):.2f} ms")
    yield Figure("latency_over_windows_ms", statistics.median(over), "ms", FIGURES["latency_over_windows_ms"])
