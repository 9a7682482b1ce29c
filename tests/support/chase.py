# SPDX-License-Identifier: Apache-2.0
"""
A routine that feels where its operands are: it follows pointers, one a cache line, so each step
takes as long as its line is far.  Memory is tens of times as far as the innermost cache.
"""
import base64
import struct

METHODS = ("OneCallFlushX86", "OneCallFlushLRU", "MultiCallFlushLRU")
# of each two lines, which a core may fetch together, one: 12 KiB, twice in any cache
LINES, WORDS = 96, 32
ROUTINE = "int chase(const unsigned *P, const unsigned *Q)"
CHASE = ROUTINE + f"""
{{
	unsigned p = 0, q = 0;
	for (int i = 0; i < {LINES}; i++)
		p = P[p];
	for (int i = 0; i < {LINES}; i++)
		q = Q[q];
	return p + q;
}}"""


def ring(step=29, every=WORDS):
    """
    Every element that is followed holds the place of the next, in an order that no prefetcher
    guesses.
    """
    words = [0] * (LINES * every)
    for i in range(LINES):
        words[i * every] = (i + step) % LINES * every
    return {"dims": [len(words)], "init": {"data": base64.b64encode(struct.pack(f"<{len(words)}I",
                                                                                *words)).decode()}}


def spec(context="cold", p=None, q=None, **timing):
    args = {"P": ring() | ({"cache": p} if p else {}), "Q": ring(31) | ({"cache": q} if q else {})}
    return {"routine": ROUTINE, "args": args, "context": context, "timing": timing}


def strided_spec(context, **timing):
    """A line in every fourth is followed: the operands take up more than is touched of them."""
    args = {"P": ring(29, 64) | {"stride": 64}, "Q": ring(31, 64) | {"stride": 64}}
    return {"routine": ROUTINE, "args": args, "context": context, "timing": timing}


def job(how, source=CHASE, name="chase", **members):
    return {"variant": {"source": source, "name": name, **members}, "spec": how}
