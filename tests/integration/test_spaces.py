# SPDX-License-Identifier: Apache-2.0
# time limit: 180 s
"""Spaces of sizes, contexts, files and compilers: what the command line makes of them, timed by the real daemon."""
import itertools
import unittest

from test_cli import BAD_SPEC, NOT_FOUND, WithDaemon
from harness import assert_timed

SUM = "double sum(int n, const double *x) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }\n"
TWO = "double sum(int n, const double *x) { double a = 0, b = 0; int i = 0; for (; i + 1 < n; i += 2) " \
      "{ a += x[i]; b += x[i + 1]; } return i < n ? a + b + x[i] : a + b; }\n"
SPEC = {"routine": "double sum(int n, const double *x)", "params": {"N": 100},
        "args": {"n": "N", "x": {"dims": ["N"]}}, "timing": {"samples": 3, "processes": 1, "gate": False},
        "check": {"reference": {"language": "c", "source": SUM}}}


class SpaceTest(WithDaemon):
    worker = None           # the real one: compilers run

    def setUp(self):
        super().setUp()
        self.file("sum.c", SUM)
        self.file("two.c", TWO)
        self.file("spec.json", SPEC)

    def follow(self, space, name, template=None, **members):
        path = self.file("sweep.json", {"name": name, "spec_file": "spec.json", "template": template or {},
                                        "space": space, **members})
        return self.document("sweep", "create", path, "--follow")["results"]

    def test_files_sizes_contexts_and_flags_are_dimensions(self):
        space = {"N": [10, 50], "context": ["cold", "warm"], "source_file": ["sum.c", "two.c"], "flags": [["-O1"], ["-O3"]]}
        results = self.follow(space, "all")
        points = [(r["params"]["N"], r["technique"]["context"], r["meta"]["variant"], tuple(r["flags"])) for r in results]
        self.assertEqual(list(itertools.product((10, 50), ("cold", "warm"), ("sum", "two"), (("-O1",), ("-O3",)))), points)
        for result in results:
            assert_timed(self, result)
        self.assertEqual(4, len({r["spec_hash"] for r in results}))         # cells
        self.assertEqual("two N=10 context=cold flags=-O1", results[2]["name"])

    def test_compilers_are_a_dimension(self):
        results = self.follow({"compiler": ["gcc", "clang"], "N": [7]}, "compilers", {"source_file": "sum.c"})
        self.assertEqual(["gcc", "clang"], [r["meta"]["compiler"] for r in results])
        self.assertEqual(2, len({r["compiler"]["version"] for r in results}))

    def test_members_of_the_spec_are_dimensions_by_their_path(self):
        results = self.follow({"args.x.align": [8, 4096], "timing.calls": [3]}, "paths", {"source_file": "sum.c"})
        self.assertEqual([8, 4096], [r["technique"]["operands"]["x"]["align"] for r in results])
        self.assertEqual([3, 3], [r["technique"]["calls"] for r in results])

    def test_L20_L42_every_combination_of_offsets_is_visited_and_held(self):
        text = """double both(const double *x, const double *y)
        { return (unsigned long)x % 4096 == AT && (unsigned long)y % 256 == 64 + ON ? x[0] + y[7] : __builtin_nan(""); }"""
        honest = "double both(const double *x, const double *y) { return x[0] + y[7]; }"
        for context, timing in (("cold", {}), ("warm", {}), ("cold", {"trust": "verified"}), ("warm", {"layout": "random"})):
            spec = {**SPEC, "routine": "double both(const double *x, const double *y)", "params": {"AT": 0, "ON": 0},
                    "args": {"x": {"dims": [700], "align": "2048 * 2", "offset": "AT"},
                             "y": {"dims": [8], "misalign": 256, "offset": "8 * ON / 8"}},
                    "context": context, "check": {"reference": {"language": "c", "source": honest}},
                    "timing": {"samples": 3, "gate": False, **timing}}
            self.file("offsets.json", spec)
            self.file("both.c", text)
            path = self.file("sweep.json", {"name": f"offsets-{context}-{len(timing)}{list(timing)}", "spec_file": "offsets.json",
                             "template_file": "both.c", "space": {"AT": [0, 8, 4088], "ON": [0, 24, 56]}})
            results = self.document("sweep", "create", path, "--follow")["results"]
            self.assertEqual(["ok"] * 9, [r["status"] for r in results], [r["detail"] for r in results])
            found = [(r["technique"]["operands"]["x"].get("offset", 0), r["technique"]["operands"]["y"].get("offset", 0))
                     for r in results]
            self.assertEqual(list(itertools.product((0, 8, 4088), (0, 24, 56))), found)

    def test_a_bad_file_of_a_space_is_named(self):
        for files, code, words in ((["sum.c", "gone.c"], NOT_FOUND, "space.source_file[1]"),
                                   (["sum.c", 3], BAD_SPEC, "space.source_file[1]: must be the name of a file"),
                                   ([], BAD_SPEC, "space.source_file: must be a list of files"),
                                   ("sum.c", BAD_SPEC, "space.source_file: must be a list of files"),
                                   (["spec.json"], BAD_SPEC, "no language has this ending")):
            with self.subTest(files=files):
                path = self.file("bad.json", {"name": "bad", "spec": SPEC, "template": {}, "space": {"source_file": files}})
                self.assertIn(words, self.assay("sweep", "create", path, code=code).stderr)

    def test_a_variant_of_the_space_names_its_file(self):
        results = self.follow({"variant": [{"source_file": "sum.c", "name": "plain"},
                                           {"source_file": "two.c", "flags": ["-O3"]}]}, "variants")
        self.assertEqual(["plain", "two"], [r["meta"]["variant"] for r in results])
        path = self.file("bad.json", {"name": "b", "spec": SPEC, "template": {}, "space": {"variant": [{"source_file": "no.c"}]}})
        self.assertIn("space.variant[0].source_file", self.assay("sweep", "create", path, code=NOT_FOUND).stderr)


if __name__ == "__main__":
    unittest.main()
