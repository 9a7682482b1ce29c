# SPDX-License-Identifier: Apache-2.0
"""
root in a plain chroot, whose / is no mount point: jails have a process namespace, but no root of their own.  They run
under a uid that cannot enter root's directories.
"""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "support"))
import harness  # noqa: E402

KERNELS = "tests/kernels"
UNSHARE = ["unshare", "--mount", "--propagation", "private"]


def cannot_mount():
    """Why there can be no chroot with mounts here; None: there can."""
    if os.geteuid() != 0:
        return "only root can make a chroot"
    probe = subprocess.run([*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, text=True)
    return f"no right to mount: {probe.stderr.strip()}" if probe.returncode != 0 else None


class Chroot(unittest.TestCase):
    def setUp(self):
        reason = cannot_mount()
        if reason:
            self.skipTest(reason)
        directory = tempfile.TemporaryDirectory(prefix="assay-chroot-")
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name) / "root"

    def make_root(self, tree):
        """The host's system directories and the tree, as lines of a shell; the mounts end with it."""
        lines = ["set -e"]
        for name in ("tmp", "home", tree):
            (self.root / name).mkdir(parents=True)
        for name in ("usr", "etc", "dev", "proc", "sys"):
            (self.root / name).mkdir()
            lines.append(f"mount --rbind /{name} {self.root}/{name}")
        for name in ("bin", "sbin", "lib", "lib64"):
            source = pathlib.Path("/", name)
            if source.is_symlink():
                (self.root / name).symlink_to(os.readlink(source))
            elif source.exists():
                (self.root / name).mkdir()
                lines.append(f"mount --rbind {source} {self.root}/{name}")
        lines.append(f"mount --bind {shlex.quote(str(TESTS.parent))} {self.root}/{tree}")
        return lines

    def time(self, tree):
        """The result of one `assay time` in there."""
        build = pathlib.Path("/", tree) / harness.BUILD.resolve().relative_to(TESTS.parent)
        words = [build / "assay", "time", f"/{tree}/{KERNELS}/dotprod.spec.json", f"/{tree}/{KERNELS}/dot_plain.c",
                 "-p", "N=1000", "--context", "warm", "--samples", "5", "--trust", "claimed", "--json"]
        lines = [*self.make_root(tree), shlex.join(["exec", "chroot", str(self.root), *map(str, words)])]
        ran = subprocess.run([*UNSHARE, "sh", "-c", "\n".join(lines)], capture_output=True, text=True,
                             timeout=harness.TIMEOUT_S, env={"PATH": os.environ["PATH"], "HOME": "/home"})
        self.assertTrue(ran.stdout, ran.stderr)
        return json.loads(ran.stdout)

    def check(self, result):
        self.assertIn(result["status"], harness.TIMED, result["detail"])

    def test_a_job_is_timed_though_roots_directories_are_closed_to_its_uid(self):
        self.check(self.time("tree"))

    def test_a_job_is_timed_though_the_programs_are_in_a_directory_of_roots_alone(self):
        (self.root / "closed").mkdir(parents=True)
        (self.root / "closed").chmod(0o700)
        self.check(self.time("closed/tree"))


if __name__ == "__main__":
    unittest.main()
