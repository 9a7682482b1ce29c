# SPDX-License-Identifier: Apache-2.0
"""
How many results accuse honest kernels, or blame Assay for them, while compute and memory load keep
the other CPUs busy.  Each kernel of tests/kernels/honest/ is timed cold and warm, twenty times, or
HONEST_ROUNDS times; a line for each says what became of it.
"""
import collections
import os

from figure import Figure
import honest

FIGURES = {"false_suspects": "<= 0"}
ROUNDS = int(os.environ.get("HONEST_ROUNDS", 20))


def row(kernel, context, seen):
    outcomes = ", ".join(f"{count} {words}" for words, count in seen.most_common())
    return f"{kernel.kind:11} {kernel.name:19} {context:5} {outcomes}"


def measure(bench):
    some = honest.kernels()
    loads = [honest.LOADS[i % len(honest.LOADS)] for i in range(ROUNDS)]
    seen = collections.defaultdict(collections.Counter)
    accused = total = 0
    with bench.service("honest") as (daemon, _):
        for kernel, context, result in honest.rounds(daemon, some, loads):
            seen[kernel.name, context][honest.words(result)] += 1
            accused += honest.is_accused(result)
            total += 1
    for kernel in some:
        for context in honest.CONTEXTS:
            bench.note(row(kernel, context, seen[kernel.name, context]))
    yield Figure("false_suspects", accused, f"of {total}", FIGURES["false_suspects"])
