# SPDX-License-Identifier: Apache-2.0
"""
A stand-in for Kernel Tuner 1.4, which Debian does not have: of its documented interface what a
strategy object and a runner of one's own meet.  It searches at random.
"""
import itertools

from kernel_tuner import util


class Options(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


class Budget:
    def __init__(self, max_fevals):
        self.left = max_fevals

    def add_evaluations(self, n):
        self.left -= n


class Searchspace:
    def __init__(self, tune_params):
        self.tune_params = tune_params
        self.list = list(itertools.product(*tune_params.values()))


class SequentialRunner:
    """Made first whatever the strategy; nothing is to be timed by it."""
    last_strategy_time = 0

    def run(self, parameter_space, tuning_options):
        raise AssertionError("the runner of Kernel Tuner's own is used")

    def get_environment(self):
        return {"environment": "stand-in"}


def tune_kernel(kernel_name, kernel_source, problem_size, arguments, tune_params, lang=None, strategy=None,
                strategy_options=None, quiet=False):
    assert lang == "C" and callable(strategy.tune)
    runner = SequentialRunner()
    tuning_options = Options(tune_params=tune_params, strategy_options=strategy_options, objective=["time"], cache={},
                             cachefile=None, budget=Budget(strategy_options["max_fevals"]), unique_results={})
    results = strategy.tune(Searchspace(tune_params), runner, tuning_options)
    for result in results:
        assert set(tune_params) <= set(result), result
        for member in ("times", "compile_time", "verification_time", "benchmark_time", "strategy_time",
                       "framework_time", "timestamp", "time"):
            assert member in result, (member, result)
        assert isinstance(result["time"], float) or isinstance(result["__error__"], util.ErrorConfig), result
    return results, runner.get_environment()
