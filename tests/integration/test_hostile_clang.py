# SPDX-License-Identifier: Apache-2.0
# not for sanitizers: what is hostile here meets clang, which has none
# takes about 120 s
# time limit: 1200 s
"""
Sources of tests/hostile/ that clang's library compiles in a builder's template: each gets the outcome that its first line
names, nothing of it is left, and the next jobs are well.
"""
import itertools
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import corpus  # noqa: E402
from harness import BUILD  # noqa: E402

OTHERWISE = {"include_random": ["ok"]}      # clang takes the size of a device for its text's: nothing


@unittest.skipUnless((BUILD / "assay-clang").exists(), "libclang-cpp19-dev or llvm-19-dev is not installed")
class HostileToClang(corpus.CorpusTest):
    number = itertools.count()

    def job_of(self, name, text, right=("ok",)):
        job = super().job_of(name, text, right)
        job["variant"]["compiler"] = "clang-inproc"
        return job

    def honest(self, client=None):
        """Built anew each time, so there is a template after each."""
        job = self.job_of("honest", f"{corpus.HONEST}/* {next(self.number)} */\n")
        return self.daemon.run(job, client=client)[0]

    def run_all(self, kind, least):
        files = [(path, OTHERWISE.get(path.stem, right)) for path, right in corpus.corpus(kind)]
        self.assertGreaterEqual(len(files), least)
        self.run_corpus(files)

    def test_a_source_that_is_hostile_to_clang_gets_its_word_and_leaves_nothing(self):
        self.run_all("clang", 25)

    def test_a_hostile_source_gets_its_word_from_clang_too(self):
        self.run_all("sources", 20)


if __name__ == "__main__":
    unittest.main()
