# SPDX-License-Identifier: Apache-2.0
"""
A stand-in for OpenTuner, which Debian does not have: of its documented interface what a
MeasurementInterface meets.  It searches at random, compiles in threads, and runs one by one.
"""
import argparse
import collections
import concurrent.futures
import random

Result = collections.namedtuple("Result", "state time")
Configuration = collections.namedtuple("Configuration", "data")
DesiredResult = collections.namedtuple("DesiredResult", "configuration")


def argparsers():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--test-limit", type=int, default=5000)
    parser.add_argument("--parallelism", type=int, default=4)
    return [parser]


class EnumParameter:
    def __init__(self, name, options):
        self.name, self.options = name, options


class ConfigurationManipulator:
    def __init__(self):
        self.parameters = []

    def add_parameter(self, parameter):
        self.parameters.append(parameter)

    def random(self):
        return {p.name: random.choice(p.options) for p in self.parameters}


class MeasurementInterface:
    def __init__(self, args=None):
        self.args = args
        self.parallel_compile = False

    @classmethod
    def main(cls, args):
        interface = cls(args)
        manipulator, best = interface.manipulator(), None
        wanted = [DesiredResult(Configuration(manipulator.random())) for _ in range(args.test_limit)]
        assert interface.parallel_compile
        with concurrent.futures.ThreadPoolExecutor(args.parallelism) as pool:
            compiled = list(pool.map(lambda w: interface.compile(w.configuration.data, 1), wanted))
        for w, c in zip(wanted, compiled):
            result = interface.run_precompiled(w, None, float("inf"), c, 1)
            assert result.state in ("OK", "TIMEOUT", "ERROR"), result
            if result.state == "OK" and (best is None or result.time < best[0].time):
                best = result, w
        assert interface.run(best[1], None, best[0].time * 100).state == "OK"
        # on a host whose samples nothing can judge, no race is given up
        assert interface.run(best[1], None, best[0].time / 100).state in ("TIMEOUT", "OK")
        interface.save_final_config(best[1].configuration)
