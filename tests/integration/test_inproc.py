# SPDX-License-Identifier: Apache-2.0
"""clang as a library in a builder: jobs of all kinds through the real daemon, and a host without it."""
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, Daemon, TIMED  # noqa: E402

SPEC = {"routine": "int f(int n)", "args": {"n": "3"}, "context": "warm", "timing": {"gate": False, "samples": 3},
        "check": {"reference": {"source": "int f(int n) { return n + 1; }"}}}
GOOD = "int f(int n) { return n + 1; }"
CRASH = "int f(int n)\n{\n#pragma clang __debug crash\n\treturn n;\n}\n"
HAS = (BUILD / "assay-clang").exists()


def job(source, **members):
    return {"job": {"variant": {"source": source, "compiler": "clang-inproc", **members}, "spec": SPEC, "fresh": True},
            "follow": True}


def result_of(client, order):
    client.call("job.submit", order)
    return client.notification()["result"]


@unittest.skipUnless(HAS, "libclang-cpp19-dev or llvm-19-dev is not installed")
class Inproc(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)
        cls.client = cls.enterClassContext(cls.daemon.connect())

    def test_inproc_a_result_names_the_compiler_and_the_host_lists_it(self):
        result = result_of(self.client, job(GOOD))
        self.assertIn(result["status"], TIMED, result["detail"])
        self.assertEqual("clang-inproc", result["compiler"]["name"])
        self.assertRegex(result["compiler"]["version"], "clang version 19")
        listed = {c["name"]: c for c in self.client.call("host.get")["compilers"]}
        self.assertEqual(result["compiler"]["id"], listed["clang-inproc"]["id"])
        self.assertTrue(listed["clang-inproc"]["path"].endswith("/assay-clang"))

    def test_inproc_one_that_crashes_the_compiler_leaves_the_others_their_times(self):
        variants = [{"name": f"v{i}", "source": (CRASH if i % 4 == 1 else GOOD) + f"/* {i} */", "compiler": "clang-inproc"}
                    for i in range(8)]
        self.client.call("sweep.create", {"sweep": {"name": "crashes", "spec": SPEC, "variants": variants}})
        self.client.call("job.wait", {"sweep": "crashes"})
        statuses = self.client.call("sweep.get", {"sweep": "crashes"})["statuses"]
        self.assertEqual(2, statuses.get("build_limit"), statuses)
        self.assertEqual(6, sum(statuses.get(s, 0) for s in TIMED), statuses)

    def test_inproc_files_beside_a_variant_and_layouts_are_built(self):
        files = {"add.h": "int add(int);", "add.c": "int add(int n) { return n + 1; }"}
        order = job('#include "add.h"\nint f(int n) { return add(n); }', files=files)
        self.assertIn(result_of(self.client, order)["status"], TIMED)
        order = job(GOOD)
        order["job"]["spec"] = {**SPEC, "timing": {**SPEC["timing"], "layout": "random"}}
        result = result_of(self.client, order)
        self.assertIn(result["status"], TIMED, result["detail"])

    def test_inproc_messages_have_the_variants_name_and_line(self):
        result = result_of(self.client, job("int f(int n)\n{\n\treturn missing;\n}\n"))
        self.assertEqual("build_failed", result["status"])
        self.assertRegex(result["detail"], r"^variant\.c:3:9: error: .*missing")

    def test_inproc_a_flag_with_which_it_compiles_nothing_fails_the_build(self):
        result = result_of(self.client, job(GOOD, flags=["-mcpu=help"]))
        self.assertEqual("build_failed", result["status"], result["detail"])
        self.assertRegex(result["detail"], "^the compiler made no object\n")


class Without(unittest.TestCase):
    def test_inproc_without_the_library_a_job_is_refused_with_the_packages(self):
        with tempfile.TemporaryDirectory() as folder:
            for program in ("assay-worker", "assay-jail", "assay-runner"):
                shutil.copy(BUILD / program, folder)
            daemon = Daemon(worker=pathlib.Path(folder) / "assay-worker")
            self.addCleanup(daemon.stop)
            with daemon.connect() as client:
                result = result_of(client, job(GOOD))
                listed = [c["name"] for c in client.call("host.get")["compilers"]]
            daemon.stop()
        self.assertEqual("bad_spec", result["status"])
        self.assertRegex(result["detail"], "variant.compiler: .*clang-inproc is not installed.*libclang-cpp19-dev")
        self.assertNotIn("clang-inproc", listed)


if __name__ == "__main__":
    unittest.main()
