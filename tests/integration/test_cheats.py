# SPDX-License-Identifier: Apache-2.0
# time limit: 240 s
"""
Every cheat of tests/hostile/cheats/ through one real daemon: none ends "ok" with a time that honest work could not have
and a trust tier above "claimed".  Started by root, all of it runs a second time as an ordinary user.
"""
import functools
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import Daemon, run_as_nobody, trust_of_idle  # noqa: E402

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
CHEATS = TOP / "tests" / "hostile" / "cheats"
HONEST = (CHEATS / "honest.c").read_text()
SPEC = {"routine": "void f(int n, const double *x, double *y)", "params": {},
        "args": {"n": "2000", "x": {"type": "double", "dims": ["2000"]},
                 "y": {"type": "double", "dims": ["2000"], "access": "out"}},
        "check": {"reference": {"language": "c", "source": HONEST}, "rtol": 1e-9, "atol": 1e-9}}
DETECTED = {"memo_pointer", "first_calls_only", "half_the_work", "memo_value", "every_other_call"}
TOLD = """
#include <stddef.h>
#include <stdio.h>
#include "proto/wire/runner_shm.h"
int main(void)
{
    printf("%zu %zu %zu %zu", sizeof(struct runner_shm), offsetof(struct runner_shm, lanes[LANE].desk),
        offsetof(struct runner_shm, lanes[LANE].sample), sizeof(struct runner_sample));
}
"""


@functools.cache
def shared_memory(lane):
    """What someone who has read the sources knows of the memory that runner and supervisor share."""
    with tempfile.TemporaryDirectory() as here:
        source = pathlib.Path(here) / "told.c"
        source.write_text(TOLD)
        subprocess.run(["gcc", "-I", TOP, f"-DLANE={lane}", "-o", f"{here}/told", source], check=True)
        numbers = subprocess.run([f"{here}/told"], check=True, capture_output=True, text=True).stdout.split()
    return dict(zip(("SHM_BYTES", "LANE_DESK", "LANE_SAMPLE", "SAMPLE_BYTES"), map(int, numbers)))


def job(path, lane=0, **timing):
    context = timing.pop("context", "warm")
    return {"variant": {"name": path.stem, "language": "c", "source": path.read_text(), "flags": ["-O2"],
                        "defines": shared_memory(lane)},
            "spec": SPEC | {"context": context, "timing": timing}, "timeout_ms": {"run": 10000}}


def is_caught(result, work_ns):
    """It has no time, or only a claim to one, or one that work could have had."""
    return result["status"] != "ok" or result["trust"] == "claimed" or result["time"]["value_ns"] > work_ns / 3


def compared(path, against, **timing):
    """With honest work; `against`: as that with which this is compared, on the second lane."""
    honest = job(CHEATS / "honest.c", **timing)["variant"]
    document = job(path, 1 if against else 0, **timing)
    other = document["variant"]
    return document | {"variant": honest if against else other, "against": other if against else honest,
                       "compare": {"max_pairs": 31}}


def results(daemon, make=job, only=("*",), **timing):
    """Of honest work and of every cheat: { name: result }."""
    paths = sorted(p for name in only for p in CHEATS.glob(f"{name}.c"))
    ids = daemon.call("job.submit", {"jobs": [make(p, **timing) for p in paths]})["ids"]
    while not daemon.call("job.wait", {"ids": ids, "timeout_ms": 55000})["done"]:
        continue
    return {p.stem: daemon.call("job.get", {"id": i})["result"] for p, i in zip(paths, ids)}


class Cheats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.stop()

    def judge(self, found, tier):
        honest = found.pop("honest")
        self.assertIn(honest["status"], ("ok", "too_noisy"), honest["detail"])
        self.assertIn(trust_of_idle(honest), (tier, None), honest["evidence"])
        table = {}
        for name, r in found.items():
            table[name] = (r["status"], r["trust"], (r["time"] or {}).get("value_ns"), r["detail"])
            with self.subTest(cheat=name, tier=tier):
                self.assertTrue(is_caught(r, honest["time"]["min_ns"]), (honest["time"]["min_ns"], table[name]))
        return table

    def test_no_cheat_is_audited_with_a_time_that_work_cannot_have(self):
        table = self.judge(results(self.daemon, calls=3), "audited")
        self.assertGreaterEqual(len(table), 10)
        for name in DETECTED:
            self.assertIn(table[name][0], ("wrong_answer", "suspect"), table[name])
        for name in ("fake_write", "exit_early"):
            self.assertIn(table[name][0], ("crashed", "forbidden"), table[name])

    def test_nor_is_one_verified(self):
        self.judge(results(self.daemon, context="cold", trust="verified", samples=15), "verified")

    def compare(self, against, only=("*",)):
        """Each with honest work."""
        found = results(self.daemon, lambda p, **timing: compared(p, against, **timing), only, calls=3)
        honest = found.pop("honest")
        self.assertIn(honest["status"], ("ok", "too_noisy"), honest["detail"])
        if trust_of_idle(honest) is not None:
            self.assertEqual(["audited", "audited"], honest["comparison"]["trust"], honest["evidence"])
            self.assertEqual("audited", honest["trust"])
        side, won = ("against", "slower") if against else ("variant", "faster")
        failed = {}
        for name, r in found.items():
            with self.subTest(cheat=name, side=side):
                verdict = (r["comparison"] or {}).get("verdict")
                trusted = r["comparison"] and r["comparison"]["trust"][0 if against else 1] != "claimed"
                self.assertFalse(verdict == won and trusted, r)
                if r["status"] not in ("ok", "too_noisy"):
                    self.assertIsNone(verdict)
                    self.assertEqual(side, r["evidence"]["failed"], r["detail"])
                    failed[name] = r["status"]
        for name in DETECTED.intersection(found):
            self.assertIn(failed.get(name), ("wrong_answer", "suspect"), found[name])

    def test_none_wins_a_comparison_with_honest_work(self):
        self.compare(against=False)

    def test_nor_as_the_one_that_another_is_compared_with(self):
        self.compare(True, ("honest", "memo_*", "every_other_call", "done_*", "forged_samples"))

    def test_without_a_reference_a_time_is_a_claim_and_says_so(self):
        doc = job(CHEATS / "honest.c")
        del doc["spec"]["check"]
        ids = self.daemon.call("job.submit", {"job": doc})["ids"]
        self.daemon.call("job.wait", {"ids": ids})
        result = self.daemon.call("job.get", {"id": ids[0]})["result"]
        self.assertIn(result["status"], ("ok", "too_noisy"), result["detail"])
        self.assertEqual("claimed", result["trust"])
        self.assertIn("no reference", result["evidence"]["claimed"])

    def test_the_same_as_an_ordinary_user(self):
        run_as_nobody(self, __file__, "Cheats", timeout=200)


if __name__ == "__main__":
    unittest.main()
