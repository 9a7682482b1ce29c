# SPDX-License-Identifier: Apache-2.0
"""A variant compared with itself: how far the ratio of 31 pairs strays, hot (dot, N = 1 000; gemm, 64) and cold (dot)."""
import statistics

from figure import Figure, Unmeasured, result_of

FIGURES = {"aa_hot_pct": "<= 1", "aa_cold_pct": "<= 2"}
PAIRS, ROUNDS = 31, 25
# No look before the last can decide: the interval of 11 pairs cannot be so sure, and nothing counts as equal.
RULE = {"max_pairs": PAIRS, "error": 1e-4, "resolution": 0}


def gemm():
    source = """void gemm(const int N, const double *A, const double *B, double *C)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double c = 0;

			for (int k = 0; k < N; k++)
				c += A[i * N + k] * B[k * N + j];
			C[i * N + j] = c;
		}
}
"""
    operand = {"dims": ["N", "N"]}
    spec = {"routine": "void gemm(const int N, const double *A, const double *B, double *C)", "params": {"N": 64},
            "args": {"N": "N", "A": operand, "B": operand, "C": {**operand, "access": "out"}},
            "context": "warm", "timing": {"gate": True}}
    return source, spec


def cases(bench):
    dot = bench.kernel("dot_plain.c")
    yield "dot 1000 hot", "aa_hot_pct", (dot, bench.dot_spec(1000, "warm", gate=True))
    yield "gemm 64 hot", "aa_hot_pct", gemm()
    yield "dot 10000 cold", "aa_cold_pct", (dot, bench.dot_spec(10000, "cold", gate=True))


def job(source, spec):
    variant = {"name": "same", "source": source, "flags": ["-O3"]}
    return {"variant": variant, "against": variant, "spec": spec, "compare": RULE}


def ratio_of(client, document):
    """None: the host was too noisy."""
    result = result_of(client, document)
    return result["comparison"]["ratio"] if result["status"] == "ok" else None


def measure(bench):
    worst = {}
    with bench.service("aa") as (_, client):
        todo = [(name, figure, job(*case)) for name, figure, case in cases(bench)]
        ratios = {name: [] for name, _, _ in todo}
        for _ in range(ROUNDS):
            for name, _, document in todo:
                ratios[name].append(ratio_of(client, document))
    for name, figure, _ in todo:
        quiet = [r for r in ratios[name] if r is not None]
        if len(quiet) < 2:
            raise Unmeasured(f"{name}: {ROUNDS - len(quiet)} of {ROUNDS} comparisons were too noisy")
        spread = 100 * statistics.stdev(quiet)
        bench.note(f"{name}: {len(quiet)} of {ROUNDS}, {spread:.3f} % around {statistics.median(quiet):.4f}, "
                   f"{min(quiet):.4f} to {max(quiet):.4f}")
        worst[figure] = max(worst.get(figure, 0), spread)
    for figure, goal in FIGURES.items():
        yield Figure(figure, worst[figure], "%", goal)
