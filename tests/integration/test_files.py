# SPDX-License-Identifier: Apache-2.0
"""Variants with files and libraries beside their source, on real compilers; and names, texts and trees that are hostile."""
import base64
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, Daemon, RealDaemonTest, RpcError, assert_timed  # noqa: E402

SPEC = {"routine": "double twice(double x)", "args": {"x": 3}, "context": "warm",
        "timing": {"samples": 3, "gate": False, "processes": 1, "trust": "claimed"},
        "check": {"reference": {"source": "double twice(double x) { return x + x; }"}}}
TOO_NOISY = 75                  # how a command of honest work may end, too
HELP_C = "double help(double x) { return 2 * x; }\n"
USES_HELP = "double help(double x);\ndouble twice(double x) { return help(x); }\n"
OPENBLAS = next(iter(sorted(pathlib.Path("/usr/lib").glob("*/libopenblas.so*"))), None)


def in_base64(data):
    return base64.b64encode(data).decode()


def document(source, **variant):
    return {"variant": {"source": source, **variant}, "spec": SPEC}


class Files(RealDaemonTest):
    def run_one(self, source, **variant):
        (result,) = self.daemon.run(document(source, **variant))
        return result

    def right(self, source, **variant):
        """Built, timed, and the same answer as the reference's."""
        return assert_timed(self, self.run_one(source, **variant))

    def refused(self, member, text, **variant):
        with self.assertRaises(RpcError) as caught:
            self.daemon.call("job.submit", {"job": {"variant": {"source": USES_HELP, **variant}, "spec": SPEC}})
        self.assertIn(member, caught.exception.data["member"])
        self.assertIn(text, str(caught.exception))

    # ---- what they are for ----

    def test_P5_a_second_source_and_headers_in_folders(self):
        self.right('#include "inc/two.h"\n#include <inc/deep/er.h>\ndouble twice(double x) { return TWO * help(x) / ER; }\n',
                   files={"inc/two.h": '#include "deep/er.h"\n#define TWO 2\ndouble help(double);\n',
                          "inc/deep/er.h": "#define ER 4\n", "help.c": "double help(double x) { return 4 * x; }\n"})

    def test_X11_a_result_has_the_size_of_the_routines_code(self):
        far = 'asm(".section .text.far,\\"ax\\"\\n.skip 5000\\n.previous");\n'
        body = "double twice(double x) { asm volatile(\".skip 400, 0x90\"); return x + x; }\n"
        sizes = {}
        for language, names in (("c", ("twice",)), ("c++", ("_Z5twiced",))):
            result = self.right(far + body, language=language)
            binary = pathlib.Path(self.daemon.state, "cache", result["binary"][:2], result["binary"] + ".so")
            table = subprocess.run(["nm", "-DS", "--defined-only", binary], capture_output=True, text=True, check=True)
            symbols = {line.split()[-1]: int(line.split()[1], 16) for line in table.stdout.splitlines() if len(line.split()) == 4}
            sizes[language] = result["code_bytes"]
            self.assertEqual(symbols[names[0]], result["code_bytes"])
            self.assertTrue(400 < result["code_bytes"] < 1000)
        row, = csv.DictReader(io.StringIO(subprocess.run(
            [BUILD / "assay", "-s", self.daemon.socket, "results", "--csv", str(result["job"])],
            capture_output=True, text=True, check=True).stdout))
        self.assertEqual(str(sizes["c++"]), row["code_bytes"])
        unsized = self.right(far + 'asm(".globl twice\\ntwice: addsd %xmm0, %xmm0\\nret\\n");\n'
                             if os.uname().machine == "x86_64" else
                             far + 'asm(".globl twice\\ntwice: fadd d0, d0, d0\\nret\\n");\n')
        self.assertGreater(unsized["code_bytes"], 5000)

    def test_a_result_without_an_object_has_no_size_of_code(self):
        (result,) = self.daemon.run(document("double twice(double x) { return"))
        self.assertEqual("build_failed", result["status"])
        self.assertNotIn("code_bytes", result)

    def test_a_file_that_is_included_only_is_not_compiled(self):
        self.right('double twice(double x) {\n#include "body.c"\n}\n',
                   files={"body.c": {"text": "return 2 * x;", "compile": False}})

    def test_objects_assembly_and_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "help.c")
            source.write_text(HELP_C)
            subprocess.run(["gcc", "-c", "-O2", "-fPIC", "-o", f"{folder}/help.o", source], check=True)
            made = pathlib.Path(folder, "help.o").read_bytes()
        self.right(USES_HELP, files={"help.o": {"base64": in_base64(made)}})
        self.right('__asm__(".section .rodata\\ntable: .incbin \\"table.bin\\"\\n.text");\n'
                   'double twice(double x) { extern const char table[] __asm__("table"); return table[1] * x; }',
                   files={"table.bin": {"base64": in_base64(bytes([0, 2, 255]))}})
        result = self.run_one(USES_HELP, files={"help.o": {"base64": in_base64(b"INPUT(/etc/shadow)\n")}})
        self.assertEqual(("load_failed", "help.o: not an object file for this machine"),
                         (result["status"], result["detail"]))

    @unittest.skipUnless(shutil.which("g++"), "no g++")
    def test_c_beside_cxx_stays_c(self):
        self.right('extern "C" double help(double);\nextern double more(double);\n'
                   'extern "C" double twice(double x) { return more(help(x)); }\n',
                   language="c++", files={"help.c": "double help(double class) { return class + class; }\n",
                                          "more.cc": "template<class T> T same(T x) { return x; }\n"
                                                     "double more(double x) { return same(x); }\n"})

    @unittest.skipUnless(shutil.which("gfortran"), "no gfortran")
    def test_a_module_of_fortran_is_compiled_before_its_user(self):
        module = "module helper\ncontains\nfunction help(x) result(y)\nreal(8), value :: x\nreal(8) :: y\ny = 2 * x\n" \
                 "end function\nend module\n"
        self.right("function twice(x) bind(c)\nuse helper\nuse iso_c_binding\nreal(c_double), value :: x\n"
                   "real(c_double) :: twice\ntwice = help(x)\nend function\n", language="fortran",
                   files={"helper.f90": module})

    def test_a_reference_and_a_rival_have_files_of_their_own(self):
        half = {"help.c": HELP_C}
        job = document(USES_HELP, files=half)
        job["spec"] = {**SPEC, "check": {"reference": {"source": USES_HELP, "files": {"help.c": "double help(double x)"
                                                                                      "{ return x + x; }"}}}}
        job["against"] = {"source": USES_HELP, "files": {"help.c": "double help(double x) { return x * 2; }"}}
        (result,) = self.daemon.run(job)
        assert_timed(self, result)
        job["spec"]["check"]["reference"]["files"] = {"help.c": "double help(double x) { return 3 * x; }"}
        (result,) = self.daemon.run(job)
        self.assertEqual("wrong_answer", result["status"])

    def test_a_file_is_part_of_what_a_variant_is(self):
        one = self.right(USES_HELP, files={"help.c": HELP_C})
        again = self.right(USES_HELP, files={"help.c": HELP_C})
        other = self.right(USES_HELP, files={"help.c": "double help(double x) { return x + x; }\n"})
        renamed = self.right(USES_HELP, files={"helper.c": HELP_C})
        self.assertEqual(one["binary"], again["binary"])
        self.assertEqual(3, len({r["binary"] for r in (one, other, renamed)}))
        self.assertEqual(one["spec_hash"], other["spec_hash"])

    def test_a_file_of_the_reference_is_part_of_the_spec(self):
        hashes = set()
        for help in ("return x + x;", "return 2 * x;"):
            job = document(USES_HELP, files={"help.c": HELP_C})
            job["spec"] = {**SPEC, "check": {"reference": {"source": USES_HELP, "files": {
                "help.c": "double help(double x) { %s }" % help}}}}
            (result,) = self.daemon.run(job)
            hashes.add(result["spec_hash"])
        self.assertEqual(2, len(hashes))

    # ---- what is hostile ----

    def test_a_name_cannot_lead_out_of_its_folder_or_be_an_option(self):
        for name, reason in (("../up.h", "leads upward"), ("a/../../up.h", "leads upward"), ("/etc/x.h", "from the root"),
                             ("a/..", "leads upward"), ("a//b", "no plain file name"), ("a/", "no plain file name"),
                             ("", "no plain file name"), ("-o", "no plain file name"), (".hidden", "no plain file name"),
                             ("@list", "no plain file name"), ("a b", "no plain file name"), ("a\\b", "no plain file name"),
                             ("ä.h", "no plain file name"), ("a\n", "no plain file name"), ("x" * 101, "too long"),
                             ("/".join("a" * 10), "too many folders"), ("variant.c", "the builder's own"),
                             ("out.so", "the builder's own")):
            with self.subTest(name):
                self.refused("variant.files", reason, files={name: ""})
        self.refused("variant.files", "a file and a folder", files={"a": "", "a/b": ""})
        self.refused("variant.files", "a file and a folder", files={"a/b": "", "a": ""})

    def test_numbers_and_sizes_have_limits(self):
        self.refused("variant.files", "at most 64", files={f"{i}.h": "" for i in range(10000)})
        self.refused("variant.files", "at most 4194304", files={f"{i}.h": " " * (1 << 20) for i in range(5)})
        self.refused("big.h", "1048576", files={"big.h": " " * ((1 << 20) + 1)})
        self.refused("x.h", "exactly one of text, base64", files={"x.h": {"text": "", "base64": ""}})
        self.refused("x.h", "exactly one of text, base64", files={"x.h": {}})
        self.refused("x.h", "must be the file's text", files={"x.h": 7})
        self.refused("x.h", "no compiler takes", files={"x.h": {"text": "", "compile": True}})
        self.refused("x.cc", "cannot be linked", files={"x.cc": ""})
        self.refused("variant.files", "linked already", language="shared", source="f0VMRg==", files={"x.h": ""})

    def test_a_file_with_a_name_of_the_driver_is_a_file(self):
        self.right('#include "driver.c"\n#include "rt.h"\ndouble twice(double x) { return A * x + B; }\n',
                   files={"driver.c": {"text": "#define A 2\n", "compile": False}, "rt.h": "#define B 0\n"})

    def test_a_file_of_the_host_stays_out_of_reach(self):
        for source in ('#include "/etc/shadow"\n', '#include "../../../../etc/shadow"\n', '#include </etc/shadow>\n',
                       '__asm__(".incbin \\"/etc/shadow\\"");\n'):
            for where in ("variant", "file"):
                with self.subTest(source, where=where):
                    files = {"help.c": (source if where == "file" else "") + HELP_C}
                    result = self.run_one((source if where == "variant" else "") + USES_HELP, files=files)
                    self.assertEqual("build_failed", result["status"])
                    self.assertNotIn("root:", result["detail"])

    def test_files_of_one_build_are_gone_in_the_next(self):
        self.right('#include "left.h"\ndouble twice(double x) { return TWO * x; }\n', files={"left.h": "#define TWO 2\n"})
        self.right('#include "a/b/left.h"\ndouble twice(double x) { return TWO * x; }\n',
                   files={"a/b/left.h": "#define TWO 2\n"})
        for name in ("left.h", "a/b/left.h"):
            result = self.run_one(f'#if __has_include("{name}")\n#error it is there\n#endif\n' + USES_HELP,
                                  files={"help.c": HELP_C})
            assert_timed(self, result)


