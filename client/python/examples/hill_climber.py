# SPDX-License-Identifier: Apache-2.0
"""
A hill climber with restarts: hill_climber.py SPEC.json TEMPLATE.c RESTARTS NAME=1,2,3...

From a random point it goes to the best of the neighbours (one value up or down in one dimension),
as long as that is faster by more than the noise of the two.  All neighbours are timed side by side.
"""
import itertools
import random
import sys

import assay

if len(sys.argv) < 5:
    sys.exit(__doc__.strip().splitlines()[0])
spec, template, restarts = assay.load(sys.argv[1]), sys.argv[2], int(sys.argv[3])
space = {name: values.split(",") for name, _, values in (word.partition("=") for word in sys.argv[4:])}


def make_job(place):
    return assay.job(spec, template, flags=["-O3"], **{n: v[i] for (n, v), i in zip(space.items(), place)})


def neighbours(place):
    for dimension, step in itertools.product(range(len(place)), (-1, 1)):
        near = (*place[:dimension], place[dimension] + step, *place[dimension + 1:])
        if near[dimension] in range(len(list(space.values())[dimension])):
            yield near


def is_faster(a, b):
    """By more than their noise: the intervals of 95 % do not overlap."""
    return a.ok and (not b.ok or a.seconds < b.seconds and
                     (not (a.ci95_ns and b.ci95_ns) or a.ci95_ns[1] < b.ci95_ns[0]))


def climb(a, known):
    here = tuple(random.randrange(len(values)) for values in space.values())
    while True:
        new = [p for p in (here, *neighbours(here)) if p not in known]
        known.update(a.search(new, make_job))
        best = min(neighbours(here), key=lambda p: known[p].seconds, default=here)
        if not is_faster(known[best], known[here]):
            return here
        here = best


with assay.Assay() as a:
    known = {}
    tops = {climb(a, known) for _ in range(restarts)}
    top = min(tops, key=lambda p: known[p].seconds)
    print(f"{len(known)} points timed, {len(tops)} tops; best:",
          {n: v[i] for (n, v), i in zip(space.items(), top)}, known[top])
