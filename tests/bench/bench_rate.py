# SPDX-License-Identifier: Apache-2.0
"""How fast a sweep of small variants goes, against the bare compiler on the same files."""
import subprocess
import time

from figure import Figure, HOUSE_CPU

FIGURES = {"rate_vs_gcc": ">= 0.8", "rate_cached_vs_gcc": ">= 10"}
VARIANTS = 200
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
	return dot + {tag} * 0.0;
}}
"""


def sources():
    """Distinct in their text, alike in what they cost to compile."""
    return [SOURCE.format(sums=1 + i % 8, tag=i) for i in range(VARIANTS)]


def compile_all(directory, texts):
    """Seconds that bare gcc takes for the files, one after another on the CPU that the builders have."""
    directory.mkdir(exist_ok=True)
    files = []
    for i, text in enumerate(texts):
        files.append(directory / f"variant{i}.c")
        files[-1].write_text(text)
    began = time.perf_counter()
    for f in files:
        subprocess.run(["taskset", "-c", str(HOUSE_CPU), "gcc", *FLAGS, "-shared", "-fPIC", "-o", f.with_suffix(".so"), f],
                       check=True)
    return time.perf_counter() - began


def sweep(client, name, spec, texts):
    """Seconds from submission to the last result."""
    variants = [{"name": f"v{i}", "language": "c", "source": t, "flags": FLAGS} for i, t in enumerate(texts)]
    began = time.perf_counter()
    client.call("sweep.create", {"sweep": {"name": name, "spec": spec, "variants": variants}})
    client.call("job.wait", {"sweep": name})
    took = time.perf_counter() - began
    statuses = client.call("sweep.get", {"sweep": name})["statuses"]
    if statuses.get("ok", 0) + statuses.get("too_noisy", 0) != len(texts):
        raise RuntimeError(f"{name}: {statuses}")
    return took


def measure(bench):
    texts = sources()
    half = VARIANTS // 2
    spec = bench.dot_spec(1000, "warm")
    with bench.service("rate") as (_, client):
        before = compile_all(bench.directory / "gcc", texts[:half])
        built = sweep(client, "first", spec, texts)
        after = compile_all(bench.directory / "gcc", texts[half:])
        cached = sweep(client, "again", spec, texts)
    bare = before + after
    bench.note(f"{VARIANTS} variants: gcc {bare:.2f} s, sweep {built:.2f} s, again {cached:.2f} s")
    yield Figure("rate_vs_gcc", bare / built, "ratio", FIGURES["rate_vs_gcc"])
    yield Figure("rate_cached_vs_gcc", bare / cached, "ratio", FIGURES["rate_cached_vs_gcc"])
