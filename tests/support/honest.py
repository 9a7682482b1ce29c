# SPDX-License-Identifier: Apache-2.0
"""
Jobs of the honest kernels of tests/kernels/honest/, and the outcomes that accuse them.  The
reference of a routine is the file of its name; other files with the routine give the same answers
in other ways.
"""
import collections
import pathlib
import re

import load
from harness import TIMED, TREE

SOURCES = TREE / "tests" / "kernels" / "honest"
AVX2, AVX512 = ("-O3", "-mavx2", "-mfma"), ("-O3", "-mavx512f")
CONTEXTS = ("cold", "warm")
LOADS = (("compute", "memory"), ("compute",), ("memory",))
# outcomes that no load may bring upon honest work
ACCUSED = ("suspect", "internal", "wrong_answer")

Kernel = collections.namedtuple("Kernel", "kind name routine flags threads params timing",
                                defaults=(("-O2",), 1, {}, {}))


def uniform(low, high):
    return {"random": {"min": low, "max": high}}


def operand(*dims, **members):
    return {"dims": list(dims), **members}


def out(*dims):
    return operand(*dims, access="out")


IN, OUT = operand("N"), out("N")
BYTES = operand("N", init=uniform(0, 255))
# routine: its prototype, params and args, and the other members of its spec
ROUTINES = {
    "chase": ("int chase(int n, const int *next)", {"N": 20000},
              {"next": operand("N", init="permutation")}, {}),
    "search": ("void search(int n, const double *table, int m, const double *key, int *place)",
               {"N": 20000, "M": 200},
               {"m": "M", "table": operand("N", init="index"),
                "key": operand("M", init=uniform(0, 20000)), "place": out("M")}, {}),
    "linked": ("void linked(int n, const int *next, double *value)", {"N": 5000},
               {"next": operand("N", init="permutation"), "value": IN}, {"flops": "3*N"}),
    "divide": ("double divide(int n, const double *x)", {"N": 2000},
               {"x": operand("N", init=uniform(1, 2))}, {"flops": "2*N", "bytes": "8*N"}),
    "gather": ("double gather(int n, const int *at, const double *x)", {"N": 20000},
               {"at": operand("N", init=uniform(0, 19999)), "x": IN}, {"flops": "N"}),
    "copy": ("void copy(int n, const double *x, double *y)", {"N": 50000},
             {"x": IN, "y": OUT}, {"bytes": "16*N"}),
    "scale": ("void scale(int n, double a, const double *x, double *y)", {"N": 50000},
              {"a": 0.75, "x": IN, "y": OUT}, {"flops": "N", "bytes": "16*N"}),
    "axpy": ("void axpy(int n, double a, const double *x, double *y)", {"N": 50000},
             {"a": 0.75, "x": IN, "y": operand("N")}, {"flops": "2*N", "bytes": "24*N"}),
    "triad": ("void triad(int n, double a, const double *x, const double *y, double *z)",
              {"N": 30000}, {"a": 0.75, "x": IN, "y": IN, "z": OUT},
              {"flops": "2*N", "bytes": "24*N"}),
    "dot": ("double dot(int n, const double *x, const double *y)", {"N": 60000},
            {"x": IN, "y": IN}, {"flops": "2*N", "bytes": "16*N"}),
    "strided": ("double strided(int n, const double *x)", {"N": 64000}, {"x": IN},
                {"bytes": "8*N"}),
    "transpose": ("void transpose(int n, const double *a, double *b)", {"N": 160},
                  {"a": operand("N", "N"), "b": out("N", "N")}, {"bytes": "16*N*N"}),
    "gemv": ("void gemv(int n, const double *a, const double *x, double *y)", {"N": 200},
             {"a": operand("N", "N"), "x": IN, "y": operand("N")},
             {"flops": "2*N*N", "bytes": "8*N*N"}),
    "spmv": ("void spmv(int n, int k, const int *column, const double *entry, const double *x, "
             "double *y)", {"N": 4000, "K": 7},
             {"k": "K", "column": operand("N", "K", init=uniform(0, 3999)),
              "entry": operand("N", "K"), "x": IN, "y": OUT}, {"flops": "2*N*K"}),
    "stencil": ("void stencil(int n, const double *in, double *out)", {"N": 160},
                {"in": operand("N", "N"), "out": operand("N", "N")},
                {"flops": "5*(N-2)*(N-2)", "bytes": "16*N*N"}),
    "prefix": ("void prefix(int n, unsigned *x)", {"N": 20000}, {"x": operand("N")},
               {"bytes": "8*N"}),
    "histogram": ("void histogram(int n, const uint8_t *x, unsigned *count)", {"N": 20000},
                  {"x": BYTES, "count": out(256)}, {"bytes": "N"}),
    "gemm": ("void gemm(int n, const double *a, const double *b, double *c)", {"N": 48},
             {"a": operand("N", "N"), "b": operand("N", "N"), "c": operand("N", "N")},
             {"flops": "2*N*N*N"}),
    "polynomial": ("void polynomial(int n, const double *x, const double *factor, double *y)",
                   {"N": 4000}, {"x": IN, "factor": operand(16), "y": OUT}, {"flops": "30*N"}),
    "exponential": ("void exponential(int n, const double *x, double *y)", {"N": 2000},
                    {"x": operand("N", init=uniform(-20, 20)), "y": OUT}, {"bytes": "16*N"}),
    "mandelbrot": ("void mandelbrot(int n, const double *re, const double *im, int *turns)",
                   {"N": 500}, {"re": operand("N", init=uniform(-2, 1)), "im": IN, "turns": OUT},
                   {}),
    "mix": ("void mix(int n, const uint32_t *x, uint32_t *digest)", {"N": 4000},
            {"x": operand("N", init=uniform(0, 4e9)), "digest": out(4)}, {"bytes": "4*N"}),
    "rotate": ("void rotate(int n, const double _Complex *x, double _Complex *y)", {"N": 5000},
               {"x": IN, "y": operand("N")}, {"flops": "6*N", "bytes": "48*N"}),
    "norm": ("float norm(int n, const float *x)", {"N": 250000}, {"x": IN},
             {"flops": "2*N", "bytes": "4*N"}),
    "popcount": ("long popcount(int n, const uint64_t *x)", {"N": 5000},
                 {"x": operand("N", init=uniform(0, 1e18))}, {"bytes": "8*N"}),
    "count_if": ("long count_if(int n, const double *x, double low, double high)", {"N": 50000},
                 {"x": IN, "low": -0.5, "high": 0.5}, {"bytes": "8*N"}),
    "partition": ("int partition(int n, double pivot, const double *x, double *y)", {"N": 10000},
                  {"pivot": 0, "x": IN, "y": OUT}, {}),
    "sort_blocks": ("void sort_blocks(int n, double *x)", {"N": 2000}, {"x": operand("N")}, {}),
    "digits": ("uint64_t digits(int n, const uint8_t *text)", {"N": 10000},
               {"text": operand("N", init=uniform(44, 57))}, {"bytes": "N"}),
    "runs": ("int runs(int n, const uint8_t *x, int *count)", {"N": 10000},
             {"x": operand("N", init=uniform(0, 2)), "count": out(16)}, {"bytes": "N"}),
    "find": ("int find(int n, const double *x, double bound)", {"N": 20000},
             {"x": IN, "bound": 0.999}, {}),
    "matmul4": ("void matmul4(const float *a, const float *b, float *c)", {},
                {"a": operand(4, 4), "b": operand(4, 4), "c": out(4, 4)}, {"flops": "112"}),
    "hash64": ("uint64_t hash64(const uint8_t *x)", {}, {"x": operand(64, init=uniform(0, 255))},
               {"bytes": "64"}),
}
# Sums are added up in more than one order.
TOLERANCE = {"rtol": 1e-9, "atol": 1e-9}
OF_FLOATS = {"rtol": 1e-4, "atol": 1e-6}

