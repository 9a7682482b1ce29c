# SPDX-License-Identifier: Apache-2.0
"""
Run-to-run spread of the warm dot product, N = 20 000, beside Google Benchmark's on the same CPU, run by turns.  Google
Benchmark calls the kernel for half a second; SAMPLES calls of Assay's take less than half of that.  What the default of
seven samples gives is noted beside it.
"""
import json
import statistics
import subprocess

from figure import Figure, TIMING_CPU, result_of

FIGURES = {"cv_warm_vs_gbench": "<= 1.0"}
RUNS = 20
N = 20000
SAMPLES = 8000
FLAGS = ["-O3"]


def cv(values):
    return statistics.stdev(values) / statistics.mean(values)


def build_peer(bench):
    """The same kernel file with the same flags, linked with Google Benchmark."""
    kernels = bench.directory / "dot_plain.c"
    kernels.write_text(bench.kernel("dot_plain.c"))
    obj, program = bench.directory / "dot_plain.o", bench.directory / "gbench_dot"
    subprocess.run(["gcc", *FLAGS, "-fPIC", "-c", "-o", obj, kernels], check=True)
    source = __file__.replace("bench_spread.py", "gbench_dot.cc")
    subprocess.run(["g++", "-O2", "-o", program, source, obj, "-lbenchmark", "-lpthread"], check=True)
    return program


def peer_ns(program):
    said = subprocess.run(["taskset", "-c", str(TIMING_CPU), program, "--benchmark_format=json"], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return json.loads(said)["benchmarks"][0]["real_time"]


def own_ns(client, job):
    return result_of(client, job)["time"]["min_ns"]


def job(bench, **timing):
    return {
        "variant": {"name": "plain", "language": "c", "source": bench.kernel("dot_plain.c"), "flags": FLAGS},
        "spec": bench.dot_spec(N, "warm", **timing),
    }


def measure(bench):
    program = build_peer(bench)
    quick, thorough = job(bench), job(bench, samples=SAMPLES)
    short, own, peer = [], [], []
    with bench.service("spread") as (_, client):
        own_ns(client, quick)  # compiled
        for _ in range(RUNS):
            short.append(own_ns(client, quick))
            own.append(own_ns(client, thorough))
            peer.append(peer_ns(program))
    for name, values in (("seven samples", short), (f"{SAMPLES} samples", own), ("Google Benchmark", peer)):
        bench.note(f"{name}: cv {100 * cv(values):.2f} %, {min(values):.0f} to {max(values):.0f} ns")
    yield Figure("cv_warm_vs_gbench", cv(own) / cv(peer), "ratio", FIGURES["cv_warm_vs_gbench"])
