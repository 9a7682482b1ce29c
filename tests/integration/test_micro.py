# SPDX-License-Identifier: Apache-2.0
"""
assay micro generate: descriptions of micro-kernels (M: MicroTools).  What is made is assembled, and
run on arrays whose contents are known.
"""
import ctypes
import itertools
import json
import pathlib
import random
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "support"))
from command import CommandTest  # noqa: E402
from drawn_kernels import Draw  # noqa: E402

MICRO = TESTS / "micro"
LOAD_STORE = MICRO / "load_store.xml"
BAD_SPEC, USAGE, BUILD_FAILED, FULL = 65, 64, 70, 78


class Micro(CommandTest):
    def generate(self, *words, code=0):
        return self.assay("micro", "generate", "--machine", "x86_64", "-q", *words, code=code)

    def programs(self, *words):
        return [json.loads(line) for line in self.generate("--ndjson", *words).stdout.splitlines()]

    def count(self, *words):
        return int(self.generate("--count", *words).stdout)

    def library(self, *words):
        """All programs of a description as functions of one shared object."""
        source, made = self.dir / "all.s", self.dir / "all.so"
        self.generate("--joined", source, *words)
        subprocess.run(["gcc", "-shared", "-o", made, source], check=True)
        return ctypes.CDLL(str(made))


