# SPDX-License-Identifier: Apache-2.0
"""assay variants against a real daemon: its sweeps are built, timed and checked; and what a source includes."""
import csv
import io
import pathlib
import shutil
import tempfile
import unittest

from test_cli import BAD_SPEC, Cli
from command import environment
from harness import Daemon, RealDaemonTest, TREE, assert_timed
from images import build_application, make_image

NEST = """#include "size.h"
#include "inc/factor.h"
void scale(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < SIDE; j++)
            a[i * SIDE + j] += FACTOR * b[j * SIDE + i];
}
"""
SIZE_H = "#define SIDE 24\n"
FACTOR_H = '#include "two.h"\n#define FACTOR TWO\n'
TWO_H = "#define TWO 2.0\n"
REFERENCE = """void scale(int n, double *a, const double *b)
{ for (int i = 0; i < n; i++) for (int j = 0; j < 24; j++) a[i * 24 + j] += 2.0 * b[j * 24 + i]; }
"""
SCRIPT = "script 1\nparam B = 3,8,24\nparam U = 1,2\nconstant\ntile i,j B,B\nunroll j U\nflags -O1\n"
SPEC = {"routine": "void scale(int n, double *a, const double *b)", "context": "warm",
        "args": {"n": 24, "a": {"type": "double", "dims": [24, 24], "access": "inout", "init": "random"},
                 "b": {"type": "double", "dims": [24, 24], "init": "random"}},
        "timing": {"samples": 3, "gate": False, "processes": 1}, "check": {"reference": {"source": REFERENCE}}}


class Variants(RealDaemonTest, Cli):
    def setUp(self):
        Cli.setUp(self)
        self.env = environment(ASSAY_SOCKET=self.daemon.socket)
        (self.dir / "src" / "inc").mkdir(parents=True)
        (self.dir / "other").mkdir()
        self.nest = self.file("src/nest.c", NEST)
        self.file("src/size.h", SIZE_H)
        self.file("src/inc/factor.h", FACTOR_H)
        self.file("src/inc/two.h", TWO_H)
        self.words = ["variants", self.nest, "--script", self.file("s.script", SCRIPT), "--spec",
                      self.file("scale.spec.json", SPEC)]

    def test_G3_G24_a_script_becomes_a_sweep_whose_points_are_all_timed_and_right(self):
        self.assay(*self.words, "--sweep", "tiles", "-f", "--quiet")
        results = self.lines("results", "--sweep", "tiles")
        self.assertEqual(sorted(f"B={b} U={u}" for b in (3, 8, 24) for u in (1, 2)),
                         sorted(r["name"] for r in results))
        for result in results:
            assert_timed(self, result)
            self.assertTrue(result["check"]["passed"], result)

    def test_G3_the_sweep_that_is_printed_can_be_submitted_as_it_is(self):
        sweep = self.document(*self.words, "--sweep", "printed", "--print")
        self.assertEqual({"inc/factor.h", "inc/two.h", "size.h"}, set(sweep["variants"][0]["files"]))
        self.assay("sweep", "create", self.file("printed.json", sweep), "-f", "--quiet")
        self.assertEqual(6, len(self.lines("results", "--sweep", "printed")))

    def test_G2_a_header_is_found_in_a_folder_that_is_given(self):
        (self.dir / "src" / "inc" / "two.h").rename(self.dir / "other" / "two.h")
        self.assertIn("inc/factor.h:1:1: #include", self.assay(*self.words, code=BAD_SPEC).stderr)
        made = self.document(*self.words, "-I", self.dir / "other")
        self.assertEqual(TWO_H, made["files"]["two.h"]["text"])
        self.assertIn('#include "inc/factor.h"', made["variants"][0]["source"])

    def test_G2_a_header_in_angle_brackets_is_found_as_one_in_quotes_is(self):
        self.file("src/nest.c", NEST.replace('"size.h"', "<size.h>").replace('"inc/factor.h"', "<inc/factor.h>"))
        self.file("src/inc/factor.h", FACTOR_H.replace('"two.h"', "<inc/two.h>"))
        self.assertIn("#include <size.h>", self.assay(*self.words).stdout)
        self.assay(*self.words, "--sweep", "angles", "-f", "--quiet")
        for result in self.lines("results", "--sweep", "angles"):
            assert_timed(self, result)
        self.file("src/size.h", "int x\nint y;\n")
        self.assertRegex(self.assay(*self.words, code=BAD_SPEC).stderr, "assay: size.h:1:6: ")
        (self.dir / "src" / "size.h").unlink()
        (self.dir / "src" / "size.h").symlink_to(self.file("other/size.h", SIZE_H))
        self.assertIn("'size.h' file not found", self.assay(*self.words, code=BAD_SPEC).stderr)

    def test_G2_a_header_with_an_error_is_named(self):
        self.file("src/inc/two.h", "#define TWO 2.0\nint x\nint y;\n")
        self.assertIn("inc/two.h:2:6: ", self.assay(*self.words, code=BAD_SPEC).stderr)

    def test_G2_no_name_and_no_link_leads_to_other_files(self):
        secret = self.file("other/secret.h", "#define TWO secret_word\n")
        for text, link in (('#include "../../other/secret.h"\n', False), (f'#include "{secret}"\n', False),
                           ('#include "two.h"\n', True), ('#include "inc/../../other/secret.h"\n', False)):
            with self.subTest(text):
                two = self.dir / "src" / "inc" / "two.h"
                two.unlink(missing_ok=True)
                if link:
                    two.symlink_to(secret)
                self.file("src/inc/factor.h", text + "#define FACTOR TWO\n")
                said = self.assay(*self.words, code=BAD_SPEC).stderr
                self.assertIn("inc/factor.h:1:1: #include", said)
                self.assertNotIn("secret_word", said)


