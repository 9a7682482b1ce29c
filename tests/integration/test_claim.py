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
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness  # noqa: E402
from harness import BUILD, NOBODY, Daemon  # noqa: E402
from host_tree import HostTree  # noqa: E402

FULL, INTERRUPTED = 78, 130
SYSTEM_SOCKET = pathlib.Path("/run/assay/assay.sock")


class Claim(unittest.TestCase):
    cpus, threads = 3, 1

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="assay-claim-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.held = set()
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

    def start_daemon(self, *flags, home, **how):
        """A daemon that may yet have to wait, and the lines that it writes to --ready-fd."""
        ready, end = os.pipe()
        process = subprocess.Popen(
            [home / "assayd", "--sysfs-root", self.root, "--state", home / "state", "--socket", home / "socket",
             "--worker", home / "worker", "--ready-fd", str(end), *flags],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, pass_fds=[end], **how)
        os.close(end)
        lines = open(ready)
        self.addCleanup(lines.close)
        self.addCleanup(self.reap, process)
        return process, lines

    def programs(self, owner=-1):
        """A directory with assayd and its worker."""
        home = pathlib.Path(tempfile.mkdtemp(prefix="assay-claim-"))
        self.addCleanup(shutil.rmtree, home)
        shutil.copy(BUILD / "assayd", home)
        shutil.copy(harness.REPLAY_WORKER, home / "worker")
        os.chown(home, owner, owner)
        return home

    def reap(self, process):
        if process.returncode is None:
            process.kill()
            process.communicate()

    def hold(self, cpu):
        """As another daemon does; returns the descriptor that holds the claim."""
        fd = os.open(self.directory(cpu), os.O_RDONLY)
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.held.add(fd)
        self.addCleanup(self.release, fd)
        return fd

    def release(self, fd):
        if fd in self.held:
            os.close(fd)
        self.held.discard(fd)

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

    def test_a_daemon_that_may_wait_reports_that_to_its_starter(self):
        held = [self.hold(cpu) for cpu in (0, 1, 2)]
        daemon, lines = self.start_daemon("--timing-cpus", "next-free", home=self.programs())
        name = pathlib.Path("/proc/self/comm").read_text().strip()
        self.assertEqual(f"waiting another daemon times on CPU 2: process {os.getpid()} ({name})\n", lines.readline())
        self.release(held[0])
        self.assertEqual("claimed\nready\n", lines.read())
        daemon.terminate()
        daemon.communicate()
        self.assertEqual(0, daemon.returncode)

    def test_compilers_keep_off_the_cores_that_other_daemons_time_on(self):
        first = self.daemon("--timing-cpus", "2")
        second = self.daemon("--timing-cpus", "1")
        self.assertEqual([[0, 1], [0]], [d.call("host.get")["housekeeping_cpus"] for d in (first, second)])

    def test_if_no_core_is_left_for_compilers_a_warning_says_so(self):
        self.daemon("--slots", "1; 2")
        host = self.daemon("--timing-cpus", "0").call("host.get")
        self.assertEqual([1, 2], host["housekeeping_cpus"])
        self.assertIn("other daemons time on all other cores", json.dumps(host["warnings"]))

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_a_claim_of_root_is_heeded_by_other_users(self):
        self.root.chmod(0o755)
        root = self.daemon("--slots", "0; 1; 2")
        home = self.programs(NOBODY)
        refused, _ = self.start_daemon("--timing-cpus", "1", home=home, user=NOBODY, group=NOBODY)
        said = refused.communicate()[1]
        self.assertEqual(FULL, refused.returncode, said)
        self.assertIn(f"another daemon times on CPU 1: process {root.pid} (assayd)", said)
        _, lines = self.start_daemon("--timing-cpus", "next-free", home=home, user=NOBODY, group=NOBODY)
        self.assertIn(f"process {root.pid} (assayd)", lines.readline())
        root.stop()
        self.assertEqual("claimed\nready\n", lines.read())

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_a_claim_of_another_user_is_heeded_by_root(self):
        self.root.chmod(0o755)
        theirs, lines = self.start_daemon("--slots", "0; 1; 2", home=self.programs(NOBODY), user=NOBODY, group=NOBODY)
        self.assertEqual("ready\n", lines.read())
        self.assertIn(f"another daemon times on CPU 2: process {theirs.pid} (assayd)", self.refused())
        _, waiting = self.start_daemon("--timing-cpus", "next-free", home=self.programs())
        self.assertIn(f"process {theirs.pid} (assayd)", waiting.readline())
        theirs.kill()
        self.assertEqual("claimed\nready\n", waiting.read())

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
    cpus = 2

    def setUp(self):
        super().setUp()
        if SYSTEM_SOCKET.exists():
            self.skipTest("the system's daemon runs: no private one would be started")
        os.environ.pop("ASSAY_SOCKET", None)
        self.bin = self.root / "bin"
        self.bin.mkdir()
        shutil.copy(BUILD / "assay", self.bin)
        (self.bin / "assayd").write_text(f"#!/bin/sh\nexec {BUILD}/assayd --sysfs-root {self.root} "
                                         f"--worker {harness.REPLAY_WORKER} \"$@\"\n")
        (self.bin / "assayd").chmod(0o755)
        self.job = self.root / "job.json"
        self.job.write_text(json.dumps(harness.job()))

    def start(self, **how):
        """`assay time`, which starts a private daemon."""
        home = {name: str(self.root) for name in ("HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME")}
        command = subprocess.Popen([self.bin / "assay", "time", self.job], env={**os.environ, **home},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, **how)
        self.addCleanup(self.reap, command)
        return command

    def start_waiting(self, **how):
        """One that has reported that it waits, and its line."""
        command = self.start(**how)
        line = command.stderr.readline()
        self.assertIn("assay: waiting for a core to time on", line)
        return command, line

    def assert_goes_on(self, command):
        out, err = command.communicate(timeout=harness.TIMEOUT_S)
        self.assertEqual(0, command.returncode, err + out)
        self.assertIn("started a private", err)

    def test_a_private_daemon_takes_a_free_core_at_once(self):
        self.hold(1)
        command = self.start()
        self.assert_goes_on(command)

    def test_a_private_daemon_waits_for_the_end_of_a_daemon_and_names_it(self):
        first = self.daemon("--slots", "0;1")
        command, line = self.start_waiting()
        self.assertIn(f"another daemon times on CPU 1: process {first.pid} (assayd)", line)
        first.stop()
        self.assert_goes_on(command)

    def test_the_core_that_is_free_first_is_taken(self):
        for cpu in (0, 1):
            with self.subTest(cpu=cpu):
                held = {n: self.hold(n) for n in (0, 1)}
                command, _ = self.start_waiting()
                self.release(held[cpu])
                self.assert_goes_on(command)
                self.release(held[1 - cpu])

    def test_all_that_wait_have_their_turn(self):
        held = [self.hold(0), self.hold(1)]
        waiting = [self.start_waiting()[0] for _ in range(3)]
        self.release(held[0])
        for command in waiting:
            self.assert_goes_on(command)

    def test_a_daemon_that_waited_has_claimed_its_core(self):
        self.hold(0)
        held = self.hold(1)
        job = harness.job()
        job["meta"] = {"time": ["hang"]}
        self.job.write_text(json.dumps(job))
        command, _ = self.start_waiting()
        self.release(held)
        self.assertIn("started a private", command.stderr.readline())
        said = self.refused("--timing-cpus", "1")
        self.assertRegex(said, r"another daemon times on CPU 1: process \d+ \(assayd\)")
        command.send_signal(signal.SIGINT)
        command.communicate(timeout=harness.TIMEOUT_S)

    def test_ctrl_c_ends_the_wait_and_leaves_nothing(self):
        self.assert_leaves_nothing(signal.SIGINT)

    def test_the_end_of_the_command_ends_its_waiting_daemon(self):
        self.assert_leaves_nothing(signal.SIGKILL)

    def assert_leaves_nothing(self, number):
        """The command and its daemon hold a pipe: its end is the end of both."""
        alive, end = os.pipe()
        self.addCleanup(os.close, alive)
        held = [self.hold(0), self.hold(1)]
        command, _ = self.start_waiting(pass_fds=[end])
        os.close(end)
        command.send_signal(number)
        self.assertEqual(b"", os.read(alive, 1))
        command.communicate(timeout=harness.TIMEOUT_S)
        self.assertEqual(-number if number == signal.SIGKILL else INTERRUPTED, command.returncode)
        self.release(held[1])
        self.assertEqual([1], self.timing_cpus(self.daemon()))


class OneCore(Claim):
    cpus = 1

    def test_a_daemon_alone_on_one_core_disturbs_no_other(self):
        warnings = json.dumps(self.daemon().call("host.get")["warnings"])
        self.assertIn("compilers and timings share one", warnings)
        self.assertNotIn("other daemons", warnings)


class CoresOfTwoThreads(Claim):
    cpus, threads = 6, 2        # cores 0-1, 2-3, 4-5

    def test_a_thread_of_the_same_core_is_taken_too(self):
        self.daemon("--timing-cpus", "4")
        self.assertIn("CPU 4", self.refused("--timing-cpus", "5"))
        self.assertEqual([3], self.timing_cpus(self.daemon("--timing-cpus", "3")))
        self.assertEqual([0], self.timing_cpus(self.daemon("--timing-cpus", "free")))


if __name__ == "__main__":
    unittest.main()
