# SPDX-License-Identifier: Apache-2.0
"""
What the jail costs and what it holds: setting one up, a kernel's time in it against the same without (two daemons, one
whose workers have no jail, timing by turns), how much of the hostile corpus ends as it must, and what a kernel takes right
after each of it, relative to the same kernel once more.  The ratios are of the slower to the faster, whichever that is: a jail that makes code faster would be as wrong as one that makes it slower.
"""
import statistics
import subprocess

from figure import BUILD, Figure, end_of, result_of
import corpus

CORPUS = [(path, right) for kind in ("variants", "sources") for path, right in corpus.corpus(kind)]
FIGURES = {
    "jail_setup_ms": "<= 3",
    "jail_ratio_compute": "<= 1.01",
    "jail_ratio_memory": "<= 1.01",
    "hostile_contained": f">= {len(CORPUS)}",
    "after_hostile_ratio": "<= 1.01",
}
ROUNDS, TURNS = 200, 31
COMPUTE = """double f(int n, const double *x)
{
	double s = 0;
	for (int i = 0; i < n; i++) {
		double p = 1;
		for (int k = 0; k < 24; k++)
			p = p * x[i] + 0.5;
		s += p;
	}
	return s;
}
"""
MEMORY = """double f(int n, const double *x)
{
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	for (int i = 0; i < n; i += 4)
		s0 += x[i], s1 += x[i + 1], s2 += x[i + 2], s3 += x[i + 3];
	return s0 + s1 + s2 + s3;
}
"""
KERNELS = {"compute": (COMPUTE, 1000), "memory": (MEMORY, 12 << 20)}


def job(name):
    source, n = KERNELS[name]
    return {"variant": {"name": name, "language": "c", "source": source, "flags": ["-O2"]},
            "spec": {"routine": "double f(int n, const double *x)", "params": {"N": n}, "context": "warm",
                     "args": {"n": "N", "x": {"type": "double", "dims": ["N"], "init": "random"}},
                     "timing": {"samples": 15}}}


def setup_ms(bench):
    said = subprocess.run([BUILD / "tests/jail_cost", str(ROUNDS)], check=True, stdout=subprocess.PIPE, text=True).stdout
    took = {}
    for line in said.splitlines():
        kind, ns = line.split()
        took.setdefault(kind, []).append(int(ns) / 1e6)
    for kind, ms in took.items():
        low, middle, high = statistics.quantiles(ms, n=4)
        bench.note(f"to main(), {kind}: {min(ms):.2f} at least, quarter {low:.2f}, half {middle:.2f}, three quarters {high:.2f} ms")
    return max(statistics.median(took[kind]) for kind in ("build", "time"))


def least_ns(client, name):
    return result_of(client, job(name))["time"]["min_ns"]


def ratio(bench, clients, name):
    """The median over turns of inside over outside; which of the two begins alternates."""
    least_ns(clients[0], name), least_ns(clients[1], name)  # compiled
    turns = []
    for turn in range(TURNS):
        first = turn % 2
        ns = {which: least_ns(clients[which], name) for which in (first, 1 - first)}
        turns.append(ns[0] / ns[1])
    middle = statistics.median(turns)
    bench.note(f"{name}: inside over outside {middle:.4f}, {min(turns):.4f} to {max(turns):.4f} in {TURNS} turns")
    return max(middle, 1 / middle)


def ratios(bench):
    without = {"flags": ["--insecure-no-jail"], "worker": BUILD / "tests/worker_without_jail"}
    with bench.service("jail_inside") as (_, inside), bench.service("jail_outside", **without) as (_, outside):
        return {name: ratio(bench, (inside, outside), name) for name in KERNELS}


def contained(bench):
    """How many of the corpus end with a word that is right for them; and the ratio of the next job to the one after it."""
    held, ratios = 0, []
    with bench.service("hostile") as (_, client):
        result_of(client, job("compute"))  # compiled
        for path, right in CORPUS:
            word = end_of(client, corpus.job(path.stem, path.read_text(), right))["status"]
            after, later = (result_of(client, job("compute"))["time"]["value_ns"] for _ in range(2))
            ratios.append(after / later)
            if word in right or (word == "too_noisy" and "ok" in right):
                held += 1
            else:
                bench.note(f"{path.name}: {word} and not {right}")
    middle = statistics.median(ratios)
    bench.note(f"a kernel right after each, over the same later: {middle:.4f}, {min(ratios):.4f} to {max(ratios):.4f}")
    return held, max(middle, 1 / middle)


def measure(bench):
    yield Figure("jail_setup_ms", setup_ms(bench), "ms", FIGURES["jail_setup_ms"])
    for name, value in ratios(bench).items():
        yield Figure(f"jail_ratio_{name}", value, "ratio", FIGURES[f"jail_ratio_{name}"])
    held, after = contained(bench)
    yield Figure("hostile_contained", held, "files", FIGURES["hostile_contained"])
    yield Figure("after_hostile_ratio", after, "ratio", FIGURES["after_hostile_ratio"])
