# SPDX-License-Identifier: Apache-2.0
"""
Jobs of real kernels on a real daemon: the specs and sources of tests/kernels/, and routines that
are written on the spot.
"""
import copy
import json

from harness import TREE, RealDaemonTest, assert_timed

DOT = json.loads((TREE / "tests/kernels/dotprod.spec.json").read_text())


def source(file):
    return (TREE / "tests/kernels" / file).read_text()


def variant(text, name="v", flags=("-O2",), **defines):
    return {"name": name, "language": "c", "source": text, "flags": list(flags), "defines": defines}


def spec_of(routine, args, params=None, reference=None, **members):
    spec = {"routine": routine, "params": params or {}, "args": args, "context": "warm",
            "timing": {"samples": 3}}
    if reference is not None:
        spec["check"] = {"reference": {"language": "c", "source": reference}}
    spec.update(members)
    return spec


def dot_spec(**members):
    """The dot product of the demo, with other members."""
    spec = copy.deepcopy(DOT)
    spec.update(members)
    return spec


class WithDaemon(RealDaemonTest):
    """One daemon for all tests of a class."""
    trust = None                        # timing.trust of every job; None: as its spec says

    def time_all(self, spec, *variants, **members):
        """The results of the variants, in their order."""
        if self.trust is not None:
            spec = {**spec, "timing": {"trust": self.trust, **spec.get("timing", {})}}
        return self.daemon.run(*({"variant": v, "spec": spec, **members} for v in variants))

    def time_one(self, spec, text, **members):
        return self.time_all(spec, variant(text), **members)[0]

    def assert_timed(self, result):
        return assert_timed(self, result)