KERNELS = [
    Kernel("latency", "chase", "chase"),
    Kernel("latency", "search", "search"),
    Kernel("latency", "search_branchless", "search"),
    Kernel("latency", "linked", "linked"),
    Kernel("latency", "divide", "divide"),
    Kernel("latency", "gather", "gather"),
    Kernel("latency", "gather_four", "gather"),
    Kernel("latency", "prefix", "prefix"),
    Kernel("bandwidth", "copy", "copy"),
    Kernel("bandwidth", "copy_stream", "copy"),
    Kernel("bandwidth", "scale_avx2", "scale", AVX2),
    Kernel("bandwidth", "axpy", "axpy"),
    Kernel("bandwidth", "axpy_avx2", "axpy", AVX2),
    Kernel("bandwidth", "triad", "triad"),
    Kernel("bandwidth", "dot", "dot"),
    Kernel("bandwidth", "dot_avx2", "dot", AVX2),
    Kernel("bandwidth", "strided", "strided"),
    Kernel("bandwidth", "transpose", "transpose"),
    Kernel("bandwidth", "transpose_blocked", "transpose"),
    Kernel("bandwidth", "gemv", "gemv"),
    Kernel("bandwidth", "spmv", "spmv"),
    Kernel("bandwidth", "stencil", "stencil"),
    Kernel("compute", "histogram", "histogram"),
    Kernel("compute", "histogram_four", "histogram"),
    Kernel("compute", "gemm", "gemm"),
    Kernel("compute", "gemm_blocked", "gemm", ("-O3",)),
    Kernel("compute", "polynomial", "polynomial"),
    Kernel("compute", "polynomial_avx2", "polynomial", AVX2),
    Kernel("compute", "exponential", "exponential", ("-O2", "-lm")),
    Kernel("compute", "exponential_series", "exponential", ("-O2", "-lm")),
    Kernel("compute", "mandelbrot", "mandelbrot"),
    Kernel("compute", "mix", "mix"),
    Kernel("compute", "rotate", "rotate"),
    Kernel("compute", "rotate_parts", "rotate"),
    Kernel("compute", "norm_float", "norm"),
    Kernel("compute", "popcount", "popcount"),
    Kernel("branches", "count_if", "count_if"),
    Kernel("branches", "count_if_sums", "count_if"),
    Kernel("branches", "partition", "partition"),
    Kernel("branches", "sort_blocks", "sort_blocks"),
    Kernel("branches", "digits", "digits"),
    Kernel("branches", "runs", "runs"),
    Kernel("branches", "find", "find"),
    Kernel("short", "matmul4", "matmul4"),
    Kernel("short", "hash64", "hash64"),
    Kernel("short", "dot_small", "dot", params={"N": 64}),
    Kernel("wide", "norm_avx2", "norm", AVX2),
    Kernel("wide", "count_if_avx2", "count_if", AVX2),
    Kernel("long", "gemm_long", "gemm", params={"N": 400}),
    Kernel("wide", "triad_avx512", "triad", AVX512),
    Kernel("wide", "dot_avx512", "dot", AVX512),
    Kernel("differences", "gemv_difference", "gemv", timing={"difference": True}),
    Kernel("differences", "dot_difference", "dot", timing={"difference": True}),
    Kernel("threads", "axpy_threads", "axpy", ("-O2", "-fopenmp"), 2),
    Kernel("threads", "dot_threads", "dot", ("-O2", "-fopenmp"), 2),
]
# kernels whose source file has another name
FILES = {"dot_small": "dot", "gemm_long": "gemm", "gemv_difference": "gemv",
         "dot_difference": "dot"}
