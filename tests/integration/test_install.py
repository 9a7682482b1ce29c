# SPDX-License-Identifier: Apache-2.0
"""make install into an empty tree: all of it is there, its parts find each other, and it times a kernel."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, TIMED, TREE  # noqa: E402

PREFIX = "/opt/assay"
PROGRAMS = {"bin": {"assay", "assayd", "assay-ca"}, "libexec/assay": {"assay-worker", "assay-jail", "assay-runner", "assay-starter", "assay-hostd",
                                                           "assay-transform", "assay-spec", "assay-micro", "assay-notify",
                                                           *(p.name for p in [BUILD / "assay-clang"] if p.exists())}}


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = pathlib.Path(tempfile.mkdtemp(prefix="assay-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.tree)
        cls.install()
        cls.top = cls.tree / PREFIX[1:]

    @classmethod
    def install(cls):
        cls.make(cls.tree, "install")

    @classmethod
    def make(cls, tree, what):
        run = subprocess.run(["make", "-s", "-C", TREE, f"MODE={BUILD.name}", f"DESTDIR={tree}",
                              f"PREFIX={PREFIX}", what],
                             check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             text=True)
        return run.stdout

    def files(self):
        return [p for p in self.tree.rglob("*") if p.is_file()]

    def test_the_programs_are_where_they_look_for_each_other(self):
        for where, names in PROGRAMS.items():
            self.assertEqual(names, {p.name for p in (self.top / where).iterdir()})
            for name in names:
                self.assertEqual(0o755, (self.top / where / name).stat().st_mode & 0o7777, name)

    def test_each_manual_is_in_its_section(self):
        pages = [p for where in ("client", "client/agent", "client/lib", "client/micro/plugin", "daemon", "daemon/hostd", "schema")
                 for p in (TREE / where).glob("*.[1-8]")]
        self.assertGreaterEqual(len(pages), 10)
        self.assertEqual(sorted(f"man{p.suffix[1:]}/{p.name}" for p in pages),
                         sorted(str(p.relative_to(self.top / "share/man")) for p in (self.top / "share/man").rglob("*.[1-8]")))

    def test_documents_schemas_and_examples_come_along(self):
        here = self.top / "share/doc/assay"
        self.assertEqual({"README.md", "LICENSE", "CHANGES.md", "PROTOCOL.md", "OPERATORS.md", "examples"},
                         {p.name for p in here.iterdir()})
        schemas = self.top / "share/assay/schema"
        # openapi.json refers to what a daemon serves, and is served by it
        self.assertEqual({p.name for p in (TREE / "schema").glob("*.schema.json")}, {p.name for p in schemas.iterdir()})
        for path in schemas.iterdir():
            for other in re.findall(r'"\$ref": "([^#"]+)', path.read_text()):
                self.assertTrue((schemas / other).is_file(), f"{path.name} refers to {other}")
        kernels = [p for pattern in ("*.c", "*.spec.json", "*.script") for p in (TREE / "tests/kernels").glob(pattern)]
        self.assertGreaterEqual(len(kernels), 20)
        self.assertEqual({p.name for p in kernels}, {p.name for p in (here / "examples").iterdir() if p.is_file()})

    def test_an_application_finds_what_makes_checkpoint_images(self):
        subprocess.run(["gcc", "-Werror", f"-I{self.top}/include/assay", TREE / "tests/checkpoint/words_app.c", f"-L{self.top}/lib",
                        "-lassay-checkpoint", "-o", self.tree / "words_app"], check=True)
        subprocess.run([self.tree / "words_app", self.tree / "words.image", "1"], check=True, stdout=subprocess.DEVNULL)
        self.assertGreater((self.tree / "words.image").stat().st_size, 1 << 20)
        for name in ("words_app", "words.image"):
            (self.tree / name).unlink()

    def test_a_plugin_of_assay_micro_is_compiled_with_the_installed_header(self):
        subprocess.run(["gcc", "-Werror", f"-I{self.top}/include/assay", "-shared", "-fPIC", "-o", self.tree / "gate.so",
                        TREE / "tests/micro/plugins/gate.c"], check=True)
        count = subprocess.run([self.top / "libexec/assay/assay-micro", "--count", f"--plugin={self.tree}/gate.so",
                                TREE / "tests/micro/load_store.xml"], check=True, stdout=subprocess.PIPE, text=True)
        self.assertEqual("2\n", count.stdout)
        (self.tree / "gate.so").unlink()

    def test_units_and_profiles_name_programs_that_are_there(self):
        units = list((self.top / "lib/systemd/system").iterdir())
        self.assertEqual({"assayd.service", "assay-hostd.service", "assay-hostd.socket"}, {p.name for p in units})
        named = set()
        for path in [*units, self.top / "share/assay/apparmor/assay"]:
            text = path.read_text()
            self.assertNotIn("@", re.sub(r"#.*|@\{\w+\}|@system-service", "", text), path.name)
            named |= set(re.findall(re.escape(PREFIX) + r"/[\w/-]+", text))
        self.assertGreaterEqual(len(named), 4)
        for program in named:
            self.assertTrue((self.tree / program[1:]).is_file(), program)

    def test_settings_users_and_directories_come_along_and_settings_stay(self):
        for name in ("lib/sysusers.d/assay.conf", "lib/tmpfiles.d/assay.conf"):
            self.assertIn("assay", (self.top / name).read_text())
        settings = self.tree / "etc/assay/assayd.conf"
        self.assertIn("timing-cpus", settings.read_text())
        self.assertTrue((self.tree / "etc/assay/hostd.conf").is_file())
        settings.write_text("timing-cpus = 1\n")
        self.install()
        self.assertEqual("timing-cpus = 1\n", settings.read_text())

    def test_uninstall_leaves_what_is_not_its_own_and_changed_settings(self):
        with tempfile.TemporaryDirectory(prefix="assay-uninstall-") as directory:
            tree = pathlib.Path(directory)
            self.make(tree, "install")
            own = [tree / "etc/assay/assayd.conf", tree / "etc/assay/users.conf",
                   tree / PREFIX[1:] / "bin/another"]
            for path in own:
                path.write_text("mine\n")
            said = self.make(tree, "uninstall")
            self.assertEqual(set(own), {p for p in tree.rglob("*") if not p.is_dir()})
            self.assertIn(f"kept, since it was changed: {own[0]}", said)
            self.assertFalse((tree / PREFIX[1:] / "share").exists())
            self.make(tree, "uninstall")
            self.assertEqual(set(own), {p for p in tree.rglob("*") if not p.is_dir()})

    def test_nothing_names_the_tree_that_it_was_staged_in(self):
        for path in self.files():
            self.assertNotIn(str(self.tree).encode(), path.read_bytes(), path)

    def test_what_is_installed_times_a_kernel(self):
        examples = self.top / "share/doc/assay/examples"
        spec = json.loads((examples / "axpy.spec.json").read_text())
        spec["timing"] = {"trust": "claimed"}           # an audit compares times
        with tempfile.TemporaryDirectory() as home:
            (pathlib.Path(home) / "axpy.spec.json").write_text(json.dumps(spec))
            run = subprocess.run([self.top / "bin/assay", "time", "--json", "--context", "warm",
                                  f"{home}/axpy.spec.json", examples / "axpy.c"],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True,
                                 env={"HOME": home, "PATH": "/usr/bin:/bin",
                                      "ASSAY_SHARE_CPUS": "yes"})
        self.assertIn(json.loads(run.stdout)["status"], TIMED, run.stderr)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is not installed")
    def test_the_services_are_hardened(self):
        for name, exposure in (("assayd.service", 50), ("assay-hostd.service", 30)):     # of 100
            run = subprocess.run(["systemd-analyze", "security", "--offline=true", f"--threshold={exposure}",
                                  str(self.top / "lib/systemd/system" / name)], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(0, run.returncode, run.stdout)


if __name__ == "__main__":
    unittest.main()
