# SPDX-License-Identifier: Apache-2.0
"""The sweeps of the demo: spec files and kernels of this directory put together into sweep documents."""
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
AVX2 = ["-O3", "-mavx2", "-mfma"]
BLOCKING_FACTORS = [8, 12, 24, 36, 72]
DOT_SIZES = [1000, 20000, 200000, 2000000]
BAD_ENDS = {"bad_syntax": "build_failed", "bad_crash": "crashed", "bad_spin": "run_timeout", "bad_answer": "wrong_answer",
            "plain": "ok", "unroll4": "ok"}


def spec(name):
    return json.loads((HERE / f"{name}.spec.json").read_text())


def variant(name, file, flags=("-O3",), **defines):
    v = {"name": name, "language": "c", "source": (HERE / file).read_text(), "flags": list(flags)}
    if defines:
        v["defines"] = defines
    return v


def dot_variants():
    return [
        variant("plain", "dot_plain.c"),
        variant("unroll2", "dot_unroll.c", UNROLL=2),
        variant("unroll4", "dot_unroll.c", UNROLL=4),
        variant("unroll8", "dot_unroll.c", UNROLL=8),
        variant("prefetch", "dot_prefetch.c"),
        variant("avx2", "dot_avx2.c", AVX2),
    ]


def dot(n, context):
    """Whaley and Castaldo's example: how fast it is depends on where the operands are."""
    s = spec("dotprod")
    s["params"]["N"] = n
    s["context"] = context
    return {"name": f"dot-{context}-{n}", "spec": s, "variants": dot_variants()}


def gemm(flush):
    """ATLAS's kernel as its spec has it, one template and five blocking factors."""
    s = spec("gemm")
    if not flush:
        s["context"] = "warm"
        for operand in "ABC":
            s["args"][operand]["cache"] = "warm"
    return {
        "name": "gemm-flush" if flush else "gemm-noflush",
        "spec": s,
        "template": variant("gemm", "gemm_block.c", AVX2),
        "space": {"NB": BLOCKING_FACTORS},
    }


def doitgen():
    return {
        "name": "doitgen",
        "spec": spec("doitgen"),
        "variants": [
            variant("reference", "doitgen_ref.c"),
            variant("gco_8_6", "doitgen_gco.c"),
            variant("split2", "doitgen_split.c", SPLIT=2),
            variant("split4", "doitgen_split.c", SPLIT=4),
            variant("jam3", "doitgen_jam.c", JAM=3),
            variant("jam10", "doitgen_jam.c", JAM=10),
            variant("interchange", "doitgen_interchange.c"),
            variant("block3", "doitgen_block.c", BLOCK=3),
            variant("tile2x8", "doitgen_tile.c", ROWS=2),
            variant("avx2_3x16", "doitgen_avx2.c", AVX2),
        ],
    }


def bad():
    """Four that fail, each in its own way, between two that do not."""
    s = spec("dotprod")
    s["context"] = "warm"
    return {
        "name": "bad",
        "spec": s,
        "timeout_ms": {"run": 5000},
        "variants": [
            variant("plain", "dot_plain.c"),
            variant("bad_syntax", "bad_syntax.c"),
            variant("bad_crash", "bad_crash.c"),
            variant("bad_spin", "bad_spin.c"),
            variant("bad_answer", "bad_answer.c"),
            variant("unroll4", "dot_unroll.c", UNROLL=4),
        ],
    }


def everything():
    """(title, document) of each sweep, in the order in which the demo runs them."""
    sweeps = [
        (f"dot product, N = {n}, operands {where} cache", dot(n, context))
        for context, where in (("warm", "in"), ("cold", "out of"))
        for n in DOT_SIZES
    ]
    sweeps.append(("matrix multiply 72 x 72 x 72, operands flushed", gemm(True)))
    sweeps.append(("matrix multiply 72 x 72 x 72, not flushed", gemm(False)))
    sweeps.append(("doitgen 30 x 30 x 30, warm", doitgen()))
    sweeps.append(("variants that fail, between two that do not", bad()))
    return sweeps
