# SPDX-License-Identifier: Apache-2.0
"""
How often a comparison is wrong, and what it finds: kernels with operands in L1, L2, L3 and memory, beside the same code
or the same with a percent or two more or less work.  Every second time an unused function stands before the variant,
which moves its text.
"""
import collections
import statistics

from figure import Figure

FIGURES = {"aa_false_pct": "<= 5", "found_1_pct": ">= 80", "found_2_pct": ">= 95", "wrong_signs": "<= 0"}
COMPARISONS = 200               # for each of the first three
UNUSED = "int never(int n, const double *x) { int k = 0; for (int i = 0; i < n; i++) k += x[i] > 3 ? i : -i; return k; }\n"
# Thousandths of the elements; the compiler does not see how many there are.
WORK = 'int n = (int)((long)N * WORK / 1030); __asm__ volatile ("" : "+r" (n));'

CHAIN = "double s = 0; for (int r = 0; r < 40; r++) for (int i = 0; i < n; i++) s = s * 0.5 + X[i]; return s;"
DOT = "double s = 0, t = 0; for (int i = 0; i + 1 < n; i += 2) { s += X[i] * Y[i]; t += X[i + 1] * Y[i + 1]; } return s + t;"
AXPY = "for (int i = 0; i < n; i++) Y[i] = 0.5 * Y[i] + X[i];"
COPY = "for (int i = 0; i < n; i++) Y[i] = X[i] + 1;"
STENCIL = "for (int i = 512; i < n - 512; i++) Y[i] = X[i - 512] + X[i] + X[i + 512];"
READ = "double f(const int N, const double *X)"
READ_TWO = "double f(const int N, const double *X, const double *Y)"
WRITE = "void f(const int N, const double *X, double *Y)"

Kernel = collections.namedtuple("Kernel", "name routine body n context access")
KERNELS = (
    Kernel("chain, L1", READ, CHAIN, 256, "warm", None),
    Kernel("axpy, L1", WRITE, AXPY, 1030, "warm", "inout"),
    Kernel("dot, L2", READ_TWO, DOT, 41200, "warm", None),
    Kernel("copy, L2", WRITE, COPY, 30900, "warm", "out"),
    Kernel("stencil, L3", WRITE, STENCIL, 206000, "warm", "out"),
    Kernel("dot, memory", READ_TWO, DOT, 103000, "cold", None),
)


def job(kernel, percent, is_moved):
    args = {"N": "N", "X": {"dims": ["N"]}}
    if "Y" in kernel.routine:
        args["Y"] = {"dims": ["N"], **({"access": kernel.access} if kernel.access else {})}
    source = f"{kernel.routine}\n{{\n\t{WORK}\n\t{kernel.body}\n}}\n"
    return {"variant": {"name": "b", "source": UNUSED + source if is_moved else source, "flags": ["-O3"],
                        "defines": {"WORK": 1000 + 10 * percent}},
            "against": {"name": "a", "source": source, "flags": ["-O3"], "defines": {"WORK": 1000}},
            "spec": {"routine": kernel.routine, "params": {"N": kernel.n}, "args": args, "context": kernel.context}}


def verdict_of(client, document):
    """None: the host was too noisy."""
    client.call("job.submit", {"job": document, "follow": True})
    result = client.notification()["result"]
    if result["status"] not in ("ok", "too_noisy"):
        raise RuntimeError(f"{result['status']}: {result['detail']}")
    return result["comparison"]["verdict"] if result["status"] == "ok" else None


def compare_all(client, percents, comparisons):
    """By kernel, each comparison's percent and verdict."""
    found = {kernel.name: [] for kernel in KERNELS}
    for i in range(comparisons):
        kernel, turn = KERNELS[i % len(KERNELS)], i // len(KERNELS)
        percent = percents[turn // 2 % len(percents)]
        verdict = verdict_of(client, job(kernel, percent, turn % 2 == 1))
        if verdict is not None:
            found[kernel.name].append((percent, verdict))
    return found


def is_right(percent, verdict):
    return verdict == ("indistinguishable" if percent == 0 else "slower" if percent > 0 else "faster")


def is_wrong_sign(percent, verdict):
    return percent != 0 and verdict == ("faster" if percent > 0 else "slower")


def right_percent(found):
    return 100 * statistics.mean(is_right(*f) for f in found)


def measure(bench, comparisons=COMPARISONS):
    wrong_signs = 0
    with bench.service("compare") as (_, client):
        for name, percents in (("aa_false_pct", (0,)), ("found_1_pct", (-1, 1)), ("found_2_pct", (-2, 2))):
            found = compare_all(client, percents, comparisons)
            every = [f for of_kernel in found.values() for f in of_kernel]
            shares = ", ".join(f"{kernel} {right_percent(f):.0f} % of {len(f)}" for kernel, f in found.items() if f)
            bench.note(f"{name}: right of {len(every)}: {shares}")
            wrong_signs += sum(is_wrong_sign(*f) for f in every)
            right = right_percent(every)
            yield Figure(name, 100 - right if percents == (0,) else right, "%", FIGURES[name])
    yield Figure("wrong_signs", wrong_signs, "", FIGURES["wrong_signs"])