class Generate(Micro):
    def test_M1_M3_figure_6_makes_510_programs_that_all_assemble(self):
        self.assertEqual(self.count(LOAD_STORE), 510)
        self.generate("-o", self.dir / "out", "--check", LOAD_STORE)
        files = sorted((self.dir / "out").iterdir())
        self.assertEqual(len(files), 510)
        bodies = {file.read_text().split("\n", 1)[1] for file in files}
        self.assertEqual(len(bodies), 510)

    def test_M3_M11_each_sequence_of_loads_and_stores_is_there_once(self):
        wanted = {"".join(letters) for n in range(1, 9) for letters in itertools.product("LS", repeat=n)}
        programs = self.programs(LOAD_STORE)
        self.assertEqual({p["meta"]["sequence"] for p in programs}, wanted)
        for p in programs:
            meta = p["meta"]
            self.assertEqual(meta["unroll"], len(meta["sequence"]))
            self.assertEqual(meta["loads"], meta["sequence"].count("L"))
            self.assertEqual(meta["bytes"], 16 * meta["unroll"])
            self.assertEqual(meta["step"], 4 * meta["unroll"])
            self.assertEqual((meta["arrays"], meta["returns"]), (1, True))

    def test_M42_510_programs_for_each_of_four_operations(self):
        for operation in ("movss", "movsd", "movaps", "movapd"):
            bytes_moved = {"movss": 4, "movsd": 8}.get(operation, 16)
            text = LOAD_STORE.read_text().replace("movaps", operation).replace(
                "<increment>16", f"<increment>{bytes_moved}").replace("<offset>16", f"<offset>{bytes_moved}")
            self.assertEqual(self.count(self.file("d.xml", text)), 510)

    def test_M41_each_program_returns_its_iterations_and_stays_in_its_array(self):
        library = self.library(LOAD_STORE)
        for p in self.programs(LOAD_STORE):
            function = getattr(library, p["name"])
            for n in (0, 3, 96, 101):
                memory = (ctypes.c_ubyte * 1024)(*[7] * 1024)
                start = ctypes.addressof(memory)
                start += -start % 16
                done = function(n, ctypes.c_void_p(start))
                self.assertEqual(done, n // p["meta"]["step"], p["name"])
                offset = start - ctypes.addressof(memory)
                self.assertEqual(bytes(memory[offset + 4 * n:]), b"\7" * (1024 - offset - 4 * n))

    def test_M2_c_compiles_and_returns_the_same(self):
        source, made = self.dir / "all.c", self.dir / "all.so"
        self.generate("--c", "--limit", "40", "--joined", source, LOAD_STORE)
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-Wall", "-Werror", "-o", made, source], check=True)
        library = ctypes.CDLL(str(made))
        memory = (ctypes.c_ubyte * 2048)()
        start = ctypes.addressof(memory) + -ctypes.addressof(memory) % 16
        for p in self.programs("--limit", "40", LOAD_STORE):
            self.assertEqual(getattr(library, p["name"])(320, ctypes.c_void_p(start)), 320 // p["meta"]["step"])

    def test_M43_the_same_file_makes_avx_512_and_aarch64(self):
        wide = self.generate("--vector", "64", LOAD_STORE).stdout
        self.assertIn("vmovaps 64(%rsi), %zmm1\n", wide)
        self.assertIn("add $128, %rsi\nadd $1, %eax\nsub $32, %rdi\n", wide)
        self.generate("--vector", "64", "--check", LOAD_STORE)
        other = self.assay("micro", "generate", "--machine", "aarch64", "--limit", "5", LOAD_STORE).stdout
        self.assertIn("ldr q0, [x1", other)

    def test_M29_a_limit_keeps_exactly_so_many_of_a_space_too_large_to_make(self):
        text = LOAD_STORE.read_text().replace("<max>8</max>\n    </unrolling>", "<max>40</max>\n    </unrolling>")
        large = self.file("large.xml", text)
        self.assertEqual(self.count(large), sum(2 ** u for u in range(1, 41)))
        self.generate(large, code=FULL)
        some = self.programs("--limit", "50", "--seed", "9", large)
        self.assertEqual(len({p["name"] for p in some}), 50)
        self.assertEqual(some, self.programs("--limit", "50", "--seed", "9", large))
        self.assertNotEqual(some, self.programs("--limit", "50", "--seed", "10", large))

    def test_M29_the_description_can_have_the_limit(self):
        text = LOAD_STORE.read_text().replace("</description>",
                                              "<benchmark_amount>7</benchmark_amount></description>")
        self.assertEqual(len(self.programs(self.file("d.xml", text))), 7)

    def test_M24_nineteen_passes_are_listed_and_the_manual_has_each(self):
        manual = (TESTS.parent / "client/assay-micro.1").read_text()
        passes = self.generate("--passes").stdout.splitlines()
        self.assertEqual(passes, self.assay("micro", "--passes").stdout.splitlines())
        self.assertEqual(len(passes), 19)
        for line in passes:
            self.assertIn(f".It Cm {line.split()[1]}\n", manual)

    def test_the_manual_has_each_node(self):
        manual = (TESTS.parent / "client/assay-micro.1").read_text()
        for line in self.generate("--nodes").stdout.splitlines():
            name, parents, _ = line.split("\t")
            self.assertIn(f".It Cm {name}" + (f" No in {parents}" if parents else "") + "\n", manual)


class Templates(Micro):
    def test_M40_M35_each_description_here_assembles_without_a_warning(self):
        for path in sorted(MICRO.glob("*.xml")):
            with self.subTest(path.name):
                self.assertGreater(self.count(path), 0)
                made = self.dir / path.stem
                self.generate("--joined", made, path)
                language = ["gcc", "-xc", "-fopenmp", "-Wall", "-Werror", "-c"] \
                    if "openmp" in path.name else ["as", "--fatal-warnings"]
                subprocess.run([*language, "-o", self.dir / "object", made], check=True)

    def test_M44_openmp_loops_compile(self):
        programs = self.programs(MICRO / "openmp.xml")
        self.assertEqual({p["language"] for p in programs}, {"c"})
        for p in programs:
            self.assertIn("#pragma omp parallel for schedule(static, 64)", p["source"])


class Drawn(Micro):
    def test_M1_M35_programs_of_descriptions_drawn_at_random_assemble(self):
        draw, made = Draw(random.Random(2)), 0
        for number in range(60):
            path = self.file(f"{number}.xml", draw.description())
            ran = self.generate("--check", "--limit", "100", path, code=(0, FULL))
            made += ran.returncode == 0
        self.assertGreater(made, 40)

    def test_M1_the_count_is_the_number_of_programs(self):
        draw = Draw(random.Random(3))
        counts = []
        for number in range(60):
            path = self.file(f"{number}.xml", draw.description())
            ran = self.generate("--count", path, code=(0, FULL))
            if ran.returncode == 0 and 1 < int(ran.stdout) < 500:
                counts.append(int(ran.stdout))
                sources = {p["source"].split("\n", 1)[1] for p in self.programs(path)}
                names = {p["name"] for p in self.programs(path)}
                self.assertEqual(len(names), counts[-1])
                self.assertLessEqual(len(sources), counts[-1])
        self.assertGreater(len(counts), 5)


class Refused(Micro):
    def test_what_the_assembler_refuses_has_the_line_of_the_description(self):
        text = LOAD_STORE.read_text().replace("movaps", "movapz")
        line = next(n for n, words in enumerate(text.splitlines(), 1) if "<instruction>" in words)
        path = self.file("bad.xml", text)
        ran = self.generate("--check", path, code=BUILD_FAILED)
        self.assertIn(f"bad.xml:{line}", ran.stderr)
        self.assertIn("no such instruction", ran.stderr)
        for words in (("--decode", "--ndjson"), ("--for-host", "--ndjson")):
            self.assertEqual(ran.stderr, self.generate(*words, path, code=BUILD_FAILED).stderr)

    def test_what_is_found_late_has_a_line_too(self):
        text = LOAD_STORE.read_text().replace(
            "<unrolling>", "<insert_code><instruction>.fill 4000000000, 8, 1</instruction>"
            "</insert_code><unrolling>")
        path = self.file("far.xml", text)
        for words in (("--check",), ("--decode", "--ndjson")):
            ran = self.generate(*words, "--limit", "1", path, code=BUILD_FAILED)
            self.assertRegex(ran.stderr, r"far\.xml:\d+: the assembler: jump target out of range")

    def test_an_error_in_an_inserted_file_has_the_line_of_its_node(self):
        (self.dir / "bad.s").write_text("nop\nnop\nmovapz\n")
        text = LOAD_STORE.read_text().replace(
            "<unrolling>", "<insert_code><file>bad.s</file></insert_code><unrolling>")
        line = next(n for n, words in enumerate(text.splitlines(), 1) if "<file>" in words)
        ran = self.generate("--check", self.file("d.xml", text), code=BUILD_FAILED)
        self.assertIn(f"d.xml:{line}: the assembler: no such instruction", ran.stderr)

    def test_line_marks_for_the_assembler_are_not_in_the_source(self):
        plain = [p["source"] for p in self.programs(LOAD_STORE)]
        self.assertEqual(plain, [p["source"] for p in self.programs("--decode", LOAD_STORE)])
        marked = [p["source"] for p in self.programs("--decode", "--lines", LOAD_STORE)]
        self.assertIn(f'"{LOAD_STORE}"', marked[0])

    def test_programs_with_a_prologue_of_their_own_are_checked_alone(self):
        (self.dir / "pro.s").write_text(".globl entryPoint\nentryPoint:\n")
        (self.dir / "epi.s").write_text("ret\n.size entryPoint, .-entryPoint\n")
        frame = "<insert_code><prologue>pro.s</prologue><epilogue>epi.s</epilogue></insert_code>"
        path = self.file("d.xml", LOAD_STORE.read_text().replace("<unrolling>", f"{frame}<unrolling>"))
        self.generate("--check", path)
        self.assertEqual(510, len(self.programs("--decode", path)))
        ran = self.generate("--c", path, code=BAD_SPEC)
        self.assertRegex(ran.stderr, r"d\.xml:\d+:\d+: prologue: C is written with a function")

    def test_an_epilogue_alone_stands_behind_the_function(self):
        (self.dir / "epi.s").write_text(".data\nhere: .long 7\n")
        path = self.file("d.xml", LOAD_STORE.read_text().replace(
            "<unrolling>", "<insert_code><epilogue>epi.s</epilogue></insert_code><unrolling>"))
        self.assertIn("here: .long 7\n", self.generate("--limit", "1", path).stdout)
        self.generate("--check", path)

    def test_decoding_needs_objects_to_put_it_into(self):
        for word in ("--decode", "--for-host"):
            self.assertIn("add --ndjson", self.generate(word, LOAD_STORE, code=USAGE).stderr)
        self.assertIn("not C", self.generate("--decode", "--c", "--ndjson", LOAD_STORE, code=USAGE).stderr)

    def test_help_of_generate_has_no_daemon(self):
        text = self.assay("micro", "generate", "--help").stdout
        self.assertEqual(1, text.count("host "))
        self.assertNotIn("--socket", text)
        self.assertIn("--socket", self.assay("results", "--help").stdout)

    def test_a_missing_file_and_a_wrong_option_are_named(self):
        self.assertIn("none.xml", self.generate(self.dir / "none.xml", code=66).stderr)
        self.generate(code=USAGE)
        self.generate("--limit", "0", LOAD_STORE, code=USAGE)
        self.generate("--function", "int", LOAD_STORE, code=USAGE)

    def test_a_command_is_not_executed_and_that_is_said(self):
        text = LOAD_STORE.read_text().replace(
            "</description>", "<hardware_detector><execute>touch made</execute>"
            "<information_file>x</information_file></hardware_detector></description>")
        ran = self.assay("micro", "generate", "--count", self.file("d.xml", text))
        self.assertIn("<execute> is ignored", ran.stderr)
        self.assertFalse(pathlib.Path("made").exists())

    def test_inserted_files_stand_beside_the_description(self):
        insert = "<insert_code><file>{}</file></insert_code><unrolling>"
        (self.dir / "nops.s").write_text("nop\nnop\n")
        text = LOAD_STORE.read_text()
        good = self.file("d.xml", text.replace("<unrolling>", insert.format("nops.s")))
        self.assertIn("\nnop\nnop\n", self.generate("--limit", "1", good).stdout)
        (self.dir / "linked.s").symlink_to("nops.s")
        (self.dir / "folder").symlink_to("/etc")
        for name in ("linked.s", "folder/passwd"):
            bad = self.file("e.xml", text.replace("<unrolling>", insert.format(name)))
            words = self.generate(bad, code=BAD_SPEC).stderr
            self.assertRegex(words, r"is a symbolic link \(files stand at or below")
        for name in ("/etc/passwd", "../d.xml", ".hidden", "a/../../b"):
            bad = self.file("e.xml", text.replace("<unrolling>", insert.format(name)))
            self.generate(bad, code=BAD_SPEC)


# Each would read a file of the caller's, or make the name of a directive that does.
OPENERS = ['.incbin "/etc/passwd"', '.include "/etc/shadow"', 'nop; .incbin "/etc/passwd"',
           '/* */ .InClUdE "/etc/shadow"', 'x:.INCBIN "/etc/passwd"',
           '.macro m\n.incbin "/etc/passwd"\n.endm', '.macro m a b\n.\\a\\b "/etc/passwd"\n.endm',
           '.irp a, bin\n.inc\\a "/etc/passwd"\n.endr', '.irpc a, b\n.inc\\a\\()in "/x"\n.endr',
           '.altmacro', '.mri 1', '".inc\\142in" "/etc/passwd"', '".\\x69ncbin" "/etc/passwd"',
           '".\\incbin" "/etc/passwd"', '.secure_log_unique "x"', '# .incbin']


class Opens(Micro):
    """Text of a description is read by the assembler with the caller's rights."""

    def description(self, node):
        return LOAD_STORE.read_text().replace("<unrolling>", f"{node}<unrolling>")

    def refused(self, node, code):
        ran = self.generate("--check", self.file("d.xml", self.description(node)), code=BAD_SPEC)
        line = next(n for n, words in enumerate(self.description(node).splitlines(), 1)
                    if "<insert_code>" in words)
        self.assertRegex(ran.stderr, rf"d\.xml:{line}:\d+: .*(opens a file|can make|changes|can hide)",
                         code)
        self.assertIn(" (", ran.stderr)
        self.assertNotIn("root:", ran.stderr)

    def test_directives_that_open_files_are_refused_wherever_they_hide(self):
        for code in OPENERS:
            with self.subTest(code):
                text = code.replace("&", "&amp;").replace("<", "&lt;")
                self.refused(f"<insert_code><instruction>{text}</instruction></insert_code>", code)
                (self.dir / "code.s").write_text(f"nop\n{code}\n")
                for node in ("file", "prologue", "epilogue"):
                    self.refused(f"<insert_code><{node}>code.s</{node}></insert_code>", code)

    def test_an_operation_opens_no_file(self):
        bad = LOAD_STORE.read_text().replace("<operation>movaps", "<operation>.Include")
        self.assertIn("opens a file", self.generate(self.file("d.xml", bad), code=BAD_SPEC).stderr)

    def test_other_directives_and_strings_are_read(self):
        (self.dir / "code.s").write_text(
            ".file \"x.c\"\n.data\n.asciz \"includes a\\n\\t\\0 \\\\ \\\"\"\n.text\n"
            ".rept 3\nnop\n.endr\n")
        path = self.file("d.xml", self.description("<insert_code><file>code.s</file></insert_code>"))
        self.generate("--check", "--limit", "3", path)

    def test_what_takes_too_much_memory_is_ended(self):
        code = "".join(f"<instruction>{line}</instruction>" for line in (".rept 300000000", "nop", ".endr"))
        path = self.file("d.xml", self.description(f"<insert_code>{code}</insert_code>"))
        for words in (("--check",), ("--decode", "--ndjson")):
            ran = self.generate(*words, "--limit", "1", path, code=BUILD_FAILED)
            self.assertRegex(ran.stderr, r"d\.xml: program \S+: the assembler: it needs more than 1024 MiB "
                             r"of memory \(.*\.rept")


class Verbose(Micro):
    def test_M24_each_pass_that_chooses_says_among_how_many(self):
        text = LOAD_STORE.read_text().replace(
            "<swap_after_unroll/>", "<swap_after_unroll/><repetition><min>1</min><max>3</max></repetition>")
        text = text.replace("<unrolling>", "<repetition><min>1</min><max>2</max></repetition><unrolling>", 1)
        said = self.generate("--count", "--verbose", self.file("d.xml", text), code=(0, FULL)).stderr
        for words in ("kernel_repetition: among 2", "instruction_repetition: among 3", "unroll: among 8",
                      "swap_after: among 2"):
            self.assertIn(f"{words}\n", said)


if __name__ == "__main__":
    unittest.main()
