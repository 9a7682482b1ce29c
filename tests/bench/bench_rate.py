# SPDX-License-Identifier: Apache-2.0
"""
How fast a sweep of small variants goes, against the bare compiler on the same files, on the CPU that the sweep's own work
is bound to: what builds, the builders' CPU, and what finds everything built, the timing CPU.  A neighbour on a sibling
thread slows one CPU and not the other; so both sides of a ratio have the same.  What a job waits for a quiet core is no
cost of the sweep's, and bare gcc does not wait: the figures are of sweeps that take the core as it is, and a note says what
the same comes to with the gate as it is by default.
"""
import statistics
import time

from figure import ONE_BUILDER, Figure, HOUSE_CPU, TIMING_CPU, compiled_s

FIGURES = {"rate_vs_gcc": ">= 1.1", "rate_cached_vs_gcc": ">= 10", "rate_cached_per_s": ">= 350", "rate_gate_ratio": ">= 0.8"}
VARIANTS = 200
ROUNDS = 4
FLAGS = ["-O3"]

SOURCE = """\
double
dotprod(const int N, const double *X, const double *Y)
{{
	double	 sum[{sums}] = {{ 0.0 }}, dot = 0.0;
	int	 i = 0;

	for (; i <= N - {sums}; i += {sums})
		for (int u = 0; u < {sums}; u++)
			sum[u] += X[i + u] * Y[i + u];
	for (; i < N; i++)
		dot += X[i] * Y[i];
	for (int u = 0; u < {sums}; u++)
		dot += sum[u];
	return dot + {tag} * 1e-30;
}}
"""


def sources():
    """Distinct in their text, alike in what they cost to compile."""
    return [SOURCE.format(sums=1 + i % 8, tag=i) for i in range(VARIANTS)]


def compile_all(directory, texts, cpu):
    """Seconds that bare gcc takes for the files, one after another on one CPU."""
    directory.mkdir(exist_ok=True)
    files = []
    for i, text in enumerate(texts):
        files.append(directory / f"variant{i}.c")
        files[-1].write_text(text)
    return compiled_s([["gcc", *FLAGS, "-shared", "-fPIC", "-o", f.with_suffix(".so"), f] for f in files], cpu)


def sweep(client, name, spec, texts):
    """Seconds from submission to the last result.  A text, or members of its variant."""
    variants = [{"name": f"v{i}", "language": "c", "flags": FLAGS, **(t if isinstance(t, dict) else {"source": t})}
                for i, t in enumerate(texts)]
    began = time.perf_counter()
    client.call("sweep.create", {"sweep": {"name": name, "spec": spec, "variants": variants}})
    client.call("job.wait", {"sweep": name})
    took = time.perf_counter() - began
    statuses = client.call("sweep.get", {"sweep": name})["statuses"]
    if statuses.get("ok", 0) + statuses.get("too_noisy", 0) != len(texts):
        raise RuntimeError(f"{name}: {statuses}")
    return took


def beside_gcc(directory, texts, cpu, *runs):
    """Seconds of bare gcc for the files, half of them before the runs and half after, and of each run."""
    half = len(texts) // 2
    seconds = compile_all(directory, texts[:half], cpu)
    took = [run() for run in runs]
    return [seconds + compile_all(directory, texts[half:], cpu), *took]


def measure(bench):
    texts = sources()
    waits, spec = bench.dot_spec(1000, "warm"), bench.dot_spec(1000, "warm", gate=False)
    directory = bench.directory / "gcc"
    rounds = []
    with bench.service("rate", ONE_BUILDER) as (_, client):
        gcc, built = beside_gcc(directory, texts, HOUSE_CPU, lambda: sweep(client, "first", spec, texts))
        for i in range(ROUNDS):
            rounds.append(beside_gcc(directory, texts[i::ROUNDS], TIMING_CPU, lambda: sweep(client, f"again{i}", spec, texts),
                                     lambda: sweep(client, f"gated{i}", waits, texts)))
    for which, how in ((1, ""), (2, " that wait for quiet")):
        bench.note(f"{VARIANTS} variants found built{how}, to gcc on CPU {TIMING_CPU}: "
                   f"{', '.join(f'{ROUNDS * r[0] / r[which]:.1f}' for r in rounds)}; "
                   f"a second: {', '.join(f'{VARIANTS / r[which]:.0f}' for r in rounds)}")
    for name, value, unit in (("rate_vs_gcc", gcc / built, "ratio"),
                              ("rate_cached_vs_gcc", statistics.median(ROUNDS * r[0] / r[1] for r in rounds), "ratio"),
                              ("rate_cached_per_s", statistics.median(VARIANTS / r[1] for r in rounds), "1/s"),
                              ("rate_gate_ratio", statistics.median(r[1] / r[2] for r in rounds), "ratio")):
        yield Figure(name, value, unit, FIGURES[name])
