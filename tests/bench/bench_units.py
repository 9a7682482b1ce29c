# SPDX-License-Identifier: Apache-2.0
"""
How fast a sweep of small variants goes whose points are macros of one source, against bare gcc on
the files that these points stand for, on the builders' CPU.
"""
from figure import ONE_BUILDER, Figure, HOUSE_CPU
from bench_rate import SOURCE, beside_gcc, sources, sweep

FIGURES = {"rate_units_vs_gcc": ">= 3"}


def points(n):
    """Macros that give each point the code that it has in sources()."""
    source = SOURCE.format(sums="SUMS", tag="TAG")
    return [{"source": source, "defines": {"SUMS": 1 + i % 8, "TAG": i}} for i in range(n)]


def measure(bench):
    texts, spec = sources(), bench.dot_spec(1000, "warm", gate=False)
    with bench.service("units", ONE_BUILDER) as (_, client):
        gcc, took = beside_gcc(bench.directory / "gcc", texts, HOUSE_CPU,
                               lambda: sweep(client, "units", spec, points(len(texts))))
        found = client.call("results.query", {"sweep": "units", "limit": len(texts)})["results"]
    together = sum(r.get("built") == "unit" for r in found)
    bench.note(f"{together} of {len(texts)} built in units; {len(texts) / took:.0f} a second, "
               f"{sum(r['stages_ms']['build'] for r in found) / len(texts):.1f} ms of the builder each; gcc {1e3 * gcc / len(texts):.1f} ms")
    yield Figure("rate_units_vs_gcc", gcc / took, "ratio", FIGURES["rate_units_vs_gcc"])
