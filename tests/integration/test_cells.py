# SPDX-License-Identifier: Apache-2.0
"""
A daemon that has a cgroup to divide, and a builder that gets its cell, from the start of the daemon to its end.  The cgroups
are directories of plain files; tests/guest has the kernel's.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness  # noqa: E402

FILES = {"cgroup.procs": "", "cgroup.kill": "", "memory.max": "", "pids.max": "", "memory.oom.group": "0",
         "cgroup.subtree_control": "", "cgroup.controllers": "memory pids"}


class Cells(unittest.TestCase):
    def setUp(self):
        root = pathlib.Path(tempfile.mkdtemp(prefix="assay-cells-"))
        self.addCleanup(shutil.rmtree, root)
        self.ours = root / "sys/fs/cgroup/service"
        for cgroup in (self.ours.parent, self.ours, self.ours / "supervisor", self.ours / "build0"):
            cgroup.mkdir(parents=True)
            for name, text in FILES.items():
                (cgroup / name).write_text(text)
        (root / "proc/self").mkdir(parents=True)
        (root / "proc/self/cgroup").write_text("0::/service\n")
        for real in ("proc/cpuinfo", "proc/meminfo", "proc/stat", "sys/devices"):
            (root / real).symlink_to("/" + real)
        self.root = root

    def daemon(self):
        """Alone in its cgroup, as the kernel would show it."""
        procs, whole = self.ours / "cgroup.procs", subprocess.Popen
        subprocess.Popen = lambda *args, **how: whole(
            *args, preexec_fn=lambda: procs.write_text(f"{os.getpid()}\n"), **how)
        try:
            daemon = harness.Daemon("--sysfs-root", str(self.root), "--builders", "1")
        finally:
            subprocess.Popen = whole
        self.addCleanup(daemon.stop)
        return daemon

    def read(self, name):
        return (self.ours / name).read_text().strip()

    def result(self, daemon):
        return daemon.run(harness.job())[0]

    def test_a_builder_has_a_cell_as_long_as_its_daemon_runs(self):
        daemon = self.daemon()
        self.assertEqual(str(daemon.pid), self.read("supervisor/cgroup.procs"))
        self.assertEqual("1", self.read("build0/memory.oom.group"))
        result = self.result(daemon)
        host = daemon.call("host.get")
        self.assertEqual(("cgroup", "cgroup", "rlimit"), (
            result["build_jail"]["limits"], host["build_jail"]["limits"], host["jail"]["limits"]))
        self.assertEqual("0", self.read("build0/cgroup.procs")[:1])      # a jail has moved itself there
        self.assertEqual("56", self.read("build0/pids.max"))
        self.assertGreater(int(self.read("build0/memory.max")), 1 << 20)
        pid = daemon.pid
        daemon.stop()
        self.assertEqual(("-pids", str(pid)), (self.read("cgroup.subtree_control"), self.read("cgroup.procs")))

    def test_where_others_share_the_cgroup_each_process_has_its_own_limits(self):
        (self.root / "proc/self/cgroup").write_text("0::/\n")
        (self.ours.parent / "cgroup.procs").write_text("1\n2\n")
        self.assertEqual("rlimit", self.result(self.daemon())["build_jail"]["limits"])
        self.assertEqual("1\n2", (self.ours.parent / "cgroup.procs").read_text().strip())


if __name__ == "__main__":
    unittest.main()
