# SPDX-License-Identifier: Apache-2.0
"""
A matrix multiply as MicroTools studies it (section 2): the time of a multiplication over the size of
the matrices (Figure 3), whose knee is the least size at which it takes half as long again as at
best and which has no goal; and how far apart the alignments of three matrices of 200 x 200 are (Figure 4).
"""
import itertools
import math

from figure import Figure, result_of

FIGURES = {"matmul_knee_n": "<= inf", "matmul_alignment_pct": "<= 3"}
SIZES, AT_BEST = range(100, 901, 100), 1.5
SIZE, OFFSETS = 200, (0, 16, 32, 48)
SOURCE = """
void multiply(int n, const double *a, const double *b, double *c)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0;
			for (int k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}
"""


def job(n, offsets=(0, 0, 0)):
    operands = {name: {"dims": ["N * N"], "align": 4096, "offset": offset} for name, offset in zip("abc", offsets)}
    operands["c"]["access"] = "out"
    return {"variant": {"name": f"multiply {n}", "source": SOURCE, "flags": ["-O2"]}, "timeout_ms": {"run": 300000},
            "spec": {"routine": "void multiply(int n, const double *a, const double *b, double *c)", "params": {"N": n},
                     "args": {"n": "N", **operands}, "context": "warm",
                     "timing": {"samples": 5, "processes": 1, "trust": "claimed"}}}


def each_ns(client, n):
    """Of one multiplication and addition."""
    return result_of(client, job(n))["time"]["min_ns"] / n ** 3


def knee(bench, client):
    times = {n: each_ns(client, n) for n in SIZES}
    bench.note("matmul: ns each " + ", ".join(f"{n}: {ns:.3f}" for n, ns in times.items()))
    beyond = [n for n, ns in times.items() if ns > AT_BEST * min(times.values())]
    return Figure("matmul_knee_n", min(beyond, default=math.inf), f"rows (inf: none up to {max(SIZES)})",
                  FIGURES["matmul_knee_n"])


def alignments(bench, client):
    times = {offsets: result_of(client, job(SIZE, offsets))["time"]["min_ns"]
             for offsets in itertools.product(OFFSETS, repeat=3)}
    least, most = min(times, key=times.get), max(times, key=times.get)
    bench.note(f"matmul: {len(times)} alignments, {times[least] / 1e6:.3f} ms at {least}, {times[most] / 1e6:.3f} at {most}")
    return Figure("matmul_alignment_pct", 100 * (times[most] / times[least] - 1), f"% ({len(times)} alignments)",
                  FIGURES["matmul_alignment_pct"])


def measure(bench):
    with bench.service("matmul") as (_, client):
        yield knee(bench, client)
        yield alignments(bench, client)
