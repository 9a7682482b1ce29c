# SPDX-License-Identifier: Apache-2.0
"""
The command line on files of a test's own, away from the user's configuration: no daemon is needed.
"""
import os
import pathlib
import subprocess
import tempfile
import unittest

from harness import BUILD, TIMEOUT_S

ASSAY = BUILD / "assay"


def environment(**more):
    """A private daemon of these commands shares the CPUs and does not calibrate its host first."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "ASSAY_"))}
    return {**env, "LC_ALL": "C.UTF-8", "ASSAY_SHARE_CPUS": "yes", "ASSAY_CALIBRATION_WAIT": "0",
            **{k: str(v) for k, v in more.items()}}


class CommandTest(unittest.TestCase):
    """assay, and a folder for what it reads."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="assay-command-")
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        self.env = environment()

    def file(self, name, text):
        path = self.dir / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def assay(self, *words, code=0):
        """Run it to its end; a wrong exit code shows what it said.  code: one or several."""
        ran = subprocess.run([ASSAY, *map(str, words)], env=self.env, stdin=subprocess.DEVNULL, timeout=TIMEOUT_S,
                             capture_output=True, text=True)
        self.assertNotIn("Sanitizer", ran.stderr)
        self.assertIn(ran.returncode, code if isinstance(code, tuple) else (code,),
                      f"{words}\n{ran.stdout}\n{ran.stderr}")
        return ran
