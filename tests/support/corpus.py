# SPDX-License-Identifier: Apache-2.0
"""
The corpus of tests/hostile/variants/ and sources/ through one real daemon.  After each file nothing
of it is left, and the next jobs of the same and of another submitter are well.
"""
import json
import os
import pathlib
import re
import sys
import time

from harness import IS_SANITIZED, TIMED, RealDaemonTest
from hostile import HOSTILE, whole
from processes import descendants, open_files, paths_under

RSS_MIB = 8
HANG_S = 120                    # an end for what hangs
JAIL_MOUNT = re.compile(r" - tmpfs assay-")     # others may mount what is called assay meanwhile
HONEST = "double f(int n, double *y) { return y[0] = n; }\n"
SPEC = {"routine": "double f(int n, double *y)", "params": {}, "context": "warm",
        "args": {"n": "7", "y": {"type": "double", "dims": ["64"], "init": {"value": 1}}},
        "check": {"reference": {"language": "c", "source": HONEST}}}


def job(name, text, right=("ok",)):
    """With a short limit if it is to run into one; only what ends badly is audited."""
    timing = {"samples": 3, "calls": 1, "gate": False}
    if "ok" in right:
        timing["trust"] = "claimed"
    return {"variant": {"name": name, "language": "c", "source": whole(text), "flags": ["-O1"]},
            "spec": SPEC | {"timing": timing},
            "timeout_ms": {"run": 1000 if "run_timeout" in right else 120000,
                           "build": 2000 if "build_timeout" in right else 120000}}


def corpus(kind):
    """(path, outcomes that are right) of each file."""
    for path in sorted((HOSTILE / kind).iterdir()):
        first = path.read_text().split("\n", 1)[0]
        plain, sanitized = re.search(r"outcome: ([a-z_ ]+?)(?:; with sanitizers: ([a-z_ ]+?))? \*/",
                                     first).groups()
        yield path, (sanitized if IS_SANITIZED and sanitized else plain).split()


def lines_of(path):
    return pathlib.Path(path).read_text().splitlines()


def rss_mib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


class CorpusTest(RealDaemonTest):
    """The files as variants of f, on operands of f's own; `job_of` makes another job of one."""
    maxDiff = None

    def job_of(self, name, text, right=("ok",)):
        return job(name, text, right)

    def honest(self, client=None):
        return self.daemon.run(self.job_of("honest", HONEST), client=client)[0]

    @staticmethod
    def is_well(result):
        return result["status"] in TIMED and result["check"]["passed"]

    def submitters(self):
        """Of honest jobs: the hostile ones' own and, where that is possible, another."""
        if os.geteuid() != 0:
            return {"the same submitter": None}
        another = self.daemon.connect_as_nobody()
        self.addCleanup(another.close)
        return {"the same submitter": None, "another submitter": another}

    def traces(self):
        """What a variant might leave: processes, mounts, files of builds, descriptors, memory."""
        pid = self.daemon.pid
        below = descendants(pid)
        return {
            "processes": sorted(process.name for process in below.values()),
            "mounts": [m for m in lines_of("/proc/self/mountinfo") if JAIL_MOUNT.search(m)],
            "scratch": sorted(len(p.relative_to(self.daemon.state).parts)
                              for p in paths_under(self.daemon.state / "scratch")),
            # now and then the daemon measures its cache, a folder at a time
            "descriptors": sum("/cache" not in name for name in open_files(pid)),
            "sockets": sum(name.startswith("socket") for p, process in below.items() if process.name == "assay-worker"
                           for name in open_files(p)),
            "shared memory": [s for s in lines_of("/proc/sysvipc/shm")[1:]
                              if int(s.split()[7]) >= 0x70000000],
            "files": [p for p in ("/tmp/assay-left", "/left", "/dev/shm/left")
                      if os.path.exists(p)],
        }

    def traces_once(self, are_right):
        """What is left in the end: a process that is ending may be seen for a while."""
        give_up = time.monotonic() + HANG_S
        while not are_right(now := self.traces()) and time.monotonic() < give_up:
            time.sleep(0.01)
        return now

    def traces_at_first(self):
        """A child that the daemon has just forked still has the daemon's name and descriptors."""
        return self.traces_once(lambda now: "assayd" not in now["processes"])

    def traces_at_rest(self, expected):
        return self.traces_once(lambda now: now == expected)

    def run_corpus(self, files):
        submitters = self.submitters()
        for client in submitters.values():
            self.assertTrue(self.is_well(first := self.honest(client)), first["detail"])
        before, rss = self.traces_at_first(), rss_mib(self.daemon.pid)
        wrong = []
        for path, right in files:
            (result,) = self.daemon.run(self.job_of(path.stem, path.read_text(), right))
            after = {whose: self.honest(client) for whose, client in submitters.items()}
            status = "ok" if result["status"] == "too_noisy" else result["status"]
            if "-v" in sys.argv:
                line = f"{path.parent.name}/{path.name:32} {status:14} {result['detail'] or ''}"
                print(line.split("\n")[0], flush=True)
            if status not in right:
                seen = {name: result.get(name) for name in ("repeat_of", "attempts", "trust", "check", "evidence")}
                detail = (result["detail"] or json.dumps(seen))[:1000]
                wrong.append(f"{path.name}: {status} and not {right}: {detail}")
            wrong += [f"after {path.name}, of {whose}: {r['status']}: {r['detail']}"
                      for whose, r in after.items() if not self.is_well(r)]
            if (left := self.traces_at_rest(before)) != before:
                wrong.append(f"after {path.name} there is {left} and not {before}")
                before = left
        self.assertEqual([], wrong)
        if not IS_SANITIZED:            # which keeps what was freed for a while
            self.assertLess(abs(rss_mib(self.daemon.pid) - rss), RSS_MIB)
