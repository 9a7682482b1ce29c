# SPDX-License-Identifier: Apache-2.0
"""
Jobs of the cheats of tests/hostile/cheats/, alone and against honest work.  The first comment of a
cheat names its class; CLASSES has the work and the tiers at which cheats of a class are tried.  A
daemon for them has daemon_flags().
"""
import atexit
import dataclasses
import functools
import math
import pathlib
import re
import shutil
import subprocess
import tempfile

import images
from harness import TREE
from hostile import HOSTILE, whole

CHEATS = HOSTILE / "cheats"
OFFSETS = """
#include <stddef.h>
#include <stdio.h>
#include "proto/wire/runner_shm.h"
#define AT(name, of)	printf(name " %zu\\n", (size_t)(of))
int main(void)
{
    AT("SHM_MAGIC", RUNNER_MAGIC);
    AT("LANE_BYTES", offsetof(struct runner_shm, lane_bytes));
    AT("OUTPUT_AT", offsetof(struct runner_shm, output_at));
    AT("CHALLENGE_AT", offsetof(struct runner_shm, challenge_at));
    AT("SETS_AT", RUNNER_SETS_AT);
    AT("HEADER_BYTES", RUNNER_HEADER_BYTES);
    AT("LANE_DESK", offsetof(struct runner_lane, desk));
    AT("LANE_SAMPLE", offsetof(struct runner_lane, sample));
    AT("SAMPLE_BYTES", sizeof(struct runner_sample));
    AT("SAMPLE_CANARY", offsetof(struct runner_sample, canary_before));
    AT("SAMPLE_READY", offsetof(struct runner_sample, ready_ns));
    AT("SAMPLE_BEGAN", offsetof(struct runner_sample, began_ns));
    AT("LANES", offsetof(struct runner_shm, lanes));
    AT("PAGE_BYTES", RUNNER_PAGE_BYTES);
    AT("SPOT_ARRIVED", offsetof(struct runner_spot, arrived));
    AT("SPOT_LEFT", offsetof(struct runner_spot, left));
}
"""


# ---- work, tiers, classes ----

def inputs(n, *names, **more):
    return {name: {"type": "double", "dims": [str(n)], **more} for name in names}


def dot(n):
    return "dot", {"routine": "double f(int n, const double *x, const double *y)",
                   "args": {"n": str(n), **inputs(n, "x", "y")}}


def axpy(n):
    return "axpy", {"routine": "void f(int n, double a, const double *x, double *y)",
                    "args": {"n": str(n), "a": "0.5", **inputs(n, "x", "y")}}


# the file in tests/hostile/work/, and its spec; a name has the bytes of all operands
WORK = {
    "poly": ("poly", {"routine": "void f(int n, const double *x, double *y)",
                      "args": {"n": "2000", **inputs(2000, "x"),
                               **inputs(2000, "y", access="out")}}),
    "dot_32k": dot(2000),
    "dot_100k": dot(6400),
    "dot_1m": dot(64000),
    "axpy_100k": axpy(6400),
    "axpy_1m": axpy(64000),
    "serial": ("serial", {"routine": "double f(int n, const double *x)",
                          "args": {"n": "2000", **inputs(2000, "x")}}),
    "strided_4m": ("strided", {"routine": "double f(int n, const double *x)",
                               "args": {"n": "64000", **inputs(512000, "x")}}),
    "weighted_1m": ("weighted", {"routine": "double f(int n, const double *w, const double *x)",
                                 "args": {"n": "16000", **inputs(128000, "w", init={"value": 0.25}),
                                          **inputs(16000, "x")}}),
}
NEAR = {"rtol": 1e-9, "atol": 1e-9}
WALK = {"flush": {"method": "MultiCallFlushLRU", "walk": "backward"}, "calls": 8}
# Context, timing and the job's threads; a comparison is for `faster` or `slower`, by the lane of
# the cheat.  The operands of `image` are an application's.
TIERS = {
    "warm": {"context": "warm", "calls": 3},
    "normalised": {"context": "warm", "calls": 3, "samples": 31, "estimator": "normalised"},
    "wall": {"context": "warm", "calls": 3, "clock": "wall"},
    "cold": {"context": "cold"},
    "lru": {"context": "cold", "flush": {"method": "OneCallFlushLRU"}},
    "walk": {"context": "cold", **WALK},
    "verified": {"context": "cold", "trust": "verified", "samples": 15},
    "faster": {"context": "warm", "calls": 3},
    "slower": {"context": "warm", "calls": 3},
    "faster_cold": {"context": "cold"},
    "threads": {"context": "warm", "calls": 3, "threads": 2},
    "verified_threads": {"context": "cold", "trust": "verified", "samples": 15, "threads": 2},
    "faster_threads": {"context": "warm", "calls": 3, "threads": 2},
    "image": {"context": "warm"},
}
# Honest work's trust is `audited` elsewhere.
TRUST = {"verified": "verified", "verified_threads": "verified", "faster_threads": "claimed",
         "image": "claimed"}
