# SPDX-License-Identifier: Apache-2.0
"""
ytopt asks, Assay answers: ytopt_assay.py SPEC.json TEMPLATE.c EVALUATIONS NAME=1,2,3...

ytopt's Optimizer is asked and told here; its own loop and evaluators are not used.  Failures are
told as the largest number, in whose place ytopt puts the worst time that it knows.
"""
import sys

import ConfigSpace
from ytopt.search.optimizer import Optimizer

import assay

PARALLEL = 4
if len(sys.argv) < 5:
    sys.exit(__doc__.strip().splitlines()[0])
spec, template, left = assay.load(sys.argv[1]), sys.argv[2], int(sys.argv[3])
space = ConfigSpace.ConfigurationSpace(seed=1234)
for name, _, values in (word.partition("=") for word in sys.argv[4:]):
    space.add_hyperparameter(ConfigSpace.CategoricalHyperparameter(name, values.split(",")))
optimizer = Optimizer(num_workers=PARALLEL, space=space, learner="RF", acq_func="gp_hedge", liar_strategy="cl_max",
                      set_KAPPA=1.96, set_SEED=12345, set_NI=PARALLEL)
best = None
with assay.Assay() as a:
    study = a.study(lambda point: assay.job(spec, template, flags=["-O3"], **point), parallel=PARALLEL)
    points = iter(optimizer.ask_initial(n_points=min(PARALLEL, left)))
    study.fill(points)
    left -= len(study.under_way)
    for point, result in study:
        print(point, result, flush=True)
        optimizer.tell([(point, min(result.seconds, sys.float_info.max))])
        if best is None or result.seconds < best[1].seconds:
            best = point, result
        if left:
            left -= 1
            for batch in optimizer.ask(n_points=1):
                study.put(batch[0])
print("best:", *best)
