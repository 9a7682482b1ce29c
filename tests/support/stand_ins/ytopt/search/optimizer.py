# SPDX-License-Identifier: Apache-2.0
"""
A stand-in for ytopt, which Debian does not have: the interface of its Optimizer, with its demands
on what it is told.  It searches at random.
"""
import random
import sys


class Optimizer:
    def __init__(self, num_workers, space, learner, acq_func, liar_strategy, set_KAPPA, set_SEED, set_NI):
        self.space, self.random, self.evals = space, random.Random(set_SEED), {}

    def _point(self):
        point = {p.name: self.random.choice(p.choices) for p in self.space.parameters}
        self.evals.setdefault(tuple(point.values()), 0.0)
        return point

    def ask_initial(self, n_points):
        return [self._point() for _ in range(n_points)]

    def ask(self, n_points=None, batch_size=20):
        yield [self._point() for _ in range(n_points)]

    def tell(self, xy_data):
        assert isinstance(xy_data, list)
        for x, y in xy_data:
            assert tuple(x.values()) in self.evals and isinstance(y, float) and 0 < y <= sys.float_info.max, (x, y)
            self.evals[tuple(x.values())] = y
