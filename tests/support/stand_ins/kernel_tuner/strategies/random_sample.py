# SPDX-License-Identifier: Apache-2.0
"""See kernel_tuner: a sample in one list, then its best once more, which the cache knows."""
import random


def tune(searchspace, runner, tuning_options):
    sample = random.sample(searchspace.list, min(tuning_options.strategy_options["max_fevals"], len(searchspace.list)))
    results = runner.run(sample, tuning_options)
    assert [tuple(r[n] for n in searchspace.tune_params) for r in results] == sample
    assert tuning_options.budget.left == tuning_options.strategy_options["max_fevals"] - len(sample)
    runner.last_strategy_time = 1
    assert runner.run(sample[:1], tuning_options) == results[:1]
    return results
