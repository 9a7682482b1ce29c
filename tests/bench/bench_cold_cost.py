# SPDX-License-Identifier: Apache-2.0
"""What a cold evaluation costs beyond compiling: dot product, N = 20 000, 7 samples, submit to result, all cached."""
import statistics
import time

from figure import Figure, result_of

FIGURES = {"cold_eval_ms": "<= 25"}
ROUNDS = 30


def measure(bench):
    job = {
        "variant": {"name": "plain", "language": "c", "source": bench.kernel("dot_plain.c"), "flags": ["-O3"]},
        "spec": bench.dot_spec(20000, "cold", samples=7),
    }
    took = []
    with bench.service("cold_cost") as (_, client):
        for n in range(ROUNDS + 1):
            began = time.perf_counter()
            result = result_of(client, job)
            if n > 0:  # the first is compiled
                took.append(1e3 * (time.perf_counter() - began))
    bench.note(f"cold evaluation: {min(took):.2f} to {max(took):.2f} ms, by {result['technique']['method']}")
    yield Figure("cold_eval_ms", statistics.median(took), "ms", FIGURES["cold_eval_ms"])
