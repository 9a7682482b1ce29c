# SPDX-License-Identifier: Apache-2.0
"""libassay as it is installed: C and C++ programs that see its header alone, waiting and in loops of their own."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import BUILD, DaemonTest, TREE

PREFIX = "/opt/assay"
LOOP = TREE / "tests/libassay/loop.c"
FUNCTIONS = {"assay_version", "assay_new", "assay_free", "assay_set", "assay_open", "assay_is_http", "assay_call", "assay_next",
             "assay_stop_on", "assay_begin", "assay_drop", "assay_on_notification", "assay_fd", "assay_wants", "assay_step"}


def examples():
    """The programs of the manual, as they are read there."""
    text = (TREE / "client/lib/assay.3").read_text()
    return [part.replace("\\e", "\\") for part in re.findall(r"^\.Bd -literal\n(.*?)^\.Ed$", text, re.M | re.S)]


class Library(DaemonTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.tree = pathlib.Path(tempfile.mkdtemp(prefix="assay-libassay-"))
        cls.addClassCleanup(shutil.rmtree, cls.tree)
        subprocess.run(["make", "-s", "-C", TREE, f"MODE={BUILD.name}", f"DESTDIR={cls.tree}", f"PREFIX={PREFIX}", "install"],
                       check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        cls.lib = cls.tree / PREFIX[1:] / "lib"
        cls.env = {k: v for k, v in os.environ.items() if not k.startswith("ASSAY_")} | {
            "PKG_CONFIG_PATH": str(cls.lib / "pkgconfig"), "PKG_CONFIG_SYSROOT_DIR": str(cls.tree),
            "LD_LIBRARY_PATH": str(cls.lib), "HOME": str(cls.tree)}
        cls.sanitizers = ["-fsanitize=address,undefined"] if harness.IS_SANITIZED else []

    def compiler_words(self, *words):
        return subprocess.run(["pkg-config", *words, "libassay"], env=self.env, check=True, stdout=subprocess.PIPE, text=True).stdout.split()

    def build(self, compiler, source, *more, static=False):
        """A program of this text or file, with what pkg-config says alone."""
        path = source if isinstance(source, pathlib.Path) else self.tree / "example.c"
        if path is not source:
            path.write_text(source)
        libraries = [str(self.lib / "libassay.a"), "-lcurl"] if static else self.compiler_words("--libs")
        program = self.tree / "program"
        subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror", *self.sanitizers, *self.compiler_words("--cflags"), str(path), "-o", str(program),
                        *libraries, *more], env=self.env, check=True, cwd=self.tree)
        return program

    def run_it(self, program, *words):
        ran = subprocess.run([program, *map(str, words)], env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, timeout=harness.TIMEOUT_S)
        self.assertEqual((0, ""), (ran.returncode, ran.stderr))
        return ran.stdout

    def check_results(self, said):
        ids, *results = map(json.loads, said.splitlines())
        self.assertEqual(sorted(ids["ids"]), sorted(r["result"]["job"] for r in results))
        self.assertEqual({"add", "shift"}, {r["result"]["name"] for r in results})

    def test_the_example_of_the_manual_runs_in_C_and_in_Cpp_with_gcc_and_clang(self):
        as_cpp = self.tree / "example.cc"
        as_cpp.write_text(examples()[0])
        # clang has a sanitizer of its own, which the library of gcc's build does not go with
        others = () if harness.IS_SANITIZED else ("clang", "clang++")
        for compiler in ("gcc", "g++", *others):
            with self.subTest(compiler):
                if shutil.which(compiler) is None:
                    self.skipTest(f"{compiler} is not installed")
                source = as_cpp if compiler.endswith("++") else examples()[0]
                self.check_results(self.run_it(self.build([compiler], source), self.daemon.socket))

    def test_the_example_of_the_manual_runs_with_the_static_library(self):
        program = self.build(["gcc"], examples()[0], static=True)
        self.check_results(self.run_it(program, f"unix:{self.daemon.socket}"))
        needed = subprocess.run(["readelf", "-d", program], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertNotIn("libassay", needed)

    def test_D8_programs_with_loops_of_their_own_have_many_calls_under_way(self):
        event = subprocess.run(["pkg-config", "--cflags", "--libs", "libevent_core"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        for more in ([], ["-DWITH_LIBEVENT", *event]):
            program = self.build(["gcc"], LOOP, *more)
            for address in (self.daemon.socket, f"http+unix:{self.daemon.http_socket}", "http://%s:%d" % self.daemon.tcp):
                with self.subTest(address=address, more=more):
                    self.assertEqual("well\n", self.run_it(program, address))

    def test_the_library_shows_the_names_of_its_header_alone(self):
        for what, words in (("libassay.so.0", ["-D"]), ("libassay.a", ["-g"])):
            names = subprocess.run(["nm", *words, "--defined-only", self.lib / what], check=True, stdout=subprocess.PIPE, text=True).stdout
            own = {line.split()[-1] for line in names.splitlines() if re.search(r" [A-Z] (?!__|_init|_fini)", line)}
            self.assertEqual(FUNCTIONS, {n for n in own if not n.startswith(("__asan", "__odr", "_end", "_edata"))})
        header = (self.tree / PREFIX[1:] / "include/assay/assay.h").read_text()
        self.assertEqual(FUNCTIONS, set(re.findall(r"\b(assay_\w+)\([a-z]", header)) - {"assay_reply_fn", "assay_notification_fn"})
        soname = subprocess.run(["readelf", "-d", self.lib / "libassay.so"], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("[libassay.so.0]", soname)


if __name__ == "__main__":
    unittest.main()