ALONE = ("warm", "verified")
ALL = ("warm", "cold", "verified", "faster", "slower")
THREADS = ("threads", "verified_threads", "faster_threads")
# class: (work, tiers), ...
CLASSES = {
    "answers from memory": (("poly", (*ALL, "image")), ),
    "work left out": (("poly", ALL), ),
    "forged ticks": (("poly", ("warm", "verified", "faster", "slower", "image")), ),
    "the process ends early": (("poly", ALONE), ),
    "postponed work": (("poly", (*ALL, *THREADS)), ),
    "work ahead of the clock": (("poly", ALONE), ),
    "slow empty call": (("poly", ALL), ),
    "only what differs is computed": (("poly", ALL), ),
    "read before the clock": (("poly", (*ALL, *THREADS)), ),
    "half a claim": (("poly", ("warm", "cold", "faster", "slower")), ),
    "forged pace": (("poly", ("normalised", "faster")), ),
    "forged clock": (("poly", ("wall", )), ),
    "cold made warm": (("dot_100k", ("cold", "lru", "faster_cold", "verified")),
                       ("dot_1m", ("cold", "faster_cold"))),
    "a walk made warm": (("dot_32k", ("walk", )), ),
    "several sets in one call": (("serial", ("walk", "verified")), ),
    "half of a walk": (("axpy_100k", ("walk", )), ),
    "half of an inout": (("axpy_100k", ("warm", "cold", "verified", "faster")),
                         ("axpy_1m", ("warm", "cold", "verified", "faster"))),
    "a returned value is forged": (("dot_100k", ("warm", "cold", "verified", "faster")),
                                   ("dot_1m", ("warm", "cold", "verified", "faster"))),
    "writes into another's memory": (("poly", ("faster", "slower")), ),
    "answers of others": (("poly", ALL), ),
    "inputs are guessed": (("strided_4m", ("cold", "verified", "faster_cold")), ),
    "a constant operand is not read": (("weighted_1m", ("warm", "cold", "faster")), ),
}
# What must end badly whatever the time: the answers, or the way, give it away.
DETECTED = {"first_calls_only", "half_the_work", "every_other_call", "first_audit_only",
            "fake_write", "exit_early"}
BAD = ("wrong_answer", "suspect", "forbidden", "crashed")
# their first step is to find memory that is another's
OUT_OF_REACH = {"rival_replies", "rival_samples"}
UNTRIED = ("bad_spec", "build_failed", "build_timeout", "load_failed", "internal")
# no core does six of its 360 000 operations in a cycle of a sixth of a nanosecond
IMPOSSIBLE_NS = {"poly": 10000}

# of a work's image: its data, and its one call
IMAGES = {"poly": ("static double x[2000] = { 0.5 }, y[2000];", "2000, x, y")}
CLAIMED_OF_IMAGE = "the data of an image cannot be drawn anew"

# Honest work may take so many times as long; elsewhere ANY_GAIN.
GAIN = {"verified": 1.03, "verified_threads": 1.03}
ANY_GAIN = 1.05
TIMES = 5                       # noise does not repeat itself so often


def class_of(path):
    """What the first comment behind the licence names."""
    return re.search(r"Class: ([^.]+)\.", path.read_text()).group(1)


# ---- jobs ----

