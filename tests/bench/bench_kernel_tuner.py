# SPDX-License-Identifier: Apache-2.0
"""
New small variants in a second, points of one source's macros as a tuner has them, against a loop that does what Kernel
Tuner's C backend does (kernel_tuner_loop.py), which is no package of Debian.  Both have the same code and the same CPUs; half of the loop runs before the sweep and half after.
"""
import subprocess
import sys

from figure import ONE_BUILDER, Figure, HERE, HOUSE_CPU, TIMING_CPU
from bench_rate import sources, sweep
from bench_units import points

FIGURES = {"rate_vs_kernel_tuner": ">= 5"}


def loop_s(directory, texts):
    directory.mkdir(exist_ok=True)
    files = []
    for i, text in enumerate(texts):
        files.append(directory / f"variant{i}.c")
        files[-1].write_text(text)
    said = subprocess.run([sys.executable, HERE / "kernel_tuner_loop.py", f"{HOUSE_CPU},{TIMING_CPU}", directory, *files],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(said)


def measure(bench):
    texts, directory = sources(), bench.directory / "kernel_tuner"
    half = len(texts) // 2
    with bench.service("kernel_tuner_beside", ONE_BUILDER) as (_, client):
        seconds = loop_s(directory, texts[:half])
        took = sweep(client, "new", bench.dot_spec(1000, "warm"), points(len(texts)))
        seconds += loop_s(directory, texts[half:])
    bench.note(f"{len(texts) / took:.1f} new variants a second, each with its interval, the gate on; the loop {len(texts) / seconds:.1f}")
    yield Figure("rate_vs_kernel_tuner", seconds / took, "ratio", FIGURES["rate_vs_kernel_tuner"])
