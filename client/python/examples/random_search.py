# SPDX-License-Identifier: Apache-2.0
"""Random search: random_search.py SPEC.json TEMPLATE.c N NAME=1,2,3...   (a value each for -DNAME)."""
import random
import sys

import assay

if len(sys.argv) < 5:
    sys.exit(__doc__.strip().splitlines()[0])
spec, template, n = assay.load(sys.argv[1]), sys.argv[2], int(sys.argv[3])
space = {name: values.split(",") for name, _, values in (word.partition("=") for word in sys.argv[4:])}
points = ({name: random.choice(values) for name, values in space.items()} for _ in range(n))
best = None
with assay.Assay() as a:
    for point, result in a.search(points, lambda p: assay.job(spec, template, flags=["-O3"], **p)):
        print(point, result, flush=True)
        if best is None or result.seconds < best[1].seconds:
            best = point, result
print("best:", *best)
