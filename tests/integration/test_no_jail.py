# SPDX-License-Identifier: Apache-2.0
"""
A host without namespaces and without seccomp: the daemon runs under a filter that gives this process tree neither.  The
filter is BPF for x86-64; elsewhere there is nothing to test with.
"""
import ctypes
import errno
import pathlib
import platform
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness  # noqa: E402

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, MODE_FILTER = 38, 22, 2
LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, FAIL = 0x7fff0000, 0x00050000
CLONE, UNSHARE, SECCOMP, CLONE3, LANDLOCK = 56, 272, 317, 435, 444
SPACES = 0x7e020000


def take_away():
    """Between fork and exec of the daemon: clone with namespaces, unshare, seccomp() and Landlock fail from here on."""
    code = [(LOAD, 0, 0, 0),
            (EQUAL, 0, 3, CLONE), (LOAD, 0, 0, 16), (ANY_BIT, 7, 0, SPACES), (RETURN, 0, 0, ALLOW),
            (EQUAL, 5, 0, UNSHARE), (EQUAL, 4, 0, SECCOMP), (EQUAL, 2, 0, CLONE3), (EQUAL, 1, 0, LANDLOCK),
            (RETURN, 0, 0, ALLOW),
            (RETURN, 0, 0, FAIL | errno.ENOSYS),
            (RETURN, 0, 0, FAIL | errno.EPERM)]
    text = b"".join(struct.pack("=HBBI", *c) for c in code)
    program = ctypes.create_string_buffer(text, len(text))
    header = struct.pack("@HxxxxxxQ", len(code), ctypes.addressof(program))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.prctl(PR_SET_SECCOMP, MODE_FILTER, header) != 0:
        raise OSError(ctypes.get_errno(), "the filter")


class Popen(subprocess.Popen):
    def __init__(self, *args, **how):
        super().__init__(*args, preexec_fn=take_away, **how)


@unittest.skipUnless(platform.machine() == "x86_64", "the filter is for x86-64")
class NoJail(unittest.TestCase):
    def result(self, *flags):
        whole, subprocess.Popen = subprocess.Popen, Popen
        try:
            daemon = harness.Daemon(*flags)
        finally:
            subprocess.Popen = whole
        self.addCleanup(daemon.stop)
        return daemon.run(harness.job())[0]

    def test_submitted_code_is_not_run_and_the_way_out_is_named(self):
        result = self.result()
        self.assertEqual("internal", result["status"])
        self.assertIn("--insecure-no-jail", result["detail"])

    def test_with_the_flag_it_is_run_and_the_result_says_so(self):
        result = self.result("--insecure-no-jail")
        self.assertIn(result["status"], harness.TIMED, result["detail"])
        self.assertEqual({"namespaces": False, "seccomp": False, "landlock": False, "limits": "rlimit"},
                         result["evidence"]["jail"])


class Jailed(unittest.TestCase):
    def test_a_result_says_what_held_the_variant(self):
        daemon = harness.Daemon()
        self.addCleanup(daemon.stop)
        (result,) = daemon.run(harness.job())
        jail = result["evidence"]["jail"]
        self.assertTrue(jail["namespaces"] or jail["seccomp"])
        built = result["build_jail"]
        self.assertEqual(set(jail), set(built))
        self.assertEqual(built, {name: daemon.call("host.get")["build_jail"][name] for name in built})


if __name__ == "__main__":
    unittest.main()