# the feature that a CPU must have for a flag
NEEDS = {"-mavx2": "avx2", "-mfma": "fma", "-mavx512f": "avx512f"}


def source(name):
    return (SOURCES / f"{FILES.get(name, name)}.c").read_text()


def features():
    """Of the host's CPU, as the kernel lists them."""
    listed = re.search(r"(?m)^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text())
    return set(listed[1].split()) if listed else set()


def kernels():
    """Those that this host can run."""
    has = features()
    return [k for k in KERNELS if {NEEDS[f] for f in k.flags if f in NEEDS} <= has]


def spec(kernel, context):
    prototype, params, args, members = ROUTINES[kernel.routine]
    counts = {"n": "N"} if "int n," in prototype else {}
    check = {"reference": {"source": source(kernel.routine), "flags": ["-O2", "-lm"]},
             **(OF_FLOATS if "float " in prototype else TOLERANCE)}
    return {"routine": prototype, "params": params | kernel.params, "args": counts | args,
            "context": context, "timing": kernel.timing, "check": check, **members}


def job(kernel, context):
    return {"variant": {"name": kernel.name, "source": source(kernel.name),
                        "flags": list(kernel.flags)},
            "spec": spec(kernel, context), "threads": kernel.threads, "timeout_ms": {"run": 120000}}


def words(result):
    """The tier of a timed result, else its outcome; with the reason, if there is one."""
    if result["status"] not in TIMED:
        return f"{result['status']}: {without_numbers(result['detail'])}"
    tier = result["trust"] if result["status"] == "ok" else "too_noisy"
    reason = result["evidence"].get("claimed") if tier == "claimed" else None
    return f"{tier}: {without_numbers(reason)}" if reason else tier


def without_numbers(text):
    """Results that differ in numbers alone are counted together."""
    return re.sub(r"\b\d[\d.]*(e[+-]?\d+)?", "N", text)


def is_accused(result):
    return result["status"] in ACCUSED


def cases(some, contexts=CONTEXTS):
    """Each of these kernels cold, then each warm; variants of a routine follow each other."""
    return [(kernel, context) for context in contexts
            for kernel in sorted(some, key=lambda k: (k.routine, str(k[4:])))]


def rounds(daemon, some, loads, contexts=CONTEXTS):
    """Each case once beside each load: (kernel, context, result)."""
    wanted = cases(some, contexts)
    for kinds in loads:
        with load.beside(daemon, kinds):
            results = daemon.run(*(job(*case) for case in wanted))
        yield from ((*case, result) for case, result in zip(wanted, results))
