# SPDX-License-Identifier: Apache-2.0
"""
Two daemons never time on one core.  The directories on which daemons lock lie below a root of the
test's own, so other daemons on this machine have no part in it.
"""
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness  # noqa: E402
from harness import BUILD, Daemon  # noqa: E402
from host_tree import HostTree  # noqa: E402

FULL, UNAVAILABLE = 78, 69
SYSTEM_SOCKET = pathlib.Path("/run/assay/assay.sock")


class Claim(unittest.TestCase):
    cpus, threads = 3, 1

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="assay-claim-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.directory = HostTree(self.root, self.cpus, self.threads).cpu
        claiming = unittest.mock.patch.dict(os.environ, ASSAY_SHARE_CPUS="no")
        claiming.start()
        self.addCleanup(claiming.stop)

    def daemon(self, *flags):
        daemon = Daemon("--sysfs-root", self.root, *flags, worker=harness.REPLAY_WORKER, http=False)
        self.addCleanup(daemon.stop)
        return daemon

    def refused(self, *flags):
        """What a daemon says that finds its CPU taken."""
        with self.assertRaisesRegex(RuntimeError, rf"status {FULL}\n") as caught:
            self.daemon(*flags)
        return str(caught.exception)

    def timing_cpus(self, daemon):
        return daemon.call("host.get")["timing_cpus"]


class CoresOfOneThread(Claim):
    def test_the_second_daemon_on_a_cpu_names_it_and_the_first_one(self):
        first = self.daemon()
        said = self.refused()
        self.assertIn(f"timing-cpus: another daemon times on CPU 2: process {first.pid} (assayd)", said)
        self.assertIn("--timing-cpus LIST", said)
        self.assertIn("CPU 2", self.refused("--slots", "1-2"))

    def test_a_refused_daemon_leaves_no_claim_behind(self):
        self.daemon("--timing-cpus", "2")
        self.refused("--timing-cpus", "1,2")
        self.assertEqual([1], self.timing_cpus(self.daemon("--timing-cpus", "1")))

    def test_a_claim_ends_with_its_daemon_however_that_ends(self):
        self.daemon().kill()
        self.daemon().stop()
        self.assertEqual([2], self.timing_cpus(self.daemon()))

    def test_free_takes_the_last_core_that_no_other_daemon_times_on(self):
        self.assertEqual([2], self.timing_cpus(self.daemon("--timing-cpus", "free")))
        second = self.daemon("--timing-cpus", "free")
        host = second.call("host.get")
        self.assertEqual(([1], [0]), (host["timing_cpus"], host["housekeeping_cpus"]))
        self.assertIn("another daemon times on CPU 2", second.log())
        self.assertEqual([0], self.timing_cpus(self.daemon("--timing-cpus", "free")))
        self.assertIn("other daemons time on all cores of this host", self.refused("--timing-cpus", "free"))

    def test_a_daemon_that_shares_neither_claims_nor_heeds_claims(self):
        first = self.daemon("--share-cpus")
        second = self.daemon()
        third = self.daemon("--share-cpus")
        self.assertEqual([[2]] * 3, [self.timing_cpus(d) for d in (first, second, third)])

    def test_any_process_that_holds_the_lock_is_named(self):
        with subprocess.Popen(["flock", self.directory(2), "cat"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as holder:
            holder.stdin.write(b"held\n")
            holder.stdin.flush()
            self.assertEqual(b"held\n", holder.stdout.readline())
            self.assertIn(f"process {holder.pid} (flock)", self.refused())
            holder.stdin.close()

    def test_a_claim_is_for_all_users(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        self.root.chmod(0o755)
        self.daemon()
        tried = subprocess.run([*harness.AS_NOBODY, "flock", "-n", self.directory(2), "true"], check=False)
        self.assertEqual(1, tried.returncode)

    def test_a_host_without_these_directories_is_used_with_a_warning(self):
        with tempfile.TemporaryDirectory() as empty, \
                unittest.mock.patch.dict(os.environ, HWLOC_SYNTHETIC="core:3 pu:1"):
            daemon = Daemon("--sysfs-root", empty, worker=harness.REPLAY_WORKER, http=False)
            self.addCleanup(daemon.stop)
            self.assertIn("not claimed", daemon.log())

    def test_a_state_in_use_is_reported_before_a_cpu_in_use(self):
        first = self.daemon()
        with self.assertRaisesRegex(RuntimeError, "is in use by another assayd"):
            Daemon("--sysfs-root", self.root, state=first.state, http=False)


class PrivateDaemon(Claim):
    def setUp(self):
        super().setUp()
        if SYSTEM_SOCKET.exists():
            self.skipTest("the system's daemon runs: no private one would be started")
        os.environ.pop("ASSAY_SOCKET", None)

    def test_a_private_daemon_takes_another_core_and_says_so_when_none_is_left(self):
        programs = self.root / "bin"
        programs.mkdir()
        shutil.copy(BUILD / "assay", programs)
        (programs / "assayd").write_text(f"#!/bin/sh\nexec {BUILD}/assayd --sysfs-root {self.root} "
                                         f"--worker {harness.REPLAY_WORKER} \"$@\"\n")
        (programs / "assayd").chmod(0o755)
        job = self.root / "job.json"
        job.write_text(json.dumps(harness.job()))
        self.hold(2)
        self.hold(1)
        fine = self.time(programs, job)
        self.hold(0)
        none = self.time(programs, job)
        self.assertEqual(0, fine.returncode, fine.stderr)
        self.assertEqual(UNAVAILABLE, none.returncode, none.stderr)
        self.assertIn("other daemons time on all cores of this host", none.stderr)

    def time(self, programs, job):
        home = {name: str(self.root) for name in ("HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME")}
        return subprocess.run([programs / "assay", "time", job], env={**os.environ, **home},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def hold(self, cpu):
        fd = os.open(self.directory(cpu), os.O_RDONLY)
        self.addCleanup(os.close, fd)
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


class CoresOfTwoThreads(Claim):
    cpus, threads = 6, 2        # cores 0-1, 2-3, 4-5

    def test_a_thread_of_the_same_core_is_taken_too(self):
        self.daemon("--timing-cpus", "4")
        self.assertIn("CPU 4", self.refused("--timing-cpus", "5"))
        self.assertEqual([3], self.timing_cpus(self.daemon("--timing-cpus", "3")))
        self.assertEqual([0], self.timing_cpus(self.daemon("--timing-cpus", "free")))


if __name__ == "__main__":
    unittest.main()
