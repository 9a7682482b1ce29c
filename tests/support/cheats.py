# SPDX-License-Identifier: Apache-2.0
"""Jobs of the cheats of tests/hostile/cheats/, alone and against honest work."""
import functools
import pathlib
import subprocess
import tempfile

from harness import TREE

CHEATS = TREE / "tests" / "hostile" / "cheats"
HONEST = (CHEATS / "honest.c").read_text()
SPEC = {"routine": "void f(int n, const double *x, double *y)", "params": {},
        "args": {"n": "2000", "x": {"type": "double", "dims": ["2000"]},
                 "y": {"type": "double", "dims": ["2000"], "access": "out"}},
        "check": {"reference": {"language": "c", "source": HONEST}, "rtol": 1e-9, "atol": 1e-9}}
# those whose answers give them away
DETECTED = {"memo_pointer", "first_calls_only", "half_the_work", "memo_value", "every_other_call"}
OFFSETS = """
#include <stddef.h>
#include <stdio.h>
#include "proto/wire/runner_shm.h"
int main(void)
{
    printf("%zu %zu %zu %zu", sizeof(struct runner_shm),
        offsetof(struct runner_shm, lanes[LANE].desk),
        offsetof(struct runner_shm, lanes[LANE].sample), sizeof(struct runner_sample));
}
"""


def is_caught(result, possible_ns):
    """It has no time, or no more than a claim to one, or one that work could have had."""
    believed = result["status"] == "ok" and result["trust"] != "claimed"
    return not believed or result["time"]["value_ns"] > possible_ns


@functools.cache
def shared_memory(lane):
    """What a reader of the sources knows of the memory that runner and supervisor share."""
    with tempfile.TemporaryDirectory() as here:
        source = pathlib.Path(here) / "offsets.c"
        source.write_text(OFFSETS)
        subprocess.run(["gcc", "-I", TREE, f"-DLANE={lane}", "-o", f"{here}/offsets", source],
                       check=True)
        numbers = subprocess.run([f"{here}/offsets"], check=True, capture_output=True,
                                 text=True).stdout.split()
    return dict(zip(("SHM_BYTES", "LANE_DESK", "LANE_SAMPLE", "SAMPLE_BYTES"), map(int, numbers)))


def job(path, lane=0, **timing):
    context = timing.pop("context", "warm")
    return {"variant": {"name": path.stem, "language": "c", "source": path.read_text(),
                        "flags": ["-O2"], "defines": shared_memory(lane)},
            "spec": SPEC | {"context": context, "timing": timing}, "timeout_ms": {"run": 60000}}


def compared(path, against, **timing):
    """A cheat and honest work; against: honest work is compared with the cheat, on its lane."""
    honest = job(CHEATS / "honest.c", **timing)["variant"]
    document = job(path, 1 if against else 0, **timing)
    other = document["variant"]
    return document | {"variant": honest if against else other,
                       "against": other if against else honest,
                       "compare": {"max_pairs": 31}}


def results(daemon, make=job, only=("*",), **timing):
    """Of honest work and of every cheat: { name: result }."""
    paths = sorted(p for name in only for p in CHEATS.glob(f"{name}.c"))
    return dict(zip((p.stem for p in paths), daemon.run(*(make(p, **timing) for p in paths))))
