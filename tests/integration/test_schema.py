# SPDX-License-Identifier: Apache-2.0
"""The schemas and the decoder accept and refuse the same documents, and every refusal names the place and the reason."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from schemas import ROOT, decode_files, options, validator  # noqa: E402

DATA = ROOT / "tests/data"
LEAST_JOBS = 60


class Corpus:
    """One directory of documents: good, bad, and bad in ways that only the decoder can see."""

    kind = ""

    @classmethod
    def setUpClass(cls):
        cls.directory = DATA / (cls.kind.rstrip("s") + "s")
        cls.expected = json.loads((cls.directory / "expected.json").read_text())
        cls.schema = validator(cls.kind)
        cls.files = {d: sorted((cls.directory / d).glob("*.json")) for d in ("good", "bad", "bad_semantic")}
        cls.verdicts = decode_files([f for group in cls.files.values() for f in group], *options(cls.kind))

    def schema_errors(self, file):
        return [e.message for e in self.schema.iter_errors(json.loads(file.read_text()))]

    def test_good_documents_pass_schema_and_decoder(self):
        for file in self.files["good"]:
            with self.subTest(file.name):
                self.assertIsNone(self.verdicts[file])
                self.assertEqual(self.schema_errors(file), [])

    def test_bad_documents_pass_neither(self):
        for file in self.files["bad"]:
            with self.subTest(file.name):
                self.assertIsNotNone(self.verdicts[file])
                self.assertNotEqual(self.schema_errors(file), [])

    def test_what_a_schema_cannot_say_is_refused_by_the_decoder(self):
        for file in self.files["bad_semantic"]:
            with self.subTest(file.name):
                self.assertIsNotNone(self.verdicts[file])

    def test_what_a_schema_cannot_say_passes_it(self):
        """Otherwise the file belongs to bad/.  Files that are no JSON for the decoder are left out."""
        for file in self.files["bad_semantic"]:
            if "not JSON" in (self.verdicts[file] or {}).get("text", ""):
                continue
            with self.subTest(file.name):
                self.assertEqual(self.schema_errors(file), [])

    def test_each_refusal_has_its_place_reason_and_remedy(self):
        self.assertEqual(set(self.expected), {f"{f.parent.name}/{f.name}"
                         for d in ("bad", "bad_semantic") for f in self.files[d]})
        for name, want in self.expected.items():
            fault = self.verdicts[self.directory / name]
            with self.subTest(name):
                self.assertEqual(fault["member"], want["member"])
                self.assertIn(want["text"], fault["text"])
                self.assertIn(want.get("hint", ""), fault["hint"])


class JobCorpus(Corpus, unittest.TestCase):
    kind = "job"

    def test_the_corpus_is_large_enough(self):
        self.assertGreaterEqual(sum(map(len, self.files.values())), LEAST_JOBS)


class SweepCorpus(Corpus, unittest.TestCase):
    kind = "sweep"


class VariantsCorpus(Corpus, unittest.TestCase):
    kind = "variants"


class CompareCorpus(Corpus, unittest.TestCase):
    kind = "compare"


class DemoSweeps(unittest.TestCase):
    def test_the_sweeps_of_the_demo_are_valid(self):
        sys.path.insert(0, str(ROOT / "tests/kernels"))
        import sweeps
        schema = validator("sweep")
        for title, document in sweeps.everything():
            with self.subTest(title):
                self.assertEqual([e.message for e in schema.iter_errors(document)], [])


if __name__ == "__main__":
    unittest.main()