HOT = TREE / "tests/checkpoint"


class HotSpot(Cli):
    """An application's hot loop nest, varied where the application has it: on its own data, in its own state."""

    def setUp(self):
        super().setUp()
        images = pathlib.Path(tempfile.mkdtemp(prefix="assay-images-"))
        self.addCleanup(shutil.rmtree, images)
        program = build_application(HOT / "smooth_app.c", images / "smooth_app")
        made = make_image(program, images / "smooth.image")
        self.assertEqual((0, ""), (made.returncode, made.stderr))
        daemon = Daemon("--images", str(images))
        self.addCleanup(daemon.stop)
        self.env = environment(ASSAY_SOCKET=daemon.socket)

    def vary(self, source):
        self.assay("variants", source, "--script", HOT / "smooth.script", "--spec", HOT / "smooth.spec.json",
                   "--sweep", "hot", "-f", "--quiet", code=(0, 72, 75))
        return self.lines("results", "--sweep", "hot")

    def test_M45_each_variation_of_a_hot_spot_runs_in_the_application_and_has_its_results(self):
        results = self.vary(HOT / "smooth.c")
        points = {(t, u) for t in (16, 64) for u in (1, 2)}
        self.assertEqual(sorted(f"T={t} U={u}" for t, u in points), sorted(r["name"] for r in results))
        for result in results:
            assert_timed(self, result)
            self.assertEqual("checkpoint", result["technique"]["timer"])
            self.assertTrue(result["check"]["passed"])
            self.assertGreater(result["check"]["compared"], 10000)

    def test_M45_a_variation_that_computes_something_else_is_found_on_the_applications_data(self):
        wrong = self.file("smooth.c", (HOT / "smooth.c").read_text().replace("0.25", "0.26"))
        self.assertEqual(["wrong_answer"] * 4, [r["status"] for r in self.vary(wrong)])

    def test_M45_results_say_what_was_varied_for_whoever_looks_for_patterns(self):
        self.vary(HOT / "smooth.c")
        rows = csv.DictReader(io.StringIO(self.said("export", "hot", "--format", "csv")))
        points = [dict(word.split("=") for word in row["name"].split()) for row in rows if float(row["median_ns"]) > 0]
        self.assertEqual([{"T": t, "U": u} for t in ("16", "64") for u in ("1", "2")],
                         sorted(points, key=lambda p: (p["T"], p["U"])))


if __name__ == "__main__":
    unittest.main()