class Libraries(unittest.TestCase):
    """What the administrator lists; each test has a daemon with its own list."""

    def daemon(self, libraries):
        daemon = Daemon("--libraries", libraries)
        self.addCleanup(daemon.stop)
        return daemon

    def test_what_is_not_listed_is_refused_with_the_list(self):
        daemon = self.daemon("math=/usr/lib/x86_64-linux-gnu/libm.so.6" if os.path.exists(
            "/usr/lib/x86_64-linux-gnu/libm.so.6") else "m")
        self.assertEqual(["math"] if "math=" in str(daemon.process.args) else ["m"],
                         daemon.call("server.info")["libraries"])
        for place, member in (("variant", "job.variant.libraries"), ("against", "job.against.libraries")):
            job = document(USES_HELP) | {"against": {"source": USES_HELP}}
            job[place] = {**job[place], "libraries": ["openblas"]}
            with self.assertRaises(RpcError) as caught:
                daemon.call("job.submit", {"job": job})
            self.assertEqual((member, "bad_spec"), (caught.exception.data["member"], caught.exception.word))
            self.assertIn("it lists", str(caught.exception))

    def test_a_list_that_cannot_be_is_refused_at_the_start(self):
        with tempfile.NamedTemporaryFile(suffix=".so") as file:
            for libraries, reason in (("no-such-library-here", "there is no such library"), ("a=relative.so", "a whole path"),
                                      ("a=/nowhere.so", "cannot be read"), (f"a={file.name}", "jails do not show"),
                                      ("=x", "neither a name nor")):
                with self.subTest(libraries):
                    run = subprocess.run([BUILD / "assayd", "--libraries", libraries, "--state", "/nonexistent"],
                                         stderr=subprocess.PIPE, text=True)
                    self.assertNotEqual(0, run.returncode)
                    self.assertIn(reason, run.stderr)

    @unittest.skipUnless(OPENBLAS, "no OpenBLAS")
    def test_X7_a_kernel_is_compared_with_openblas(self):
        daemon = self.daemon("openblas")
        spec = {"routine": "double mydot(int n, const double *x, const double *y)", "params": {"N": 4000},
                "args": {"n": "N", "x": {"dims": ["N"]}, "y": {"dims": ["N"]}}, "context": "warm",
                "timing": {"gate": False, "samples": 3, "trust": "claimed"},
                "check": {"reference": {"source": "double mydot(int n, const double *x, const double *y)"
                                                  "{ double s = 0; while (n--) s += x[n] * y[n]; return s; }"}}}
        calls = "double cblas_ddot(int, const double *, int, const double *, int);\n" \
                "double mydot(int n, const double *x, const double *y) { return cblas_ddot(n, x, 1, y, 1); }\n"
        (result,) = daemon.run({"variant": {"source": calls, "libraries": ["openblas"]}, "spec": spec})
        assert_timed(self, result)
        (alone,) = daemon.run({"variant": {"source": calls}, "spec": spec})
        self.assertEqual("load_failed", alone["status"], alone["detail"])
        self.assertIn("cblas_ddot", alone["detail"])


