# SPDX-License-Identifier: Apache-2.0
"""
The specs of the routines in apps/routines/ as a user would write them: prototype, sizes, and
contents that are like the application's.
"""
import base64
import copy
import dataclasses
import pathlib
import random
import struct

HUGE_PAGES = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
HASH = 0x9e3779b97f4a7c15
WORDS = ("error timeout session warning connect info user closed retry host disk from after "
         "request").split()


@dataclasses.dataclass
class Application:
    routine: str
    params: dict
    args: dict
    has_first: bool = True		# its first calls find operands that no work has touched
    twin: bool = False			# another variant's time is predicted from one's fit


def spec(app, context="cold", args=None):
    """args: members to add to operands, each of which gets a copy of its own."""
    document = {"routine": app.routine, "params": app.params, "context": context,
                "args": {name: copy.copy(arg) for name, arg in app.args.items()}}
    for name, members in (args or {}).items():
        document["args"][name].update(members)
    return document


# ---- contents ----

def exactly(data):
    return {"data": base64.b64encode(data).decode()}


def packed(form, values):
    return exactly(struct.pack(f"<{len(values)}{form}", *values))


def between(least, most):
    return {"random": {"min": least, "max": most}}


def below(bound):
    return between(0, bound)


def torus_columns(side):
    """Of a sparse matrix in rows: a point and its four neighbours."""
    n = side * side
    steps = (0, 1, -1, side, -side)
    return packed("i", [(i + step) % n for i in range(n) for step in steps])


def hash_table(bits, keys):
    slots, mask = [0] * (2 << bits), (1 << bits) - 1
    for key in range(1, keys + 1):
        at = (key * HASH & (1 << 64) - 1) >> (64 - bits)
        while slots[2 * at]:
            at = (at + 1) & mask
        slots[2 * at:2 * at + 2] = key, key * key
    return packed("Q", slots)


def log_pages(pages, page_bytes):
    """Several inputs, as calls meet one page after the other."""
    dice, log, size = random.Random(5), "", pages * page_bytes
    while len(log) < size:
        log += dice.choice(WORDS) + ("\n" if dice.randrange(9) == 0 else " ")
    return exactly(log[:size].encode())


# ---- the thirteen ----

def operand(*dims, **members):
    return {"dims": [str(d) for d in dims], **members}


def large(members):
    """Memory that malloc gives: no huge pages, unless the host has them everywhere."""
    return members if "[always]" in HUGE_PAGES.read_text() else {**members, "pages": "small"}


LINE, SQUARE = operand("SIZE"), operand("SIZE", "SIZE")
CUBE = operand("SIZE", "SIZE", "SIZE")


def heat3d():
    return Application("void heat3d(int n, double rate, const double *in, double *out)",
                       {"SIZE": 96},
                       {"n": "SIZE", "rate": 0.1, "in": large(CUBE),
                        "out": {**large(CUBE), "access": "out"}}, twin=True)


def spmv():
    starts = packed("i", range(0, 5 * 160 * 160 + 1, 5))
    args = {"n": "ROWS", "start": operand("ROWS + 1", init=starts),
            "column": operand("5 * ROWS", init=torus_columns(160)), "value": operand("5 * ROWS"),
            "x": operand("ROWS"), "y": operand("ROWS", access="out")}
    return Application("void spmv(int n, const int *start, const int *column, const double *value, "
                       "const double *x, double *y)", {"ROWS": 160 * 160}, args, twin=True)


def tile_update():
    return Application("void tile_update(int n, const double *a, const double *b, double *c)",
                       {"SIZE": 64}, {"n": "SIZE", "a": SQUARE, "b": SQUARE, "c": SQUARE},
                       twin=True)


def hash_find():
    args = {"n": "BATCH", "keys": operand("BATCH", init=between(1, 30000)), "bits": "BITS",
            "table": operand("pow(2, BITS + 1)", init=hash_table(15, 20000)),
            "values": operand("BATCH", access="out")}
    return Application("void hash_find(int n, const uint64_t *keys, int bits, "
                       "const uint64_t *table, uint64_t *values)", {"BATCH": 256, "BITS": 15}, args)


def count_word():
    args = {"n": "BYTES", "text": operand("BYTES", init=log_pages(32, 8192)), "m": 7,
            "word": operand(8, init=exactly(b"timeout\0"))}
    return Application("int count_word(int n, const char *text, int m, const char *word)",
                       {"BYTES": 8192}, args)


def butterfly():
    return Application("void butterfly(int n, const double *w, double *re, double *im)",
                       {"SIZE": 1024}, {"n": "SIZE", "w": LINE, "re": LINE, "im": LINE}, twin=True)


def histogram():
    return Application("void histogram(int n, const unsigned char *pixels, unsigned *bins)",
                       {"SIZE": 65536},
                       {"n": "SIZE", "pixels": {**LINE, "init": below(255)},
                        "bins": operand(256, init=0)})


def push():
    args = {"n": "SIZE", "cells": "CELLS", "dt": 0.01, "field": operand("CELLS"),
            "x": {**LINE, "init": below(4096)}, "v": LINE}
    return Application("void push(int n, int cells, double dt, const double *field, double *x, "
                       "double *v)", {"SIZE": 16384, "CELLS": 4096}, args, twin=True)


def matvec():
    return Application("void matvec(int n, const double *a, const double *x, double *y)",
                       {"SIZE": 1200}, {"n": "SIZE", "a": large(SQUARE), "x": LINE,
                        "y": {**LINE, "access": "out"}}, twin=True)


def axpy():
    return Application("void axpy(int n, double a, const double *x, double *y)", {"SIZE": 150000},
                       {"n": "SIZE", "a": 0.001, "x": LINE, "y": LINE}, twin=True)


def locate():
    args = {"n": "SIZE", "sorted": {**LINE, "init": "index"}, "m": "KEYS",
            "keys": operand("KEYS", init=below(1 << 19)), "at": operand("KEYS", access="out")}
    return Application("void locate(int n, const int *sorted, int m, const int *keys, int *at)",
                       {"SIZE": 1 << 19, "KEYS": 128}, args)


def partition():
    """What comes in is written just before each call, so no call is a first one."""
    return Application("int partition(int n, int pivot, int *a)", {"SIZE": 8192},
                       {"n": "SIZE", "pivot": 1 << 19, "a": {**LINE, "init": below(1 << 20)}},
                       has_first=False)


def eliminate():
    factor = {**LINE, "init": {"random": {"min": -0.001, "max": 0.001}}}
    return Application("void eliminate(int n, const double *factor, const double *pivot, "
                       "double *a)", {"SIZE": 256},
                       {"n": "SIZE", "factor": factor, "pivot": LINE, "a": SQUARE}, twin=True)


ALL = {made.__name__: made for made in (
    heat3d, spmv, tile_update, hash_find, count_word, butterfly, histogram, push, matvec, axpy,
    locate, partition, eliminate)}
