# SPDX-License-Identifier: Apache-2.0
"""Verdicts on the nests of tests/transform/: how many are wrong, and their processor time."""
import tempfile

from figure import Figure
from harness import BUILD
from nests import differs, nests, transform

FIGURES = {"legality_wrong": "<= 0", "legality_cpu_s": "<= 0.2"}


def measure(bench):
    wrong, times = 0, []
    with tempfile.TemporaryDirectory() as workdir:
        for kind in ("legal", "illegal"):
            for nest in nests(kind):
                source, _, cpu = transform(BUILD / "assay-transform", nest, workdir)
                good = source is not None and not differs(nest, source, workdir) \
                    if kind == "legal" else source is None
                wrong += not good
                times.append(cpu)
                bench.note(f"legality {nest}: {'right' if good else 'WRONG'}, {cpu:.3f} s")
    times.sort()
    bench.note(f"legality: {len(times)} nests, median {times[len(times) // 2]:.3f} s, "
               f"most {times[-1]:.3f} s")
    yield Figure("legality_wrong", wrong, "nests", FIGURES["legality_wrong"])
    yield Figure("legality_cpu_s", times[-1], "s (the slowest nest)", FIGURES["legality_cpu_s"])
