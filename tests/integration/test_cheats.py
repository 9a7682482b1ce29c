# SPDX-License-Identifier: Apache-2.0
# time limit: 240 s
"""
Every cheat of tests/hostile/cheats/ through one real daemon: none ends "ok" with a time that honest work could not have
and a trust tier above "claimed".  Started by root, all of it runs a second time as an ordinary user.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import Daemon, run_as_nobody  # noqa: E402

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
CHEATS = TOP / "tests" / "hostile" / "cheats"
HONEST = (CHEATS / "honest.c").read_text()
SPEC = {"routine": "void f(int n, const double *x, double *y)", "params": {},
        "args": {"n": "2000", "x": {"type": "double", "dims": ["2000"]},
                 "y": {"type": "double", "dims": ["2000"], "access": "out"}},
        "check": {"reference": {"language": "c", "source": HONEST}, "rtol": 1e-9, "atol": 1e-9}}
TOLD = """
#include <stddef.h>
#include <stdio.h>
#include "worker/runner_shm.h"
int main(void)
{
    printf("%zu %zu %zu %zu", sizeof(struct runner_shm), offsetof(struct runner_shm, lanes[0].desk),
        offsetof(struct runner_shm, lanes[0].sample), sizeof(struct runner_sample));
}
"""


def shared_memory():
    """What someone who has read the sources knows of the memory that runner and supervisor share."""
    with tempfile.TemporaryDirectory() as here:
        source = pathlib.Path(here) / "told.c"
        source.write_text(TOLD)
        subprocess.run(["gcc", "-I", TOP, "-o", f"{here}/told", source], check=True)
        numbers = subprocess.run([f"{here}/told"], check=True, capture_output=True, text=True).stdout.split()
    return dict(zip(("SHM_BYTES", "LANE_DESK", "LANE_SAMPLE", "SAMPLE_BYTES"), map(int, numbers)))


def job(path, **timing):
    context = timing.pop("context", "warm")
    return {"variant": {"name": path.stem, "language": "c", "source": path.read_text(), "flags": ["-O2"],
                        "defines": shared_memory()},
            "spec": SPEC | {"context": context, "timing": timing}, "timeout_ms": {"run": 10000}}


def is_caught(result, work_ns):
    """It has no time, or only a claim to one, or one that work could have had."""
    return result["status"] != "ok" or result["trust"] == "claimed" or result["time"]["value_ns"] > work_ns / 3


def results(daemon, **timing):
    """Of honest work and of every cheat: { name: result }."""
    paths = sorted(CHEATS.glob("*.c"))
    ids = daemon.call("job.submit", {"jobs": [job(p, **timing) for p in paths]})["ids"]
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
        self.assertEqual(tier, honest["trust"])
        table = {}
        for name, r in found.items():
            table[name] = (r["status"], r["trust"], (r["time"] or {}).get("value_ns"), r["detail"])
            with self.subTest(cheat=name, tier=tier):
                self.assertTrue(is_caught(r, honest["time"]["min_ns"]), (honest["time"]["min_ns"], table[name]))
        return table

    def test_no_cheat_is_audited_with_a_time_that_work_cannot_have(self):
        table = self.judge(results(self.daemon, calls=3), "audited")
        self.assertGreaterEqual(len(table), 10)
        for name in ("memo_pointer", "first_calls_only", "half_the_work", "memo_value", "every_other_call"):
            self.assertIn(table[name][0], ("wrong_answer", "suspect"), table[name])
        for name in ("fake_write", "exit_early"):
            self.assertIn(table[name][0], ("crashed", "forbidden"), table[name])

    def test_nor_is_one_verified(self):
        self.judge(results(self.daemon, context="cold", trust="verified", samples=15), "verified")

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
