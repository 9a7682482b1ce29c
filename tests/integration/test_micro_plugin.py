# SPDX-License-Identifier: Apache-2.0
"""
assay-micro's machine side: plugins in a process of their own (M36, M37), what assembled programs
are decoded to, and the same description for other registers and another machine (M2, M43).
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "support"))
from harness import BUILD, IS_SANITIZED, TREE  # noqa: E402

MICRO = BUILD / "assay-micro"
PLUGINS = TESTS / "micro" / "plugins"
HEADER = TREE / "client" / "micro" / "plugin"
LOAD_STORE = TESTS / "micro" / "load_store.xml"
BAD_SPEC, USAGE = 65, 64
PROGRAMS = 510      # Σ over u = 1 to 8 of 2^u
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wmissing-prototypes", "-Werror"]


class Workdir(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="assay-micro-")
        self.addCleanup(made.cleanup)
        self.dir = pathlib.Path(made.name)

    def micro(self, *words, code=0, description=LOAD_STORE):
        # a crash is a signal, not a report of AddressSanitizer
        options = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "handle_segv=0"]))
        run = subprocess.run([MICRO, *words, description], cwd=self.dir, text=True,
                             env=os.environ | {"ASAN_OPTIONS": options},
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(code, run.returncode, run.stderr)
        return run.stdout if code == 0 else run.stderr

    def programs(self, *words, **how):
        return [json.loads(line) for line in self.micro("--ndjson", *words, **how).splitlines()]

    def plugin(self, name):
        made = self.dir / f"{name}.so"
        subprocess.run(["gcc", "-std=c11", "-D_GNU_SOURCE", *WARNINGS, f"-I{HEADER}", "-shared",
                        "-fPIC", "-o", made, PLUGINS / f"{name}.c"], check=True)
        return f"--plugin={made}"


def body(program):
    """The lines of its loop."""
    return re.search(r"^\.L6:\n(.*?)^jge", program["source"], re.S | re.M).group(1).splitlines()


class Plugins(Workdir):
    def test_M36_a_plugin_adds_a_pass_and_its_choices_are_counted(self):
        plugin = self.plugin("add")
        # one choice more, for the kernel: a nop behind each of its copies, or none
        self.assertEqual(2 * PROGRAMS, int(self.micro("--count", plugin)))
        programs = self.programs(plugin)
        self.assertEqual(2 * PROGRAMS, len({p["source"].split("\n", 1)[1] for p in programs}))
        with_nop = [p for p in programs if "nop" in body(p)]
        self.assertEqual(PROGRAMS, len(with_nop))
        for p in with_nop:
            self.assertEqual(p["meta"]["unroll"], body(p).count("nop"))

    def test_M36_a_plugin_removes_a_pass(self):
        programs = self.programs(self.plugin("remove"))
        self.assertEqual([f"{'L' * u}" for u in range(1, 9)],
                         [p["meta"]["sequence"] for p in programs])

    def test_M36_a_plugin_replaces_a_pass(self):
        programs = self.programs(self.plugin("replace"))
        self.assertEqual(8, len(programs))
        self.assertEqual(["movups %xmm0, 128(%rsi)", "movups %xmm1, 144(%rsi)"],
                         [line for line in body(programs[1]) if line.startswith("mov")])

    def test_M37_a_gate_turns_a_pass_off_and_another_runs_later(self):
        programs = self.programs(self.plugin("gate"))
        self.assertEqual([(1, "L"), (1, "S")],
                         [(p["meta"]["unroll"], p["meta"]["sequence"]) for p in programs])

    def test_M36_several_plugins_work_on_one_list_in_their_order(self):
        self.assertEqual(16, int(self.micro("--count", self.plugin("remove"), self.plugin("add"))))
        words = self.micro(self.plugin("remove"), self.plugin("replace"), "--count", code=BAD_SPEC)
        self.assertIn('there is no pass "swap_after"', words)

    def test_M38_without_register_allocation_the_instruction_is_named(self):
        source = self.dir / "bare.c"
        source.write_text('#include "assay-micro.h"\n'
                          "const unsigned assay_micro_plugin_version = ASSAY_MICRO_VERSION;\n"
                          "int assay_micro_plugin(struct micro *m)\n"
                          '{ return assay_micro_remove(m, "register_allocation") ? 0 : 1; }\n')
        subprocess.run(["gcc", f"-I{HEADER}", "-shared", "-fPIC", "-o", self.dir / "bare.so", source],
                       check=True)
        words = self.micro("--plugin=bare.so", code=BAD_SPEC)
        self.assertRegex(words, r"load_store\.xml:\d+:\d+: movaps: r1 has no register of the machine")

    def test_a_plugin_that_crashes_is_named_with_its_signal(self):
        words = self.micro(self.plugin("crash"), "-o", "out", code=BAD_SPEC)
        self.assertRegex(words, r"crash\.so: the plugin crashed: signal 11")

    def test_a_plugin_that_hangs_is_ended_and_named(self):
        words = self.micro(self.plugin("hang"), "--plugin-seconds=1", "--count", code=BAD_SPEC)
        self.assertRegex(words, r"hang\.so: the plugin took more than 1 s")

    @unittest.skipIf(IS_SANITIZED, "the sanitizer's own memory")
    def test_a_plugin_has_2_gib_of_memory_and_no_more(self):
        words = self.micro(self.plugin("hoard"), "-o", "out", code=BAD_SPEC)
        megabytes = int(re.search(r"no memory behind (\d+) MiB", words)[1])
        self.assertTrue(1024 <= megabytes < 2048, words)

    def test_a_plugin_that_writes_into_the_pipe_is_not_believed(self):
        words = self.micro(self.plugin("lie"), "-o", "out", code=BAD_SPEC)
        self.assertRegex(words, r"lie\.so: it sent what is no program")
        self.assertFalse((self.dir / "out").exists())

    def test_a_pass_refuses_in_its_own_words(self):
        words = self.micro(self.plugin("refuse"), code=BAD_SPEC)
        self.assertIn("taste: this one is not to my taste", words)

    def test_a_plugin_for_another_version_of_the_header_is_refused(self):
        words = self.micro(self.plugin("old"), code=BAD_SPEC)
        self.assertRegex(words, r"old\.so: it was made for version 2 of assay-micro\.h")

    def test_what_is_no_plugin_is_refused(self):
        self.assertIn("cannot be loaded", self.micro("--plugin=absent.so", code=BAD_SPEC))
        (self.dir / "text.so").write_text("no library")
        self.assertIn("cannot be loaded", self.micro("--plugin=text.so", code=BAD_SPEC))
        source = self.dir / "plain.c"
        source.write_text("int x;\n")
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", self.dir / "plain.so", source], check=True)
        self.assertIn("it has no assay_micro_plugin_version",
                      self.micro("--plugin=plain.so", code=BAD_SPEC))
        self.assertIn("--plugin-seconds", self.micro("--plugin-seconds=0", code=USAGE))

    def test_a_plugin_is_never_loaded_by_the_process_that_reads_the_command(self):
        """It says which process it is in, and the caller's is another one."""
        source = self.dir / "who.c"
        source.write_text('#include <stdio.h>\n#include <unistd.h>\n#include "assay-micro.h"\n'
                          "const unsigned assay_micro_plugin_version = ASSAY_MICRO_VERSION;\n"
                          "int assay_micro_plugin(struct micro *m)\n"
                          '{ (void)m; printf("%d\\n", (int)getpid()); return 0; }\n')
        subprocess.run(["gcc", f"-I{HEADER}", "-shared", "-fPIC", "-o", self.dir / "who.so", source],
                       check=True)
        with subprocess.Popen([MICRO, "--count", "--plugin=who.so", LOAD_STORE], cwd=self.dir,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            out, words = run.communicate()
        self.assertEqual("510\n", out)
        self.assertNotEqual(run.pid, int(words))


def decoded(file):
    """Its instructions as objdump has them, of the loop between its label and its jump."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "--no-addresses", file],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()]
    ends = [i for i, line in enumerate(lines) if line.startswith("jge")]
    return [line for line in lines[:ends[0]] if re.match(r"movaps .*\(%rsi\)", line)]


class Code(Workdir):
    def test_M2_c_and_assembly_have_the_same_instructions(self):
        for words, suffix, compiler in ((["--c"], "c", ["gcc", "-O2"]), ([], "s", ["gcc"])):
            self.micro(*words, "--limit=12", "--seed=7", "-o", suffix)
            for source in (self.dir / suffix).iterdir():
                subprocess.run([*compiler, "-c", "-o", source.with_suffix(".o"), source], check=True)
        names = sorted(file.name for file in (self.dir / "s").glob("*.o"))
        self.assertEqual(12, len(names))
        for name in names:
            loop = decoded(self.dir / "s" / name)
            self.assertTrue(loop)
            self.assertEqual(loop, decoded(self.dir / "c" / name))

    def test_what_a_program_does_is_decoded_from_its_code(self):
        for p in self.programs("--decode"):
            loads, stores = (p["meta"]["sequence"].count(c) for c in "LS")
            with self.subTest(p["name"]):
                self.assertEqual((loads, stores), (p["meta"]["loads"], p["meta"]["stores"]))
                self.assertEqual((16 * loads, 16 * stores),
                                 (p["meta"]["loaded_bytes"], p["meta"]["stored_bytes"]))
                # the counter, the pointer, the count of iterations, the jump
                self.assertEqual(loads + stores + 4, p["meta"]["instructions"])
                self.assertEqual(["SSE"], p["meta"]["isa"])

    def moves(self, *nodes):
        """The operations of a description's moves, each with how often it stands in the loop."""
        moved = self.dir / "moved.xml"
        text = LOAD_STORE.read_text().replace("<operation>movaps</operation>", "".join(nodes))
        text = text.replace("instruction>", "move>").replace("<max>8</max>\n    </unr",
                                                             "<max>1</max>\n    </unr")
        moved.write_text(text.replace("<swap_after_unroll/>", ""))
        programs = self.programs("--decode", description=moved)
        self.assertEqual({16}, {p["meta"]["loaded_bytes"] for p in programs})
        return {(line[0].split()[0], len(line)) for line in
                ([m for m in body(p) if "(%rsi)" in m] for p in programs)}

    def test_M23_sixteen_bytes_give_a_program_for_each_instruction_that_moves_them(self):
        aligned = {"movaps", "movapd", "movdqa", "vmovaps", "vmovapd", "vmovdqa", "vmovdqa32", "vmovdqa64"}
        unaligned = {"movups", "movupd", "movdqu", "vmovups", "vmovupd", "vmovdqu", "vmovdqu8",
                     "vmovdqu16", "vmovdqu32", "vmovdqu64"}
        half = {"movsd", "movq", "movlps", "movhps", "movlpd", "movhpd", "vmovsd", "vmovq"}
        quarter = {"movss", "movd", "vmovss", "vmovd"}
        scalar = {(name, 2) for name in half} | {(name, 4) for name in quarter}
        self.assertEqual({(name, 1) for name in aligned | unaligned} | scalar,
                         self.moves("<bytes>16</bytes>"))
        self.assertEqual({(name, 1) for name in aligned},
                         self.moves("<bytes>16</bytes><alignment>aligned</alignment>"))
        self.assertEqual(scalar, self.moves("<bytes>16</bytes><kind>scalar</kind>"))

    def move(self, size, register):
        """The programs of a loop that loads and stores so many bytes."""
        path = self.dir / "move.xml"
        path.write_text(
            f"<description><kernel><move><bytes>{size}</bytes><memory><register><name>r1</name></register>"
            f"</memory><register>{register}</register><swap_before_unroll/></move>"
            f"<induction><register><name>r1</name></register><increment>{size}</increment></induction>"
            "<induction><register><name>r0</name></register><increment>-1</increment><last_induction/>"
            "</induction><branch_information><label>L6</label><test>jge</test></branch_information>"
            "</kernel></description>")
        return self.programs("--decode", description=path)

    def test_M23_a_logical_register_is_as_wide_as_the_form_that_moves_it(self):
        widths = {}
        for kind, sizes in (("r9", (1, 2, 4, 8)), ("x0", (4, 8, 16, 32, 64))):
            for size in sizes:
                programs = self.move(size, f"<name>{kind}</name>")
                with self.subTest(kind=kind, size=size):
                    self.assertEqual({size}, {p["meta"]["loaded_bytes"] + p["meta"]["stored_bytes"]
                                              for p in programs})
                    self.assertEqual({0, size}, {p["meta"]["loaded_bytes"] for p in programs})
                widths[kind, size] = {re.search(r"%(r\d+[dwb]?|[xyz]mm)\d*", line).group(1)
                                      for p in programs for line in body(p) if "(%rsi)" in line}
        self.assertEqual([{"r13b"}, {"r13w", "r13b"}, {"r13d", "r13w", "r13b"},
                          {"r13", "r13d", "r13w", "r13b"}], [widths["r9", n] for n in (1, 2, 4, 8)])
        self.assertEqual([{"xmm"}, {"xmm", "ymm"}, {"xmm", "ymm", "zmm"}],
                         [widths["x0", n] for n in (16, 32, 64)])

    def test_M23_a_register_that_no_form_moves_is_refused_with_what_can_be_done(self):
        with self.assertRaisesRegex(AssertionError, r"move\.xml:1:\d+: move: no instruction moves 1 bytes "
                                    r"with x0 \(r9 is a general register"):
            self.move(1, "<name>x0</name>")

    def test_M43_one_description_gives_programs_for_wider_registers(self):
        for width, register, isa in ((32, "ymm", "AVX"), (64, "zmm", "AVX512F")):
            programs = self.programs("--decode", f"--vector={width}")
            self.assertEqual(PROGRAMS, len(programs))
            for p in programs:
                moves = [line for line in body(p) if line.startswith("vmovaps")]
                self.assertEqual(p["meta"]["unroll"], len(moves))
                self.assertEqual([f"{width * i}(%rsi)" for i in range(len(moves))],
                                 [re.search(r"-?\d+\(%rsi\)", line).group() for line in moves])
                self.assertTrue(all(register in line for line in moves))
                self.assertEqual(width * len(moves),
                                 p["meta"]["loaded_bytes"] + p["meta"]["stored_bytes"])
                self.assertIn(isa, p["meta"]["isa"])

    @unittest.skipIf(shutil.which("aarch64-linux-gnu-as") is None, "no assembler for AArch64")
    def test_M43_one_description_gives_programs_for_another_machine(self):
        programs = self.programs("--decode", "--machine=aarch64")
        self.assertEqual(PROGRAMS, len(programs))
        for p in programs:
            moves = re.findall(r"^(ldr|str) q(\d+), \[x1, #(\d+)\]$", p["source"], re.M)
            self.assertEqual(p["meta"]["sequence"],
                             "".join({"ldr": "L", "str": "S"}[move] for move, _, _ in moves))
            self.assertEqual([16 * i for i in range(len(moves))], [int(at) for _, _, at in moves])
            self.assertEqual(["unknown: AArch64 is not decoded"], p["meta"]["isa"])

    def test_M43_a_description_that_cannot_be_widened_is_refused_with_its_line(self):
        mixed = self.dir / "mixed.xml"
        text = LOAD_STORE.read_text()
        first = re.search(r"<instruction>.*?</instruction>", text, re.S).group()
        mixed.write_text(text.replace(first, first + first.replace("movaps", "movss")))
        words = self.micro("--vector=32", description=mixed, code=BAD_SPEC)
        self.assertRegex(words, r"mixed\.xml:\d+.*some accesses .* whole vectors, others not")

    def test_programs_for_another_machine_are_refused_for_this_host(self):
        machine = {"x86_64": "aarch64"}.get(subprocess.run(["uname", "-m"], text=True, check=True,
                                            stdout=subprocess.PIPE).stdout.strip(), "x86_64")
        words = self.micro("--ndjson", "--for-host", f"--machine={machine}", "--limit=1",
                           code=BAD_SPEC)
        self.assertIn(f"it is for {machine}, and this host is", words)


if __name__ == "__main__":
    unittest.main()
