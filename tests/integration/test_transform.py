# SPDX-License-Identifier: Apache-2.0
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
from harness import BUILD, TIMEOUT_S  # noqa: E402
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


KERNELS = TESTS / "kernels"
PLAIN = KERNELS / "doitgen_plain.c"
SPEC = KERNELS / "doitgen_plain.spec.json"
BAD_SPEC, USAGE = 65, 64


class Command(Workdir):
    def assay(self, *words, code=0):
        run = subprocess.run([ASSAY, *words], capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def script(self, *steps):
        path = self.dir / "steps.script"
        path.write_text("script 1\n" + "\n".join(steps) + "\n")
        return path

    def source(self, text, name="nest.c"):
        path = self.dir / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def refused(self, source, *steps, options=()):
        return self.assay("variants", source, "--script", self.script(*steps), *options,
                          code=BAD_SPEC).stderr

    def test_G26_the_seeds_doitgen_gets_the_shape_of_the_paper(self):
        nest = next(n for n in nests("legal") if n.path.stem == "doitgen_seed")
        source, _, _ = transform(TRANSFORM, nest, self.dir)
        self.assertIn("r_tile += 8", source)
        self.assertEqual(source.count("sum += a["), 6)      # five, and one for what is left
        self.assertIn("p += 6", source)

    def test_G30_the_result_has_named_tiles_and_no_macros(self):
        text = self.assay("variants", PLAIN, "--spec", SPEC, "--script",
                          self.script("tile r,q 8,8", "scratch sum", "constant")).stdout
        self.assertIn("for (int r_tile = 0; r_tile < 30; r_tile += 8)", text)
        self.assertIn("const int r_end = r_tile + 8 < 30 ? r_tile + 8 : 30;", text)
        self.assertNotIn("#define", text)
        self.assertIn("It is right only where n is 30.", text)

    def test_G30_the_result_can_be_edited_on(self):
        nest = next(n for n in nests("legal") if n.path.stem == "gemm_tile")
        first, _, _ = transform(TRANSFORM, nest, self.dir)
        for steps in (["unroll j 3"], ["unroll k 2", "unroll j 2"], ["swap i_tile j_tile"],
                      ["jam i 2"]):
            with self.subTest(steps):
                again = self.assay("variants", self.source(first), "--script",
                                   self.script("restrict", *steps)).stdout
                self.assertNotEqual(again.split("*/", 1)[1], first.split("*/", 1)[1])
                self.assertEqual(differs(nest, again, self.dir), [], again)

    def test_G30_loops_that_a_tile_has_cut_can_be_jammed(self):
        """Ends with names of their own, which another program's C has, too, are one for all copies."""
        tiled = """void f(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int k_tile = 0; k_tile < n; k_tile += 8) {
            const int k_end = k_tile + 8 < n ? k_tile + 8 : n;
            for (int k = k_tile; k < k_end; k++)
                a[i] += b[i * 40 + k];
        }
}
"""
        text = self.assay("variants", self.source(tiled), "--script", self.script("jam i 2")).stdout
        self.assertEqual(2, text.count("k_end ="), text)
        self.assertNotIn("k_end_1", text)
        self.assertIn("a[i + 1] += b[(i + 1) * 40 + k];", text)
        for end in ("k_tile + i < n ? k_tile + i : n", "n - i"):
            self.refused(self.source(tiled.replace("k_tile + 8 < n ? k_tile + 8 : n", end)), "jam i 2")

    def test_G3_G24_points_of_a_script_are_a_sweep_that_any_user_could_write(self):
        script = self.script("param B = 2,4", "param U = 1..3", "where U <= B", "constant",
                             "scratch sum", "tile r B", "unroll s U", "flags -O2")
        sweep = json.loads(self.assay("variants", PLAIN, "--spec", SPEC, "--script", script,
                                      "--sweep", "grid", "--print").stdout)
        self.assertEqual([v["name"] for v in sweep["variants"]],
                         ["B=2 U=1", "B=2 U=2", "B=4 U=1", "B=4 U=2", "B=4 U=3"])
        self.assertEqual(sweep["name"], "grid")
        self.assertEqual(sweep["variants"][0]["flags"], ["-O2"])
        self.assertEqual(set(sweep), {"name", "spec", "variants"})

    def test_G2_a_refusal_has_file_line_step_and_two_iterations(self):
        nest = next(n for n in nests("illegal") if n.path.stem == "antidiagonal")
        text = self.refused(nest.path, "constant n=20", "tile i,j 4,4")
        self.assertRegex(text, r"antidiagonal.c:\d+:\d+: .*steps.script:3: tile i,j 4,4: A in line \d+ "
                               r"in iteration \(i, j\) = \(\d+, \d+\) needs the value written to A in "
                               r"line \d+ in iteration \(i, j\) = \(\d+, \d+\)")
        self.assertIn("--assume", text)

    def test_G2_operands_of_a_spec_do_not_overlap(self):
        steps = "constant n=30", "scratch sum", "tile r,q 8,8"
        self.assertIn("may overlap", self.refused(PLAIN, *steps))
        self.assay("variants", PLAIN, "--script", self.script(*steps), "--spec", SPEC)

    def test_G2_a_product_of_sizes_asks_for_constants(self):
        text = self.refused(PLAIN, "restrict", "scratch sum", "tile r,q 8,8")
        self.assertIn("not affine", text)

    def test_G2_too_complex_is_a_verdict(self):
        loops = "".join(f"for (int i{k} = 0; i{k} < n - i{k - 1}; i{k}++)\n" if k else
                        "for (int i0 = 0; i0 < n; i0++)\n" for k in range(6))
        sums = " + ".join(f"a[{k + 1} * i{k % 6} + {k % 3} * i{(k + 1) % 6}]" for k in range(12))
        text = self.refused(self.source(f"void f(int n, double *a) {{\ndouble t;\n{loops}{{\n"
                                        f"t = {sums};\na[-1 - i0 - 2 * i1 - 3 * i2 - 5 * i3] = t;\n}}}}\n"),
                            "tile i0,i1,i2,i3,i4,i5 7,5,3,7,5,3")
        self.assertIn("too complex", text)

    def test_G2_bad_sources_have_place_reason_and_remedy(self):
        step = "unroll i 2"
        nest = "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 0; }\n"
        for text, said in ((b"\xff\xfev\0o\0i\0d\0", "value 0"), (b"a\0b", "value 0"), (b"", "empty"),
                           ("x" * (1 << 20) + "\n" * 8, "longer"), ("int x;\n", "no routine"),
                           ("void f(int n) { for (int i = 0; i < m; i++); }\n", ":1:"),
                           ('#include "/etc/passwd"\n' + nest, ":1:1: #include"),
                           ("#include </etc/passwd>\n" + nest, ":1:1: #include"),
                           ("#incl\\\nude <../x.h>\n" + nest, ":1:1: #include"),
                           ("/**/ %: /**/ include MACRO\n" + nest, ":1:1: #include"),
                           ("char x[] = {\n#embed \"/etc/passwd\"\n};\n" + nest, ":2:1: #embed")):
            with self.subTest(text[:40]):
                self.assertIn(said, self.refused(self.source(text), step))

    def test_G2_what_a_step_cannot_do_names_line_and_remedy(self):
        for steps, said in ((["tile k 8"], "its loops are: r, q, p, s, p"),
                            (["unroll p 2"], "p#1 in line"), (["swap p#1 s"], "fission p"),
                            (["tile r,q 8,8,8"], "3 sizes for 2 loops"), (["jam r 0"], "not between"),
                            (["constant m=3"], "no integer argument"), (["constant"], "--spec"),
                            (["copy a", "constant n=4"], "is written in the nest"),
                            (["fuse r q"], "no neighbours"), (["tile r"], "for example"),
                            (["pragma s omp parallel for reduction(+:x)"], "not proved here")):
            with self.subTest(steps):
                text = self.refused(PLAIN, *steps)
                self.assertRegex(text, r"steps.script:\d+:\d+: ")
                self.assertIn(said, text)


if __name__ == "__main__":
    unittest.main()
