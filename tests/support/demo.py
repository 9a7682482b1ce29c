# SPDX-License-Identifier: Apache-2.0
"""
The demo from beginning to end, in a directory of its own, for tests of what it printed and left.
"""
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from harness import BUILD, TREE

sys.path.insert(0, str(TREE / "tests" / "kernels"))
import sweeps  # noqa: E402


class DemoRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory(prefix="assay-demo-")
        cls.addClassCleanup(directory.cleanup)
        cls.state = pathlib.Path(directory.name) / "state"
        cls.ran = subprocess.run([TREE / "tests" / "kernels" / "demo.sh", BUILD, cls.state],
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
        if cls.ran.returncode != 0:
            print(cls.ran.stdout, (cls.state / "assayd.log").read_text(), flush=True)

    def rows(self, query, *values):
        with sqlite3.connect(self.state / "assay.db") as db:
            return db.execute(query, values).fetchall()

    def results_of(self, sweep):
        """In the order of its jobs."""
        return [json.loads(text) for text, in self.rows(
            "SELECT r.json FROM results r JOIN sweeps s ON s.id = r.sweep_id"
            " WHERE s.name = ? ORDER BY r.job_id", sweep)]

    def honest_results(self):
        """
        (sweep, result) of each variant that is right; those that need AVX2 may not build or run
        here.
        """
        for _, document in sweeps.everything():
            for result in self.results_of(document["name"]):
                honest = document["name"] != "bad" or sweeps.BAD_ENDS[result["name"]] == "ok"
                if honest and "avx2" not in result["name"] and "NB=" not in result["name"]:
                    yield document["name"], result
