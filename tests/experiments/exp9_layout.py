# SPDX-License-Identifier: Apache-2.0
"""
What the layout alone is worth on this machine: the same kernels with the same data, timed at other starts of their code,
other places of their operands in a page and of the stack (Mytkowicz and others, "Producing wrong data without doing
anything obviously wrong!").  The column "repeat" is what two processes with the same layout differ by.

Operands aligned to a cache line can only lie at another line of their page.  Those aligned to 16 bytes, as ATLAS allows
its kernels' callers, can split a vector over two lines: what a kernel that was tuned on aligned data has to fear.
"""
import statistics

import lab as l
from plot import Plot

TITLE = "the spread that code placement, operand offsets and the stack's place cause"
LAYOUTS, SAMPLES, TURNS = 16, 8, 3
FACTORS = ["code", "operands", "stack"]

LINE, ATLAS = 64, 16		# bytes that operands are aligned to

KERNELS = {
    "dot 100": ("dot", "dot_unroll.c", {"UNROLL": 8}, "dotprod", {"N": 100}),
    "dot 1000": ("dot", "dot_unroll.c", {"UNROLL": 8}, "dotprod", {"N": 1000}),
    "axpy 1000": ("axpy", "axpy.c", {}, "axpy", {"N": 1000}),
    "gemm nb16": ("gemm", "gemm_block.c", {"NB": 16}, "gemm", {"MS": 64, "NS": 64, "KS": 64}),
    "gemm nb24": ("gemm", "gemm_block.c", {"NB": 24}, "gemm", {"MS": 72, "NS": 72, "KS": 72}),
    "gemm nb72": ("gemm", "gemm_block.c", {"NB": 72}, "gemm", {"MS": 72, "NS": 72, "KS": 72}),
}


def swept(lab, kernel, align=LINE, layouts=LAYOUTS):
    routine, file, defines, spec_name, params = KERNELS[kernel]
    spec = l.spec(spec_name, params, "warm", samples=SAMPLES, gate=True, layout="sweep", layouts=layouts)
    for argument in spec["args"].values():
        if isinstance(argument, dict):
            argument["align"] = align
    return lab.evaluate(l.variant(routine, file, l.AVX2, **defines), spec)["layout"]


def measure(lab, kernels=KERNELS, turns=TURNS, layouts=LAYOUTS):
    """{(kernel, align): its layouts of each turn}; the caller has a service running."""
    seen = {(k, align): [] for k in kernels for align in (LINE, ATLAS)}
    for _ in range(turns):
        for (k, align), turns_seen in seen.items():
            turns_seen.append(swept(lab, k, align, layouts))
    return seen


def percent(turns, name, by=False):
    """The median over the turns of a spread, in percent; NaN: no turn has it."""
    values = [(t["by"] if by else t)[name] for t in turns]
    values = [100 * v for v in values if v is not None]
    return statistics.median(values) if values else float("nan")


def worst_gemm_percent(seen, align=LINE):
    """layout_spread_gemm_pct: what a gemm kernel can gain or lose by nothing but its layout."""
    return max(percent(turns, "spread") for (k, a), turns in seen.items() if k.startswith("gemm") and a == align)


def main(lab):
    kernels = list(KERNELS)[lab.pick(0, 3):]
    with lab.service():
        seen = measure(lab, kernels, lab.pick(TURNS, 1), lab.pick(LAYOUTS, 8))
    rows = [[k, align, percent(t, "spread"), *(percent(t, f, by=True) for f in FACTORS), percent(t, "repeat")]
            for (k, align), t in seen.items()]
    lab.report("exp9_layout", ["kernel", "align", "spread %", *(f"{f} %" for f in FACTORS), "repeat %"], rows)
    print(f"  layout_spread_gemm_pct {worst_gemm_percent(seen):.2f}, with operands aligned to {ATLAS} bytes "
          f"{worst_gemm_percent(seen, ATLAS):.2f}")
    plot = Plot("Time in each layout, as % of the kernel's median", "layout", "%")
    for (k, align), turns in seen.items():
        times = [statistics.median(ns) for ns in zip(*([e["median_ns"] for e in t["each"]] for t in turns))]
        plot.points(f"{k}, {align} B", range(len(times)), [100 * ns / statistics.median(times) for ns in times])
    lab.plot(plot, "exp9_layout")
