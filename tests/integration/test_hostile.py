# SPDX-License-Identifier: Apache-2.0
# takes about 180 s
# time limit: 1800 s
"""
Every variant and every source of tests/hostile/ through one real daemon: each gets the outcome that
its first line names (one of several, where compilers differ, and another where the run-time library
of a sanitizer gets in its way).  After each of them nothing of it is left, and the next jobs of the
same and of another submitter are well.  Started by root, all of it runs a second time as an
ordinary user.
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from corpus import CorpusTest, corpus  # noqa: E402
from harness import run_as_nobody  # noqa: E402


class Hostile(CorpusTest):
    def run_all(self, kind, least):
        files = list(corpus(kind))
        self.assertGreaterEqual(len(files), least)
        self.run_corpus(files)

    def test_a_hostile_variant_gets_its_word_and_leaves_nothing(self):
        self.run_all("variants", 150)

    def test_a_hostile_source_gets_its_word_and_leaves_nothing(self):
        self.run_all("sources", 20)


class AsAnOrdinaryUser(unittest.TestCase):
    def test_all_of_it_as_an_ordinary_user(self):
        said = run_as_nobody(self, __file__, "Hostile", *(["-v"] if "-v" in sys.argv else []))
        if "-v" in sys.argv:
            print(said)


if __name__ == "__main__":
    unittest.main()
