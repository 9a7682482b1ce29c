# SPDX-License-Identifier: Apache-2.0
# time limit: 240 s
"""
assay variants and assay-transform: legal variants of loop nests (G: generic code optimization).
Each accepted variant is compiled and run against its original on random data; each refused one is
made with --assume and must then give another answer.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "support"))
from harness import BUILD  # noqa: E402
from nests import differs, nests, transform  # noqa: E402

ASSAY = BUILD / "assay"
TRANSFORM = BUILD / "assay-transform"


class Workdir(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="assay-transform-")
        self.addCleanup(made.cleanup)
        self.dir = pathlib.Path(made.name)


class Legality(Workdir):
    def test_G2_each_legal_variant_is_accepted_and_gives_the_same_bytes(self):
        for nest in nests("legal"):
            with self.subTest(str(nest)):
                source, answer, _ = transform(TRANSFORM, nest, self.dir)
                self.assertIsNotNone(source, answer)
                self.assertEqual(differs(nest, source, self.dir), [], source)

    def test_G2_each_illegal_variant_is_refused_and_would_give_others(self):
        for nest in nests("illegal"):
            with self.subTest(str(nest)):
                source, answer, _ = transform(TRANSFORM, nest, self.dir)
                self.assertIsNone(source, source)
                self.assertIn(nest.text("why"), answer["text"])
                self.assertRegex(answer["member"], rf"({nest.path.name}|script):\d+:\d+$")
                source, answer, _ = transform(TRANSFORM, nest, self.dir, "--assume")
                self.assertIsNotNone(source, answer)
                self.assertIn("Assumed, not proved", source)
                if nest.text("differs") != "no":
                    self.assertNotEqual(differs(nest, source, self.dir), [], source)


if __name__ == "__main__":
    unittest.main()