@functools.cache
def daemon_flags():
    """Of the images, which last as long as this program."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="assay-images-"))
    atexit.register(shutil.rmtree, directory)
    for work, (data, arguments) in IMAGES.items():
        images.one_call(directory, work, honest_source(WORK[work][0]), data, arguments)
    return "--images", str(directory)


@functools.cache
def shared_memory(lane):
    """What a reader of the sources knows of the memory that runner and supervisor share."""
    with tempfile.TemporaryDirectory() as here:
        source = pathlib.Path(here) / "offsets.c"
        source.write_text(OFFSETS)
        subprocess.run(["gcc", "-I", TREE, f"-DLANE={lane}", "-o", f"{here}/offsets", source],
                       check=True)
        run = subprocess.run([f"{here}/offsets"], check=True, capture_output=True, text=True)
    return {"LANE": lane} | {name: int(n) for name, n in map(str.split, run.stdout.splitlines())}


def honest_source(work):
    return (HOSTILE / "work" / f"{work}.c").read_text()


def cheat_source(path, work):
    """Honest work is at hand under another name."""
    at_hand = f"#define f honest\n{honest_source(work)}#undef f\n"
    return whole(path.read_text(), **{"work.h": at_hand})


@dataclasses.dataclass(frozen=True)
class Trial:
    """One cheat with some work at one tier; path None: honest work."""
    path: pathlib.Path | None
    work: str
    tier: str

    def __str__(self):
        what = f"{self.path.stem} ({class_of(self.path)})" if self.path else "honest"
        return f"{what}, {self.work} {self.tier}"

    def side(self):
        """Of a comparison, the cheat's."""
        return "against" if self.tier == "slower" else "variant"

    def lane(self):
        return 1 if self.side() == "against" else 0

    def is_first(self):
        work, tiers = CLASSES[class_of(self.path)][0]
        return (self.work, self.tier) == (work, tiers[0])

    def is_compared(self):
        return self.tier.startswith(("faster", "slower"))

    def is_verified(self):
        return self.tier.startswith("verified")

    def variant(self):
        name, _ = WORK[self.work]
        text = honest_source(name) if self.path is None else cheat_source(self.path, name)
        return {"name": self.path.stem if self.path else "honest", "language": "c", "source": text,
                "flags": ["-O2"], "defines": shared_memory(self.lane())}

    def honest(self):
        return dataclasses.replace(self, path=None)

    def job(self):
        """Alone; or honest work is compared with the cheat, or the cheat with honest work."""
        name, spec = WORK[self.work]
        timing = dict(TIERS[self.tier])
        reference = {"language": "c", "source": honest_source(name)}
        document = {"variant": self.variant(), "timeout_ms": {"run": 60000},
                    "threads": timing.pop("threads", 1),
                    "spec": spec | {"params": {}, "check": {"reference": reference, **NEAR},
                                    "context": timing.pop("context"), "timing": timing}}
        if self.tier == "image":
            del document["spec"]["args"]
            document["spec"] |= {"checkpoint": f"{self.work}.image", "check": NEAR}
        if not self.is_compared():
            return document
        sides = [self.variant(), self.honest().variant()]
        if self.side() == "against":
            sides.reverse()
        return document | dict(zip(("variant", "against"), sides)) | {"compare": {"max_pairs": 31}}


def trials(only=("*", )):
    """Of the cheats of these names, each work at each tier of its class."""
    paths = sorted({p for name in only for p in CHEATS.glob(f"{name}.c")})
    return [Trial(p, work, tier)
            for p in paths for work, tiers in CLASSES[class_of(p)] for tier in tiers]


def few_trials():
    """Each cheat at the first tier of its class, and each work at each tier with one cheat."""
    seen = set()
    return [t for t in trials()
            if t.is_first() or not ((t.work, t.tier) in seen or seen.add((t.work, t.tier)))]


# ---- verdicts ----

def believed_ns(result):
    """Of a result that is said to be more than a claim; else None."""
    if result["status"] != "ok" or result["trust"] not in ("audited", "verified"):
        return None
    return result["time"]["value_ns"]


def gain_alone(result, honest):
    """How many times as long honest work takes; 0: no time is believed."""
    value, honest_ns = believed_ns(result), (honest["time"] or {}).get("value_ns")
    return honest_ns / value if value and honest_ns else 0


def gain_compared(result, tier):
    """By how much the cheat won; 0: it did not, or one side is not believed."""
    c = result["comparison"]
    if c is None or set(c["trust"]) != {"audited"} or c["verdict"] != tier.split("_")[0]:
        return 0
    return c["ratio"] if tier == "slower" else 1 / c["ratio"]


