# SPDX-License-Identifier: Apache-2.0
"""
OpenTuner searches, Assay times: opentuner_assay.py --spec SPEC.json --template TEMPLATE.c --space NAME=1,2,3...
                                 [--test-limit N] [--parallelism N] [OpenTuner's options]

A job is submitted when OpenTuner says "compile", which it does for several configurations at a time
(--parallel-compile), and awaited when it says "run".  OpenTuner's limit of time becomes the job's
race: what is surely slower than it is given up.
"""
import argparse

import opentuner
from opentuner import ConfigurationManipulator, EnumParameter, MeasurementInterface, Result

import assay

parser = argparse.ArgumentParser(parents=opentuner.argparsers())
parser.add_argument("--spec", required=True)
parser.add_argument("--template", required=True)
parser.add_argument("--space", required=True, nargs="+", metavar="NAME=1,2,3")


class AssayInterface(MeasurementInterface):
    def __init__(self, args):
        super().__init__(args)
        self.parallel_compile = True
        self.assay, self.spec = assay.Assay(), assay.load(args.spec)

    def manipulator(self):
        manipulator = ConfigurationManipulator()
        for name, _, values in (word.partition("=") for word in self.args.space):
            manipulator.add_parameter(EnumParameter(name, values.split(",")))
        return manipulator

    def submit(self, config, limit=None):
        race = {"race": {"above_ns": limit * 1e9}} if limit and limit < 1e6 else None
        return self.assay.submit(assay.job(self.spec, self.args.template, flags=["-O3"], members=race, **config))

    def compile(self, config_data, id):
        """In a thread of OpenTuner's; the job's id is all that `run_precompiled` needs."""
        return self.submit(config_data)

    def run_precompiled(self, desired_result, input, limit, compile_result, id):
        result, = self.assay.results([compile_result])
        if result.ok:
            return Result(state="OK", time=result.seconds)
        if result.bound_ns is not None or result.status == "run_timeout":
            return Result(state="TIMEOUT", time=float("inf"))
        return Result(state="ERROR", time=float("inf"))

    def run(self, desired_result, input, limit):
        job = self.submit(desired_result.configuration.data, limit)
        return self.run_precompiled(desired_result, input, limit, job, None)

    def save_final_config(self, configuration):
        print("best:", configuration.data, flush=True)


if __name__ == "__main__":
    AssayInterface.main(parser.parse_args())
