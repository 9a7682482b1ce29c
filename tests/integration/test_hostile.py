# SPDX-License-Identifier: Apache-2.0
# time limit: 240 s
"""
Every variant and every source of tests/hostile/ through one real daemon: each gets the outcome that its first line names
(one of several, where compilers or builds differ), and after each of them nothing of it is left and the next job is well.
Started by root, all of it runs a second time as an ordinary user.
"""
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, Daemon, run_as_nobody  # noqa: E402

HOSTILE = pathlib.Path(__file__).resolve().parent.parent / "hostile"
RSS_MIB = 8
HONEST = "double f(int n, double *y) { return y[0] = n; }\n"
SPEC = {"routine": "double f(int n, double *y)", "params": {}, "context": "warm", "timing": {"samples": 3, "calls": 1},
        "args": {"n": "7", "y": {"type": "double", "dims": ["64"], "init": {"value": 1}}},
        "check": {"reference": {"language": "c", "source": HONEST}}}


def job(name, text, right=()):
    """Who shall run into a limit gets a short one, and nobody else does."""
    return {"variant": {"name": name, "language": "c", "source": text, "flags": ["-O1"]}, "spec": SPEC,
            "timeout_ms": {"run": 1000 if "run_timeout" in right else 20000,
                           "build": 5000 if "build_timeout" in right else 30000}}


def corpus(kind):
    """(path, outcomes that are right) of each file."""
    for path in sorted((HOSTILE / kind).iterdir()):
        first = path.read_text().split("\n", 1)[0]
        yield path, re.search(r"outcome: ([a-z_ ]+)", first).group(1).split()


def children(pid):
    """All below a process: {pid: name}."""
    parents, names = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            names[int(entry.name)] = stat[stat.index("(") + 1:stat.rindex(")")]
            parents[int(entry.name)] = int(stat[stat.rindex(")") + 2:].split()[1])
    found, more = {}, [pid]
    while more:
        of = more.pop()
        below = [p for p, parent in parents.items() if parent == of]
        found.update({p: names[p] for p in below})
        more += below
    return found


def rss_mib(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1)) / 1024


@unittest.skipIf(BUILD.name == "asan", "the filters would judge the sanitizer's system calls, not the corpus's")
class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def results(self, jobs):
        ids = self.daemon.call("job.submit", {"jobs": jobs})["ids"]
        self.assertTrue(self.daemon.call("job.wait", {"ids": ids, "timeout_ms": 55000})["done"])
        return [self.daemon.call("job.get", {"id": i})["result"] for i in ids]

    def honest(self):
        return self.results([job("honest", HONEST)])[0]

    def traces(self):
        """What a variant might leave: processes, mounts, files where objects and sources lie, open descriptors, memory."""
        pid = self.daemon.pid
        below = children(pid)
        return {
            "processes": sorted(below.values()),
            "mounts": [m for m in pathlib.Path("/proc/self/mountinfo").read_text().split("\n") if "assay" in m],
            "scratch": sorted(len(p.relative_to(self.daemon.state).parts)
                              for p in (self.daemon.state / "scratch").rglob("*")),
            "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
            "sockets": sum(os.readlink(f"/proc/{p}/fd/{fd}").startswith("socket") for p, name in below.items()
                           if name == "assay-worker" for fd in os.listdir(f"/proc/{p}/fd")),
            "shared memory": [s for s in pathlib.Path("/proc/sysvipc/shm").read_text().split("\n")[1:]
                              if s and int(s.split()[7]) >= 0x70000000],
            "files": [p for p in ("/tmp/assay-left", "/left", "/dev/shm/left") if os.path.exists(p)],
        }

    def run_corpus(self, kind, least):
        files = list(corpus(kind))
        self.assertGreaterEqual(len(files), least)
        self.assertIn(self.honest()["status"], ("ok", "too_noisy"))
        before, rss = self.traces(), rss_mib(self.daemon.pid)
        wrong = []
        for path, right in files:
            result, after = self.results([job(path.stem, path.read_text(), right)])[0], self.honest()
            status = "ok" if result["status"] == "too_noisy" else result["status"]
            if "-v" in sys.argv:
                print(f"{kind}/{path.name:32} {result['status']:14} {result['detail'] or ''}".split("\n")[0], flush=True)
            if status not in right:
                wrong.append(f"{path.name}: {result['status']} and not {right}: {(result['detail'] or '')[:200]}")
            if after["status"] not in ("ok", "too_noisy"):
                wrong.append(f"after {path.name}: {after['status']}: {after['detail']}")
            if self.traces() != before:
                wrong.append(f"after {path.name} there is {self.traces()} and not {before}")
                before = self.traces()
        self.assertEqual([], wrong)
        self.assertLess(abs(rss_mib(self.daemon.pid) - rss), RSS_MIB)

    def test_a_hostile_variant_gets_its_word_and_leaves_nothing(self):
        self.run_corpus("variants", 40)

    def test_a_hostile_source_gets_its_word_and_leaves_nothing(self):
        self.run_corpus("sources", 20)


@unittest.skipIf(BUILD.name == "asan", "the filters would judge the sanitizer's system calls, not the corpus's")
class AsAnOrdinaryUser(unittest.TestCase):
    def test_all_of_it_as_an_ordinary_user(self):
        said = run_as_nobody(self, __file__, "Hostile", *(["-v"] if "-v" in sys.argv else []))
        if "-v" in sys.argv:
            print(said)


if __name__ == "__main__":
    unittest.main()