@dataclasses.dataclass
class Outcome:
    """Of the repetitions of a trial, the last of which shows no gain if it is caught."""
    trial: Trial
    gains: list = dataclasses.field(default_factory=list)
    results: list = dataclasses.field(default_factory=list)
    honest: list = dataclasses.field(default_factory=list)      # beside them; a comparison has none

    def is_open(self):
        return not self.gains or (not is_caught(self) and len(self.gains) < TIMES)

    def faults(self):
        """What is wrong whatever the times of honest work are."""
        name, tier = self.trial.path.stem, self.trial.tier
        statuses = [r["status"] for r in self.results]
        if name in DETECTED and statuses[0] not in BAD:
            yield f"{statuses[0]}, though it gives itself away"
        if untried := [s for s in statuses if s in UNTRIED]:
            yield f"{untried[0]}: it was not tried"
        if name not in OUT_OF_REACH and any(map(crashed_in_load, self.results)):
            yield "it crashed before it was tried"
        for r in self.results:
            yield from self.faults_compared(r) if self.trial.is_compared() else self.faults_alone(r)

    def faults_compared(self, r):
        blamed, side = (r["evidence"] or {}).get("failed"), self.trial.side()
        if blamed not in (None, side):
            yield f"{r['status']}, of which honest work is accused: {r['detail']}"

    def faults_alone(self, r):
        claimed = (r["evidence"] or {}).get("claimed")
        if self.trial.tier == "image" and r["trust"] and \
                (r["trust"], claimed) != ("claimed", CLAIMED_OF_IMAGE):
            yield f"{r['trust']} on an image: {claimed}"
        least = IMPOSSIBLE_NS.get(self.trial.work, 0)
        if (believed_ns(r) or least) < least:
            yield f"{r['trust']} with {believed_ns(r):.0f} ns, which no machine can do"

    def __str__(self):
        r = self.results[-1]
        trust = "/".join(r["comparison"]["trust"]) if r["comparison"] else r["trust"]
        ratios = " ".join(f"{1 / g:.3f}" for g in self.gains if g) or "-"
        verdict = "caught" if is_caught(self) else "ESCAPED"
        return f"{self.trial}: {r['status']} {trust or '-'} {ratios}: {verdict}"


def crashed_in_load(result):
    return result["status"] == "crashed" and "in load" in (result["detail"] or "")


def is_caught(outcome):
    """
    No time is believed, or none that is better than honest work's by more than its tier allows, in
    one repetition at least: noise shows a gain now and then, but not in each of TIMES.
    """
    allowed = GAIN.get(outcome.trial.tier, ANY_GAIN)
    return any(g <= allowed for g in outcome.gains)


def run(daemon, of):
    """
    The results of these trials, each with honest work's; a comparison has that in itself.  Trials
    of the same work at the same tier share one honest time, which is taken beside theirs.
    """
    order = sorted(range(len(of)), key=lambda i: (of[i].work, of[i].tier))
    wanted = []
    for trial in (of[i] for i in order):
        if not trial.is_compared() and trial.honest() not in wanted:
            wanted.append(trial.honest())
        wanted.append(trial)
    found = dict(zip(wanted, daemon.run(*(t.job() for t in wanted))))
    return [(None if t.is_compared() else found[t.honest()], found[t]) for t in of]


def run_between(daemon, trial):
    """
    A trial's result with honest work's right before it or right after it, the faster one: load that
    comes or goes meanwhile slows down one of those.
    """
    if trial.is_compared():
        return None, daemon.run(trial.job())[0]
    before, result, after = daemon.run(*(t.job() for t in (trial.honest(), trial, trial.honest())))
    return min(before, after, key=lambda r: (r["time"] or {}).get("value_ns") or math.inf), result


def repeat(daemon, outcomes):
    """The first time of all trials together, each further one alone."""
    first = not any(o.gains for o in outcomes)
    of = [o.trial for o in outcomes]
    found = run(daemon, of) if first else [run_between(daemon, t) for t in of]
    for o, (honest, result) in zip(outcomes, found):
        o.results.append(result)
        o.honest += [honest] if honest else []
        o.gains.append(gain_alone(result, honest) if honest else
                       gain_compared(result, o.trial.tier))


def judge(daemon, of):
    """The outcomes of these trials, each repeated until it shows no gain."""
    outcomes = [Outcome(t) for t in of]
    while open_ones := [o for o in outcomes if o.is_open()]:
        repeat(daemon, open_ones)
    return outcomes
