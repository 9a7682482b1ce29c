# SPDX-License-Identifier: Apache-2.0
"""
Kernel Tuner searches, Assay times: kernel_tuner_assay.py SPEC.json TEMPLATE.c STRATEGY FEVALS NAME=1,2,3...

tune_kernel takes an object as its strategy.  AssayStrategy is one that runs a strategy of Kernel
Tuner's own, such as random_sample or genetic_algorithm, with a runner whose times come from Assay.
Kernel Tuner still makes its own runner first: lang="C" needs a C++ compiler and no GPU.

Written for the interface of Kernel Tuner 1.4.
"""
import datetime
import importlib
import sys

import kernel_tuner
from kernel_tuner import util

import assay

FAILURES = {"build_failed": util.CompilationFailedConfig, "build_timeout": util.CompilationFailedConfig,
            "build_limit": util.CompilationFailedConfig, "bad_spec": util.InvalidConfig}


class AssayRunner:
    """A runner: whole lists of configurations at once.  What it lacks is the given runner's."""

    def __init__(self, runner, a, make_job):
        self.runner, self.assay, self.make_job = runner, a, make_job

    def __getattr__(self, name):
        return getattr(self.runner, name)

    def run(self, parameter_space, tuning_options):
        names = list(tuning_options.tune_params)
        wanted = [dict(zip(names, point)) for point in parameter_space]
        new = {self.key(p): p for p in wanted if self.key(p) not in tuning_options.cache}
        for key, result in self.assay.search(new, lambda key: self.make_job(new[key])):
            tuning_options.budget.add_evaluations(1)
            util.store_cache(key, self.entry(new[key], result, tuning_options), tuning_options.cachefile,
                             tuning_options.cache)
        return [dict(tuning_options.cache[self.key(p)]) for p in wanted]

    @staticmethod
    def key(params):
        return ",".join(map(str, params.values()))

    @staticmethod
    def entry(params, result, tuning_options):
        """A configuration as Kernel Tuner keeps it: times in ms."""
        stages = result.raw.get("stages_ms") or {}
        entry = {**params, "times": [ns * 1e-6 for ns in result.samples_ns],
                 "compile_time": stages.get("build") or 0.0, "verification_time": 0.0,
                 "benchmark_time": stages.get("time") or 0.0, "strategy_time": 0.0, "framework_time": 0.0,
                 "timestamp": datetime.datetime.now(datetime.timezone.utc).isoformat()}
        if result.ok:
            return {**entry, "time": result.value_ns * 1e-6}
        failure = FAILURES.get(result.status, util.RuntimeFailedConfig)()
        return {**entry, "time": failure, "__error__": failure}


class AssayStrategy:
    """`name`: a module of kernel_tuner.strategies."""

    def __init__(self, name, a, make_job):
        self.inner = importlib.import_module(f"kernel_tuner.strategies.{name}")
        self.assay, self.make_job = a, make_job

    def tune(self, searchspace, runner, tuning_options):
        return self.inner.tune(searchspace, AssayRunner(runner, self.assay, self.make_job), tuning_options)


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__.strip().splitlines()[0])
    spec, template, name, fevals = assay.load(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    space = {n: [int(v) for v in values.split(",")] for n, _, values in (w.partition("=") for w in sys.argv[5:])}
    with assay.Assay() as a:
        strategy = AssayStrategy(name, a, lambda params: assay.job(spec, template, flags=["-O3"], **params))
        results, _ = kernel_tuner.tune_kernel("kernel", "void kernel(void) {}", 1, [], space, lang="C",
                                              strategy=strategy, strategy_options={"max_fevals": fevals}, quiet=True)
    timed = [r for r in results if isinstance(r["time"], float)]
    best = min(timed, key=lambda r: r["time"])
    print(f"{len(results)} configurations, {len(timed)} timed; best:", {n: best[n] for n in space}, best["time"], "ms")