class CommandLine(unittest.TestCase):
    """assay time with -I and --with; what a text includes never leads out of the folders that were given."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="assay-files-")
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        self.daemon = Daemon()
        self.addCleanup(self.daemon.stop)
        self.file("spec.json", json.dumps(SPEC))

    def file(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def assay(self, *words, code=0):
        run = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "time", self.dir / "spec.json", *words], text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.dir)
        self.assertIn(run.returncode, (0, TOO_NOISY) if code == 0 else (code,), run.stderr + run.stdout)
        return run

    def files_of_last(self):
        last = self.daemon.call("results.query", {"limit": 1})["results"][0]["job"]
        return self.daemon.call("job.spec", {"id": last})["variant"].get("files", {})

    def test_P17_headers_and_helpers_are_handed_in(self):
        self.file("kernel.c", '#include "inc/a.h"\n#include <stdio.h>\ndouble twice(double x) { return A * help(x); }\n')
        self.file("tree/inc/a.h", '#include "../b.h"\n#  include "c.h"\n#define A B * C\ndouble help(double);\n')
        self.file("tree/b.h", "#define B 1\n")
        self.file("tree/inc/c.h", "#define C 1\n")
        self.file("tree/unused.h", "#error unused\n")
        self.file("help.c", HELP_C)
        self.assay("-I", "tree", "--with", "help.c", "kernel.c")
        self.assertEqual({"inc/a.h", "b.h", "inc/c.h", "help.c"}, set(self.files_of_last()))

    def test_several_variants_get_the_same_files(self):
        self.file("help.c", HELP_C)
        self.file("a.c", USES_HELP)
        self.file("b.c", USES_HELP + "/* b */\n")
        self.assertIn("b", self.assay("--with", "help.c", "a.c", "b.c").stdout)

    def test_no_name_and_no_link_leads_out_of_the_folders(self):
        secret = self.file("secret.h", "#define SECRET 1\n")
        tree = self.file("tree/a.h", '#include "../secret.h"\n#include "link.h"\n#include "/etc/shadow"\n').parent
        (tree / "link.h").symlink_to(secret)
        (tree / "loop.h").symlink_to("loop.h")
        os.mkfifo(tree / "pipe.h")
        (tree / "folder.h").mkdir()
        for name in ("../secret.h", "link.h", "loop.h", "pipe.h", "folder.h", "tree/../../secret.h", "/etc/hostname"):
            self.file("kernel.c", f'#include "a.h"\n#include "{name}"\n{USES_HELP}')
            self.assay("-I", "tree", "kernel.c", code=70)
            self.assertEqual({"a.h"}, set(self.files_of_last()), name)

    def test_faults_name_the_option(self):
        kernel = self.file("kernel.c", USES_HELP)
        self.assertIn("-I: nowhere: No such file", self.assay("-I", "nowhere", kernel, code=66).stderr)
        self.assertIn("--with: nowhere.c: No such file", self.assay("--with", "nowhere.c", kernel, code=66).stderr)
        self.file("x/help.c", HELP_C)
        self.file("help.c", HELP_C)
        self.assertIn("already", self.assay("--with", "help.c", "--with", "x/help.c", kernel, code=64).stderr)
        self.assertIn("this server lets no variant", self.assay("--library", "openblas", kernel, code=65).stderr)

    def test_ten_thousand_files_are_too_many(self):
        names = [f"h{i}.h" for i in range(10000)]
        for name in names:
            self.file(f"tree/{name}", "")
        kernel = self.file("kernel.c", "".join(f'#include "{name}"\n' for name in names) + USES_HELP)
        self.assertIn("at most 64", self.assay("-I", "tree", kernel, code=64).stderr)

    def test_a_document_names_its_files(self):
        self.file("inc/table.h", "#define TWO 2\n")
        self.file("job.json", json.dumps({"spec_file": "spec.json", "variant": {
            "source": '#include "table.h"\n' + "double twice(double x) { return TWO * x; }\n",
            "files": {"table.h": {"file": "inc/table.h"}}}}))
        run = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "submit", "--follow", self.dir / "job.json"], text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertIn(run.returncode, (0, TOO_NOISY), run.stderr)
        self.assertEqual({"table.h": {"text": "#define TWO 2\n"}}, self.files_of_last())


if __name__ == "__main__":
    unittest.main()
